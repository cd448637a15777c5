"""The walks in C of the judging steps do what the Python functions they are named after do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import parse_html
from mainextract_beam.clean import hidden, patterns, selectors
from mainextract_beam.clean.walk import text_of
from tests.test_walks import PAGES, TREES, compiled
from tests.trees import elements, pages


def assert_lined_alike(root: Any) -> None:
    assert compiled("clean._patterns").lines(root, patterns._FLAGS, text_of) == patterns._lines(root)


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_read_alike(page: bytes) -> None:
    root = parse_html(page).getroot()
    assert_lined_alike(root)


@given(pages)
def test_any_page_is_read_alike(page: str) -> None:
    root = parse_html(page).getroot()
    for element in root.iter("html", "a", "p", "body", "script", "svg"):
        assert_lined_alike(element)


@given(elements())
def test_any_tree_is_read_alike(tree: Any) -> None:
    assert_lined_alike(tree)


@pytest.mark.parametrize("tree", TREES)
def test_trees_of_all_kinds_are_read_alike(tree: Any) -> None:
    for element in tree.iter(etree.Element):
        assert_lined_alike(element)


def test_lines_of_all_kinds() -> None:
    root = parse_html("<div>a<p>b <a>c<a>d</a></a>\u2003e<!-- f --><p>\n<p><span><div>g</div>h</span><a href=x>i</a>").find(".//div")
    assert_lined_alike(root)
    found = [(element.tag, text, linked) for element, text, linked in patterns.lines(root)]
    assert found == [("p", "b cd e", 2), ("p", "ghi", 1), ("div", "g", 0)]
    assert_lined_alike(parse_html("<a>b<a>c").find(".//a"))


def test_deep_trees_are_read_alike() -> None:
    root = etree.fromstring("<div>" + "<b class='x y'>" * 200 + "a<p>b" + "</p>" + "</b>" * 200 + "</div>")
    assert_lined_alike(root)


@given(st.text() | st.text("aZ éßİ1_²中٣ⅷ'-\ud800"))
def test_lines_are_made_normal_alike(text: str) -> None:
    assert compiled("clean._patterns").normal(text) == patterns._normal(text)


@given(st.text("aBc-_ 1é", max_size=12))
def test_names_are_parted_alike(names: str) -> None:
    assert selectors._tokens(names) == [token.lower() for token in selectors._TOKEN.findall(names)]


@given(st.lists(st.sampled_from(["/*", "*/", "/", "*", "a", "/*/", "{"])).map("".join))
def test_comments_leave_style_sheets(sheet: str) -> None:
    assert hidden._without_comments(sheet) == re.sub(r"(?s)/\*.*?\*/", "", sheet)
