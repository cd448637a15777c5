"""Step 11: references become absolute, so that the content can be read away from its page.

They are resolved against the base of the element they stand on (XML Base, HTML's ``base``). References into the page
itself stay as they are where what they lead to is part of the content; where it was left out, they lead to the page.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

from lxml import etree

from mainextract_beam.base import document_base, element_base, resolver_of, stated_base
from mainextract_beam.clean.edit import set_attribute
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.srcset import parse_srcset, write_srcset
from mainextract_beam.walks import load_compiled

NAME = "links"

compiled: Final = load_compiled("clean._links")

REFERENCES: dict[str, tuple[str, ...]] = {
    "a": ("href",),
    "area": ("href",),
    "audio": ("src",),
    "blockquote": ("cite",),
    "del": ("cite",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href", "{http://www.w3.org/1999/xlink}href"),
    "img": ("src", "longdesc"),
    "ins": ("cite",),
    "object": ("data",),
    "q": ("cite",),
    "source": ("src",),
    "track": ("src",),
    "video": ("src", "poster"),
}
"""Attributes that hold one URL, by element (HTML Standard, index of attributes)."""

CANDIDATES = ("img", "source")
"""Elements with ``srcset``."""

_LOOKED_AT = {tag: {*names, "srcset"} if tag in CANDIDATES else set(names) for tag, names in REFERENCES.items()}
_ABSOLUTE = re.compile(r"https?://[!-~]*(?<!,)")
_BASE_NAMED = etree.XPath("boolean(descendant-or-self::*/@*[contains(local-name(), 'base')])")
_STRIPPED = re.compile(r"[\t\n\r\f]+")


def links(page: CleanPage) -> None:
    """Makes the references in the content roots absolute."""
    start = base_of(page)
    stated = _states_base(page)
    if not start and not stated:
        return
    resolver = resolver_of(start)
    ids: set[str] | None = None
    for root in page.roots:
        for element, name, value in references(root, _LOOKED_AT):
            own = resolver_of(element_base(element, page.root, start)) if stated else resolver
            if own is None:
                continue
            if name == "srcset":
                set_attribute(element, name, write_srcset((own(url), d) for url, d in parse_srcset(value)))
                continue
            plain = _STRIPPED.sub("", value).strip(" ")
            if plain.startswith("#") and element.tag == "a":
                if ids is None:
                    ids = _ids(page)
                if page.url and not _leads_to(plain, ids):
                    set_attribute(element, name, page.url.partition("#")[0] + plain)
            elif plain:
                absolute = own(plain)
                if absolute != value:
                    set_attribute(element, name, absolute)


def references(root: Any, names: Mapping[str, Collection[str]]) -> Collection[tuple[Any, str, str]]:
    """Attributes that hold references: (element, name, value); not those that are absolute URLs and remain as they are.

    Those are of visible ASCII characters only. A comma at the end, which a ``srcset`` may have, is none of a URL.

    Args:
        root: where to look.
        names: names of the attributes by tag.
    """
    if compiled is not None:
        found: Collection[tuple[Any, str, str]] = compiled.references(root, names)
        return found
    return list(_references(root, names))


def _references(root: Any, names: Mapping[str, Collection[str]]) -> Iterator[tuple[Any, str, str]]:
    for element in root.iter(*names):
        for name, value in element.items():
            if value and name in names[element.tag] and not _ABSOLUTE.fullmatch(value):
                yield element, name, value


def base_of(page: CleanPage) -> str | None:
    """The base of the page, before any that its elements state."""
    # document_base looks at every name; most pages have no base element.
    has_base = next(page.root.iter("base"), None) is not None
    return page.url if page.url and not has_base else document_base(page.root, page.url)


def _states_base(page: CleanPage) -> bool:
    """Whether an element in a content root, or one that holds it, states a base of its own."""
    for root in page.roots:
        inside = root.iter(etree.Element) if may_state_base(root) else ()
        for element in itertools.chain(inside, root.iterancestors()):
            if stated_base(element) is not None:
                return True
    return False


def may_state_base(root: etree._Element) -> bool:
    """Whether an attribute in a tree may be an `xml:base`, by its name; asked of all at once, in C."""
    return bool(_BASE_NAMED(root) if compiled is None else compiled.may_state_base(root))


def _ids(page: CleanPage) -> set[str]:
    """What a fragment can lead to in the content."""
    ids: set[str] = set()
    for root in page.roots:
        for element in root.iter(etree.Element):
            value = element.get("id")
            if value:
                ids.add(value)
            if element.tag == "a" and (value := element.get("name")):
                ids.add(value)
    return ids


def _leads_to(reference: str, ids: set[str]) -> bool:
    name = reference[1:]
    return name in ids or ("%" in name and unquote(name) in ids)
