"""The places of a page that state metadata, read once each and only when asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from html import unescape
from typing import Any, Final

from lxml import etree

from mainextract_beam.base import document_base
from mainextract_beam.clean.walk import raw_text
from mainextract_beam.metadata.precedence import PRECEDENCE
from mainextract_beam.text import normalize

MOST_OBJECTS: Final = 2_000
"""JSON-LD objects read of one page."""

_LONGEST_JSON: Final = 2_000_000
_CDATA: Final = re.compile(r"^\s*(?://|/\*)?\s*(?:<!\[CDATA\[|<!--)\s*(?:\*/)?|\s*(?://|/\*)?\s*(?:\]\]>|-->)\s*(?:\*/)?\s*;?\s*$")

ARTICLES: Final = frozenset(
    """article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle reviewnewsarticle
    backgroundnewsarticle askpublicnewsarticle scholarlyarticle medicalscholarlyarticle techarticle apireference report
    socialmediaposting discussionforumposting liveblogposting satiricalarticle advertisercontentarticle review
    qapage question recipe howto webpage""".split()
)
"""Types of schema.org objects that are about the page's text."""


NO_LINE: Final = frozenset("meta link script style body html form input img button noscript template svg head title nav".split())
"""Elements that state no byline."""


def _kind_of(name: str) -> int:
    kind = 1 if "uthor" in name or "yline" in name or "sername" in name else 0
    return kind | (2 if "date" in name or "Date" in name or "ublish" in name else 0)


class Sources:
    """What a page states, by place. Values are plain text, white space collapsed, in document order."""

    def __init__(self, root: etree._Element, url: str | None = None) -> None:
        self.root = root
        self.url = url

    @cached_property
    def base(self) -> str | None:
        """What the page's relative references start from."""
        return document_base(self.root, self.url, lower_case=True)

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """Contents of ``meta`` elements by lower-case ``property``, ``name``, ``itemprop`` or ``http-equiv``."""
        found: dict[str, list[str]] = {}
        for element in self.root.iter("meta"):
            content = normalize(element.get("content"))
            if not content:
                continue
            for attribute in ("property", "name", "itemprop", "http-equiv"):
                names = element.get(attribute)
                if names:
                    for name in names.lower().split():
                        found.setdefault(name if attribute != "itemprop" else f"itemprop:{name}", []).append(content)
        return found

    def first_meta(self, *names: str) -> str | None:
        """The first content of the first of the names that is stated."""
        for name in names:
            values = self.meta.get(name)
            if values:
                return unescape(values[0])
        return None

    def values(self, place: str) -> list[Any]:
        """What one place of the table of precedence states: texts, or the values of JSON-LD properties."""
        kind, _, name = place.partition(":")
        if kind == "meta":
            return [unescape(value) for value in self.meta.get(name, ())]
        if kind == "json-ld":
            return [item[name] for item in self.articles if item.get(name)]
        if kind == "itemprop":
            return self._microdata(name)
        if kind == "link":
            return _targets(self.root.iter("link"), name)
        if kind == "site":
            return [item[name] for item in self.objects if "website" in types(item) and item.get(name)]
        if place == "html:title":
            return [self.title] if self.title else []
        if place == "html:lang":
            stated = (self.root.get(name) for name in ("lang", "xml:lang", _XML_LANG))
            return [value for value in stated if value]
        if place == "html:rel-license":
            return _targets(self.root.iter("a"), "license")
        return []

    def read(self, field: str) -> Iterator[str]:
        """The texts that the places of a field state, in the order of the table."""
        for place in PRECEDENCE[field]:
            for value in self.values(place):
                text = plain(value, "name", "url", "@id", "contentUrl")
                if text:
                    yield text

    def _microdata(self, name: str) -> list[str]:
        stated = list(self.meta.get(f"itemprop:{name.lower()}", ()))
        if stated or not self._has_microdata:
            return stated
        for element in self._properties.get(name, ()):
            if _is_of_another(element):
                continue
            value = next((value for key in ("datetime", "content", "href", "src") if (value := element.get(key))), None)
            text = normalize(value or raw_text(element))
            if text:
                return [text]
        return []

    @cached_property
    def _properties(self) -> dict[str, list[etree._Element]]:
        """The elements beside ``meta`` that state each property of microdata."""
        found: dict[str, list[etree._Element]] = {}
        elements = self.elements
        for element, value in zip(elements, [element.get("itemprop") for element in elements], strict=True):
            if value and element.tag != "meta":
                for name in dict.fromkeys(value.split()):
                    found.setdefault(name, []).append(element)
        return found

    @cached_property
    def elements(self) -> list[etree._Element]:
        """All elements of the page, in document order."""
        return list(self.root.iter(etree.Element))

    @cached_property
    def _has_microdata(self) -> bool:
        return bool(_SCOPED(self.root))

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """JSON-LD objects: those at the top, in ``@graph`` and in ``mainEntity``; what is no JSON is left out."""
        found: list[dict[str, Any]] = []
        for script in self.root.iter("script"):
            kind = script.get("type")
            if kind is None or "ld+json" not in kind.lower() or not script.text or len(script.text) > _LONGEST_JSON:
                continue
            try:
                data = json.loads(_CDATA.sub("", script.text), strict=False)
            except (ValueError, RecursionError):
                continue
            waiting: list[Any] = [data]
            while waiting and len(found) < MOST_OBJECTS:
                item = waiting.pop(0)
                if isinstance(item, list):
                    waiting = item[:MOST_OBJECTS] + waiting
                elif isinstance(item, dict):
                    found.append(item)
                    waiting += [
                        item[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if isinstance(item.get(key), (list, dict))
                    ]
        return found

    @cached_property
    def articles(self) -> list[dict[str, Any]]:
        """The JSON-LD objects about the page's text, those of a more telling type than ``WebPage`` first."""
        of_type = [item for item in self.objects if not ARTICLES.isdisjoint(types(item))]
        return sorted(of_type, key=lambda item: "webpage" in types(item))

    @cached_property
    def marked(self) -> tuple[list[etree._Element], list[etree._Element]]:
        """Elements whose class, itemprop or rel says author, and those whose says date, or that are a ``time``."""
        elements = self.elements
        values = [element.get("class") for element in elements]
        kinds = {value: kind for value in set(values) if value and (kind := _kind_of(value))}
        found = {element: kinds[value] for element, value in zip(elements, values, strict=True) if value in kinds} if kinds else {}
        others = [(element, 2) for element in self.root.iter("time")]
        others += [(element, 1) for element in self.root.iter("a") if "author" in (element.get("rel") or "")]
        others += [(element, _kind_of(name)) for name, stating in self._properties.items() for element in stating]
        if any(found.get(element, 0) | kind != found.get(element, 0) for element, kind in others):
            for element, kind in others:
                found[element] = found.get(element, 0) | kind
            found = {element: kind for element in elements if (kind := found.get(element, 0))}
        shown = [(element, kind) for element, kind in found.items() if element.tag not in NO_LINE]
        return [element for element, kind in shown if kind & 1], [element for element, kind in shown if kind & 2]

    @cached_property
    def title(self) -> str:
        """Text of the ``title`` element."""
        for element in self.root.iter("title"):
            parent = element.getparent()
            if parent is None or parent.tag != "svg":
                return normalize(raw_text(element))
        return ""

    @cached_property
    def headings(self) -> list[str]:
        """Texts of the first few ``h1``."""
        texts: list[str] = []
        for element in self.root.iter("h1"):
            text = heading_text(element)
            if text and text not in texts:
                texts.append(text)
            if len(texts) == 5:
                break
        return texts


def _is_of_another(element: etree._Element) -> bool:
    """Whether a property is that of an answer, a comment or a review (schema.org's names), which has a date and an author too."""
    holders = (holder for holder in element.iterancestors() if holder.get("itemscope") is not None)
    return any(not _OTHERS.isdisjoint(_words(holder.get("itemprop"))) for holder in holders)


_OTHERS: Final = frozenset("acceptedAnswer suggestedAnswer comment review reviews".split())


def _targets(elements: Iterable[etree._Element], relation: str) -> list[str]:
    found = []
    for element in elements:
        stated = element.get("rel")
        if stated and relation in stated.split():
            href = normalize(element.get("href"))
            if href:
                found.append(href)
    return found


def _words(value: str | None) -> list[str]:
    return value.split() if value else []


_SCOPED: Final = etree.XPath("boolean(//@itemscope)")
_XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"


def heading_text(element: etree._Element) -> str:
    """Text of a heading: line breaks and blocks part words, marks of permalinks left out."""
    if not len(element):
        return _without_marks(normalize(element.text))
    pieces: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            if not isinstance(node.tag, str) or node.tag in ("style", "script", "svg", "noscript", "template"):
                walk.skip_subtree()
                continue
            if node.tag in ("br", "div", "p", "small") and node is not element:
                pieces.append(" ")
            pieces.append(node.text or "")
        elif node is not element:
            pieces.append(node.tail or "")
    return _without_marks(normalize("".join(pieces)))


def _without_marks(text: str) -> str:
    return text.rstrip("#¶§🔗").rstrip()


def types(item: dict[str, Any]) -> frozenset[str]:
    """Types of a JSON-LD object, lower-case, without their vocabulary."""
    kinds = item.get("@type")
    if isinstance(kinds, str):
        kinds = [kinds]
    if not isinstance(kinds, list):
        return frozenset()
    return frozenset(kind.rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for kind in kinds if isinstance(kind, str))


def plain(value: Any, *keys: str) -> str | None:
    """A JSON-LD value as text: a text itself, or the first of the keys of an object, or of a list the first that is."""
    for _ in range(4):
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = next((value[key] for key in (*keys, "@value") if value.get(key)), None)
        else:
            break
    if not isinstance(value, str):
        return None
    return normalize(unescape(value)) or None
