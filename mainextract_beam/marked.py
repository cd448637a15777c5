"""Finding the few elements of a tree of which something is said, by their names and by what their attributes hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final

from lxml import etree

from mainextract_beam.walks import compiled

_MOST: Final = 2_048  # values kept
_LONGEST: Final = 200  # characters of a value that is kept


class Judged(dict[str, int]):
    """What each value of an attribute says, as bits: pages repeat few values many times, so each is judged once.

    Args:
        judge: the bits of a value.
    """

    def __init__(self, judge: Callable[[str], int]) -> None:
        self._judge = judge

    def __missing__(self, value: str) -> int:
        bits = self._judge(value)
        if len(value) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[value] = bits
        return bits


def marked(top: Any, tags: Mapping[str, int], attributes: Mapping[str, int | dict[str, int]]) -> list[tuple[Any, int]]:
    """The elements at and below one of which a tag or an attribute says something, in document order.

    Args:
        top: where to start.
        tags: bits by tag.
        attributes: by name of an attribute in no namespace its bits; or its bits by value, `Judged`; or, in a plain dict, by what
            its value may hold. Every value holds "".

    Returns:
        Each element with the bits of its tag and its attributes together; none whose bits are 0.
    """
    if compiled is not None:
        found: list[tuple[Any, int]] = compiled.marked(top, tags, attributes)
        return found
    return _marked(top, tags, attributes)


def _marked(top: Any, tags: Mapping[str, int], attributes: Mapping[str, int | dict[str, int]]) -> list[tuple[Any, int]]:
    found = []
    for element in top.iter(etree.Element):
        bits = tags.get(element.tag, 0)
        for name, value in element.items():
            if name in attributes:
                bits |= _bits(attributes[name], value)
        if bits:
            found.append((element, bits))
    return found


def _bits(said: int | dict[str, int], value: str) -> int:
    if isinstance(said, int):
        return said
    if isinstance(said, Judged):
        return said[value]
    return reduce(or_, (bits for piece, bits in said.items() if piece in value), 0)
