"""The working tree of the chain: a tree that may be changed, with plain names whatever parser it came from."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lxml import etree

from mainextract_beam.clean.edit import add_text, set_attribute
from mainextract_beam.names import HTML_NAMESPACES, XLINK, XML
from mainextract_beam.page import Page
from mainextract_beam.parse import is_html_parsed
from mainextract_beam.text import entity_text
from mainextract_beam.xmlsafe import can_look_up, safe_comment, safe_text

# Prefixes of the foreign attributes that HTML knows.
_PREFIXES = {XML: "xml", XLINK: "xlink"}


def working_tree(page: Page) -> Any:
    """The scanned tree as one that may be changed, every name plain: lower-case, no namespace.

    A tree the library parsed as HTML is taken as it is; any other is copied and its names are made plain, so that every
    parser's tree gives the same document.
    """
    if page.owned and page.lower_case:
        return page.root
    source = page.root if page.owned else deepcopy(page.root)
    source.tail = None
    return source if _is_plain(source) else plain(source)


def _is_plain(root: Any) -> bool:
    """Whether every name is as the HTML parser leaves it."""
    if not is_html_parsed(root):
        return False
    for node in list(root.iter()):
        tag = node.tag
        if isinstance(tag, str):
            if "{" in tag or tag != tag.lower():
                return False
            for name in node.keys():  # noqa: SIM118 - not a mapping
                if name != name.lower() or (name[0] == "{" and can_look_up(node.attrib, name)):
                    return False
        elif tag is etree.Entity:
            return False
    return True


def plain(source: Any) -> Any:
    """A tree rebuilt with plain names, as the HTML parser would have named them; entity references become text."""
    # Attributes such as ``xml:lang`` keep their colon, which lxml allows in HTML documents only.
    root = etree.HTML("<html/>")
    stack: list[tuple[Any, Any]] = [(source, None)]
    top = None
    while stack:
        node, parent = stack.pop()
        if isinstance(node.tag, str):
            name = _plain_name(node)
            new = root.makeelement(name) if parent is None else etree.SubElement(parent, name)
            if parent is None:
                top = _placed(root, new)
                new = top
            for key, value in node.attrib.items():
                if key[0] == "{" and not can_look_up(node.attrib, key):
                    continue  # no method reads what lxml cannot
                plain_key = _plain_attribute(key)
                if plain_key not in new.attrib:
                    set_attribute(new, plain_key, value)
            add_text(new, node.text)
            # Children are built in order, each followed by its tail: a marker on the stack writes the tail.
            for child in reversed(node):
                stack.append((_Tail(child.tail), new))
                stack.append((child, new))
        elif isinstance(node, _Tail):
            add_text(parent, node.text)
        elif node.tag is etree.Entity:
            add_text(parent, entity_text(node.name))
        elif node.tag is etree.Comment and parent is not None:
            parent.append(etree.Comment(safe_comment(safe_text(node.text or ""))))
    return top


class _Tail:
    """Text that follows a child, to be written after it."""

    __slots__ = ("tag", "text")

    def __init__(self, text: str | None) -> None:
        self.tag = None
        self.text = text


def _placed(root: Any, new: Any) -> Any:
    """The top of the working tree in the HTML document of ``root``."""
    if new.tag == "html":
        root.attrib.clear()
        for child in list(root):
            root.remove(child)
        return root
    root.append(new)
    root.remove(new)
    return new


def _plain_name(element: Any) -> str:
    tag = element.tag
    if tag[0] != "{":
        return str(tag).lower()
    namespace, _, local = tag[1:].partition("}")
    prefix = element.prefix
    name = f"{prefix}:{local}" if prefix and namespace not in HTML_NAMESPACES else local
    return str(name).lower()


def _plain_attribute(key: str) -> str:
    if key[0] != "{":
        return key.replace("U0003A", ":").lower()
    namespace, _, local = key[1:].partition("}")
    prefix = _PREFIXES.get(namespace)
    return f"{prefix}:{local}".lower() if prefix else local.lower()
