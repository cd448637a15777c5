"""Step 3: where the content is: what a selector names, else the elements that hold the blocks judged to be content.

Blocks are judged by the learned model, or, with ``model`` switched off, by the rules of rules.py; both judge alike: the blocks
kept are those that make the expected word F1 of the page largest (choose.py).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cssselect import SelectorError
from lxml.cssselect import CSSSelector

from mainextract_beam.clean.blocks import Floats
from mainextract_beam.clean.budget import text_length
from mainextract_beam.clean.choose import Blocks, choose_roots, keep_best, score_blocks
from mainextract_beam.clean.hints import json_ld, page_hints
from mainextract_beam.clean.page import CleanPage, Drop
from mainextract_beam.metadata.kind import page_kind
from mainextract_beam.page import Page
from mainextract_beam.regions import find_regions, has_text
from mainextract_beam.text import normalize

NAME = "detect"


def detect(page: CleanPage) -> None:
    """Sets the content roots of a page, the rule that found them, what inside them is judged not to be content, and its kind.

    Raises:
        ValueError: the selector given matches nothing.
    """
    selected = None if page.selector is None else _selected(page, page.selector)
    blocks, hints = judged(page)
    page.whole = sum(map(text_length, page.roots)) if blocks is None else sum(map(len, blocks.texts))
    kind, reason = page_kind(blocks, hints, page.url)
    page.kind = {"page_type": kind, "page_type_reason": reason}
    if blocks is not None and kind == "article" and hints[0] > 0 and blocks.rule == "model":
        blocks.keep, blocks.expected = keep_best(blocks.probabilities, blocks.words, hints, strict=True)
    if selected is not None:
        page.roots = selected
        page.rule = "selector"
    elif not _by_blocks(page, blocks):
        _by_regions(page)
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


def judged(page: CleanPage) -> tuple[Blocks | None, Floats]:
    """The blocks of the page, judged, and what it says about itself (see `page_hints`)."""
    root = page.roots[0]
    head = next(page.root.iter("head"), None)
    title = None if head is None else next(head.iterchildren("title"), None)
    text = "" if title is None else normalize(title.text)
    by_rules = "model" in page.skip
    hints = page_hints(head, json_ld(page.root), page.url)
    return score_blocks(root, title=text, hints=hints, by_rules=by_rules), hints


def _by_blocks(page: CleanPage, blocks: Blocks | None) -> bool:
    """Takes the roots that hold the blocks judged to be content; whether there are any."""
    choice = None if blocks is None else choose_roots(blocks, explain=page.journal.keep)
    if choice is None:
        return False
    page.roots = choice.roots
    page.rule = choice.rule
    page.drops = [Drop(drop.element, drop.nodes, drop.reason) for drop in choice.drops]
    return True


def _by_regions(page: CleanPage) -> None:
    content = find_regions(Page(page.root, owned=True, lower_case=True))
    if content is not None and any(has_text(element) for element in content.elements):
        page.roots = list(content.elements)
        page.rule = content.rule
