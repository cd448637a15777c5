"""How much of the page's prose one heuristic removal may take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lxml import etree

from mainextract_beam.clean.walk import raw_text
from mainextract_beam.names import NOT_TEXT
from mainextract_beam.text import normalize
from mainextract_beam.walks import load_compiled

SHARE = 0.25
"""Share of the prose left in the content roots that one removal of steps 6 to 9 may take."""

# In C; characters, so that scripts without spaces count like others.
_LENGTH = etree.XPath("string-length(normalize-space())", smart_strings=False)
_LINKS_TOO: Final = NOT_TEXT | {"a"}

compiled: Final = load_compiled("clean._texts")


def text_length(element: etree._Element) -> int:
    """Characters of all text a reader may see in the element, white space collapsed."""
    return _length_without(element, NOT_TEXT)


def prose_length(element: etree._Element) -> int:
    """Characters of an element's text outside links."""
    return _length_without(element, _LINKS_TOO)


def _length_without(element: etree._Element, apart: frozenset[str]) -> int:
    """Characters of an element's text without that of elements of some names; what stands in two of them is taken off twice."""
    if compiled is not None:
        length: int | None = compiled.length(element, apart)
        if length is not None:
            return length
    if not len(element):
        return 0 if element.tag in apart else len(normalize(element.text))
    return max(0, _length(element) - sum(map(_length, element.iter(*apart))))


def _length(element: etree._Element) -> int:
    if not len(element):
        return len(normalize(element.text))
    text = raw_text(element)
    if "  " in text or "\n" in text or "\t" in text or "\r" in text:
        return int(_LENGTH(element))
    return len(text.strip(" "))


class Budget:
    """The prose of the content roots, less what has been taken since: asked before each removal, told after it.

    Prose is text outside links, so that a menu does not count as content however long it is.
    """

    __slots__ = ("_left", "_roots", "share")

    def __init__(self, roots: Sequence[etree._Element], share: float = SHARE) -> None:
        self._roots: Iterable[etree._Element] = roots
        self._left: int | None = None
        self.share = share

    @property
    def left(self) -> int:
        """Characters of prose that are left."""
        if self._left is None:
            self._left = sum(map(prose_length, self._roots))
        return self._left

    def allows(self, prose: int, share: float | None = None) -> bool:
        """Whether one removal may take that many characters of prose; ``share`` for rules of more evidence than most."""
        return prose <= (self.share if share is None else share) * self.left

    def take(self, prose: int, share: float | None = None) -> bool:
        """Takes that many characters of prose where the budget allows it; whether it did."""
        if not self.allows(prose, share):
            return False
        self._left = self.left - prose
        return True
