"""Step 3: where the content is: what a selector names, else what the block model keeps, else what the rules find."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cssselect import SelectorError
from lxml import etree
from lxml.cssselect import CSSSelector

from mainextract_beam.clean.choose import choose_roots, score_blocks
from mainextract_beam.clean.hints import json_ld, page_hints
from mainextract_beam.clean.page import CleanPage, Drop
from mainextract_beam.page import Page
from mainextract_beam.regions import find_regions, has_text

NAME = "detect"


def detect(page: CleanPage) -> None:
    """Sets the content roots of a page, the rule that found them, and what inside them is judged not to be content.

    Raises:
        ValueError: the selector given matches nothing.
    """
    if page.selector is not None:
        page.roots = _selected(page, page.selector)
        page.rule = "selector"
    elif "model" in page.skip or not _by_model(page):
        _by_rules(page)
    if page.journal.keep:
        for root in page.roots:
            page.journal.record(root, "root", step=NAME, rule=page.rule, selector=page.selector)


@lru_cache(maxsize=64)
def compiled_selector(selector: str) -> Any:
    """A CSS selector compiled to XPath.

    Raises:
        ValueError: it is no valid selector; the message shows it.
    """
    try:
        return CSSSelector(selector, translator="html")
    except SelectorError as error:
        raise ValueError(f"invalid selector {selector!r}: {error}") from error


def _selected(page: CleanPage, selector: str) -> list[Any]:
    found = compiled_selector(selector)(page.root)
    if not found:
        raise ValueError(f"selector {selector!r} matches nothing on this page")
    chosen = set(found)
    return [element for element in found if not any(holder in chosen for holder in element.iterancestors())]


def _by_model(page: CleanPage) -> bool:
    """Takes the roots that hold the blocks the model keeps; whether there are any."""
    root = page.roots[0]
    title = next(page.root.iter("title"), None)
    blocks = score_blocks(
        root,
        title="" if title is None else title.text or "",
        hints=page_hints(next(page.root.iter("head"), None), json_ld(page.root), page.url),
    )
    choice = None if blocks is None else choose_roots(blocks)
    if choice is None:
        return False
    page.roots = choice.roots
    page.rule = choice.rule
    page.drops = [Drop(drop.element, drop.nodes, drop.reason) for drop in choice.drops]
    return True


def _by_rules(page: CleanPage) -> None:
    content = find_regions(Page(page.root, owned=True, lower_case=True))
    if content is not None and any(has_text(element) for element in content.elements):
        page.roots = list(content.elements)
        page.rule = content.rule


__all__ = ["NAME", "compiled_selector", "detect", "etree"]
