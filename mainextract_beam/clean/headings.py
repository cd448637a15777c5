"""Headings keep their markup and ids; the links by which they offer their own address leave."""

from __future__ import annotations

import re

from lxml import etree

from mainextract_beam.clean.edit import Edits
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import classes, fragment, raw_text

STEP = "standardize"

_SIGNS = re.compile(r"[\s#¶§∞🔗⚓\ufe0f\u200b\ue000-\uf8ff]*")
_NAMES = frozenset(
    """anchor headerlink header-anchor heading-anchor heading-link permalink anchor-link anchorjs-link hash-link
    toc-anchor direct-link section-link sl-anchor-link""".split()
)
_LEVEL = re.compile(r"\s*([1-6])\s*")


def standardize_headings(page: CleanPage) -> None:
    """Takes self-links out of the headings of the content roots; gives ARIA headings their element."""
    for root in page.roots:
        if "heading" in page.stated.roles:
            for element in [each for each in root.iter("div", "span", "p") if each.get("role") == "heading"]:
                if element is not root:
                    _make_heading(page, element)
        with Edits(page, STEP) as edits:
            for heading in root.iter("h1", "h2", "h3", "h4", "h5", "h6"):
                for link in heading.iter("a"):
                    if _is_self_link(page, link):
                        _remove(edits, heading, link)


def _make_heading(page: CleanPage, element: etree._Element) -> None:
    match = _LEVEL.fullmatch(element.get("aria-level", "2"))
    if match and raw_text(element).strip() and next(element.iterdescendants("p", "div", "ul", "table"), None) is None:
        page.journal.record(element, "replace", step=STEP, rule="aria-heading")
        element.tag = f"h{match[1]}"


def _is_self_link(page: CleanPage, link: etree._Element) -> bool:
    text = raw_text(link).strip()
    if next(link.iter("img", "picture", "math"), None) is not None:
        return False
    href = link.get("href")
    if href is None:
        # An anchor without text, there for its id alone.
        return not text and len(link) == 0
    if fragment(href, page.url) is None and not (not text and not _NAMES.isdisjoint(classes(link))):
        return False
    return _SIGNS.fullmatch(text) is not None


def _remove(edits: Edits, heading: etree._Element, link: etree._Element) -> None:
    identifier = link.get("id") or link.get("name")
    if not identifier or heading.get("id") in (None, "", identifier):
        if identifier:
            heading.set("id", identifier)
        edits.remove(link, rule="self-link")
        return
    # Both are targets; the anchor stays as one, without its sign.
    link.attrib.clear()
    link.set("id", identifier)
    link.text = None
    del link[:]
