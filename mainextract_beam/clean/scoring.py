"""Step 7: blocks whose own evidence says boilerplate leave."""

from __future__ import annotations

from typing import Any

from mainextract_beam.clean.edit import Edits, set_tail, set_text
from mainextract_beam.clean.page import CleanPage, Drop
from mainextract_beam.clean.protect import is_protected

NAME = "scoring"


def scoring(page: CleanPage) -> None:
    """Removes what detection judged not to be content inside the roots, but for what is protected."""
    texts: list[Drop] = []
    with Edits(page, NAME) as edits:
        for drop in page.drops:
            if drop.element is None:
                texts.append(drop)
            else:
                for element in _unprotected(page, drop.element):
                    edits.remove(element, rule=page.rule, reason=drop.reason)
        for drop in texts:
            _blank(page, drop)


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


def _blank(page: CleanPage, drop: Drop) -> None:
    """Takes texts out that no element holds alone."""
    for element, is_tail in drop.nodes:
        if page.marks.is_inside(element) and not is_tail:
            continue
        if is_tail:
            set_tail(element, " ")
        else:
            set_text(element, " ")
