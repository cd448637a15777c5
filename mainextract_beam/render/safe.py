"""The copy of a document that is rendered for people to look at: plain names, absolute references, safe."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from lxml import etree

from mainextract_beam.base import element_base, resolver_of
from mainextract_beam.clean.links import CANDIDATES, REFERENCES
from mainextract_beam.document import Document
from mainextract_beam.names import XML
from mainextract_beam.sanitize import SVG_ELEMENTS, sanitize
from mainextract_beam.srcset import parse_srcset, write_srcset
from mainextract_beam.xmlsafe import drop_attribute

_CASED: Final = frozenset(SVG_ELEMENTS.values())
_XML_NAMESPACE: Final = f"{{{XML}}}"


def safe_roots(document: Document) -> list[Any]:
    """Copies of a document's roots, made safe to show.

    Names are HTML's: lower-case and without namespace, but for the names of SVG that HTML spells in mixed case. Of the
    attributes in the XML namespace only the language stays, as ``lang``.
    """
    return [_safe(deepcopy(root), document.base) for root in document.roots]


def _safe(root: Any, base: str | None) -> Any:
    root.tail = None
    sanitize(root)
    elements = list(root.iter(etree.Element))
    # A document states its bases on its root and on its regions, and nowhere else a reader would look.
    resolvers = {base: resolver_of(base)}
    owned: dict[Any, str | None] = {}
    for element in elements:
        parent = element.getparent()
        own = base if parent is None else owned[parent]
        if any(key[0] == "{" for key in element.attrib):
            # The root's is the document's already, but for a fragment of several.
            own = element_base(element, element, None if parent is None else own) or own
            _take_language(element)
        owned[element] = own
        _name_plainly(element)
        if own not in resolvers:
            resolvers[own] = resolver_of(own)
        absolute = resolvers[own]
        if absolute is not None and element.tag in REFERENCES:
            _resolve(element, absolute)
    return root


def _name_plainly(element: Any) -> None:
    tag = element.tag
    if tag.islower() and tag[0] != "{":
        return
    local = tag.rpartition("}")[2]
    element.tag = local if local in _CASED else local.lower()


def _take_language(element: Any) -> None:
    for key, value in element.attrib.items():
        if key.startswith(_XML_NAMESPACE):
            drop_attribute(element.attrib, key)
            if key.endswith("}lang") and "lang" not in element.attrib:
                element.set("lang", value)


def _resolve(element: Any, absolute: Any) -> None:
    for name in REFERENCES[element.tag]:
        value = element.get(name)
        # A fragment leads into the content, wherever that is shown.
        if value and not value.startswith("#"):
            element.set(name, absolute(value))
    if element.tag in CANDIDATES and (srcset := element.get("srcset")):
        element.set("srcset", write_srcset((absolute(url), descriptor) for url, descriptor in parse_srcset(srcset)))
