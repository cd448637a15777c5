"""What judging steps take out of a tree can be put back."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam.clean.edit import Edits
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.undo import Undo
from tests.trees import elements


def plan(page: CleanPage, inside: list[etree._Element], wanted: list[int]) -> None:
    """Plans edits of some of the elements that were there at first, among them what has left with others since."""
    with Edits(page, "patterns") as edits:
        for number in wanted:
            if inside:
                element = inside[number % len(inside)]
                if number % 3:
                    edits.remove(element, rule="related")
                else:
                    edits.unwrap(element, rule="related")


@given(elements(), st.lists(st.lists(st.integers(0, 100), max_size=30), max_size=4))
def test_trees_are_put_back_as_they_were(tree: Any, rounds: list[list[int]]) -> None:
    before = etree.tostring(tree)
    there = list(tree.iter())
    inside = list(tree.iterdescendants(etree.Element))
    page = CleanPage(tree, undo=Undo())
    for wanted in rounds:
        plan(page, inside, wanted)
    assert page.undo is not None
    page.undo.put_back()
    assert etree.tostring(tree) == before
    assert list(tree.iter()) == there


def test_many_at_once_are_put_back() -> None:
    root = etree.fromstring("<div>a" + "<p>b<b>c</b>d</p>e<!-- f -->g" * 40 + "</div>")
    before = etree.tostring(root)
    page = CleanPage(root, undo=Undo())
    inside = list(root.iterdescendants(etree.Element))
    plan(page, inside, list(range(20, 70)))
    plan(page, inside, list(range(40)))
    assert etree.tostring(root) != before
    assert page.undo is not None
    page.undo.put_back()
    assert etree.tostring(root) == before
