"""The one question every remover asks before it takes anything away."""

from __future__ import annotations

from lxml import etree

from mainextract_beam.clean.page import CleanPage, Kind

ALWAYS: dict[str, Kind] = {"pre": "code", "math": "math"}
"""Elements protected by their name, whether step 4 ran or not."""


def is_protected(page: CleanPage, element: etree._Element) -> bool:
    """Whether a remover must leave the element: it is protected, is inside something protected, or holds such a thing.

    Constant time: the marks answer it, no walk over ancestors or descendants.
    """
    if not page.marks.sealed:
        seal(page)
    return page.marks.is_inside(element) or page.marks.is_around(element)


def seal(page: CleanPage) -> None:
    """Marks what its name alone protects, in the content roots. Asked for once, by the first remover."""
    page.marks.sealed = True
    for root in page.roots:
        for element in list(root.iter(*ALWAYS)):
            page.marks.protect(element, ALWAYS[str(element.tag)])
