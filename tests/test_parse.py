"""Parsing: what becomes of bad, deep, huge, empty and XHTML pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import PageTooLarge, extract_page, parse_html
from mainextract_beam.parse import MAX_DEPTH
from tests.trees import pages


def markup(data, **options):
    return etree.tostring(parse_html(data, **options).getroot(), encoding="unicode")


def text_of(data, **options):
    return "".join(parse_html(data, **options).getroot().itertext(etree.Element))


def depth(root):
    deepest = 0
    stack = [(root, 1)]
    while stack:
        element, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in element)
    return deepest


@pytest.mark.parametrize("data", ["", b"", "  \n", "<!-- x -->", "<!doctype html>", b"\xef\xbb\xbf"])
def test_empty_input(data):
    assert markup(data) == "<html><body/></html>"


@pytest.mark.parametrize("data", [None, 3, ["<p>"]])
def test_neither_bytes_nor_text(data):
    with pytest.raises(TypeError, match=type(data).__name__):
        parse_html(data)


def test_other_buffers():
    assert markup(bytearray(b"<p>x")) == markup(memoryview(b"<p>x")) == "<html><body><p>x</p></body></html>"


@given(st.binary(max_size=60) | pages | st.text(max_size=40))
def test_never_fails(data):
    assert parse_html(data).getroot() is not None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a\x00b", "a\ufffdb"),
        (b"a\x00b", "a\ufffdb"),
        ("a\ud800b", "a\ufffdb"),
        ("a\ud83d\ude00b", "a\U0001f600b"),
        (b"a\xffb" + "é".encode() * 20, "a\ufffdb" + "é" * 20),
    ],
)
def test_characters(data, expected):
    assert text_of(data) == expected


@pytest.mark.parametrize("after", ["text", "<p>text", " <!-- c --> <b>te</b>xt", "</html><div>te</div>xt"])
def test_what_follows_the_end_stays(after):
    root = parse_html(f"<html><body><p>x</p></body></html>{after}").getroot()
    assert "".join(root.itertext(etree.Element)).replace(" ", "") == "xtext"
    assert len(list(root.iter("html"))) == 1


@pytest.mark.parametrize("name", ["div", "b", "table", "x-y", "span"])
@pytest.mark.parametrize("levels", [248, 255, 300, 2_040, 2_100, 20_000])
def test_deep_pages_keep_all_their_text(name, levels):
    data = "".join(f"<{name}>{n} " for n in range(levels)) + f"</{name}> after" * levels + "<p>end"
    root = parse_html(data).getroot()
    words = " ".join(root.itertext()).split()
    assert words[:levels] == [str(n) for n in range(levels)]
    assert words[levels:] == ["after"] * levels + ["end"]
    assert depth(root) <= MAX_DEPTH
    etree.fromstring(etree.tostring(root))  # as lxml's defaults read it


def test_flattened_page_keeps_comments_and_attributes():
    data = "<html lang=en>" + "<div>" * 3_000 + "<b class=c @d=e>x</b><!-- y -- -->z"
    root = parse_html(data).getroot()
    assert root.get("lang") == "en"
    assert dict(root.find(".//b").attrib) == {"class": "c", "U000040d": "e"}
    assert [comment.text for comment in root.iter(etree.Comment)] == [" y - - "]
    assert "".join(root.itertext(etree.Element)) == "xz"


def test_huge_text_and_attribute():
    data = f"<p title='{'t' * 11_000_000}'>a</p><p>{'x' * 11_000_000}</p><p>end</p>"
    root = parse_html(data).getroot()
    assert len(root.find(".//p").get("title")) == 11_000_000
    assert [len(p.text) for p in root.iter("p")] == [1, 11_000_000, 3]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>one<wbr>two<b>three</b>four</p>five", "<p>one<wbr/>two<b>three</b>four</p>five"),
        ("<p>a<wbr>b<wbr><wbr>c</p>", "<p>a<wbr/>b<wbr/><wbr/>c</p>"),
        (
            "<picture><source srcset=a><source srcset=b><img src=c></picture>d",
            '<picture><source srcset="a"/><source srcset="b"/><img src="c"/></picture>d',
        ),
        (
            "<video><source src=a><track src=b><p>none</p></video>after",
            '<video><source src="a"/><track src="b"/><p>none</p></video>after',
        ),
        ("<div><embed src=a>b</div><i>c<keygen>d</i>", '<div><embed src="a"/>b</div><i>c<keygen/>d</i>'),
        ("<p>a<wbr>b</wbr>c<WBR/>d</p>", "<p>a<wbr/>bc<wbr/>d</p>"),
        ("<p>a<wbr><!-- b -->c</p>", "<p>a<wbr/><!-- b -->c</p>"),
        ("<script>'<wbr>x'</script><p title='<wbr>y'>z</p>", "<script>'&lt;wbr&gt;x'</script><p title=\"&lt;wbr&gt;y\">z</p>"),
    ],
)
def test_void_elements_hold_nothing(markup, expected):
    body = parse_html(f"<html><body>{markup}</body></html>").getroot().find("body")
    assert etree.tostring(body).decode() == f"<body>{expected}</body>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<pre>\nfirst\nsecond</pre>", "<pre>first\nsecond</pre>"),
        ("<pre>\n\nfirst</pre>", "<pre>\nfirst</pre>"),
        ("<pre>\r\nfirst</pre>", "<pre>first</pre>"),
        ("<pre>\n<b>first</b></pre>", "<pre><b>first</b></pre>"),
        ("<pre><b>\nfirst</b></pre>", "<pre><b>\nfirst</b></pre>"),
        ("<textarea>\nfirst</textarea><listing>\nx</listing>", "<textarea>first</textarea><listing>x</listing>"),
        ("<div>\nfirst</div>", "<div>\nfirst</div>"),
    ],
)
def test_a_line_break_that_begins_preformatted_text_is_none(markup, expected):
    body = parse_html(f"<html><body>{markup}</body></html>").getroot().find("body")
    assert etree.tostring(body).decode() == f"<body>{expected}</body>"


def test_a_line_break_that_begins_preformatted_text_of_xhtml_stays():
    page = f'<html xmlns="{TestXhtml.NAMESPACE}"><body><pre>\nfirst</pre></body></html>'
    assert "".join(parse_html(page).getroot().itertext()) == "\nfirst"


def test_void_elements_of_deep_pages_hold_nothing():
    page = "<p>" + "".join(f"{part}<wbr>" for part in range(3_000)) + "</p>"
    root = parse_html(page).getroot()
    assert "".join(root.itertext()) == "".join(map(str, range(3_000)))
    assert not [element for element in root.iter("wbr") if element.text or len(element)]


class TestXhtml:
    NAMESPACE = "http://www.w3.org/1999/xhtml"

    def tag(self, data, **options):
        return parse_html(data, **options).getroot().tag

    def test_namespace_leads(self):
        page = f'<!-- x --><!DOCTYPE html><html lang="en" xmlns="{self.NAMESPACE}"><body><p/>x</body></html>'
        assert self.tag(page) == f"{{{self.NAMESPACE}}}html"

    def test_declaration_leads(self):
        assert self.tag('<?xml version="1.0" encoding="utf-8"?><html><body><P/></body></html>') == "html"
        assert markup('<?xml version="1.0" encoding="utf-8"?><html><body><P/></body></html>') == "<html><body><P/></body></html>"

    def test_content_type(self):
        page = "<html><body><P/></body></html>"
        assert "<P/>" in markup(page, content_type="application/xhtml+xml; charset=utf-8")
        assert "<p/>" in markup(page, content_type="text/html")

    def test_what_is_not_well_formed_is_read_as_html(self):
        assert markup(f'<html xmlns="{self.NAMESPACE}"><body><p>x<br>y').endswith("<body><p>x<br/>y</p></body></html>")
        assert "x" in text_of("<?xml version='1.0'?><html><body>&nbsp;x</body></html>")

    def test_entities_are_not_expanded(self):
        bomb = '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        page = f'<?xml version="1.0"?>{bomb}<html><body><p>&b;</p></body></html>'
        assert extract_page(page).text() == "&b;"

    def test_entities_that_grow_in_attributes_cost_no_memory(self):
        entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 50}">' for n in range(10))
        page = f'<?xml version="1.0"?><!DOCTYPE html [{entities}]><html><body title="&e9;"><p>text</p></body></html>'
        assert len(markup(page)) < 1_000_000
        assert "text" in text_of(page)

    def test_no_file_is_read(self, tmp_path):
        secret = tmp_path / "secret"
        secret.write_text("secret text")
        page = f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY s SYSTEM "{secret.as_uri()}">]><html><body>&s; x</body></html>'
        assert "secret text" not in (extract_page(page).to_xml().decode() + extract_page(page).text())

    def test_deep_xhtml(self):
        page = f'<html xmlns="{self.NAMESPACE}"><body>' + "<div>" * 400 + "x" + "</div>" * 400 + "</body></html>"
        root = parse_html(page).getroot()
        assert depth(root) <= MAX_DEPTH
        assert "".join(root.itertext()) == "x"


class TestHostile:
    """Inputs that make a careless scan quadratic or worse; each ends well within the suite's time."""

    @pytest.mark.parametrize(
        "data",
        [b"<!--" * 200_000, b"<!-- x --> " * 50_000, b"<meta " * 100_000 + b"\xff", b"<!doctype" * 50_000, b"<?xml " * 50_000, b"<html " * 50_000,
         b"<" * 300_000, b"&" * 300_000, b"<br>" * 300_000, b"<wbr>" * 100_000, (b"<p>" + b"<wbr>x" * 240 + b"</p>") * 1_000, b"<!--" * 100_000 + b"\xff"],
    )  # fmt: skip
    def test_repeated_openings(self, data):
        assert parse_html(data) is not None


class TestLimits:
    def test_bytes(self):
        with pytest.raises(PageTooLarge, match="page of 13 bytes is larger than max_bytes=10"):
            extract_page(b"<main>x</main"[:13], max_bytes=10)
        assert extract_page(b"<main>x</main>", max_bytes=14) is not None

    def test_elements(self):
        with pytest.raises(PageTooLarge, match="page of 6 elements is larger than max_elements=5"):
            extract_page("<main><b>x</b><b>y</b><b>z</b></main>", max_elements=5)
        assert extract_page("<main><b>x</b><b>y</b><b>z</b></main>", max_elements=6) is not None
