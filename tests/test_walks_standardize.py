"""The walks in C of standardising and of assembling do what the Python functions they are named after do."""

from __future__ import annotations

import html
from copy import deepcopy
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import parse_html, sanitize
from mainextract_beam.clean import stated
from mainextract_beam.srcset import is_settled, parse_srcset, write_srcset
from tests.test_walks import PAGES, TREES, compiled
from tests.trees import elements, pages


def gathered(gather: Any, root: Any) -> tuple[set[str], set[str], dict[str, set[str]]]:
    tags: set[str] = set()
    attributes: set[str] = set()
    values: dict[str, set[str]] = {"class": set(), "role": set(), "id": set()}
    gather(root, tags, attributes, values)
    return tags, attributes, values


def assert_gathered_alike(root: Any) -> None:
    assert gathered(compiled("clean._stated").gather, root) == gathered(stated._gather, root)


@pytest.mark.parametrize("page", PAGES)
def test_what_pages_state(page: bytes) -> None:
    assert_gathered_alike(parse_html(page).getroot())


@given(pages)
def test_what_any_page_states(page: str) -> None:
    assert_gathered_alike(parse_html(page).getroot())


@given(elements())
def test_what_any_tree_states(tree: Any) -> None:
    assert_gathered_alike(tree)


@pytest.mark.parametrize("tree", TREES)
def test_what_trees_of_all_kinds_state(tree: Any) -> None:
    for node in tree.getroot().iter():
        assert_gathered_alike(node)


@pytest.mark.parametrize(
    "tree",
    [
        "<p class role='' id=x {{y}}=1 {z}='' xml:id=w>",
        "<p xmlns:q='urn:q' q:class='a' class='b'><q:p q:class='c' q:q=''/></p>",
        "<!DOCTYPE p [<!ENTITY e 'x'>]><p class='a&e;b' role='&e;'><b class='&amp;&e;'/></p>",
    ],
)
def test_what_odd_attributes_state(tree: str) -> None:
    assert_gathered_alike(etree.fromstring(tree, etree.HTMLParser() if "{" in tree else etree.XMLParser(resolve_entities=False)))


def sanitized(root: Any, debug: bool) -> bytes | str:
    holder = etree.Element("holder")
    holder.append(deepcopy(root))
    try:
        sanitize.sanitize(holder[0], debug=debug)
    except ValueError as error:  # a name that lxml refuses
        return str(error)
    return etree.tostring(holder)


def assert_sanitized_alike(root: Any) -> None:
    assert compiled("_sanitize")
    for debug in (False, True):
        found = sanitized(root, debug)
        with mock.patch.object(sanitize, "compiled", None):
            assert found == sanitized(root, debug)


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_sanitized_alike(page: bytes) -> None:
    assert_sanitized_alike(parse_html(page).getroot())


@given(pages)
def test_any_page_is_sanitized_alike(page: str) -> None:
    assert_sanitized_alike(parse_html(page).getroot())


@given(elements())
def test_any_tree_is_sanitized_alike(tree: Any) -> None:
    assert_sanitized_alike(tree)


@pytest.mark.parametrize("tree", TREES)
def test_trees_of_all_kinds_are_sanitized_alike(tree: Any) -> None:
    assert_sanitized_alike(tree.getroot())


_NAMES = sorted([*sanitize.ELEMENTS, *sanitize.RENAMED, "script", "annotation", "path", "mi", "x-y", "desc", "title", "textPath"])
_KEYS = sorted(
    {"id", "class", "onclick", "xml:lang", "xml:base", "style", "data-x", "xmlns", "ID", "fill", "Src", *sanitize.MATHML_ATTRIBUTES}
    | {key for keys in sanitize.ATTRIBUTES.values() for key in keys}
)
_VALUES = [
    "", "https://a.test/b", "http://a", "HTTP://a", "#a", "/a", "?a", "a", "javascript:x", " javascript:x", "&#106;avascript:x", "mailto:a", "a:b",
    "data:image/png;base64,AAAA", "DATA:image/png,", "data:image/svg+xml,", "data:text/html,", "https://a.test/b 1x", "https://a, /b 2x", "language-c", "x",
    "callout-title y", "url(#a)", "url(//a)", "\x01",
]  # fmt: skip


@st.composite
def marked_up(draw: st.DrawFn, depth: int = 3) -> str:
    name = draw(st.sampled_from(_NAMES))
    keys = draw(st.lists(st.sampled_from(_KEYS), max_size=3, unique=True))
    attributes = "".join(f' {key}="{html.escape(draw(st.sampled_from(_VALUES)))}"' for key in keys)
    inner = (
        "".join(draw(st.lists(marked_up(depth - 1), max_size=3))) if depth else draw(st.sampled_from(["", "text", "<!-- x -->"]))
    )
    return f"<{name}{attributes}>{inner}</{name}>"


@given(marked_up())
def test_any_attributes_are_sanitized_alike(markup: str) -> None:
    assert_sanitized_alike(parse_html(f"<body>{markup}").getroot())


def test_what_void_elements_hold_is_sanitized_alike() -> None:
    for name in ("img", "br", "source"):
        for attributes in ({}, {"src": "/a"}, {"srcset": "/a"}, {"src": ""}):
            root = etree.fromstring("<html><body/></html>")
            held = etree.SubElement(root[0], name, attributes)
            assert_sanitized_alike(root)
            held.append(etree.Comment("x"))
            assert_sanitized_alike(root)
            held.text = "text"
            etree.SubElement(held, "p").text = "more"
            assert_sanitized_alike(root)


def test_attributes_of_entities_are_sanitized_alike() -> None:
    markup = (
        "<!DOCTYPE p [<!ENTITY e 'javascript:'>]><p title='&e;x'><a href='&e;alert(1)'/><a href='/&e;x'/><img src='&e;x'/>&e;</p>"
    )
    assert_sanitized_alike(etree.fromstring(markup, etree.XMLParser(resolve_entities=False)))


@given(st.sampled_from(sanitize._HARMLESS), st.text())
def test_harmless_urls_need_no_decoding(start: str, rest: str) -> None:
    match = sanitize._SCHEME.match(sanitize._SKIPPED.sub("", html.unescape(start + rest)).lower())
    assert match is None or match[1] in sanitize.SCHEMES


@given(st.from_regex(sanitize._RASTER), st.text())
def test_pictures_in_urls_need_no_decoding(start: str, rest: str) -> None:
    if sanitize._RASTER.match(start + rest):
        assert sanitize._RASTER.match(sanitize._SKIPPED.sub("", html.unescape(start + rest)).lower())


_CANDIDATES = st.tuples(
    st.sampled_from(["https://a.test/b,c", "http://a/(b", "/a", "https://a,"]), st.sampled_from(["", " 1x", " 1.5x", "  2w", " 3h"])
)


@given(st.lists(_CANDIDATES.map("".join), max_size=4), st.sampled_from([", ", ",", " , "]))
def test_settled_candidates_are_written_as_they_stand(candidates: list[str], between: str) -> None:
    value = between.join(candidates)
    if is_settled(value):
        found = parse_srcset(value)
        assert write_srcset(found) == value
        assert all(sanitize.safe_url(url) for url, _ in found)


def test_most_candidates_are_settled() -> None:
    assert is_settled("https://a.test/b.jpg 300w, https://a.test/c,d.jpg 600w")
    assert is_settled("http://a.test/b.jpg 1.5x")
    assert not is_settled("/b.jpg 1x")
    assert not is_settled("https://a.test/b.jpg")
