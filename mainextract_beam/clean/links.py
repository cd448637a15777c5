"""Step 11: references become absolute, so that the content can be read away from its page.

They are resolved against the base of the element they stand on (XML Base, HTML's ``base``). References into the page
itself stay as they are where what they lead to is part of the content; where it was left out, they lead to the page.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from lxml import etree

from mainextract_beam.base import document_base, element_base, resolver_of
from mainextract_beam.clean.edit import set_attribute
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.srcset import parse_srcset, write_srcset

NAME = "links"

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

_STATES_BASE = etree.XPath("boolean(//@*[local-name() = 'base' or name() = 'xml:base' or name() = 'xmlU0003Abase'])")
_STRIPPED = re.compile(r"[\t\n\r\f]+")


def links(page: CleanPage) -> None:
    """Makes the references in the content roots absolute."""
    # document_base looks at every name; most pages have no base element.
    plain = page.url and next(page.root.iter("base"), None) is None
    start = page.url if plain else document_base(page.root, page.url)
    stated = bool(_STATES_BASE(page.root))
    if not start and not stated:
        return
    resolver = resolver_of(start)
    ids: set[str] | None = None
    for root in page.roots:
        for element in root.iter(*REFERENCES):
            own = resolver_of(element_base(element, page.root, start)) if stated else resolver
            if own is None:
                continue
            for name in REFERENCES[str(element.tag)]:
                value = element.get(name)
                if value is None:
                    continue
                value = _STRIPPED.sub("", value).strip(" ")
                if value.startswith("#") and element.tag == "a":
                    if ids is None:
                        ids = _ids(page)
                    if page.url and not _leads_to(value, ids):
                        set_attribute(element, name, page.url.partition("#")[0] + value)
                elif value:
                    absolute = own(value)
                    if absolute != element.get(name):
                        set_attribute(element, name, absolute)
            if element.tag in CANDIDATES:
                srcset = element.get("srcset")
                if srcset:
                    set_attribute(element, "srcset", write_srcset((own(url), d) for url, d in parse_srcset(srcset)))


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
