"""Chosen elements -> Document: the page around them, its title, base URLs, and XML-safe names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final

from lxml import etree

from mainextract_beam.base import PLAIN_BASES, XML_BASE, document_base, element_base, is_absolute, resolve, stated_bases, uri
from mainextract_beam.document import Document
from mainextract_beam.names import FRAMING, XML, local_name
from mainextract_beam.page import Content, Page
from mainextract_beam.regions import has_text, in_framing
from mainextract_beam.sanitize import sanitize
from mainextract_beam.text import entity_text, normalize
from mainextract_beam.xmlsafe import make_safe, set_attribute

# Attributes of html and body that say how to read what they hold; xml:lang in the forms parsers leave it.
_KEPT: Final = {
    "lang": "lang",
    "dir": "dir",
    f"{{{XML}}}lang": f"{{{XML}}}lang",
    "xml:lang": f"{{{XML}}}lang",
    "xmlU0003Alang": f"{{{XML}}}lang",
}


def assemble(page: Page, content: Content, more: Callable[[Document], Mapping[str, Any]] | None = None) -> Document:
    """Makes the document of what a method found; ``more`` reads the rest of its metadata.

    Elements of a tree that the library owns are moved, those of a caller's tree copied; the bytes are the same.
    """
    html, body = page.first("html") if page.lower_case else _first(page, "html"), _first(page, "body")
    title = _title(page)
    is_page = html is not None or body is not None or title is not None
    start = document_base(_top(page.root), page.url, page.lower_case, page.bases)
    base = element_base(page.root, _top(page.root), start)
    bases = _region_bases(page, content, start, base, is_page)
    elements = list(content.elements)
    if not is_page:
        roots = [_rehomed(_own(page, element)) for element in elements]
        if content.sanitized:
            for root in roots:
                sanitize(root, debug=content.debug)
        for root, stated in zip(roots, bases, strict=True):
            _state_base(root, stated)
        xml = [make_safe(root, stated=_count(stated), plain=page.lower_case) for root, stated in zip(roots, bases, strict=True)]
        text = None
        is_body = False
    else:
        text = None if title is None else normalize(_text_outside_framing(title))
        sources = content.origins or elements
        is_body = len(elements) == 1 and (sources[0] is body or elements[0] is html)
        root = _wrapped(page, html, body, title, elements, bases, is_body)
        if content.sanitized:
            sanitize(root, debug=content.debug)
        _state_base(root, base)
        xml = [make_safe(root, stated=_count(base, *bases), plain=page.lower_case)]
        roots = [root]
    return Document(
        xml,
        is_page=is_page,
        title=text,
        base=None if base is None else uri(base),
        rule=content.rule,
        is_body=is_body,
        metadata=content.metadata,
        journal=content.journal,
        roots=roots,
        more=more,
    )


def _count(*bases: str | None) -> int:
    return sum(base is not None for base in bases)


def _first(page: Page, name: str) -> Any | None:
    """The first element of that name, the scanned root included even where it is not content."""
    if local_name(page.root) == name:
        return page.root
    return page.first(name)


def _top(element: Any) -> Any:
    return element.getroottree().getroot()


def _title(page: Page) -> Any | None:
    """The first ``title`` outside framing, if it carries text outside framing."""
    title = page.first("title")
    if title is not None and in_framing(title, page):
        title = next((other for other in page.named("title") if not in_framing(other, page)), None)
    return title if title is not None and has_text(title) else None


def _text_outside_framing(element: Any) -> str:
    pieces: list[str] = []
    stack: list[tuple[Any, bool]] = [(element, False)]
    while stack:
        node, is_tail = stack.pop()
        if is_tail:
            pieces.append(node.tail or "")
            continue
        if node is not element:
            stack.append((node, True))
        name = local_name(node)
        if name is None:
            if node.tag is etree.Entity:
                pieces.append(entity_text(node.name))
        elif name not in FRAMING:
            pieces.append(node.text or "")
            stack.extend((child, False) for child in reversed(node))
    return "".join(pieces)


def _region_bases(page: Page, content: Content, start: str | None, base: str | None, is_page: bool) -> list[str | None]:
    """What each region records as its base."""
    found: list[str | None] = []
    top = _top(page.root)
    for element in content.origins or content.elements:
        whole = element_base(element, top, start)
        if whole is None or is_absolute(whole) or not is_page:
            found.append(whole)
            continue
        # Relative bases nest: html records what is stated down to the root, the region only what is stated below it.
        below: str | None = None
        if element is not page.root:
            stated = stated_bases(element, page.root)
            for value in stated[1:] if _states_base(page.root) else stated:
                below = resolve(below, value)
        found.append(below)
    return found


def _states_base(element: Any) -> bool:
    return bool(stated_bases(element, element))


def _own(page: Page, element: Any) -> Any:
    """An element that may be changed, without the text that follows it."""
    if not page.owned and element.getroottree().getroot() is _top(page.root):
        element = deepcopy(element)
    element.tail = None
    return element


def _rehomed(element: Any) -> Any:
    """An element at the top of an XML document: in an HTML one, libxml2 does not see ``xml:base``."""
    holder = etree.Element("holder")
    holder.append(element)
    holder.remove(element)
    return element


def _state_base(element: Any, base: str | None) -> None:
    for name in PLAIN_BASES:
        element.attrib.pop(name, None)
    if base is not None:
        element.set(XML_BASE, uri(base))
    else:
        element.attrib.pop(XML_BASE, None)


def _wrapped(page: Page, html: Any, body: Any, title: Any, elements: list[Any], bases: list[str | None], is_body: bool) -> Any:
    """The ``html`` element that holds the title and the regions."""
    namespace, prefix = _namespace(html if html is not None else body)
    nsmap = {prefix: namespace} if namespace else None

    def name(local: str) -> str:
        return f"{{{namespace}}}{local}" if namespace else local

    root = etree.Element(name("html"), nsmap=nsmap)
    if html is not None:
        _keep_reading(html, root)
    if title is not None:
        head = etree.SubElement(root, name("head"))
        above = title.getparent()
        is_spare = page.owned and above is not None and local_name(above) == "head" and above not in elements
        head.append(_without_tail(title if is_spare else deepcopy(title)))
    if is_body:
        new = _body_of(page, html, body, elements[0], name("body"))
        root.append(new)
        _state_base(new, bases[0])
        return root
    new = etree.SubElement(root, name("body"))
    if body is not None:
        _keep_reading(body, new)
    for element, base in zip(elements, bases, strict=True):
        region = _own(page, element)
        new.append(region)
        region.tail = None
        _state_base(region, base)
    return root


def _without_tail(element: Any) -> Any:
    element.tail = None
    return element


def _body_of(page: Page, html: Any, body: Any, element: Any, name: str) -> Any:
    """The body handed on where the region is the page's body or its ``html``."""
    if element is html and body is None:
        new = etree.Element(name)
        for child in list(_own(page, html)):
            if local_name(child) != "head":
                new.append(child)
        return new
    new = _own(page, body if element is html else element)
    if new.tag != name:
        new.tag = name
    return new


def _namespace(element: Any) -> tuple[str | None, str | None]:
    if element is None or element.tag[0] != "{":
        return None, None
    return element.tag[1:].partition("}")[0], element.prefix


def _keep_reading(source: Any, target: Any) -> None:
    """Copies language and direction."""
    for key, value in source.attrib.items():
        kept = _KEPT.get(key) or _KEPT.get(key.lower())
        if kept and kept not in target.attrib:
            set_attribute(target, kept, value)
