"""What is written as Markdown is what a CommonMark parser reads back, for trees nobody would write by hand."""

from __future__ import annotations

import unicodedata
from typing import Any

import markdown_reader
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import Document
from mainextract_beam.render.blocks import STRONG, blocks_of
from mainextract_beam.render.safe import safe_roots
from mainextract_beam.render.text import to_text

MARKS = [
    *"aab1 \\`*_[](){}<>#+-.!|~$&;:=\"'^/é中「」，。€\xa0\n\t☃",
    "word", "1. ", "12) ", "# ", "- ", "+ ", "> ", "---", "===", "```", "~~~", "**", "__", "&amp;", "&#35;", "&copy;", "[^1]",
    "](javascript:x)", "<b>", "<!--", "<http://a.b>", "![", "[x]: y", "\\\n", "    ", "$x$", "|---|", ": ", "☑\ufe0f", "\u200b", "a_b", "\ufeff",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(MARKS), max_size=6).map("".join)
INLINE = ["b", "strong", "i", "em", "code", "a", "span", "sup", "sub", "u", "kbd", "del", "s"]
BLOCKS = [
    "p",
    "div",
    "h1",
    "h3",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "table",
    "tr",
    "td",
    "th",
    "dl",
    "dt",
    "dd",
    "section",
    "aside",
]
HREFS = ["x", "http://example.com/a(b)[c]?d=1&amp;e=`f`", "javascript:alert(1)", "a b<c>\"'", "#n", "", "\\x|y$z$", "*a*_b_"]


@st.composite
def elements(draw: Any, depth: int = 4) -> Any:
    """An element, of names that nest as no page should."""
    name = draw(st.sampled_from([*INLINE, *BLOCKS, "br", "hr", "img"]))
    element = etree.Element(name)
    if name == "a":
        element.set("href", draw(st.sampled_from(HREFS)))
    elif name == "img":
        element.set("src", draw(st.sampled_from(HREFS)))
        element.set("alt", draw(TEXT))
    elif name == "ol":
        element.set("start", draw(st.sampled_from(["1", "2", "0", "999999999", "x", "-1"])))
    elif name == "li":
        if draw(st.booleans()):
            element.set("data-task", draw(st.sampled_from(["done", "open"])))
    elif name in ("td", "th"):
        element.set(draw(st.sampled_from(["colspan", "rowspan"])), draw(st.sampled_from(["1", "2", "3"])))
    elif name == "aside":
        element.set("data-callout", "note")
    if name in ("br", "hr", "img"):
        return element
    element.text = draw(TEXT)
    if depth:
        for child in draw(st.lists(elements(depth=depth - 1), max_size=4)):
            child.tail = draw(TEXT)
            element.append(child)
    return element


def document_of(root: Any) -> Document:
    return Document([etree.tostring(root, encoding="utf-8", with_tail=False)], is_page=False, title=None, base=None, rule="test")


@settings(max_examples=60, deadline=None)
@given(elements())
def test_markdown_reads_back_as_what_was_written(root: Any) -> None:
    document = document_of(root)
    content = blocks_of(safe_roots(document), notes=True)
    markdown = document.to_markdown()
    found = markdown_reader.read(markdown)
    assert markdown_reader.plain(found) == markdown_reader.plain(content), markdown


@settings(max_examples=60, deadline=None)
@given(elements())
def test_no_style_reaches_further_than_it_was_stated(root: Any) -> None:
    document = document_of(root)
    stated = markdown_reader.styled(blocks_of(safe_roots(document)))
    found = markdown_reader.styled(markdown_reader.read(document.to_markdown().replace("[x] ", "").replace("[ ] ", "")))
    for (character, style), (_, most) in zip(found, stated, strict=False):
        assert style & ~most == 0, character


@settings(max_examples=60, deadline=None)
@given(elements())
def test_words_are_those_of_the_document(root: Any) -> None:
    for task in root.iter("li"):
        task.attrib.pop("data-task", None)
    document = document_of(root)
    content = blocks_of([root])
    pieces = [
        "".join(" " if piece.kind == "break" else "" if piece.kind == "image" else piece.text for piece in paragraph)
        for paragraph in markdown_reader.paragraphs(content)
    ]
    assert words(" ".join(pieces)) == words(document.text())


def words(text: str) -> list[str]:
    return unicodedata.normalize("NFKC", text.replace("\ufeff", " ")).replace("\u2212", "-").split()


def test_styles_are_kept_where_markdown_can_state_them() -> None:
    root = etree.fromstring("<p>a <b>bold</b> word, in<b>side</b> one, <i>all <b>of</b> it</i></p>")
    found = markdown_reader.styled(markdown_reader.read(document_of(root).to_markdown()))
    assert [character for character, style in found if style & STRONG] == list("boldsideof")
    assert to_text(document_of(root)) == "a bold word, inside one, all of it\n"
