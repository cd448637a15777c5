"""The words that class names and ids are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SHORTEST: Final = 2
LONGEST: Final = 20
"""Letters of a token; what is shorter or longer says nothing."""

START: Final = "\0"
"""Stands before the tokens of each name; no tree holds it."""

_TOKEN_OR_BREAK: Final = re.compile(rf"{_TOKEN.pattern}|\n")
_SPACED: Final = bytes(code if chr(code).islower() or chr(code) == "\n" else 32 for code in range(128)) + b" " * 128


def name_tokens(names: str) -> list[str]:
    """Split class names and ids into lower-case words: at separators, at digits and at camel-case humps."""
    return [token for token in (t.lower() for t in _TOKEN.findall(names)) if SHORTEST <= len(token) <= LONGEST]


@dataclass(slots=True)
class NameTokens:
    """The tokens of many names, each name once.

    Attributes:
        names: the names, which hold no white space.
        tokens: START and the tokens of the first name, START and those of the second ..., of any length.
    """

    names: list[str]
    tokens: list[str]


def tokens_of(names: Iterable[str]) -> NameTokens:
    """The tokens of class attributes, ids and the like, which hold names parted by white space.

    The same as `name_tokens`, but for all at once: a page has hundreds.
    """
    lower: list[str] = []
    humped: list[str] = []
    for name in set(" ".join(set(names)).split()):
        (lower if name.islower() else humped).append(name)
    # What holds no capital is parted wherever there is no letter.
    plain = "".join([f"\n{name}" for name in lower]).encode("ascii", "replace").translate(_SPACED).decode("ascii")
    parted = " ".join(_TOKEN_OR_BREAK.findall("".join([f"\n{name}" for name in humped]))).lower()
    return NameTokens(lower + humped, f"{plain} {parted}".replace("\n", f" {START} ").split())
