"""All metadata of a page, for every method: the facts the cleaning chain needs, and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from mainextract_beam.base import is_absolute, resolve
from mainextract_beam.clean.page import Facts
from mainextract_beam.metadata.facts import facts_of
from mainextract_beam.metadata.sources import Sources, plain
from mainextract_beam.text import normalize

MOST_KEYWORDS: Final = 50
LONGEST: Final = 5_000
"""Characters of one value; longer ones are cut."""

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")
_KEYWORD_MARKS: Final = re.compile(r"\s*[,;、，|]\s*")


def read_metadata(root: etree._Element, url: str | None = None) -> dict[str, Any]:
    """What the page says about itself.

    Args:
        root: top of the parsed page, names plain and lower-case.
        url: the page's URL.

    Returns:
        ``title``, ``authors`` (tuple), ``published`` and ``modified`` (ISO 8601), ``site_name``, ``description``,
        ``language`` (BCP 47), ``canonical_url``, ``image``, ``licence`` (URLs absolute where the page's base is known; a
        licence may be a text), ``keywords`` (tuple). What the page does not state is left out. Values are plain text:
        whatever shows them has to escape them.
    """
    sources = Sources(root, url)
    return metadata_of(sources, facts_of(sources))


def metadata_of(sources: Sources, facts: Facts) -> dict[str, Any]:
    """The metadata of sources whose facts are known."""
    found: dict[str, Any] = {
        "title": facts.title,
        "authors": facts.authors,
        "published": facts.published,
        "modified": facts.modified,
        "site_name": facts.site,
        "description": facts.description,
        "language": language(sources),
        "canonical_url": next(_urls(sources, "canonical"), None),
        "image": next(_urls(sources, "image"), None),
        "licence": licence(sources),
        "keywords": keywords(sources),
    }
    return {name: _cut(value) for name, value in found.items() if value}


def _cut(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value


def language(sources: Sources) -> str | None:
    """The language as a BCP 47 tag: ``en``, ``pt-BR``."""
    for value in sources.read("language"):
        tag = value.split(",")[0].strip().replace("_", "-")
        if _LANGUAGE.fullmatch(tag):
            first, *rest = tag.split("-")
            return "-".join([first.lower(), *(part.upper() if len(part) == 2 else part for part in rest)])
    return None


def licence(sources: Sources) -> str | None:
    """The licence, an absolute URL where it is stated as one."""
    value = next(sources.read("licence"), None)
    if value is None:
        return None
    return _absolute(sources, value) or value if "/" in value else value


def keywords(sources: Sources) -> tuple[str, ...]:
    """Keywords of the first place that states any, each once."""
    for place in sources.places("keywords"):
        found: dict[str, str] = {}
        for value in sources.values(place):
            items = value if isinstance(value, list) else [value]
            for item in items[: 2 * MOST_KEYWORDS]:
                for part in _KEYWORD_MARKS.split(plain(item, "name") or ""):
                    word = normalize(part)
                    if word and len(word) <= 100:
                        found.setdefault(word.casefold(), word)
        if found:
            return tuple(list(found.values())[:MOST_KEYWORDS])
    return ()


def _urls(sources: Sources, field: str) -> Iterator[str]:
    for value in sources.read(field):
        url = _absolute(sources, value)
        if url:
            yield url


def _absolute(sources: Sources, value: str) -> str | None:
    """A reference as an http(s) URL, as it stands where the page's base is unknown; None for other schemes."""
    value = "".join(value.split())
    try:
        url = resolve(sources.base, value)
    except ValueError:
        return None
    if is_absolute(url) and not url.lower().startswith(("http://", "https://")):
        return None
    return url
