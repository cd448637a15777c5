"""Reading and writing the ``srcset`` attribute."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final


def parse_srcset(value: str) -> list[tuple[str, str]]:
    """The candidates of a ``srcset``: (URL, descriptor), after the HTML Standard (4.8.4.2.2), in linear time.

    Commas inside a URL belong to it; a candidate without a descriptor has an empty one.
    """
    candidates: list[tuple[str, str]] = []
    position, length = 0, len(value)
    while True:
        match = _SEPARATORS.match(value, position)
        position = match.end() if match else position
        if position >= length:
            return candidates
        match = _URL.match(value, position)
        if match is None:
            return candidates
        url, position = match[0], match.end()
        descriptor = ""
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            match = _DESCRIPTOR.match(value, position)
            if match:
                descriptor, position = " ".join(match[0].split()), match.end()
        candidates.append((url, descriptor))


def is_settled(value: str) -> bool:
    """Whether a ``srcset`` is written as `write_srcset` does and names URLs of the web only, each with a width or a density."""
    return _SETTLED.fullmatch(value) is not None


_SEPARATORS: Final = re.compile(r"[\s,]+")
_URL: Final = re.compile(r"\S+")
# Up to a comma outside parentheses; one parenthesis left open takes all.
_DESCRIPTOR: Final = re.compile(r"(?:[^,(]|\([^)]*(?:\)|$))*")
_CANDIDATE: Final = r"https?://\S*[^\s,] [\d.]+[wx]"
_SETTLED: Final = re.compile(rf"{_CANDIDATE}(?:, {_CANDIDATE})*")


def write_srcset(candidates: Iterable[tuple[str, str]]) -> str:
    """Candidates as the value of a ``srcset``."""
    return ", ".join(f"{url} {descriptor}" if descriptor else url for url, descriptor in candidates)
