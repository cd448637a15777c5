"""A document as HTML that is safe to show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from lxml import etree

from mainextract_beam.document import Document
from mainextract_beam.names import VOID
from mainextract_beam.render.safe import safe_roots
from mainextract_beam.xmlsafe import safe_text

_TEXT_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\xa0": "&nbsp;", "\r": "&#13;"}
_VALUE_ESCAPES: Final = {**_TEXT_ESCAPES, '"': "&quot;"}
_TEXT_ESCAPED: Final = re.compile("[&<>\xa0\r]")
_VALUE_ESCAPED: Final = re.compile('[&<>\xa0\r"]')


def to_html(document: Document, *, metadata: Mapping[str, str] | None = None) -> str:
    """The document as HTML: a whole page in no-quirks mode, or the elements of a fragment.

    All that could run or load something but images and media has left, in every method, and references are absolute. A
    page states UTF-8, in which the text is to be written.

    Args:
        document: the document.
        metadata: what is known of it, to be stated by a ``meta`` element each; makes a page of a fragment.
    """
    roots = safe_roots(document)
    if metadata is None and not document.is_page:
        return "".join(f"{serialize(root)}\n" for root in roots)
    return f"<!DOCTYPE html>\n{serialize(_page(roots, document.title, metadata or {}))}\n"


def _page(roots: list[Any], title: str | None, metadata: Mapping[str, str]) -> Any:
    """The ``html`` element of a page, its head complete."""
    if len(roots) == 1 and roots[0].tag == "html":
        html = roots[0]
    else:
        html = etree.Element("html")
        etree.SubElement(html, "body").extend(roots)
    if not len(html) or html[0].tag != "head":
        html.insert(0, etree.Element("head"))
    head = html[0]
    if title and head.find("title") is None:
        etree.SubElement(head, "title").text = title
    head.insert(0, etree.Element("meta", charset="utf-8"))
    for name, content in metadata.items():
        etree.SubElement(head, "meta", name=name, content=safe_text(content))
    return html


def serialize(root: Any) -> str:
    """An element as HTML (HTML Standard, 13.3, serialising HTML fragments), without its tail; iterative.

    Names have to be plain, and no element's text may be raw text in HTML, as sanitising leaves them.
    """
    out: list[str] = []
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out.append(node)
            continue
        name = node.tag
        out.append(f"<{name}{_attributes(node)}>" if len(node.attrib) else f"<{name}>")
        tail = _text(node.tail) if node is not root and node.tail else ""
        if name in VOID:
            out.append(tail)
            continue
        if node.text:
            # A parser drops the line break after these start tags.
            if name in ("pre", "listing", "textarea") and node.text[0] == "\n":
                out.append("\n")
            out.append(_text(node.text))
        stack.append(f"</{name}>{tail}")
        stack.extend(reversed(node))
    return "".join(out)


def _attributes(element: Any) -> str:
    return "".join(f' {name}="{_value(value)}"' for name, value in element.attrib.items())


def _text(text: str) -> str:
    return _TEXT_ESCAPED.sub(lambda match: _TEXT_ESCAPES[match[0]], text)


def _value(value: str) -> str:
    return _VALUE_ESCAPED.sub(lambda match: _VALUE_ESCAPES[match[0]], value)
