"""Questions about where elements stand, answered for many at once in linear time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from urllib.parse import unquote

from lxml import etree

from mainextract_beam.text import normalize


def nearest(elements: Iterable[etree._Element], holders: Collection[etree._Element]) -> dict[etree._Element, etree._Element | None]:
    """The innermost of the holders around each element, None where there is none; every ancestor is visited once."""
    known: dict[etree._Element, etree._Element | None] = {}
    nearest: dict[etree._Element, etree._Element | None] = {}
    for element in list(elements):
        path = []
        holder = element.getparent()
        while holder is not None and holder not in holders and holder not in known:
            path.append(holder)
            holder = holder.getparent()
        if holder is not None and holder not in holders:
            holder = known[holder]
        known.update(dict.fromkeys(path, holder))
        nearest[element] = holder
    return nearest


def text_of(element: etree._Element) -> str:
    """All text the element holds, white space collapsed; comments are no text."""
    return normalize(raw_text(element))


def raw_text(element: etree._Element) -> str:
    """All text the element holds as it stands; comments are no text."""
    # XPath's string(), which libxml2 makes in the same way; a call of that costs five times as much.
    return etree.tostring(element, method="text", encoding="unicode", with_tail=False) if len(element) else element.text or ""


def classes(element: etree._Element) -> Collection[str]:
    """The element's class names, lower-case, in order."""
    value = element.get("class")
    return class_names(value) if value else ()


def class_names(value: str) -> tuple[str, ...]:
    """The names in a ``class`` attribute, lower-case, in order. Pages repeat few values many times."""
    return _class_names(value) if len(value) <= _CACHED_LENGTH else tuple(value.lower().split())


@lru_cache(maxsize=2048)
def _class_names(value: str) -> tuple[str, ...]:
    return tuple(value.lower().split())


_CACHED_LENGTH = 200


def by_class(root: etree._Element, *tags: str) -> dict[str, list[etree._Element]]:
    """The elements of those names that state a class, by the attribute's value, so that each value is judged once."""
    found: dict[str, list[etree._Element]] = {}
    for element in root.iter(*tags):
        value = element.get("class")
        if value:
            found.setdefault(value, []).append(element)
    return found


def fragment(href: str | None, url: str | None = None) -> str | None:
    """The fragment of a reference into the same page, percent-decoded; None for any other reference."""
    if not href:
        return None
    href = href.strip()
    if not href.startswith("#"):
        here = (url or "").partition("#")[0]
        if not here or not href.startswith(here + "#"):
            return None
        href = href[len(here) :]
    return unquote(href[1:])
