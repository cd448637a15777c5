"""The families of stems that class names and ids hold, as signs.py has them."""

from __future__ import annotations

from typing import Any, Final

from mainextract_beam.clean.name_tokens import LONGEST, START, tokens_of
from mainextract_beam.metadata.signs import NAMES
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._name_tokens")

_FAMILIES: Final = tuple(NAMES)
_FAMILY: Final = {stem: family for family, stems in NAMES.items() for stem in stems.split()}
_WORDS: Final[Any] = compiled and compiled.Words({stem: _FAMILIES.index(family) for stem, family in _FAMILY.items()})
# The stems by their first letters, so many as every stem has; longer stems first.
_STEM_START: Final = 3
_STEMS: Final[dict[str, list[str]]] = {}
for _stem in sorted(_FAMILY, key=len, reverse=True):
    _STEMS.setdefault(_stem[:_STEM_START], []).append(_stem)


def count_families(elements: list[str]) -> dict[str, int]:
    """How many different names hold a token that begins with a stem of each family.

    Args:
        elements: the class names, id and role of each element.
    """
    if compiled is not None:
        return dict(zip(_FAMILIES, _WORDS.begun(elements, len(_FAMILIES)), strict=True))
    tokens = tokens_of(elements).tokens
    families = {START: START} | {token: family for token in set(tokens) if (family := _family(token))}
    counts = dict.fromkeys(_FAMILIES, 0)
    counted: set[str] = set()  # of one name
    for found in filter(None, map(families.get, tokens)):
        if found == START:
            counted.clear()
        elif found not in counted:
            counted.add(found)
            counts[found] += 1
    return counts


def _family(token: str) -> str | None:
    if len(token) > LONGEST:
        return None
    return next((_FAMILY[stem] for stem in _STEMS.get(token[:_STEM_START], ()) if token.startswith(stem)), None)
