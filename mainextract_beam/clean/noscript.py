"""Pages whose text stands in `noscript` alone: forum software that builds its pages with script serves it there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mainextract_beam.clean.walk import raw_text
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._texts")

_TEXT_LEAST: Final = 200
_NOT_INSIDE: Final = frozenset({"script", "style", "iframe"})
_NOT_OUTSIDE: Final = frozenset({"noscript", "script", "style", "template", "svg", "textarea", "select"})
_PIECES: Final = {
    names: etree.XPath(f".//text()[not({' or '.join(f'ancestor::{name}' for name in sorted(names))})]", smart_strings=False)
    for names in (_NOT_INSIDE, _NOT_OUTSIDE)
}


def stated_in_noscript(root: Element, noscripts: Iterable[Element]) -> list[Element]:
    """The `noscript` elements that hold the page's text, where they hold more of it than the rest.

    Args:
        root: the page; it is only read.
        noscripts: its `noscript` elements.

    Returns:
        Those with at least 200 characters of text, in document order, if together they hold more text than all that
        stands outside `noscript`; else none.
    """
    held: list[Element] = []
    size = 0
    for element in noscripts:
        if len(element) == 0 or element.getparent() is None or len(raw_text(element)) < _TEXT_LEAST:
            continue
        text = _length(element, _NOT_INSIDE)
        if text >= _TEXT_LEAST:
            held.append(element)
            size += text
    if not held:
        return []
    bodies = [body for body in root.getroottree().getroot().iter("body") if next(body.iterancestors("body"), None) is None]
    return held if size > sum(_length(body, _NOT_OUTSIDE) for body in bodies) else []


def _length(element: Element, apart: frozenset[str]) -> int:
    """Characters of the texts in an element, each stripped; not of those in elements of some names."""
    if compiled is None:
        return sum(len(piece.strip()) for piece in _PIECES[apart](element))
    if next(element.iterancestors(*apart), None) is not None:
        return 0
    length: int = compiled.stripped_length(element, apart)
    return length
