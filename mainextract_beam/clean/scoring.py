"""Step 7: blocks whose own evidence says boilerplate leave."""

from __future__ import annotations

from typing import Any, Final

from lxml import etree

from mainextract_beam.clean.budget import Budget, prose_length, text_length
from mainextract_beam.clean.edit import Edits, set_tail, set_text
from mainextract_beam.clean.page import CleanPage, Drop
from mainextract_beam.clean.protect import is_protected

NAME = "scoring"

SHARE: Final = 0.5
"""Share of the prose left in the content roots that one removal may take: it has all the evidence of the page behind it."""

TEXT_SHARE: Final = 0.25
"""Share of all text in the roots that any removal may take: what little prose a page of links has is not its content."""

LINE: Final = 160
"""Characters that any removal may take."""


def scoring(page: CleanPage) -> None:
    """Removes what detection judged not to be content inside the roots, but for what is protected."""
    if page.is_off(NAME, page.rule):
        return
    texts: list[Drop] = []
    budget = Budget(page.roots, SHARE)
    small = max(LINE, round(TEXT_SHARE * sum(map(text_length, page.roots)))) if page.drops else LINE
    with Edits(page, NAME) as edits:
        for drop in page.drops:
            if drop.element is None:
                texts.append(drop)
                continue
            for element in _unprotected(page, drop.element):
                prose = 0 if _in_link(element) else prose_length(element)
                if budget.take(prose) or text_length(element) <= small:
                    edits.remove(element, rule=page.rule, reason=drop.reason)
                else:
                    _refuse(page, element)
        for drop in texts:
            _blank(page, drop, budget, small)


def _in_link(element: Any) -> bool:
    return element.tag == "a" or next(element.iterancestors("a"), None) is not None


def _refuse(page: CleanPage, element: Any) -> None:
    page.journal.record(element, "remove", step=NAME, rule=page.rule, reason="too much of the prose", accepted=False)


def _unprotected(page: CleanPage, element: Any) -> list[Any]:
    """The element, or, where it holds something protected, the largest elements inside it that do not."""
    found: list[Any] = []
    stack = [element]
    while stack:
        node = stack.pop()
        if not isinstance(node.tag, str) or page.marks.is_inside(node):
            continue
        if is_protected(page, node):
            stack.extend(reversed(node))
        else:
            found.append(node)
    return found


def _blank(page: CleanPage, drop: Drop, budget: Budget, small: int) -> None:
    """Takes texts out that no element holds alone."""
    nodes = []
    for element, is_tail in drop.nodes:
        holder = element.getparent() if is_tail else element
        if holder is not None and not page.marks.is_inside(holder):
            nodes.append((element, is_tail, holder))
    if not nodes:
        return
    owner: etree._Element = nodes[0][2]
    texts = [(element.tail if is_tail else element.text) or "" for element, is_tail, _ in nodes]
    prose = sum(len(text.strip()) for text, (*_, holder) in zip(texts, nodes, strict=True) if not _in_link(holder))
    if not (budget.take(prose) or prose <= small):
        _refuse(page, owner)
        return
    page.journal.record_text(owner, "".join(texts), step=NAME, rule=page.rule, reason=drop.reason)
    if page.undo is not None:
        page.undo.hold(holder for *_, holder in nodes)
    for element, is_tail, _ in nodes:
        if is_tail:
            set_tail(element, " ")
        else:
            set_text(element, " ")
