"""Bytes or text of a page -> lxml tree, never failing on bad markup and losing no text."""

from __future__ import annotations

import re
import threading
from typing import Any, Final

from lxml import etree

from mainextract_beam.encodings import to_utf8
from mainextract_beam.names import XHTML, is_element
from mainextract_beam.walks import compiled
from mainextract_beam.xmlsafe import add_text, safe_comment, safe_name, safe_text, set_tail, set_text

# lxml's parsers refuse what nests deeper than 256 levels unless told otherwise, so no output nests deeper than this.
MAX_DEPTH: Final = 250

_DEEP: Final = etree.XPath(f"boolean({'/*' * 64})")  # few pages are; asking this first is cheaper
_TOO_DEEP: Final = etree.XPath(f"boolean({'/*' * (MAX_DEPTH + 1)})")
_XML_DECLARATION: Final = re.compile(rb"<\?xml\s")
_XHTML_ROOT: Final = re.compile(rb"<(?:\w{1,20}:)?html\s[^>]{0,2000}" + XHTML.encode(), re.I)
_LEAD: Final = 8_192  # bytes in which a page says what it is
_XHTML_TYPES: Final = ("application/xhtml+xml", "application/xml", "text/xml")


class PageTooLarge(ValueError):
    """A page beyond ``max_bytes`` or ``max_elements``."""


def parse_html(
    data: bytes | bytearray | memoryview | str,
    *,
    url: str | None = None,
    encoding: str | None = None,
    content_type: str | None = None,
) -> Any:
    """Parses a page; bad markup is mended as libxml2's HTML parser does, and no text is lost.

    Well-formed input that is XHTML by its content type, or starts with an XML declaration or an ``html`` element in the XHTML
    namespace, is parsed as XML: no DTD, no network, entities not expanded. Everything else is parsed as HTML. Nesting
    beyond 250 levels is flattened to that level. NUL and lone surrogates become U+FFFD; a page without markup gives
    ``<html><body/></html>``.

    Args:
        data: the page.
        url: its URL, kept in the tree's ``docinfo.URL``.
        encoding: charset label from outside the page, such as HTTP's; a hint, passed over where the bytes contradict it.
        content_type: media type from outside the page, parameters allowed.

    Returns:
        An ``lxml.etree._ElementTree``.

    Raises:
        TypeError: ``data`` is neither bytes nor text.
    """
    return parse_root(data, url=url, encoding=encoding, content_type=content_type)[0].getroottree()


def parse_root(
    data: bytes | bytearray | memoryview | str,
    *,
    url: str | None = None,
    encoding: str | None = None,
    content_type: str | None = None,
) -> tuple[Any, list[Any] | None]:
    """The root of the tree that parse_html gives, and its ``base`` elements where they became known: for pages parsed as HTML."""
    if isinstance(data, (bytearray, memoryview)):
        data = bytes(data)
    if not isinstance(data, (bytes, str)):
        raise TypeError(f"parse_html takes bytes or str, got {type(data).__name__}")
    page = to_utf8(data, encoding)
    root = _parse_xml(page, url) if _is_xhtml(page, content_type) else None
    return _parse_html(page, url) if root is None else (root, None)


def check_size(data: bytes | str, max_bytes: int | None) -> None:
    """Raises PageTooLarge where a page has more bytes (characters of a ``str``) than allowed."""
    if max_bytes is not None and len(data) > max_bytes:
        raise PageTooLarge(f"page of {len(data):,} bytes is larger than max_bytes={max_bytes:,}")


def check_elements(tree: Any, max_elements: int | None) -> None:
    """Raises PageTooLarge where a tree has more elements than allowed."""
    if max_elements is not None:
        count = int(tree.xpath("count(//*)"))
        if count > max_elements:
            raise PageTooLarge(f"page of {count:,} elements is larger than max_elements={max_elements:,}")


def is_html_parsed(root: Any) -> bool:
    """Whether a tree that parse_html made came from the HTML parser: its names are lower-case and without namespace."""
    return isinstance(root.getroottree().parser, etree.HTMLParser)


def _is_xhtml(page: bytes, content_type: str | None) -> bool:
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type in _XHTML_TYPES:
        return True
    lead = page[:_LEAD].lstrip()
    if _XML_DECLARATION.match(lead):
        return True
    # Comments and a DOCTYPE may stand before the root.
    while lead.startswith(b"<!"):
        end = b"-->" if lead.startswith(b"<!--") else b">"
        lead = lead.partition(end)[2].lstrip()
    return _XHTML_ROOT.match(lead) is not None


def _parse_xml(page: bytes, url: str | None) -> Any | None:
    """The root of a well-formed page; None where the HTML parser has to read it."""
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        # The larger limits also switch off libxml2's guard against entities that grow in attribute values.
        huge_tree=b"<!ENTITY" not in page,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(page, parser=parser, base_url=url)
    except etree.XMLSyntaxError:
        return None
    return None if _TOO_DEEP(root) else root


class _Parsers(threading.local):
    """The parser of one thread: a parser is locked while it is at work."""

    def __init__(self) -> None:
        self.html = etree.HTMLParser(encoding="utf-8", collect_ids=False, default_doctype=False, huge_tree=True)


_PARSERS: Final = _Parsers()


def _parse_html(page: bytes, url: str | None) -> tuple[Any, list[Any]]:
    parser = _PARSERS.html
    root = _root(page, parser, url)
    if root is None:
        return etree.fromstring(b"<html><body/></html>", parser=parser, base_url=url), []
    _gather_late_roots(root)
    odd = survey(root)
    if odd is None:
        root = _flat(page, url)
        odd = survey(root) or []
    return root, _mend(odd)


def _root(page: bytes, parser: Any, url: str | None) -> Any | None:
    try:
        return etree.fromstring(page, parser=parser, base_url=url)
    except etree.XMLSyntaxError:  # older libxml2 refuses input without any element
        return None


def _flat(page: bytes, url: str | None) -> Any:
    """The page with what nests too deep flattened."""
    target: Any = _FlatTree()
    etree.fromstring(page, parser=etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True))
    root = etree.fromstring(b"<html/>", parser=_PARSERS.html, base_url=url)
    root.extend(target.root)
    root.text = target.root.text
    root.attrib.update(target.root.attrib)
    return root


def _gather_late_roots(root: Any) -> None:
    """Moves what follows ``</html>`` into the page: libxml2 gives text after the end a root of its own."""
    late = [sibling for sibling in root.itersiblings() if is_element(sibling)]
    if not late:
        return
    bodies = root.findall("body")
    home = bodies[-1] if bodies else root
    for other in late:
        add_text(home, other.text)
        for part in list(other):
            if part.tag == "body":
                add_text(home, part.text)
                home.extend(list(part))
                add_text(home, part.tail)
            else:
                home.append(part)


# Void elements that libxml2, whose table is HTML 4's, takes for holders of what follows them.
_HOLDS_NOTHING: Final = ("source", "wbr", "track", "embed", "keygen")
# Elements whose text begins behind a line break that follows their start tag (HTML Standard, 13.2.6.4.7).
_BREAK_FIRST: Final = ("pre", "listing", "textarea")


_SURVEYED: Final = frozenset({"base", *_HOLDS_NOTHING, *_BREAK_FIRST})


def survey(root: Any) -> list[Any] | None:
    """What `_mend` looks at, or None where elements nest deeper than MAX_DEPTH: asked in one, a walk costs the same for all."""
    if compiled is not None:
        found: list[Any] | None = compiled.survey(root, _SURVEYED, MAX_DEPTH)
        return found
    return None if _DEEP(root) and _TOO_DEEP(root) else list(root.iter(*_SURVEYED))


def _mend(elements: list[Any]) -> list[Any]:
    """Makes void elements empty and drops first line breaks, where libxml2 does not; gives the ``base`` elements among them."""
    bases: list[Any] = []
    for element in elements:
        text = element.text
        if element.tag == "base":
            bases.append(element)
        elif element.tag in _BREAK_FIRST:
            if text and text[0] in "\r\n":
                set_text(element, text[2 if text.startswith("\r\n") else 1 :])
        elif text or len(element):
            _empty(element)
    return bases


def _empty(element: Any) -> None:
    """Moves what an element holds to behind it."""
    behind, children = element.tail, list(element)
    set_tail(element, element.text)
    element.text = None
    last = children[-1] if children else element
    if behind:
        set_tail(last, (last.tail or "") + behind)
    for child in reversed(children):
        element.addnext(child)


class _FlatTree:
    """Parser target that builds a tree of at most MAX_DEPTH levels.

    A target sees all of a page, whereas libxml2's own tree ends at depth 2,048. Elements deeper than the limit become siblings
    there, in document order, so that all text stays in place.
    """

    def __init__(self) -> None:
        self.root: Any = None
        self._parents: list[Any] = []  # the open elements above the deepest level
        self._depth = 0  # open elements, those beyond the limit included
        self._last: Any = None
        self._after = False  # whether text belongs behind the last element rather than into it
        self._text: list[str] = []

    def start(self, name: str, attributes: Any) -> None:
        self._flush()
        if self.root is None:
            element = self.root = etree.Element(safe_name(name))
        elif not self._parents:  # what follows </html> opens the root anew
            element = self.root
        else:
            element = etree.SubElement(self._parents[-1], safe_name(name))
        self._depth += 1
        if self._depth < MAX_DEPTH:
            self._parents.append(element)
        for key, value in attributes.items():
            if safe_name(key) not in element.attrib:
                element.set(safe_name(key), safe_text(value))
        self._last, self._after = element, False

    def end(self, name: str) -> None:
        last = self._parents.pop() if self._depth < MAX_DEPTH else self._last
        self._depth -= 1
        if last is not self._last or not self._after:  # else text goes on where it was
            self._flush()
            self._last, self._after = last, True

    def data(self, text: str) -> None:
        self._text.append(text)

    def comment(self, text: str) -> None:
        self._flush()
        if self._parents:
            self._last = etree.Comment(safe_comment(safe_text(text)))
            self._parents[-1].append(self._last)
            self._after = True

    def close(self) -> None:
        self._flush()

    def _flush(self) -> None:
        text = safe_text("".join(self._text))
        self._text.clear()
        if not text or self._last is None:
            return
        if self._last is self.root:
            add_text(self.root, text)
        elif self._after:
            self._last.tail = (self._last.tail or "") + text
        else:
            self._last.text = (self._last.text or "") + text
