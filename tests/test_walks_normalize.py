"""What normalize, links and their like find out in C is what they find out in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import extract_page, parse_html, text, walks
from mainextract_beam.clean import budget, chain, links, normalize, noscript, settle
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage
from tests.test_walks import PAGES, TREES, compiled
from tests.trees import elements, pages

MODULES = (budget, chain, links, normalize, noscript, settle, walks)

# Pieces that are unwrapped, emptied, renamed, parted or settled, or decide whether others are.
_TOKENS = [
    "<div>", "<div id=a>", "<div lang=en>", "</div>", "<p>", "</p>", "<span>", "<span dir=ltr>", "<span id=b>", "</span>", "<br>", "<br> <br>",
    "<a href=#a>", "<a href='#%62'>", "<a href=/x name=a>", "<a href='javascript:x'>", "<a href=y>", "<a>", "</a>", "<ul>", "</ul>", "<li>", "</li>",
    "<section>", "</section>", "<blockquote>", "</blockquote>", "<h2>", "</h2>", "<figure>", "<figcaption>", "</figure>", "<table>", "<tr>", "<td>",
    "<caption>", "</table>", "<pre>", "</pre>", "<code class='x language-py'>", "</code>", "<svg>", "<math display=block>", "</math>", "</svg>", "<hr>",
    "<img src=i.png>", "<em>", "</em>", "<button>", "</button>", "<input>", "<wbr>", "<x-y>", "</x-y>", "<video>", "</video>", "<source>",
    "<summary>", "</summary>", "<td class=x id=a role=note title=t>", "<b xml:base='c/'>", "</b>",
    "t", "two words", " ", "\n \t", "a  b ", " c\n", "\xa0", "\x85", "\ufeff", "\ufffe", "&#1;", "é", "中", "<!-- c -->",
]  # fmt: skip
contents = st.lists(st.sampled_from(_TOKENS), max_size=30).map(lambda tokens: parse_html("<body>" + "".join(tokens)).getroot())


@contextmanager
def python() -> Iterator[None]:
    """Without the walks in C."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, "compiled", None)
        yield


def assert_counted_alike(root: Any) -> None:
    texts = compiled("clean._texts")
    for element in [root, *list(root.iter(etree.Element))[:40]]:
        found = texts.length(element, budget.NOT_TEXT), texts.length(element, budget._LINKS_TOO)
        with python():
            lengths = budget.text_length(element), budget.prose_length(element)
        if next(element.iter(etree.Entity), None) is None:
            assert found == lengths
        else:
            assert found == (None, None)
        words = texts.words(element)
        assert words in (None, text.word_count(" ".join(chain._TEXTS(element))))
        for apart in noscript._PIECES:
            length = noscript._length(element, apart)
            with python():
                assert noscript._length(element, apart) == length


def assert_found_alike(root: Any) -> None:
    walk = compiled("clean._settle")
    assert walk.odd_attributes(root, settle._TAGS, settle._STAYING, settle._ANYWHERE) == list(settle._odd_attributes(root))
    unsettled = walk.unsettled(root, settle._TAGS)
    assert {(element, how & ~settle._GONE) for element, how in unsettled} <= set(settle._texts(root))
    found = links.references(root, links._LOOKED_AT), links.may_state_base(root)
    with python():
        assert found == (links.references(root, links._LOOKED_AT), links.may_state_base(root))


def normalized(root: Any, debug: bool, skip: frozenset[str], mark: int) -> tuple[bytes, list[Any]]:
    root = deepcopy(root)
    page = CleanPage(root, journal=Journal(keep=True), skip=skip, debug=debug)
    page.journal.open(root)
    held = list(page.roots[0].iter(etree.Element))
    page.marks.protect(held[mark % len(held)], "table" if held[mark % len(held)].tag == "table" else "figure")
    try:
        normalize.normalize(page)
    except ValueError:  # characters that XML forbids, in attributes that are copied
        return b"", []
    return etree.tostring(root), page.journal.entries


def assert_normalized_alike(root: Any, debug: bool = False, skip: frozenset[str] = frozenset(), mark: int = 0) -> None:
    if not isinstance(root.tag, str):
        return
    compiled("clean._normalize")
    assert_found_alike(root)
    found = normalized(root, debug, skip, mark)
    with python():
        assert normalized(root, debug, skip, mark) == found


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_normalized_alike(page: bytes) -> None:
    root = parse_html(page).getroot()
    assert_counted_alike(root)
    assert_normalized_alike(root)


@given(pages)
def test_any_page_is_normalized_alike(page: str) -> None:
    root = parse_html(page).getroot()
    assert_counted_alike(root)
    assert_normalized_alike(root)


@given(contents, st.booleans(), st.sampled_from([frozenset(), frozenset({"standardize"})]), st.integers(0, 30))
def test_any_content_is_normalized_alike(root: Any, debug: bool, skip: frozenset[str], mark: int) -> None:
    assert_counted_alike(root)
    assert_normalized_alike(root, debug, skip, mark)


@given(elements(), st.integers(0, 30))
def test_any_tree_is_normalized_alike(root: Any, mark: int) -> None:
    assert_counted_alike(root)
    assert_normalized_alike(root, mark=mark)


@pytest.mark.parametrize("tree", TREES)
def test_trees_of_all_kinds_are_normalized_alike(tree: Any) -> None:
    for element in tree.getroot().iter(etree.Element):
        assert_counted_alike(element)
    assert_normalized_alike(tree.getroot())


@pytest.mark.parametrize("words", ["a", "a b", "中文 a", "ไทย", "é_1 ²", "a\u0301b", "\U00020000", "\U0001f600 x"])
def test_words_are_counted_alike(words: str) -> None:
    root = etree.Element("p")
    root.text = words
    etree.SubElement(root, "b").tail = words
    assert_counted_alike(root)


def test_characters_are_of_the_same_kinds() -> None:
    walk = compiled("clean._texts")
    root = etree.Element("p")
    for character in map(chr, (0x7F, *range(0x80, 0xD800), *range(0xE000, 0xFFFE), 0x1FFFF, 0x20000, 0x3FFFF, 0x40000)):
        root.text = character
        assert walk.length(root, ()) == len(text.normalize(character)), hex(ord(character))
        assert (walk.words(root) is None) == bool(text._UNSPACED.match(character)), hex(ord(character))


def test_texts_of_several_nodes_become_one() -> None:
    root = parse_html("<div>a<i>x</i>b<!-- c -->d<p>e</p>f<i>y</i>g</div>").getroot()
    etree.strip_tags(root, etree.Comment, "i")
    assert_normalized_alike(root)
    normalize.normalize(CleanPage(root))
    assert [len(element.xpath("text()")) for element in root.iter("p")] == [1, 1, 1]


def test_deep_and_wide_trees_are_normalized_alike() -> None:
    for markup in ("<div>" * 200 + "x", "<span>" * 200 + "x", "<p>x</p>" * 3000, "<br>" * 3000, "<div></div>" * 3000):
        assert_normalized_alike(parse_html(f"<body>{markup}").getroot())


def test_documents_and_journals_are_the_same_without_them() -> None:
    def documents() -> list[Any]:
        found = (extract_page(page, url="https://example.com/", method="clean", journal=True) for page in PAGES)
        return [document and (document.to_xml(), document.metadata, document.journal) for document in found]

    ours = documents()
    with python():
        assert documents() == ours
