"""The places of a page that state metadata, read once each and only when asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from html import unescape
from typing import Any, Final

from lxml import etree

from mainextract_beam.base import document_base
from mainextract_beam.clean.walk import raw_text, text_of
from mainextract_beam.marked import marked
from mainextract_beam.metadata.precedence import PRECEDENCE
from mainextract_beam.metadata.survey import texts
from mainextract_beam.text import normalize

_NEAR: Final = 90  # pieces of text after the headline that may belong to its byline
_WHOLE: Final = 2_500  # characters they may have in all
MOST_OBJECTS: Final = 2_000
"""JSON-LD objects read of one page."""

_JSON: Final = json.JSONDecoder(strict=False)
_LONGEST_JSON: Final = 2_000_000
_CDATA_START: Final = re.compile(r"(?://|/\*)?\s*(?:<!\[CDATA\[|<!--)\s*(?:\*/)?")

ARTICLES: Final = frozenset(
    """article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle reviewnewsarticle
    backgroundnewsarticle askpublicnewsarticle scholarlyarticle medicalscholarlyarticle techarticle apireference report
    socialmediaposting discussionforumposting liveblogposting satiricalarticle advertisercontentarticle review
    qapage question recipe howto webpage""".split()
)
"""Types of schema.org objects that are about the page's text."""


NO_LINE: Final = frozenset("meta link script style body html form input img button noscript template svg head title nav".split())
"""Elements that state no byline."""


_KIND_AND_NAME: Final = {place: place.split(":", 1) for places in PRECEDENCE.values() for place in places}
_RELATIONS: Final = {"license", *(name for kind, name in _KIND_AND_NAME.values() if kind == "link")}


# What an element may be looked at for, as bits, by its tag and by what values of its attributes hold.
_META, _TITLE, _HEADING, _BASE, _SCRIPT, _AUTHOR, _DATE, _AUTHOR_LINK, _RELATED, _PROPERTY = (1 << bit for bit in range(10))
_TAGS: Final = {"meta": _META, "title": _TITLE, "h1": _HEADING, "base": _BASE, "time": _DATE}
_MARKS: Final = {
    **dict.fromkeys(("uthor", "yline", "sername"), _AUTHOR),
    **dict.fromkeys(("date", "Date", "ublish"), _DATE),
}
_VALUES: Final = {
    "class": _MARKS,
    "itemprop": {"": _PROPERTY, **_MARKS},
    "rel": {**dict.fromkeys(_RELATIONS, _RELATED), "author": _AUTHOR_LINK},
    "type": {"+": _SCRIPT},  # as in ld+json, whatever its case
}


class Sources:
    """What a page states, by place. Values are plain text, white space collapsed, in document order."""

    def __init__(self, root: etree._Element, url: str | None = None) -> None:
        self.root = root
        self.url = url

    @cached_property
    def base(self) -> str | None:
        """What the page's relative references start from."""
        return document_base(self.root, self.url, elements=self._stating(_BASE))

    @cached_property
    def _found(self) -> list[tuple[etree._Element, int]]:
        return marked(self.root, _TAGS, _VALUES)

    def _stating(self, bit: int) -> list[etree._Element]:
        """The elements that are to be looked at for something, in document order."""
        return [element for element, bits in self._found if bits & bit]

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """Contents of ``meta`` elements by lower-case ``property``, ``name``, ``itemprop`` or ``http-equiv``."""
        found: dict[str, list[str]] = {}
        for element in self._stating(_META):
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

    def places(self, field: str) -> Iterator[str]:
        """The places of a field, in the order of the table, without those that this page states nothing in."""
        for place in PRECEDENCE[field]:
            kind, name = _KIND_AND_NAME[place]
            if not ((kind == "meta" and name not in self.meta) or (kind == "json-ld" and not self.articles)):
                yield place

    def values(self, place: str) -> list[Any]:
        """What one place of the table of precedence states: texts, or the values of JSON-LD properties."""
        kind, name = _KIND_AND_NAME[place]
        if kind == "meta":
            return [unescape(value) for value in self.meta.get(name, ())]
        if kind == "json-ld":
            return [item[name] for item in self.articles if item.get(name)]
        if kind == "itemprop":
            return self._microdata(name)
        if kind == "link":
            return self._targets("link", name)
        if kind == "site":
            return [item[name] for item in self.objects if "website" in types(item) and item.get(name)]
        if place == "html:title":
            return [self.title] if self.title else []
        if place == "html:lang":
            stated = (self.root.get(name) for name in ("lang", "xml:lang", _XML_LANG))
            return [value for value in stated if value]
        if place == "html:rel-license":
            return self._targets("a", "license")
        return []

    def read(self, field: str) -> Iterator[str]:
        """The texts that the places of a field state, in the order of the table."""
        for place in self.places(field):
            for value in self.values(place):
                text = plain(value, "name", "url", "@id", "contentUrl")
                if text:
                    yield text

    def _targets(self, tag: str, relation: str) -> list[str]:
        elements = [element for element in self._stating(_RELATED) if element.tag == tag]
        targets = [normalize(element.get("href")) for element in elements if relation in _words(element.get("rel"))]
        return [target for target in targets if target]

    def _microdata(self, name: str) -> list[str]:
        stated = list(self.meta.get(f"itemprop:{name.lower()}", ()))
        if stated or name not in self._properties or not self._has_microdata:
            return stated
        for element in self._properties[name]:
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
        for element in self._stating(_PROPERTY):
            if element.tag != "meta":
                for name in dict.fromkeys(_words(element.get("itemprop"))):
                    found.setdefault(name, []).append(element)
        return found

    @cached_property
    def _has_microdata(self) -> bool:
        return bool(_SCOPED(self.root))

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """JSON-LD objects: those at the top, in ``@graph`` and in ``mainEntity``; what is no JSON is left out."""
        found: list[dict[str, Any]] = []
        for script in self._stating(_SCRIPT):
            text = script.text if script.tag == "script" and "ld+json" in (script.get("type") or "").lower() else None
            if not text or len(text) > _LONGEST_JSON:
                continue
            try:
                data = _JSON.decode(_without_cdata(text))
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
        authors, dates = [], []
        for element, bits in self._found:
            if not bits & (_AUTHOR | _DATE | _AUTHOR_LINK) or (tag := element.tag) in NO_LINE:
                continue
            if bits & _AUTHOR or (bits & _AUTHOR_LINK and tag == "a"):
                authors.append(element)
            if bits & _DATE:
                dates.append(element)
        return authors, dates

    @cached_property
    def headline(self) -> etree._Element | None:
        """The first ``h1`` that holds text."""
        return next((element for element in self._stating(_HEADING) if text_of(element)), None)

    @cached_property
    def after_headline(self) -> list[tuple[etree._Element, str]]:
        """The pieces of text after the headline, each with the element that holds it."""
        found: list[tuple[etree._Element, str]] = []
        count = size = 0
        holder = self.headline
        while holder is not None and holder is not self.root:
            for sibling in holder.itersiblings():
                pieces = texts(sibling, NO_LINE, _NEAR - count, _WHOLE - size)
                found += pieces
                count += len(pieces)
                size += sum([len(text) for _, text in pieces])
                if count >= _NEAR or size >= _WHOLE:
                    return found
                text, parent = normalize(sibling.tail), sibling.getparent()
                if text and parent is not None:
                    found.append((parent, text))
            holder = holder.getparent()
        return found

    @cached_property
    def title(self) -> str:
        """Text of the ``title`` element."""
        for element in self._stating(_TITLE):
            parent = element.getparent()
            if parent is None or parent.tag != "svg":
                return normalize(raw_text(element))
        return ""

    @cached_property
    def headings(self) -> list[str]:
        """Texts of the first few ``h1``."""
        found: list[str] = []
        for element in self._stating(_HEADING):
            text = heading_text(element)
            if text and text not in found:
                found.append(text)
            if len(found) == 5:
                break
        return found


def _is_of_another(element: etree._Element) -> bool:
    """Whether a property is that of an answer, a comment or a review (schema.org's names), which has a date and an author too."""
    holders = (holder for holder in element.iterancestors() if holder.get("itemscope") is not None)
    return any(not _OTHERS.isdisjoint(_words(holder.get("itemprop"))) for holder in holders)


_OTHERS: Final = frozenset("acceptedAnswer suggestedAnswer comment review reviews".split())


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


def _without_cdata(text: str) -> str:
    """A script without the marks of a CDATA section or a comment around it, which may be in comments themselves."""
    start = _CDATA_START.match(text.lstrip())
    if start:
        text = text.lstrip()[start.end() :]
    end = max(text.rfind("]]>"), text.rfind("-->"))
    if end >= 0 and text[end + 3 :].strip().removeprefix("*/").strip() in ("", ";"):
        text = text[:end].rstrip()
        text = text[:-2].rstrip() if text.endswith(("//", "/*")) else text
    return text


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
