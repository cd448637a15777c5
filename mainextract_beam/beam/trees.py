"""lxml trees as bytes and back, for trees that cross a stage boundary.

Serialising an HTML tree and parsing it again loses content: the HTML parser accepts names, characters and nestings that
neither XML nor HTML can spell. So a tree travels as a flat list of its nodes, each with its name, attributes, text and
number of children, and is built again node by node.

What arrives: elements, attributes, namespaces and their prefixes, text, comments, processing instructions, entity
references, their order; the tree's URL; for an element that is part of a larger tree, the base URLs stated around it.
What does not: what surrounds such an element, the DOCTYPE, and comments outside the root.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from lxml import etree, html

from mainextract_beam.base import XML_BASE, stated_base
from mainextract_beam.names import attribute, elements_named
from mainextract_beam.xmlsafe import safe_name, safe_text

_COMMENT, _INSTRUCTION, _ENTITY = 0, 1, 2


def dumps(state: Any) -> bytes:
    """Pickles plain values so that equal ones give equal bytes: without memory of which were the same object."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=4)
    pickler.fast = True
    pickler.dump(state)
    return buffer.getvalue()


def encode_tree(tree: Any) -> bytes:
    """Returns the bytes of an ElementTree or an element."""
    whole = isinstance(tree, etree._ElementTree)
    root = tree.getroot() if whole else tree
    if root is None:
        return dumps(None)
    document = root.getroottree()
    parser = 2 if isinstance(root, html.HtmlElement) else int(isinstance(document.parser, etree.HTMLParser))
    around = [] if whole else _bases_around(root, document)
    return dumps((whole, parser, document.docinfo.URL, around, _nodes(root, parser == 0)))


def decode_tree(encoded: bytes) -> Any:
    """Returns the ElementTree or the element of the bytes."""
    state = pickle.loads(encoded)
    if state is None:
        return etree.ElementTree()  # type: ignore[call-overload]
    whole, kind, url, around, nodes = state
    parser: Any = (etree.XMLParser, etree.HTMLParser, html.HTMLParser)[kind]()
    root = _built(nodes, parser)
    if around:
        outer: Any = None
        for base, href in around:
            shell = parser.makeelement("html")
            if base is not None:
                shell.set(XML_BASE, safe_text(base))
            if href is not None:
                shell.append(parser.makeelement("base", {"href": safe_text(href)}))
            if outer is not None:
                outer.append(shell)
            outer = shell
        outer.append(root)
    document = root.getroottree()
    if url:
        document.docinfo.URL = url
    return document if whole else root


def _bases_around(element: Any, document: Any) -> list[tuple[str | None, str | None]]:
    """The bases stated by what holds an element, outermost first: its `xml:base`, or the href of a `base` element."""
    stated = map(stated_base, element.iterancestors())
    around: list[tuple[str | None, str | None]] = [(base, None) for base in stated if base is not None]
    around.reverse()
    for base in elements_named(document.getroot(), "base", False):
        if (href := attribute(base, "href")) is not None:
            if element is not base and element not in base.iterancestors():
                around.insert(0, (None, href))
            break
    return around


def _nodes(root: Any, xml: bool) -> list[tuple[Any, ...]]:
    declared = _declared(root) if xml else {}
    nodes: list[tuple[Any, ...]] = []
    for node in list(root.iter()):  # iterating lazily is quadratic in depth
        tag = node.tag
        tail = node.tail if node is not root else None
        if isinstance(tag, str):
            nodes.append((tag, node.attrib.items(), node.text, tail, len(node), declared.get(node)))
        elif tag is etree.Comment:
            nodes.append((_COMMENT, None, node.text, tail, 0, None))
        elif tag is etree.ProcessingInstruction:
            nodes.append((_INSTRUCTION, node.target, node.text, tail, 0, None))
        else:
            nodes.append((_ENTITY, node.name, None, tail, 0, None))
    return nodes


def _declared(root: Any) -> dict[Any, list[tuple[str | None, str]]]:
    """The namespaces that each element declares; the root also those in scope."""
    declared: dict[Any, list[tuple[str | None, str]]] = {root: list(root.nsmap.items())}
    pending: list[tuple[str | None, str]] = []
    walk: Any = etree.iterwalk(root, events=("start-ns", "start"))
    for event, value in walk:
        if event == "start-ns":
            pending.append((value[0] or None, value[1]))
        elif pending:
            if value is not root:
                declared[value] = pending
            pending = []
    return declared


def _built(nodes: list[tuple[Any, ...]], parser: Any) -> Any:
    root = None
    # All nodes are held to the end: lxml lets a node go by climbing to an ancestor that is held.
    held = []
    open_: list[list[Any]] = []  # elements that still miss children, with how many
    for tag, attributes, text, tail, children, namespaces in nodes:
        parent = open_[-1][0] if open_ else None
        node = _node(parser, parent, tag, attributes, text, tail, namespaces)
        held.append(node)
        if parent is None:
            root = node
        else:
            open_[-1][1] -= 1
        if children:
            open_.append([node, children])
        while open_ and not open_[-1][1]:
            open_.pop()
    return root


def _node(parser: Any, parent: Any, tag: Any, attributes: Any, text: str | None, tail: str | None, namespaces: Any) -> Any:
    """Makes a node, the last child of its parent where there is one."""
    node: Any
    if isinstance(tag, str):
        declared = dict(namespaces) if namespaces else None
        try:
            if parent is None:
                node = parser.makeelement(tag, nsmap=declared)
            else:
                node = etree.SubElement(parent, tag, nsmap=declared)  # append() would climb to the root each time
        except ValueError:
            node = None
        if node is not None:
            try:
                node.text = text
                node.tail = tail
                for name, value in attributes:
                    node.set(name, value)
                return node
            except ValueError:
                if parent is not None:
                    node.tail = None
                    parent.remove(node)
        node = _parsed_node(parser, tag, attributes, text, tail)
    else:
        if tag == _COMMENT:
            node = etree.Comment()
            node.text = safe_text(text or "")  # a comment may be given what it may not be made with: "--"
        elif tag == _INSTRUCTION:
            node = etree.ProcessingInstruction(safe_name(attributes), safe_text(text or ""))
        else:
            node = etree.Entity(attributes)
        node.tail = None if tail is None else safe_text(tail)
    if parent is not None:
        parent.append(node)
    return node


def _parsed_node(parser: Any, tag: str, attributes: Any, text: str | None, tail: str | None) -> Any:
    """Makes a node that lxml refuses to make, by having the HTML parser read one: it accepts what it once accepted."""
    start = "".join(f' {name}="{_escaped(value)}"' for name, value in attributes)
    source = f"<div><p{start}>{_escaped(text or '')}</p>{_escaped(tail or '')}</div>"
    root = etree.fromstring(source.encode(), etree.HTMLParser(encoding="utf-8", huge_tree=True))
    parsed: Any = root.find(".//p")
    same = parsed is not None and parsed.attrib.items() == attributes
    if same and (parsed.text or "") == (text or "") and (parsed.tail or "") == (tail or "") and not len(parsed):
        try:
            parsed.tag = tag
        except ValueError:
            parsed.tag = safe_name(tag)
        return parsed
    node = parser.makeelement(safe_name(tag))
    node.text = None if text is None else safe_text(text)
    node.tail = None if tail is None else safe_text(tail)
    _set(node, attributes)
    return node


def _set(node: Any, attributes: list[tuple[str, str]]) -> None:
    for name, value in attributes:
        try:
            node.set(name, value)
        except ValueError:
            if (safe := safe_name(name)) not in node.attrib:
                node.set(safe, safe_text(value))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
