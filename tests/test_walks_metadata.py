"""The walks that metadata is found by do the same in C as in Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import parse_html
from mainextract_beam.metadata import sources, survey
from mainextract_beam.metadata.dates import CENTURIES
from tests.test_walks import PAGES, TREES, compiled
from tests.trees import elements, pages, xml_tree

MORE_TREES = [
    *TREES,
    xml_tree('<!DOCTYPE p [<!ENTITY e "x">]><p class="up&e;date 2&#48;24" q="">20&e;19<b>2<![CDATA[0]]>24</b>2<![CDATA[024]]><?pi 20?>19</p>'),
    xml_tree('<p xmlns:q="urn:q" q:class="author" q:itemprop="x"><q:p itemprop="x"/><!-- 2024 -->on 2024<?pi 2024?>in 2024</p>'),
    xml_tree("<p><time/><meta/>a<b>2024</b> b <i> </i>\x85\xa0c<meta>d</meta>e</p>"),
]


def assert_found_alike(top: Any) -> None:
    walks = compiled("metadata._survey")
    for without in (sources.NO_LINE, ("p", "{urn:q}p")):
        for most, whole in ((90, 2_500), (2, 2_500), (90, 9), (1, 1)):
            assert walks.texts(top, without, most, whole) == survey._texts(top, without, most, whole)
    for pieces in (CENTURIES, ("a", "\xe9", "\u4e2d"), ("",), ()):
        for longest in (0, 4, 9, 120):
            assert walks.holding(top, pieces, longest) == survey._holding(top, pieces, longest)


@pytest.mark.parametrize("page", PAGES)
def test_pages(page: bytes) -> None:
    assert_found_alike(parse_html(page).getroot())


@given(pages)
def test_any_page(page: str) -> None:
    for element in parse_html(page).getroot().iter():
        assert_found_alike(element)


@given(elements())
def test_any_tree(tree: Any) -> None:
    assert_found_alike(tree)


@pytest.mark.parametrize("tree", MORE_TREES)
def test_trees_of_all_kinds(tree: Any) -> None:
    for node in tree.getroot().iter():
        assert_found_alike(node)


@pytest.mark.parametrize("node", [etree.Comment("2024"), etree.PI("a", "2024"), etree.Entity("nbsp")])
def test_nodes_that_are_no_elements(node: Any) -> None:
    root = parse_html("<body><p>a</p>b 19<p>c</p>").getroot()
    node.tail = "after 2024"
    root[-1].insert(1, node)
    assert_found_alike(node)
    assert_found_alike(root)


@given(st.lists(st.text("a12094 \n\x85\xa0\ufeff中é\U0001f600", max_size=9), max_size=4))
def test_any_text(texts: list[str]) -> None:
    root = etree.Element("body")
    for text in texts:
        child = etree.SubElement(root, "p", {"class": text, "role": "main"})
        child.text = child.tail = text
    assert_found_alike(root)
