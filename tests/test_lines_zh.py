"""Long Chinese pages of many structures come out with their text, whole and in order."""

from __future__ import annotations

from collections import Counter

import pytest

from mainextract_beam import extract_page
from tests.pages_zh.pages import PAGES


def char_f1(found: str, truth: str) -> float:
    """F1 of the characters that are not whitespace, as multisets."""
    ours, theirs = Counter("".join(found.split())), Counter("".join(truth.split()))
    shared = sum((ours & theirs).values())
    return 2 * shared / (sum(ours.values()) + sum(theirs.values()))


def test_there_are_enough_pages() -> None:
    assert len(PAGES) >= 15


@pytest.mark.parametrize("keep", ["tags", "text", "images"])
@pytest.mark.parametrize("name", PAGES)
def test_content(name: str, keep: str) -> None:
    page = PAGES[name]()
    document = extract_page(page.data, encoding=page.charset, method="lines", keep=keep)
    assert document is not None
    lines = [line.strip("　") for line in document.text().split("\n")]  # `pre` keeps its indents
    assert char_f1("".join(lines), "".join(page.paragraphs)) >= 0.97
    # Paragraphs stay apart, none lost or doubled, in order.
    content = [line for line in lines if line in set(page.paragraphs)]
    assert content == page.paragraphs
    assert document.rule == "lines"
