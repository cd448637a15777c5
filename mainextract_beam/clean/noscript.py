"""Pages whose text stands in `noscript` alone: forum software that builds its pages with script serves it there."""

from __future__ import annotations

from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

_TEXT_LEAST: Final = 200
_inside: Final = etree.XPath(".//text()[not(ancestor::script or ancestor::style or ancestor::iframe)]", smart_strings=False)
_outside: Final = etree.XPath(
    "//body//text()[not(ancestor::noscript or ancestor::script or ancestor::style or ancestor::template"
    " or ancestor::svg or ancestor::textarea or ancestor::select)]",
    smart_strings=False,
)


def stated_in_noscript(root: Element) -> list[Element]:
    """The `noscript` elements that hold the page's text, where they hold more of it than the rest.

    Args:
        root: the page; it is only read.

    Returns:
        Those with at least 200 characters of text, in document order, if together they hold more text than all that
        stands outside `noscript`; else none.
    """
    held: list[Element] = []
    size = 0
    for element in list(root.iter("noscript")):
        if len(element) == 0 or element.getparent() is None:
            continue
        text = sum(len(piece.strip()) for piece in _inside(element) if not piece.isspace())
        if text >= _TEXT_LEAST:
            held.append(element)
            size += text
    if not held:
        return []
    outside = sum(len(piece.strip()) for piece in _outside(root))
    return held if size > outside else []
