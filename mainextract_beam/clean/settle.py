"""White space and attributes of content: settled, text in one node, attributes cut to the allow-list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from mainextract_beam.clean.edit import set_tail, set_text
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.vocabulary import KEPT, LAYOUT, OPAQUE
from mainextract_beam.names import BLOCK, HEADINGS
from mainextract_beam.sanitize import ATTRIBUTES, CLASSES, GLOBAL_ATTRIBUTES, XML_ATTRIBUTES
from mainextract_beam.text import WHITESPACE
from mainextract_beam.walks import load_compiled
from mainextract_beam.xmlsafe import drop_attribute

compiled: Final = load_compiled("clean._settle")

_SPACES = re.compile(f"[{re.escape(WHITESPACE)}]+")
_ROLES = re.compile(r"note|doc-[a-z]+")
_ROOTS = KEPT | {"main", "div", "pre", "header", "footer", "nav"}

# What is known of a tag: that elements of it are left as they are, with all they hold; that their attributes are another
# vocabulary, which the sanitiser cuts; that their own white space counts; that text ends at their edges.
_CLOSED_UP, _FOREIGN, _CODE, _EDGE = (1 << bit for bit in range(4))
_EDGES = BLOCK | {"br", "td", "th"}
_TAGS = {
    tag: _CLOSED_UP * (tag in OPAQUE) | _FOREIGN * (tag in ("math", "svg")) | _CODE * (tag == "code") | _EDGE * (tag in _EDGES)
    for tag in _EDGES | OPAQUE | {"code"}
}


def settle(page: CleanPage, root: etree._Element, targets: set[str]) -> None:
    """Settles white space and attributes."""
    if not page.debug:
        if root.tag not in _ROOTS or (root.tag in LAYOUT and page.marks.kind(root) is None):
            root.tag = "div"
        if compiled is None:
            odd = list(_odd_attributes(root))
        else:
            odd = compiled.odd_attributes(root, _TAGS, _STAYING, _ANYWHERE)
        for element, names in odd:
            _cut_attributes(page, element, names, targets)
    for element, how in _texts(root) if compiled is None else compiled.unsettled(root, _TAGS):
        if not how & _GONE:
            _settle_text(element, how)
        elif how & _TAIL:
            element.tail = None
        else:
            element.text = None


# How a text is settled: each run of white space made one space, white space taken away from its ends; written anew, as one
# node, in any case. Whether it is the one that follows the element. Whether nothing is left of it.
_COLLAPSE, _LEFT, _RIGHT, _ANEW, _TAIL, _GONE = (1 << bit for bit in range(6))


def _bits(node: etree._Element) -> int:
    return _TAGS.get(node.tag, 0) if isinstance(node.tag, str) else 0


def open_nodes(root: etree._Element) -> Iterator[etree._Element]:
    """An element and all it holds, but for what is in elements that are left as they are."""
    closed: set[etree._Element] = set()
    for node in list(root.iter()):
        if node not in closed:
            yield node
            if node.tag in OPAQUE:
                closed.update(node.iterdescendants())


def _texts(root: etree._Element) -> Iterator[tuple[etree._Element, int]]:
    """The texts in an element, each by the one it begins in or follows, and how they are settled.

    Neither does settling one of them change how others are, nor does it matter in which order that is done.
    """
    for node in open_nodes(root):
        bits = _bits(node)
        left = _LEFT * bool(bits & _EDGE)
        if node is not root and node.tail:
            after, parent = node.getnext(), node.getparent()
            beyond = parent if after is None else after
            at_edge = beyond is not None and bool(_bits(beyond) & _EDGE)
            yield node, _TAIL | (_COLLAPSE | left) * isinstance(node.tag, str) | (_RIGHT | _ANEW) * at_edge
        if isinstance(node.tag, str) and not bits & (_CODE | _CLOSED_UP) and node.text:
            if not len(node):
                yield node, _COLLAPSE | left | _RIGHT * bool(left)
            else:
                yield node, _COLLAPSE | left | (_RIGHT | _ANEW) * bool(_bits(node[0]) & _EDGE)


def _settle_text(element: etree._Element, how: int) -> None:
    text = (element.tail if how & _TAIL else element.text) or ""
    settled = _collapse(text) if how & _COLLAPSE else text
    if how & _LEFT:
        settled = settled.lstrip(" ")
    if how & _RIGHT:
        settled = settled.rstrip(WHITESPACE)
    if settled != text or how & _ANEW:
        (set_tail if how & _TAIL else set_text)(element, settled or None)


def _collapse(text: str) -> str:
    """The text with each run of white space made one space."""
    # As in text.normalize: no white space but the space itself is printable, and str.split parts at U+0085 too.
    if "  " not in text and text.isprintable():
        return text
    if "\x85" not in text:
        joined = " ".join(text.split())
        if joined.isprintable():
            return f"{' ' * text[0].isspace()}{joined}{' ' * text[-1].isspace()}" if joined else " "
    return _SPACES.sub(" ", text)


# Whether these stay depends on what they say.
_JUDGED = {"class", "id", "role"}
_ANYWHERE = (GLOBAL_ATTRIBUTES | XML_ATTRIBUTES) - _JUDGED
_STAYING = {tag: (_ANYWHERE | names) - _JUDGED for tag, names in ATTRIBUTES.items()}


def _odd_attributes(root: etree._Element) -> Iterator[tuple[etree._Element, list[str]]]:
    """The elements with attributes that are not on the list of those that stay in any case, and the names of these."""
    for element in open_nodes(root):
        if isinstance(element.tag, str) and not _bits(element) & _FOREIGN:
            staying = _STAYING.get(element.tag, _ANYWHERE)
            odd = [name for name in element.keys() if name not in staying]  # noqa: SIM118 - not a mapping
            if odd:
                yield element, odd


def _cut_attributes(page: CleanPage, element: etree._Element, names: list[str], targets: set[str]) -> None:
    """Takes those attributes away that do not stay."""
    attributes = element.attrib
    for name in names:
        if name not in _JUDGED or not _stays(page, element, name, targets):
            drop_attribute(attributes, name)


def _stays(page: CleanPage, element: etree._Element, name: str, targets: set[str]) -> bool:
    if name == "class":
        pattern = CLASSES.get(str(element.tag))
        return pattern is not None and any(map(pattern.fullmatch, element.get(name, "").split()))
    if name == "id":
        return element.tag in HEADINGS or page.marks.kind(element) is not None or element.get(name) in targets
    return _ROLES.fullmatch(element.get(name, "")) is not None
