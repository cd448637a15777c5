"""Names and characters made XML-safe, after the HTML Standard's "coercing an HTML DOM into an infoset" (13.2.9).

HTML parsers build trees that XML cannot spell: attributes named ``@click``, prefixes nobody bound, control characters, comments
with ``--``. Documents pass through here once, when they are assembled, so that roots, bytes and every sink agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final
from xml.parsers import expat

from lxml import etree

from mainextract_beam.names import XLINK, XML
from mainextract_beam.text import entity_text
from mainextract_beam.walks import compiled

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_START: Final = re.compile(r"[A-Za-z_]")
_FURTHER: Final = re.compile(r"[A-Za-z0-9_.-]")

# Foreign attributes HTML gives a namespace (HTML Standard, 13.2.6.5).
_XML_ATTRIBUTES: Final = {f"xml:{name}": f"{{{XML}}}{name}" for name in ("lang", "base", "space")}
_XLINK_PREFIX: Final = "xlink:"
etree.register_namespace("xlink", XLINK)  # else lxml spells it ns0


def safe_text(text: str) -> str:
    """Text with every character XML 1.0 forbids replaced by U+FFFD."""
    return text if text.isprintable() else _FORBIDDEN.sub("\ufffd", text)


def safe_comment(text: str) -> str:
    """Text that a comment may hold: no ``--`` and no hyphen at the end."""
    while "--" in text:
        text = text.replace("--", "- -")
    return f"{text} " if text.endswith("-") else text


def safe_name(name: str) -> str:
    """A name without namespace, each character XML does not allow in one, and each colon, as ``U`` and six hexadecimal digits."""
    return name if _PLAIN_NAME.fullmatch(name) else _coerced(name)


@lru_cache(maxsize=4096)
def _coerced(name: str) -> str:
    return "".join(
        character if _allowed(character, index == 0) else f"U{ord(character):06X}" for index, character in enumerate(name)
    )


def set_text(element: Any, text: str | None) -> None:
    """Sets the text an element begins with. Characters XML forbids, which HTML parsers let in, become U+FFFD."""
    try:
        element.text = text
    except ValueError:
        element.text = safe_text(text or "")


def set_tail(element: Any, text: str | None) -> None:
    """Sets the text that follows an element, like `set_text`."""
    try:
        element.tail = text
    except ValueError:
        element.tail = safe_text(text or "")


def set_attribute(element: Any, name: str, value: str) -> None:
    """Sets an attribute, its value like `set_text`."""
    try:
        element.set(name, value)
    except ValueError:
        element.set(name, safe_text(value))


def add_text(parent: Any, text: str | None) -> None:
    """Adds text at the end of what an element holds."""
    if not text:
        return
    # Not len(), which counts all children.
    last = next(parent.iterchildren(reversed=True), None)
    if last is not None:
        set_tail(last, (last.tail or "") + text)
    else:
        set_text(parent, (parent.text or "") + text)


def drop_attribute(attributes: Any, name: str) -> None:
    """Takes an attribute away, also one whose name lxml cannot look up; such others on the element leave with it."""
    try:
        del attributes[name]
    except (KeyError, ValueError):  # a control character in the name, or a brace before it
        kept = [(key, value) for key, value in attributes.items() if key != name and can_look_up(attributes, key)]
        attributes.clear()
        for key, value in kept:
            attributes[key] = value


def make_safe(root: Any, stated: int = 0, *, plain: bool = False) -> bytes:
    """Makes a tree XML-safe in place and returns it serialised: UTF-8, no declaration, without its tail.

    The common needs are met in C or by visiting the few elements concerned; only what is left over is walked node by node.

    Args:
        root: an element at the top of a tree of its own.
        stated: how many attributes in the XML namespace the caller set itself, which need no look.
        plain: whether the tree is known to have come without namespaces, as the HTML parser leaves it.
    """
    if plain and compiled is not None and compiled.is_plain(root):
        return _serialized(root)
    _mend_names(root.iter(*_WITH_COLONS))
    xml = _serialized(root)
    # What is spelled with "xml" beyond what the caller set may be a declaration, or ``xml:lang`` without its namespace.
    if xml.count(b"xml") > stated:
        if b"xmlns" in xml and _strip_declarations(root, xml):
            xml = _serialized(root)
        if xml.count(b"xml:") > stated:
            return _mended(root, plain)
    # libxml2 writes a character that XML forbids as U+FFFD's reference.
    return xml if b"&#xFFFD;" not in xml and is_well_formed(xml, instructions=False) else _mended(root, plain)


def mend(root: Any) -> None:
    """Makes a tree XML-safe in place, whatever it holds: names, comments, text and attribute values."""
    _mend_names(list(root.iter(etree.Element)))
    _mend_nodes(root)
    _mend_text(root)


def _mended(root: Any, plain: bool) -> bytes:
    _mend_names(list(root.iter(etree.Element)))
    _mend_nodes(root)
    xml = _serialized(root)
    # What has been mended is well-formed but for forbidden characters; of namespaces that others made expat has the word.
    if _may_hold_forbidden(xml) or not (plain or is_well_formed(xml)):
        _mend_text(root)
        xml = _serialized(root)
    return xml


def is_well_formed(xml: bytes, *, instructions: bool = True) -> bool:
    """Whether expat, namespaces on, reads a document; ``instructions``: whether processing instructions may stand in it."""
    parser = expat.ParserCreate(namespace_separator=" ")
    if not instructions:
        parser.ProcessingInstructionHandler = _refuse
    try:
        parser.Parse(xml, True)
    except (expat.ExpatError, _RefusedError):
        return False
    return True


class _RefusedError(Exception):
    pass


def _refuse(target: str, data: str) -> None:
    raise _RefusedError(target)


def _serialized(root: Any) -> bytes:
    xml: bytes = etree.tostring(root, encoding="utf-8", with_tail=False)
    return xml


def _may_hold_forbidden(xml: bytes) -> bool:
    """Whether a character that XML forbids may stand in it, as it is or, as libxml2 writes it, by its number."""
    return (
        len(xml.translate(None, _CONTROLS)) < len(xml)
        or _REFERENCE.search(xml) is not None
        or (not xml.isascii() and _NONCHARACTER.search(xml) is not None)
    )


_CONTROLS: Final = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0D})
_NONCHARACTER: Final = re.compile(b"\xef\xbf[\xbe\xbf]")
_REFERENCE: Final = re.compile(rb"&#(?!9;|10;|13;)")  # white space in attributes is written so


# Elements that bear most of the names with a colon; they are few, so they are mended before the first look.
_WITH_COLONS: Final = ("svg", "use", "image")
_DECLARATION: Final = re.compile(rb"xmlns(?::[^\s=<>\"]*)?(?==)")
_MOST_ODD_NAMES: Final = 20


def _strip_declarations(root: Any, xml: bytes) -> bool:
    """Drops plain attributes that XML would take for namespace declarations; whether there were any to look for."""
    names = {name.decode("utf-8", "replace") for name in _DECLARATION.findall(xml)}
    if len(names) > _MOST_ODD_NAMES:  # one pass rather than one search each
        _mend_names(list(root.iter(etree.Element)))
    elif names:
        etree.strip_attributes(root, *names)
    return bool(names)


def _mend_names(elements: Iterable[Any]) -> None:
    """Mends the names of elements and of their attributes."""
    elements = list(elements)
    if not elements:
        return
    tags = {element.tag: "" for element in elements}
    for tag in tags:
        namespace, brace, local = tag.rpartition("}") if tag[0] == "{" else ("", "", tag)
        tags[tag] = namespace + brace + safe_name(local)
    if any(tag != safe for tag, safe in tags.items()):
        for element in elements:
            if tags[element.tag] != element.tag:
                element.tag = tags[element.tag]
    plain: set[str] = set()
    for element in elements:
        names = element.keys()
        if names and not plain.issuperset(names):
            for name in names:
                if _PLAIN_NAME.fullmatch(name) and name != "xmlns":
                    plain.add(name)
                elif not _mend_attribute(element.attrib, name):
                    _set_anew(element.attrib)
                    break


def _mend_nodes(root: Any) -> None:
    """Mends comments; processing instructions leave, entity references become their text."""
    for node in list(root.iter(etree.Comment, etree.PI, etree.Entity)):
        if node.tag is etree.Comment:
            text = safe_comment(safe_text(node.text or ""))
            if text != node.text:
                node.text = text
        else:
            _drop(node, entity_text(node.name) if node.tag is etree.Entity else "")


def _mend_text(root: Any) -> None:
    """Mends all text and attribute values."""
    for node in list(root.iter(etree.Element, etree.Comment)):
        if isinstance(node.tag, str):
            if node.text:
                node.text = safe_text(node.text)
            for name, value in node.items():
                if safe_text(value) != value:
                    node.set(name, safe_text(value))
        if node.tail:
            node.tail = safe_text(node.tail)


def _mend_attribute(attributes: Any, name: str) -> bool:
    """Mends one attribute; False where lxml cannot."""
    safe = _safe_attribute(attributes, name)
    if safe == name:
        return True
    try:
        value = safe_text(attributes[name])
        del attributes[name]
    except (KeyError, ValueError):  # a control character in a name, or a brace before it, is not even looked up
        return False
    if safe is not None and safe not in attributes:
        attributes[safe] = value
    return True


def _set_anew(attributes: Any) -> None:
    """Mends all attributes of an element; the mended ones come last, as one by one."""
    items = [(name, _safe_attribute(attributes, name), value) for name, value in attributes.items()]
    attributes.clear()
    for _, safe, value in sorted(items, key=lambda item: item[0] != item[1]):
        if safe is not None and safe not in attributes:
            attributes[safe] = safe_text(value)


def _safe_attribute(attributes: Any, name: str) -> str | None:
    """The name an attribute gets; None for one that goes."""
    if name[0] == "{" and can_look_up(attributes, name):
        namespace, _, local = name.rpartition("}")
        return f"{namespace}}}{safe_name(local)}"
    if name == "xmlns" or name.startswith("xmlns:"):
        return None
    return _XML_ATTRIBUTES.get(name) or _xlink(name) or safe_name(name)


def can_look_up(attributes: Any, name: str) -> bool:
    """Whether lxml finds an attribute by its name: not a plain one such as ``{{x}}``, which it takes for a namespaced one."""
    try:
        return attributes.get(name) is not None
    except ValueError:
        return False


def _xlink(name: str) -> str | None:
    local = name.removeprefix(_XLINK_PREFIX)
    return f"{{{XLINK}}}{safe_name(local)}" if local and local != name else None


def _drop(node: Any, text: str) -> None:
    """Takes a node out of its parent and puts text in its place, its tail kept."""
    text += safe_text(node.tail or "")
    parent, before = node.getparent(), node.getprevious()
    if parent is None:
        return
    node.tail = None
    parent.remove(node)
    if not text:
        return
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


@lru_cache(maxsize=4096)
def _allowed(character: str, first: bool) -> bool:
    """Whether a character may stand in a name, first or further; beyond ASCII as expat, the strictest reader, has it."""
    if character.isascii():
        return (_START if first else _FURTHER).match(character) is not None
    try:
        return is_well_formed(f"<{'' if first else 'a'}{character}/>".encode())
    except UnicodeEncodeError:
        return False
