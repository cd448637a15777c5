"""Other document models as lxml trees: what people already hold, from whichever parser.

A thin copy, node by node: elements with their attributes, text and comments. No rule of extraction lives here. Which model
an object is of is told by the module of its class, so that none of the libraries is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from lxml import etree

from mainextract_beam.clean.edit import set_attribute, set_tail, set_text
from mainextract_beam.names import XLINK, XML
from mainextract_beam.xmlsafe import safe_comment, safe_name

_FOREIGN: Final = {"xml": XML, "xlink": XLINK}
_XMLNS: Final = "http://www.w3.org/2000/xmlns/"


class _Comment(NamedTuple):
    """A comment among the children of an element."""

    text: str


class _Model(NamedTuple):
    """How the elements of a document model are read.

    Attributes:
        name: an element's name, as lxml spells it.
        attributes: its attributes, as (name, value).
        children: what it holds, in order: text as ``str``, comments, elements.
    """

    name: Callable[[Any], str]
    attributes: Callable[[Any], Iterable[tuple[str, str]]]
    children: Callable[[Any], Iterator[Any]]


def lxml_tree(model: Any) -> Any | None:
    """A document or an element of another document model as an lxml ElementTree of its own.

    Args:
        model: an ``xml.etree.ElementTree`` tree or element (html5lib's default), an ``xml.dom.minidom`` document or element, a
            ``BeautifulSoup`` object or ``Tag`` with any of its parsers, a selectolax (lexbor) parser or node.

    Returns:
        The tree; None where the document holds no element.

    Raises:
        TypeError: it is none of these.
    """
    for base in type(model).__mro__:
        adapt = _ADAPTERS.get(base.__module__)
        if adapt is not None:
            return adapt(model)
    raise TypeError(f"no document model known: {type(model).__module__}.{type(model).__qualname__}")


def _tree(model: _Model, element: Any, *, html: bool) -> Any:
    """An lxml tree of an element and what it holds.

    Args:
        model: how it is read.
        element: the topmost element.
        html: whether the tree is one of HTML, whose names may be what XML does not know.
    """
    if html:
        # Names such as `@click` are let in by an HTML document only.
        root = etree.HTML("<html/>")
        del root[:]
        _rename(root, model.name(element))
    else:
        root = _made(etree.Element, model.name(element))
    _set_attributes(root, model.attributes(element))
    stack: list[tuple[Any, Iterator[Any], list[str]]] = [(root, model.children(element), [])]
    while stack:
        parent, children, texts = stack[-1]
        for child in children:
            if isinstance(child, str):
                texts.append(child)
                continue
            _end_text(parent, texts)
            if isinstance(child, _Comment):
                parent.append(_comment(child.text))
                continue
            name = model.name(child)
            new = _made(lambda name, **options: etree.SubElement(parent, name, **options), name)  # noqa: B023
            _set_attributes(new, model.attributes(child))
            stack.append((new, model.children(child), []))
            break
        else:
            _end_text(parent, texts)
            stack.pop()
    return root.getroottree()


def _rename(element: Any, name: str) -> None:
    try:
        element.tag = name
    except ValueError:
        element.tag = safe_name(name)


def _made(make: Callable[..., Any], name: str) -> Any:
    namespace, brace, local = name[1:].partition("}") if name[:1] == "{" else ("", "", name)
    nsmap = {None: namespace} if brace else None
    try:
        return make(name, nsmap=nsmap)
    except ValueError:
        return make(f"{{{namespace}}}{safe_name(local)}" if brace else safe_name(local), nsmap=nsmap)


def _set_attributes(element: Any, attributes: Iterable[tuple[str, str]]) -> None:
    for stated, value in attributes:
        # HTML's foreign attributes, whose colon an XML document takes for a prefix (HTML Standard, 13.2.6.5).
        prefix, _, local = stated.partition(":")
        name = f"{{{_FOREIGN[prefix]}}}{local}" if prefix in _FOREIGN and local else stated
        try:
            set_attribute(element, name, value)
        except ValueError:
            set_attribute(element, safe_name(name.rpartition("}")[2]), value)


def _end_text(parent: Any, texts: list[str]) -> None:
    if texts:
        # lxml takes no lone surrogates, which no encoding can carry.
        text = "".join(texts).encode(errors="replace").decode() if len(texts) > 1 else texts[0]
        texts.clear()
        last = next(parent.iterchildren(reversed=True), None)  # len() would count all children
        if last is not None:
            set_tail(last, text)
        else:
            set_text(parent, text)


def _comment(text: str) -> Any:
    try:
        return etree.Comment(text)
    except ValueError:
        return etree.Comment(safe_comment(text.replace("\x00", "\ufffd")))


# xml.etree.ElementTree, and html5lib's builder for it


def _etree(model: Any) -> Any | None:
    element = model.getroot() if hasattr(model, "getroot") else model
    if element is None or not isinstance(element.tag, str):
        return None
    return _tree(_ETREE, element, html=element.tag[:1] != "{")


def _etree_children(element: Any) -> Iterator[Any]:
    if element.text:
        yield element.text
    for child in element:
        if isinstance(child.tag, str):
            yield child
        elif getattr(child.tag, "__name__", "") == "Comment":
            yield _Comment(child.text or "")
        if child.tail:
            yield child.tail


_ETREE: Final = _Model(lambda element: str(element.tag), lambda element: element.items(), _etree_children)


# xml.dom.minidom

_ELEMENT, _TEXT, _CDATA, _COMMENT = 1, 3, 4, 8  # Node.nodeType of the DOM


def _minidom(model: Any) -> Any | None:
    element = getattr(model, "documentElement", model)
    if getattr(element, "nodeType", None) != _ELEMENT:
        return None
    return _tree(_MINIDOM, element, html=not element.namespaceURI)


def _minidom_name(element: Any) -> str:
    local = element.localName or element.tagName
    return f"{{{element.namespaceURI}}}{local}" if element.namespaceURI else str(element.tagName)


def _minidom_attributes(element: Any) -> Iterator[tuple[str, str]]:
    for attribute in element.attributes.values():
        namespace = attribute.namespaceURI
        if namespace != _XMLNS:
            yield (f"{{{namespace}}}{attribute.localName}" if namespace else attribute.name), attribute.value


def _minidom_children(element: Any) -> Iterator[Any]:
    for node in element.childNodes:
        kind = node.nodeType
        if kind == _ELEMENT:
            yield node
        elif kind in (_TEXT, _CDATA):
            yield node.data
        elif kind == _COMMENT:
            yield _Comment(node.data)


_MINIDOM: Final = _Model(_minidom_name, _minidom_attributes, _minidom_children)


# BeautifulSoup


class _Page(NamedTuple):
    """What a parser made no ``html`` element for."""

    name: str
    contents: list[Any]


def _soup(model: Any) -> Any | None:
    is_xml = bool(getattr(model, "_is_xml", False))
    reader = _XML_SOUP if is_xml else _SOUP
    if not hasattr(model, "contents"):
        raise TypeError(f"a BeautifulSoup object or Tag holds a document, {type(model).__name__} does not")
    if model.name != "[document]":
        return _tree(reader, model, html=not is_xml)
    elements = [node for node in model.contents if hasattr(node, "contents")]
    if is_xml or (len(elements) == 1 and elements[0].name == "html"):
        return _tree(reader, elements[0], html=not is_xml) if elements else None
    body = model.contents if any(node.name == "body" for node in elements) else [_Page("body", model.contents)]
    return _tree(reader, _Page("html", body), html=True)


def _soup_name(tag: Any) -> str:
    return str(tag.name)


def _xml_soup_name(tag: Any) -> str:
    local = tag.name.partition(":")[2] or tag.name
    return f"{{{tag.namespace}}}{local}" if tag.namespace else str(tag.name)


def _soup_attributes(tag: Any) -> Iterator[tuple[str, str]]:
    for name, value in getattr(tag, "attrs", {}).items():
        # Lists are of the attributes that hold tokens, such as `class`.
        yield str(name), " ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _xml_soup_attributes(tag: Any) -> Iterator[tuple[str, str]]:
    for name, value in _soup_attributes(tag):
        if name == "xmlns" or name.startswith("xmlns:"):
            continue
        prefix, colon, local = name.partition(":")
        namespace = (
            XML
            if prefix == "xml"
            else next((key.namespace for key in tag.attrs if key == name and hasattr(key, "namespace")), None)
        )
        yield (f"{{{namespace}}}{local}" if colon and namespace else name), value


def _soup_children(tag: Any) -> Iterator[Any]:
    for node in tag.contents:
        if hasattr(node, "contents"):
            yield node
            continue
        kind = type(node).__name__
        if kind == "Comment":
            yield _Comment(str(node))
        elif kind not in ("Doctype", "Declaration", "ProcessingInstruction", "XMLProcessingInstruction"):
            yield str(node)


_SOUP: Final = _Model(_soup_name, _soup_attributes, _soup_children)
_XML_SOUP: Final = _Model(_xml_soup_name, _xml_soup_attributes, _soup_children)


# selectolax


def _selectolax(model: Any) -> Any | None:
    node = getattr(model, "root", model)
    if node is None or not node.is_element_node:
        return None
    return _tree(_SELECTOLAX, node, html=True)


def _selectolax_attributes(node: Any) -> Iterator[tuple[str, str]]:
    for name, value in node.attributes.items():
        yield name, "" if value is None else value


def _selectolax_children(node: Any) -> Iterator[Any]:
    if node.tag == "template":
        # What a template holds stands beside the tree, as in a browser.
        for fragment in node.template_fragments():
            yield from _selectolax_siblings(fragment.child)
    yield from _selectolax_siblings(node.child)


def _selectolax_siblings(child: Any) -> Iterator[Any]:
    while child is not None:
        if child.is_element_node:
            yield child
        elif child.is_text_node:
            yield child.text_content or ""
        elif child.is_comment_node:
            yield _Comment(child.html[4:-3])  # comment_content is stripped
        child = child.next


_SELECTOLAX: Final = _Model(lambda node: str(node.tag), _selectolax_attributes, _selectolax_children)


_ADAPTERS: Final[dict[str, Callable[[Any], Any | None]]] = {
    "xml.etree.ElementTree": _etree,
    "xml.dom.minidom": _minidom,
    "bs4": _soup,
    "bs4.element": _soup,
    "selectolax.lexbor": _selectolax,
}
"""The adapter of each document model, by the module of its classes."""
