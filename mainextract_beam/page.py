"""What a method is given and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from mainextract_beam.base import loaded_url
from mainextract_beam.names import elements_named


@dataclass(slots=True)
class Page:
    """One parsed tree, as a method sees it.

    Attributes:
        root: the element scanned: the root of an ElementTree, or the element given.
        whole: whether ``root`` itself belongs to what is scanned; False for a bare element, of which only what it holds counts.
        owned: whether the tree may be changed: it was parsed by the library for this call alone.
        lower_case: whether all names are known to be lower-case and without namespace, as the HTML parser leaves them.
        url: the page's URL, where the caller, or the parser, stated one.
    """

    root: Any
    whole: bool = True
    owned: bool = False
    lower_case: bool = False
    url: str | None = None
    bases: Sequence[Any] | None = None

    def named(self, name: str) -> list[Any]:
        """The scanned elements of that local name, in document order."""
        found = elements_named(self.root, name, self.lower_case)
        if not self.whole and found and found[0] is self.root:
            del found[0]
        return found

    def first(self, name: str) -> Any | None:
        """The first scanned element of that local name."""
        if self.lower_case and self.whole:
            return next(self.root.iter(name), None)
        found = self.named(name)
        return found[0] if found else None


@dataclass(slots=True)
class Content:
    """What a method found.

    Attributes:
        elements: the content, in document order: elements of the tree, or newly built ones.
        rule: how they were found.
        origins: for newly built elements, the element of the tree whose base URL each inherits.
        metadata: what became known of the page on the way.
        journal: what was removed and why, where a journal was kept.
        page: the tree the elements stand in, where the method worked on a tree of its own.
        sanitized: whether the document is to be made safe to show (sanitize.py).
        debug: whether that keeps diagnostic attributes.
    """

    elements: Sequence[Any]
    rule: str
    origins: Sequence[Any] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    journal: Sequence[Any] | None = None
    page: Page | None = None
    sanitized: bool = False
    debug: bool = False


def page_of(tree: Any, url: str | None = None) -> Page | None:
    """The page of a tree given by a caller; None where it holds nothing.

    Raises:
        TypeError: ``tree`` is neither an lxml tree nor of a model that adapters.py knows.
    """
    if isinstance(tree, etree._ElementTree):
        root = tree.getroot()
        return None if root is None else Page(root, url=url or loaded_url(root))
    if isinstance(tree, etree._Element):
        return Page(tree, whole=False, url=url or loaded_url(tree)) if isinstance(tree.tag, str) else None
    if isinstance(tree, (str, bytes)):
        raise TypeError(f"extract takes an lxml tree, got {type(tree).__name__}; for a page's text or bytes use extract_page")
    from mainextract_beam.adapters import lxml_tree

    try:
        adapted = lxml_tree(tree)
    except TypeError as error:
        name = type(tree).__name__
        raise TypeError(f"extract takes an lxml tree, or a document of another model it knows, got {name}: {error}") from None
    return None if adapted is None else Page(adapted.getroot(), owned=True, url=url)
