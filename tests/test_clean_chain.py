"""The chain as a whole: any page, any tree, any set of steps; options; fallback; plain names."""

from __future__ import annotations

from xml.parsers import expat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import extract, extract_page, parse_html
from mainextract_beam.clean.order import PARTS, STEPS
from tests.trees import elements, html5_tree, lxml_tree, pages, xml_tree

PROSE = "<p>A sentence of some length, with a comma in it, that a reader would read.</p>" * 6
UNSAFE = ("script", "style", "iframe", "form", "input", "object", "embed", "base", "meta", "link", "template", "noscript")


def parses(data: bytes) -> None:
    expat.ParserCreate(namespace_separator=" ").Parse(b"<documents>" + data + b"</documents>", True)


@given(pages)
@settings(max_examples=150, deadline=None)
def test_any_page(markup):
    document = extract_page(f"{PROSE}{markup}", method="clean", url="http://example.com/a")
    assert "A sentence of some length" in document.text()
    parses(document.to_xml())
    names = {element.tag for root in document.roots for element in root.iter(etree.Element)}
    assert not names.intersection(UNSAFE)
    assert extract(parse_html(f"{PROSE}{markup}"), method="clean", url="http://example.com/a") == document


@given(elements())
@settings(max_examples=100, deadline=None)
def test_any_tree_is_left_untouched(element):
    tree = element.getroottree()
    before = etree.tostring(tree)
    for given_ in (tree, element):
        document = extract(given_, method="clean")
        if document is not None:
            parses(document.to_xml())
    assert etree.tostring(tree) == before


@given(st.sets(st.sampled_from([*STEPS, *PARTS])))
@settings(max_examples=40, deadline=None)
def test_any_steps_may_be_left_out(skip):
    page = f"<nav><a href=a>Home</a></nav><article><h1>Title</h1>{PROSE}<pre>x\n  y</pre><aside>more</aside></article><footer>foot</footer>"
    document = extract_page(page, method="clean", skip=skip)
    assert "A sentence of some length" in document.text()
    parses(document.to_xml())


@given(pages)
@settings(max_examples=60, deadline=None)
def test_journal_changes_no_byte(markup):
    page = f"{PROSE}{markup}"
    with_journal = extract_page(page, method="clean", journal=True)
    without = extract_page(page, method="clean")
    assert without.to_xml() == with_journal.to_xml()
    assert without.journal is None
    assert with_journal.journal


def test_same_document_from_every_parser():
    page = f"<html lang=en><head><title>T</title></head><body><nav><a href=a>b</a></nav><article><h1>A b</h1>{PROSE}</article></body></html>"
    expected = extract_page(page, method="clean").to_xml()
    assert extract(lxml_tree(page), method="clean").to_xml() == expected
    assert extract(html5_tree(page), method="clean").to_xml() == expected
    upper = xml_tree(page.replace("=en", "='EN'").replace("=a>", "='a'>").upper().replace("'EN'", "'en'").replace("'A'", "'a'"))
    assert extract(upper, method="clean").roots[0].tag == "html"


class TestOptions:
    def test_unknown_step(self):
        with pytest.raises(ValueError, match="unknown step 'wash' in skip; steps and parts are flatten, deferred, detect"):
            extract_page("x", method="clean", skip=["wash"])

    def test_selector(self):
        page = f"<div class=a>one</div><article>{PROSE}</article><div class=a><p class=a>two</p></div>"
        document = extract_page(page, method="clean", selector=".a")
        assert document.rule == "selector"
        assert document.text() == "one\ntwo" or document.text() == "one\n\ntwo"

    def test_selector_that_matches_nothing(self):
        with pytest.raises(ValueError, match=r"selector '\.none' matches nothing"):
            extract_page(PROSE, method="clean", selector=".none")

    def test_invalid_selector(self):
        with pytest.raises(ValueError, match="invalid selector 'p\\[\\['"):
            extract_page(PROSE, method="clean", selector="p[[")


def test_page_without_content():
    assert extract_page("<nav><img></nav>", method="clean") is None
    assert extract_page("", method="clean") is None


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 100_000 + PROSE,
        PROSE + "<br>" * 100_000,
        PROSE + "<p>x" * 50_000,
        f"<p title='{'t' * 5_000_000}'>x</p>" + PROSE,
        f"<img srcset='{'a.png 1x, ' * 5_000}' src=a>" + PROSE,
        PROSE + "<a href=x>y</a> " * 30_000,
        PROSE + "<b><i>" * 20_000,
        PROSE * 5 + "<li>x" * 10_000,
        PROSE + "<table><tr><td>" * 5_000,
        PROSE + "<span class=x>y</span>" * 30_000,
    ],
    ids=["deep", "breaks", "paragraphs", "attribute", "srcset", "links", "inline", "items", "tables", "spans"],
)
def test_large_pages_are_inputs(page):
    document = extract_page(page, method="clean", url="http://example.com/")
    assert document.text()
    parses(document.to_xml())
