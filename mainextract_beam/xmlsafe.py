"""Names and characters made XML-safe, after the HTML Standard's "coercing an HTML DOM into an infoset" (13.2.9).

HTML parsers build trees that XML cannot spell: attributes named ``@click``, prefixes nobody bound, control characters, comments
with ``--``. Documents pass through here once, when they are assembled, so that roots, bytes and every sink agree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.entities import html5
from typing import Any, Final
from xml.parsers import expat

from lxml import etree

from mainextract_beam.names import XLINK, XML

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
    if _PLAIN_NAME.fullmatch(name):
        return name
    return "".join(
        character if _allowed(character, index == 0) else f"U{ord(character):06X}" for index, character in enumerate(name)
    )


def make_safe(root: Any, stated: int = 0) -> bytes:
    """Makes a tree XML-safe in place and returns it serialised: UTF-8, no declaration, without its tail.

    Args:
        root: an element at the top of a tree of its own.
        stated: how many attributes in the XML namespace the caller set itself, which need no look.
    """
    xml = _serialized(root)
    if _is_safe(xml, stated):
        return xml
    for node in list(root.iter()):
        _mend(node)
    return _serialized(root)


def is_well_formed(xml: bytes) -> bool:
    """Whether expat, namespaces on, reads a document."""
    parser = expat.ParserCreate(namespace_separator=" ")
    try:
        parser.Parse(xml, True)
    except expat.ExpatError:
        return False
    return True


def _serialized(root: Any) -> bytes:
    xml: bytes = etree.tostring(root, encoding="utf-8", with_tail=False)
    return xml


def _is_safe(xml: bytes, stated: int) -> bool:
    """Whether nothing needs mending; what a strict parser would not notice is looked for by its spelling.

    ``xmlns`` may be a plain attribute, ``xml:lang`` a plain one beside a namespaced one, ``&#xFFFD;`` is how libxml2 writes a
    character it cannot, and processing instructions leave.
    """
    return (
        b"xmlns" not in xml and xml.count(b"xml:") <= stated and b"&#xFFFD;" not in xml and b"<?" not in xml and is_well_formed(xml)
    )


def _mend(node: Any) -> None:
    tag = node.tag
    if isinstance(tag, str):
        local = tag.rpartition("}")[2]
        if not _PLAIN_NAME.fullmatch(local) and safe_name(local) != local:
            node.tag = tag[: len(tag) - len(local)] + safe_name(local)
        attributes = node.attrib
        for name in attributes.keys():  # noqa: SIM118 - a copy, since attributes are renamed
            _mend_attribute(attributes, name)
        if node.text:
            text = safe_text(node.text)
            if text != node.text:
                node.text = text
    elif tag is etree.Comment:
        text = safe_comment(safe_text(node.text or ""))
        if text != node.text:
            node.text = text
    else:
        _drop(node, html5.get(f"{node.name};", f"&{node.name};") if tag is etree.Entity else "")
        return
    if node.tail:
        text = safe_text(node.tail)
        if text != node.tail:
            node.tail = text


def _mend_attribute(attributes: Any, name: str) -> None:
    if _PLAIN_NAME.fullmatch(name) and name != "xmlns":
        safe = name
    elif name[0] == "{":
        namespace, _, local = name.rpartition("}")
        safe = f"{namespace}}}{safe_name(local)}"
    elif name == "xmlns" or name.startswith("xmlns:"):
        del attributes[name]
        return
    else:
        safe = _XML_ATTRIBUTES.get(name) or _xlink(name) or safe_name(name)
    value = attributes[name]
    text = safe_text(value)
    if safe != name:
        del attributes[name]
        if safe not in attributes:
            attributes[safe] = text
    elif text != value:
        attributes[name] = text


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
