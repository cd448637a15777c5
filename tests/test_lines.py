"""The `lines` method: blocks of lines, layouts, and what is handed on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import extract, extract_page, line_blocks, parse_html
from mainextract_beam.line_layout import block_lines, read_text, source_lines, width
from mainextract_beam.lines import LineBlock, dense_stretches, view_lines
from mainextract_beam.page import Page

LONG = "x" * 50


def blocks(text: str, **options: Any) -> tuple[list[tuple[int, ...]], tuple[int, ...] | None, str | None]:
    """Blocks of lines given one character each: digits are tens of characters, dots are empty lines."""
    found = line_blocks(["" if c == "." else "x" * (10 * int(c)) for c in text], **options)
    return [tuple(b) for b in found.blocks], found.chosen and tuple(found.chosen), found.rule


@pytest.mark.parametrize(
    ("text", "qualifying", "chosen", "rule"),
    [
        ("", [], None, None),
        ("...", [], None, None),
        ("55555", [(0, 4, 5, 250)], 0, "lines"),
        ("..5.5.5.5.5..", [(2, 10, 5, 250)], 0, "lines"),
        ("555...55", [(0, 7, 5, 250)], 0, "lines"),  # a gap of three is spanned
        ("555....55", [], None, None),  # one of four is not
        ("55555....66666", [(0, 4, 5, 250), (9, 13, 5, 300)], 1, "lines"),  # the last block counts like any other
        ("55555....55555", [(0, 4, 5, 250), (9, 13, 5, 250)], 0, "lines"),  # of equals the first
        ("5555", [], None, None),
        ("44444", [], None, None),  # 200 characters, 225 needed
        ("44445", [], None, None),
        ("9999", [], (0, 3, 4, 360), "lines-short"),  # heavy, but of four lines
        ("99....9999....99999", [(14, 18, 5, 450)], 0, "lines"),
        ("9999....555551", [(8, 13, 6, 260)], 0, "lines"),  # a heavier run does not displace a block that qualifies
        ("99....999....999", [], (6, 8, 3, 270), "lines-short"),  # of equals the first here too
    ],
)
def test_line_blocks(text: str, qualifying: list[tuple[int, ...]], chosen: Any, rule: str | None) -> None:
    expected = qualifying[chosen] if isinstance(chosen, int) else chosen
    assert blocks(text) == (qualifying, expected, rule)


def test_a_single_line_is_decided_by_its_characters() -> None:
    assert line_blocks(["", "x" * 225, " "]) == ([LineBlock(1, 1, 1, 225)], LineBlock(1, 1, 1, 225))
    assert line_blocks(["x" * 224]) == ([], None)


def test_surrounding_whitespace_is_not_counted() -> None:
    lines = ["\u3000\u3000" + "字" * 45 + " \t"] * 5 + ["\u3000", "\xa0 ", "\ufeff"] + [" 字 "]
    assert line_blocks(lines).chosen == LineBlock(0, 8, 6, 226)


def test_parameters_of_line_blocks() -> None:
    assert blocks("5.5", threshold=2, gap=1, density=50)[1] == (0, 2, 2, 100)
    assert blocks("5..5", threshold=2, gap=1, density=50) == ([], None, None)
    assert blocks("5.5", threshold=2, gap=1, density=51) == ([], None, None)


@pytest.mark.parametrize("name", ["threshold", "gap", "density"])
@pytest.mark.parametrize("value", [0, -3, 0.5, "5", None, True])
def test_bad_number(name: str, value: Any) -> None:
    message = f"{name} is a number of at least 1, got {value!r}"
    with pytest.raises(ValueError, match=message):
        line_blocks([], **{name: value})
    with pytest.raises(ValueError, match=message):
        extract(parse_html("<p>x"), method="lines", **{name: value})


def test_bad_choice() -> None:
    with pytest.raises(ValueError, match="unknown layout 'rows'; layouts are auto, source, block"):
        extract_page("<p>x", method="lines", layout="rows")
    with pytest.raises(ValueError, match="unknown keep 'all'; valid are tags, images, text"):
        extract_page("<p>x", method="lines", keep="all")
    with pytest.raises(ValueError, match="its options are threshold, gap, density, layout, keep"):
        extract_page("<p>x", method="lines", gaps=1)


@given(st.lists(st.sampled_from(["", " ", "ab", "x" * 30, "y" * 120])), st.integers(1, 6), st.integers(1, 4), st.integers(1, 60))
def test_line_blocks_keep_their_promise(lines: list[str], threshold: int, gap: int, density: int) -> None:
    found = line_blocks(lines, threshold, gap, density)
    full = [index for index, line in enumerate(lines) if line.strip()]
    for block in [*found.blocks, *([found.chosen] if found.chosen else [])]:
        inside = [index for index in full if block.first <= index <= block.last]
        assert (inside[0], inside[-1], len(inside)) == block[:3]
        assert block.characters == sum(len(lines[i].strip()) for i in inside) >= density * threshold
        assert all(b - a - 1 <= gap for a, b in pairwise(inside))
        before, after = [i for i in full if i < block.first], [i for i in full if i > block.last]
        assert not before or block.first - before[-1] - 1 > gap
        assert not after or after[0] - block.last - 1 > gap
    if found.blocks:
        assert found.chosen == max(found.blocks, key=lambda b: b.characters)
        assert len(full) == 1 or all(block.lines >= threshold for block in found.blocks)


# Layouts


def laid_out(html: str, make: Any = block_lines) -> list[tuple[str, int]]:
    return [(line.text, line.blank) for line in make(read_text(parse_html(html).getroot()))]


def test_block_lines() -> None:
    html = "<div>a <b>b</b>c<p>d</p>e<br>f<br><br>g<ul><li>h</li><li>i</li></ul></div>"
    assert laid_out(html) == [("a bc", 1), ("d", 1), ("e", 1), ("f", 0), ("g", 1), ("h", 1), ("i", 1)]


def test_what_is_not_text() -> None:
    html = (
        "<head><title>t</title><style>s</style></head><p>a<!-- b --><script>c</script><noscript>d</noscript><template>e</template>"
        "<style>f</style>&eacute;&amp;</p><textarea>g</textarea><svg><title>h</title></svg>"
    )
    assert [text for text, _ in laid_out(html)] == ["aé&"]


def test_pre_keeps_its_lines() -> None:
    assert laid_out("<p>a</p><pre>b\n<b>c</b>\n\n\nd e\nf</pre>g\nh") == [
        ("a", 1), ("b", 1), ("c", 0), ("d e", 2), ("f", 0), ("g h", 1),
    ]  # fmt: skip


def test_source_lines() -> None:
    html = "<body>a <b>b</b>\n<p\nclass=x>c\r\nd</p><!-- e\nf --><script>\n\n</script>g\n\n\n<p>h</p><p>i</p></body>"
    assert laid_out(html, source_lines) == [("a b", 0), ("c", 0), ("d\ng", 0), ("h\ni", 2)]


def test_an_entity_reference_is_text() -> None:
    root = etree.fromstring(
        '<!DOCTYPE r [<!ENTITY eacute "é">]><r><p>caf&eacute; x</p></r>', etree.XMLParser(resolve_entities=False)
    )
    assert [line.text for line in block_lines(read_text(root))] == ["café x"]


def test_width_counts_wide_characters_twice() -> None:
    assert [width(text) for text in ("abc", "é", "渡口a", "“。", "Ж")] == [3, 1, 5, 3, 1]


@given(st.lists(st.tuples(st.integers(0, 120), st.integers(0, 6)), max_size=40), st.integers(1, 60))
@settings(deadline=None)
def test_dense_stretches_are_the_maximal_ones(shape: list[tuple[int, int]], density: int) -> None:
    """Checked against their definition: recursively, the heaviest run, then those left and right of it."""
    from mainextract_beam.line_layout import Line

    lines = [Line("x" * size, 0, boundaries, 0, 0, 0, 0) for size, boundaries in shape]
    weight = 8 * density  # in eighths, so that sums are exact
    score = [8 * size - weight for size, _ in shape]
    loss = [max(0, boundaries - 2) * density for _, boundaries in shape]

    def heaviest(low: int, high: int) -> list[tuple[int, int]]:
        best: tuple[int, int, int] | None = None
        for first in range(low, high):
            total = 0
            for last in range(first, high):
                total += score[last] - (loss[last] if last > first else 0)
                # Of equals the shortest, so that no run begins or ends with nothing gained.
                if total > 0 and (best is None or (total, -(last - first)) > (best[0], -(best[2] - best[1]))):
                    best = total, first, last
        if best is None:
            return []
        return [*heaviest(low, best[1]), best[1:], *heaviest(best[2] + 1, high)]

    found = dense_stretches(lines, density, [len(line.text) for line in lines])

    def sums(stretches: list[tuple[int, int]]) -> list[int]:
        return sorted(sum(score[a : b + 1]) - sum(loss[a + 1 : b + 1]) for a, b in stretches)

    assert sums(found) == sums(heaviest(0, len(lines)))
    assert all(a[1] < b[0] for a, b in pairwise(found))


# The method

PARAGRAPHS = [
    f"Paragraph {i} of the story, which goes on for some time so that it is dense enough to be told apart." for i in range(8)
]
MENU = "<ul>" + "".join(f"<li><a href=/{i}>Menu {i}</a></li>" for i in range(20)) + "</ul>"


def page(content: str) -> str:
    return f"<html><head><title>Story</title></head><body><div>{MENU}</div>{content}<div>{MENU}</div></body></html>"


STORY = page("<div id=s>" + "".join(f"<p>{p}</p>" for p in PARAGRAPHS) + "</div>")


def test_tags_are_kept() -> None:
    document = extract_page(STORY, url="https://example.com/a", method="lines")
    assert document is not None
    story = "".join(f"<p>{p}</p>" for p in PARAGRAPHS)
    base = 'xml:base="https://example.com/a"'
    assert document.to_xml().decode() == (
        f'<html {base}><head><title>Story</title></head><body><div id="s" {base}>{story}</div></body></html>'
    )
    assert (document.rule, document.title) == ("lines", "Story")
    total = sum(map(len, PARAGRAPHS)) + 2 * sum(len(f"Menu {i}") for i in range(20))
    assert document.metadata["coverage"] == round(sum(map(len, PARAGRAPHS)) / total, 4)
    assert document.metadata["layout"] == "block"


@pytest.mark.parametrize("keep", ["text", "images"])
def test_text_keeps_paragraphs(keep: str) -> None:
    document = extract_page(STORY, method="lines", keep=keep)
    assert document is not None
    assert document.text() == "\n\n".join(PARAGRAPHS)
    assert [element.tag for element in document.regions[0]] == ["p"] * 8


def test_images_stay_in_place() -> None:
    parts = [f"<p>{p}</p>" for p in PARAGRAPHS]
    parts[2] = f"<p>{PARAGRAPHS[2]} <img src=in.png alt=A> and on</p>"
    parts.insert(5, "<figure><img src=between.png></figure>")
    html = page(f"<img src=before.png><div>{''.join(parts)}<img src=after.png></div>")
    document = extract_page(html, method="lines", keep="images")
    assert document is not None
    xml = document.to_xml().decode()
    assert f'<p>{PARAGRAPHS[2]} <img src="in.png" alt="A"/> and on</p>' in xml
    assert xml.index(PARAGRAPHS[4]) < xml.index("between.png") < xml.index(PARAGRAPHS[5])
    assert "before.png" not in xml
    assert "after.png" not in xml
    text = extract_page(html, method="lines", keep="text")
    assert text is not None
    assert b"<img" not in text.to_xml()


def test_line_breaks_inside_a_paragraph() -> None:
    document = extract_page(page("<p>" + "<br>".join(PARAGRAPHS) + "</p>"), method="lines", keep="text")
    assert document is not None
    assert document.text() == "\n".join(PARAGRAPHS)


def test_menu_in_the_same_element_is_cut_off() -> None:
    html = f"<body>{MENU}" + "<p>" + "<p>".join(PARAGRAPHS) + f"{MENU}</body>"
    whole = parse_html(html)
    before = etree.tostring(whole)
    document = extract(whole, method="lines")
    assert document is not None
    assert document.text() == "\n\n".join(PARAGRAPHS)
    assert etree.tostring(whole) == before
    assert document.regions[0].tag == "body"
    owned = extract_page(html, method="lines")
    assert owned is not None
    assert owned.to_xml() == document.to_xml()


def test_cut_inside_a_text() -> None:
    story = "\n".join(f"{p}" for p in PARAGRAPHS)
    links = "\n".join("Link" for _ in range(9))
    html = f"<body><pre>{links}\n\n\n\n\n{story}\n\n\n\n\n{links}</pre></body>"
    document = extract_page(html, method="lines", layout="source")
    assert document is not None
    assert document.text() == story
    assert document.regions[0].tag == "pre"


def test_low_coverage_is_told() -> None:
    other = "".join(f"<div><div><h3>{'Teaser ' * 6}</h3></div></div>" for _ in range(60))
    document = extract_page(page("<div>" + "".join(f"<p>{p}</p>" for p in PARAGRAPHS) + f"</div>{other}"), method="lines")
    assert document is not None
    assert document.metadata["coverage"] < 0.5


def test_few_heavy_lines_are_short() -> None:
    document = extract_page(page(f"<div><p>{'word ' * 60}</p></div>"), method="lines")
    assert document is not None
    assert document.rule == "lines-short"
    assert document.text() == " ".join(["word"] * 60)


@pytest.mark.parametrize("html", ["", "<p>short</p>", MENU, f"<script>{LONG * 9}</script>", f"<title>{LONG * 9}</title>"])
@pytest.mark.parametrize("layout", ["auto", "source", "block"])
def test_no_content_no_document(html: str, layout: str) -> None:
    assert extract_page(html, method="lines", layout=layout) is None


def test_layouts_of_a_page() -> None:
    lines = "\n".join(f"<p>{p}</p>" for p in PARAGRAPHS)
    menu = MENU.replace("<li>", "\n<li>")
    html = f"<html><body><div>{menu}</div>\n\n\n\n\n<div>{lines}</div>\n\n\n\n\n<div>{menu}</div></body></html>"
    for layout in ("auto", "source", "block"):
        document = extract_page(html, method="lines", layout=layout)
        assert document is not None, layout
        assert document.text() == "\n\n".join(PARAGRAPHS), layout


def test_auto_takes_the_lines_of_running_text() -> None:
    text = "\n".join(PARAGRAPHS)
    html = page(f"\n\n\n\n\n<div style='white-space: pre-wrap'>\n{text}\n</div>\n\n\n\n\n")
    document = extract_page(html, method="lines")
    assert document is not None
    assert document.metadata["layout"] == "source"
    assert document.text() == text


def test_elements_are_scanned_below_themselves_only() -> None:
    root = lxml.html.fragment_fromstring(f"<div>{LONG * 9}<p>{LONG * 6}</p>tail</div>")
    document = extract(root, method="lines")
    assert document is not None
    assert document.to_xml().decode() == f"<p>{LONG * 6}</p>"
    assert extract(etree.fromstring(f"<p>{LONG * 9}</p>"), method="lines") is None
    assert extract(etree.ElementTree(etree.fromstring(f"<p>{LONG * 9}</p>")), method="lines") is not None


def test_several_parts_below_an_element() -> None:
    parts = "".join(f"<p>{p}</p>" for p in PARAGRAPHS)
    root = etree.fromstring(f"<div>{'own text ' * 50}{parts}{'more ' * 50}</div>")
    document = extract(root, method="lines")
    assert document is not None
    assert document.to_xml().decode() == parts


def test_names_of_other_parsers() -> None:
    upper = "".join(f"<P>{p}</P>" for p in PARAGRAPHS)
    xhtml = "".join(f"<x:p>{p}</x:p>" for p in PARAGRAPHS)
    for xml in (
        f"<HTML><BODY><DIV>{upper}</DIV></BODY></HTML>",
        f'<x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:body>{xhtml}</x:body></x:html>',
    ):
        tree = etree.ElementTree(etree.fromstring(xml))
        for keep in ("tags", "text"):
            document = extract(tree, method="lines", keep=keep)
            assert document is not None
            assert document.text() == "\n\n".join(PARAGRAPHS)


def test_deep_and_wide_pages() -> None:
    root = etree.Element("html")
    node = etree.SubElement(root, "body")
    for _ in range(10_000):
        node = etree.SubElement(node, "div")
    for text in PARAGRAPHS:
        etree.SubElement(node, "p").text = text
    document = extract(etree.ElementTree(root), method="lines")
    assert document is not None
    assert document.text() == "\n\n".join(PARAGRAPHS)
    wide = extract_page("<p>" + "<p>".join([f"{LONG} {i}" for i in range(20_000)]), method="lines")
    assert wide is not None
    assert len(wide.text().split("\n\n")) == 20_000


_inline = st.sampled_from(
    ["alpha", "beta gamma", LONG, "<b>bold</b>", "<br>", "<br><br>", "<img src=x>", "\n", "\n\n", "<!-- c -->", " "]
)
_blocks = st.recursive(
    st.lists(_inline, max_size=5).map("".join),
    lambda inner: st.tuples(st.sampled_from(["p", "div", "li", "pre", "td", "span", "font"]), st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=25,
)


@settings(deadline=None, max_examples=150)
@given(_blocks, st.sampled_from(["auto", "source", "block"]), st.sampled_from(["tags", "text", "images"]))
def test_no_line_is_lost_or_doubled(html: str, layout: str, keep: str) -> None:
    tree = parse_html(f"<body>{html}</body>")
    before = etree.tostring(tree)
    options: dict[str, Any] = {"method": "lines", "layout": layout, "keep": keep, "threshold": 1, "density": 2}
    document = extract(tree, **options)
    assert etree.tostring(tree) == before
    again = extract_page(f"<body>{html}</body>", **options)
    assert again == document
    chosen = view_lines(Page(tree.getroot()), threshold=1, density=2, layout=layout).chosen_lines
    found = document.text() if document is not None else ""
    assert "".join(found.split()) == "".join("".join(line.text.split()) for line in chosen)
