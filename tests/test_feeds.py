"""Feeds of trees: lazy, stateless, one tree at a time."""

from __future__ import annotations

import asyncio
import itertools
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import aextract_all, extract, extract_all, parse_html
from tests.trees import pages


def trees(*markups):
    return (parse_html(markup) for markup in markups)


def test_documents_in_order_and_nothing_for_pages_without_content():
    found = list(extract_all(trees("<main>a</main>", "<nav>x</nav>", "<main>b</main>")))
    assert [document.text() for document in found] == ["a", "b"]


def test_endless_source_is_read_lazily():
    drawn = itertools.count()
    source = (parse_html(f"<main>{next(drawn)}</main>") for _ in itertools.count())
    feed = extract_all(source)
    assert [document.text() for document in itertools.islice(feed, 3)] == ["0", "1", "2"]
    assert next(drawn) == 3


class Root(etree.ElementBase):
    """An element that can be referenced weakly."""


def test_tree_is_let_go_once_its_document_is_out():
    parser = etree.HTMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Root))
    last = None

    def tree(number):
        nonlocal last
        root = etree.fromstring(f"<html><main>{number}</main></html>", parser)
        last = weakref.ref(root)
        return root.getroottree()

    for _ in extract_all(map(tree, range(3))):
        assert last() is None


def test_what_the_source_raises_is_passed_on():
    def failing():
        yield parse_html("<main>a</main>")
        raise KeyError("gone")

    feed = extract_all(failing())
    assert next(feed).text() == "a"
    with pytest.raises(KeyError, match="gone"):
        next(feed)


@pytest.mark.parametrize("feed", [extract_all, aextract_all])
def test_options_are_checked_on_the_call(feed):
    with pytest.raises(ValueError, match="unknown method 'none'"):
        feed([], method="none")
    with pytest.raises(ValueError, match="unknown option 'x'"):
        feed([], x=1)


def test_async_twin():
    async def source():
        for markup in ("<main>a</main>", "<nav>x</nav>", "<main>b</main>"):
            yield parse_html(markup)

    async def collect():
        return [document.text() async for document in aextract_all(source())]

    assert asyncio.run(collect()) == ["a", "b"]


@given(st.lists(pages, max_size=5), st.integers(0, 5))
def test_splitting_a_feed_changes_no_byte(markups, cut):
    whole = [document.to_xml() for document in extract_all(trees(*markups))]
    parts = [document.to_xml() for part in (markups[:cut], markups[cut:]) for document in extract_all(trees(*part))]
    each = [document.to_xml() for markup in markups if (document := extract(parse_html(markup))) is not None]
    assert whole == parts == each
