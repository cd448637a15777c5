"""What a page says about its kind outside its text: Open Graph type, structured data types, the shape of its URL."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import numpy as np
from lxml.etree import _Element as Element

from mainextract_beam.clean.blocks import Floats

# Families of schema.org and Open Graph types, in the order of the numbers handed on.
FAMILIES: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(names.split())
    for names in (
        "article newsarticle blogposting reportagenewsarticle blog scholarlyarticle opinionnewsarticle news",
        "product productgroup offer aggregateoffer",
        "discussionforumposting qapage question answer socialmediaposting",
        "itemlist collectionpage searchresultspage offercatalog",
        "techarticle apireference howto faqpage softwareapplication softwaresourcecode",
        "organization localbusiness service professionalservice corporation restaurant store",
        "website webpage",
        "recipe event jobposting course videoobject movie book",
    )
)
COUNT: Final = len(FAMILIES) + 6
_TYPE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"(?:https?://schema\.org/)?(\w+)"')
_DATE: Final = re.compile(r"/(?:19|20)\d\d/")
_DATA_READ: Final = 200_000


def page_hints(head: Element | None, scripts: list[str], url: str | None) -> Floats:
    """Numbers about the page as a whole.

    Args:
        head: the page's `head`, for its Open Graph type.
        scripts: the texts of its JSON-LD scripts.
        url: the page's URL.

    Returns:
        COUNT numbers: for each family whether it is stated, then the URL's shape (zeros without a URL).
    """
    stated: set[str] = set()
    if head is not None:
        for meta in head.iter("meta"):
            if meta.get("property") == "og:type":
                stated.add((meta.get("content") or "").strip().lower().partition(".")[0])
    for script in scripts:
        stated.update(name.lower() for name in _TYPE.findall(script[:_DATA_READ]))
    values = [float(bool(stated & family)) for family in FAMILIES]
    try:
        parts = urlsplit(url or "")
        path, query = parts.path, parts.query
    except ValueError:
        path, query = "", ""
    steps = [step for step in path.split("/") if step]
    last = steps[-1] if steps else ""
    values += [
        float(min(len(steps), 8)),
        float(min(len(last), 100)),
        float(min(last.count("-"), 15)),
        float(_DATE.search(path) is not None),
        float(min(sum(c.isdigit() for c in last), 12)),
        float(bool(query)),
    ]
    return np.array(values, dtype=np.float32)


def json_ld(root: Element) -> list[str]:
    """The texts of a tree's JSON-LD scripts, in document order."""
    scripts = [script for script in root.iter("script") if "ld+json" in (script.get("type") or "").lower()]
    return [text for script in scripts if (text := script.text)]
