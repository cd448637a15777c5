"""Step 11: references become absolute."""

from __future__ import annotations

import pytest

from mainextract_beam.clean.links import links
from mainextract_beam.srcset import parse_srcset
from tests.clean_steps import after, page_of, written

URL = "https://example.com/docs/page.html?q=1"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<a href="x">t</a>', '<a href="https://example.com/docs/x">t</a>'),
        ('<a href="/x">t</a>', '<a href="https://example.com/x">t</a>'),
        ('<a href="../x">t</a>', '<a href="https://example.com/x">t</a>'),
        ('<a href="/a/../x">t</a>', '<a href="https://example.com/x">t</a>'),
        ('<a href="//example.org/x">t</a>', '<a href="https://example.org/x">t</a>'),
        ('<a href="?a=b">t</a>', '<a href="https://example.com/docs/page.html?a=b">t</a>'),
        ('<a href=" x\ny ">t</a>', '<a href="https://example.com/docs/xy">t</a>'),
        ('<a href="x y">t</a>', '<a href="https://example.com/docs/x%20y">t</a>'),
        ('<a href="https://example.org/x">t</a>', None),
        ('<a href="mailto:a@example.com">t</a>', None),
        ('<a href="">t</a>', None),
        ("<a>t</a>", None),
        ('<area href="x"/>', '<area href="https://example.com/docs/x"/>'),
        ('<img src="a.jpg"/>', '<img src="https://example.com/docs/a.jpg"/>'),
        ('<img src="data:image/png;base64,AA=="/>', None),
        (
            '<img srcset="a.jpg 1x, /b,c.jpg 2x"/>',
            '<img srcset="https://example.com/docs/a.jpg 1x, https://example.com/b,c.jpg 2x"/>',
        ),
        ('<source srcset="a.webp"/>', '<source srcset="https://example.com/docs/a.webp"/>'),
        ('<video src="a.mp4" poster="p.jpg"></video>', '<video src="https://example.com/docs/a.mp4" poster="https://example.com/docs/p.jpg"/>'),
        ('<iframe src="/v"></iframe>', '<iframe src="https://example.com/v"/>'),
        ('<blockquote cite="b">t</blockquote>', '<blockquote cite="https://example.com/docs/b">t</blockquote>'),
        ('<q cite="b">t</q>', '<q cite="https://example.com/docs/b">t</q>'),
        ('<object data="o"></object>', '<object data="https://example.com/docs/o"/>'),
        ('<a href="#s">t</a><p id="s">u</p>', None),
        ('<a href="#s">t</a><a name="s">u</a>', None),
        ('<a href="#%C3%A4">t</a><p id="ä">u</p>', None),
        ('<a href="#gone">t</a>', '<a href="https://example.com/docs/page.html?q=1#gone">t</a>'),
        ('<p title="x" data-src="y">t</p>', None),
    ],
)  # fmt: skip
def test_links(markup: str, expected: str | None) -> None:
    page = page_of(markup, url=URL)
    links(page)
    assert written(page).replace("ä", "ä") == written(page_of(expected or markup))


def test_without_a_base_nothing_changes() -> None:
    markup = '<a href="x">t</a><img srcset="a 1x,b 2x"/>'
    assert after(links, markup) == markup


def test_base_element_and_xml_base() -> None:
    markup = '<a href="x">t</a><div xml:base="sub/"><a href="x">t</a><a href="#s">t</a><i id="s"></i></div>'
    page = page_of(markup, url=URL)
    page.root.insert(0, page.root.makeelement("head"))
    page.root[0].append(page.root.makeelement("base", href="/base/"))
    links(page)
    assert [a.get("href") for a in page.root.iter("a")] == [
        "https://example.com/base/x",
        "https://example.com/base/sub/x",
        "#s",
    ]


def test_a_relative_base_is_not_doubled() -> None:
    assert after(links, '<div xml:base="sub/"><a href="x">t</a></div>') == '<div xml:base="sub/"><a href="x">t</a></div>'


@pytest.mark.parametrize(
    ("value", "candidates"),
    [
        ("a.jpg", [("a.jpg", "")]),
        ("a.jpg 1x,b.jpg 2x", [("a.jpg", "1x"), ("b.jpg", "2x")]),
        (" a.jpg  1x ,\n b.jpg\t2x , ", [("a.jpg", "1x"), ("b.jpg", "2x")]),
        ("a,b.jpg 100w, c.jpg", [("a,b.jpg", "100w"), ("c.jpg", "")]),
        ("a.jpg, b.jpg", [("a.jpg", ""), ("b.jpg", "")]),
        ("a.jpg (1,2) 3w, b.jpg", [("a.jpg", "(1,2) 3w"), ("b.jpg", "")]),
        ("a.jpg (1, b.jpg 2x", [("a.jpg", "(1, b.jpg 2x")]),
        ("data:image/png;base64,AA== 1x", [("data:image/png;base64,AA==", "1x")]),
        (", ,", []),
        ("", []),
    ],
)
def test_srcset(value: str, candidates: list[tuple[str, str]]) -> None:
    assert parse_srcset(value) == candidates


@pytest.mark.parametrize(
    "value", ["a," * 500_000, "a " * 500_000, "(" * 1_000_000, "a (" * 300_000, "," * 1_000_000, "a" * 5_000_000]
)
def test_srcset_of_megabytes(value: str) -> None:
    assert len(parse_srcset(value)) <= 1


def test_links_without_number() -> None:
    assert after(links, '<a href="#x">t</a>' * 20_000 + '<p id="x">u</p>', url=URL).count('"#x"') == 20_000
    assert after(links, '<a href="x">t</a>' * 20_000, url=URL).count('"https://example.com/docs/x"') == 20_000
