"""The document: page wrapping, titles, copies, safe names, text, value semantics."""

from __future__ import annotations

import pickle
from xml.parsers import expat

import pytest
from hypothesis import given, settings
from lxml import etree
from lxml import html as lxml_html

from mainextract_beam import Document, extract, extract_page, parse_html
from tests.trees import elements, html5_tree, lxml_tree, pages, xml_tree


def xml(markup: str, **options: str) -> str:
    document = extract_page(markup, **options)
    assert document == extract(parse_html(markup), **options)
    return document.to_xml().decode()


def parses(data: bytes) -> bool:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.Parse(b"<documents>" + data + b"</documents>", True)
    return True


class TestPage:
    def test_title_keeps_its_text_and_attributes(self):
        markup = "<title id=t> A \n title </title><main>x</main>"
        assert xml(markup) == '<html><head><title id="t"> A \n title </title></head><body><main>x</main></body></html>'
        assert extract_page(markup).title == "A title"

    @pytest.mark.parametrize("title", ["", " \xa0"])
    @pytest.mark.parametrize("parse", [html5_tree, lxml_tree])
    def test_blank_first_title_is_none(self, title, parse):
        document = extract(parse(f"<title>{title}</title><main>x</main>"))
        assert document.title is None
        assert b"head" not in document.to_xml()

    def test_blank_first_title_is_not_replaced_by_a_later_one(self):
        assert extract_page("<title> </title><body><title>later</title><main>x</main>").title is None

    def test_title_of_a_picture_is_none(self):
        assert extract_page("<body><svg><title>caption</title></svg><main>x</main>").title is None

    def test_title_alone_makes_a_page(self):
        document = extract(xml_tree("<div><title>T</title><main>x</main></div>"))
        assert document.to_xml() == b"<html><head><title>T</title></head><body><main>x</main></body></html>"

    def test_fragment_gives_one_root_per_region(self):
        document = extract(xml_tree("<div><article>a</article>t<article>b</article></div>"))
        assert not document.is_page
        assert [etree.tostring(root) for root in document.roots] == [b"<article>a</article>", b"<article>b</article>"]
        assert document.to_xml() == b"<article>a</article><article>b</article>"
        assert document.roots == document.regions

    def test_language_and_direction(self):
        markup = "<html lang=en dir=ltr class=a><body xml:lang=fr onload=x()><main>x</main>"
        assert xml(markup) == '<html lang="en" dir="ltr"><body xml:lang="fr"><main>x</main></body></html>'

    def test_body_as_region_is_the_body_handed_on(self):
        assert xml("<body class=a role=main>x") == '<html><body class="a" role="main">x</body></html>'
        assert xml("<body class=a>x") == '<html><body class="a">x</body></html>'
        assert extract_page("<body class=a>x").regions[0].tag == "body"

    def test_html_as_region_hands_its_body_on(self):
        assert xml("<html role=main><body class=a>x") == '<html><body class="a">x</body></html>'

    def test_namespace_and_prefix_of_the_first_html(self):
        document = extract(xml_tree('<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><main>x</main></h:body></h:html>'))
        assert document.roots[0].tag == "{http://www.w3.org/1999/xhtml}html"
        assert document.roots[0].prefix == "h"
        upper = extract(xml_tree("<HTML><BODY><MAIN>x</MAIN></BODY></HTML>"))
        assert upper.to_xml() == b"<html><body><MAIN>x</MAIN></body></html>"

    def test_regions_are_copied_as_they_stand_without_their_tail(self):
        markup = "<main a=1 b='2'> x <!-- c --><script>y()</script><b>z</b>\n</main>tail"
        assert xml(markup) == '<html><body><main a="1" b="2"> x <!-- c --><script>y()</script><b>z</b>\n</main></body></html>'


class TestSafe:
    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<main @click=x>a</main>", '<main U000040click="x">a</main>'),
            ("<main o:p=x>a</main>", '<main oU00003Ap="x">a</main>'),
            ("<main><o:p>a</o:p></main>", "<main><oU00003Ap>a</oU00003Ap></main>"),
            ("<main xml:lang=de>a</main>", '<main xml:lang="de">a</main>'),
            ("<main xml:id=q>a</main>", '<main xmlU00003Aid="q">a</main>'),
            ("<main xmlns=q xmlns:z=r>a</main>", "<main>a</main>"),
            ("<main>a<!-- b -- c --- d---></main>", "<main>a<!-- b - - c - - - d- --></main>"),
            ("<main>a&#1;b</main>", "<main>a\ufffdb</main>"),
            ("<main title='a&#1;b'>a</main>", '<main title="a\ufffdb">a</main>'),
            ("<main>a\x0cb</main>", None),
            ("<main 1a=x>a</main>", '<main U000031a="x">a</main>'),
            ('<main a"b=x>a</main>', '<main aU000022b="x">a</main>'),
            ("<main é=x 中=y>a</main>", '<main é="x" 中="y">a</main>'),
        ],
    )
    def test_names_and_characters(self, markup, expected):
        found = xml(markup)
        assert parses(found.encode())
        if expected is not None:
            assert found == f"<html><body>{expected}</body></html>"

    def test_xlink_becomes_namespaced(self):
        found = xml("<main><svg><use xlink:href='#a'/></svg></main>")
        use = etree.fromstring(found).find(".//use")
        assert use.attrib == {"{http://www.w3.org/1999/xlink}href": "#a"}

    def test_namespaced_attribute_wins_over_a_plain_one(self):
        root = lxml_html.fragment_fromstring("<main xml:lang=plain>a</main>")
        root.set("{http://www.w3.org/XML/1998/namespace}lang", "real")
        assert extract(etree.ElementTree(root)).to_xml() == b'<main xml:lang="real">a</main>'

    def test_processing_instructions_leave_and_their_tails_stay(self):
        assert extract(xml_tree("<main>a<?x y?>b<i/><?x?>c</main>")).to_xml() == b"<main>ab<i/>c</main>"

    def test_two_runs_of_safe_names_agree_with_the_roots(self):
        document = extract_page("<main @a=1>x&#1;<o:p/></main>")
        assert etree.tostring(document.roots[0], encoding="utf-8") == document.to_xml()
        assert extract(document.roots[0].getroottree()).to_xml() == document.to_xml()

    @given(pages)
    @settings(max_examples=300)
    def test_any_page_is_namespace_well_formed(self, markup):
        document = extract_page(markup, url="http://example.com/a?b=<c>&d")
        assert document is None or parses(document.to_xml())

    @given(pages)
    def test_extract_page_gives_what_extract_gives(self, markup):
        url = "http://example.com/"
        assert extract_page(markup, url=url) == extract(parse_html(markup), url=url)

    @given(elements())
    def test_input_is_left_untouched(self, element):
        tree = element.getroottree()
        before = etree.tostring(tree)
        whole, below = extract(tree), extract(element)
        assert etree.tostring(tree) == before
        for document in (whole, below):
            assert document is None or parses(document.to_xml())


class TestText:
    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<p>a</p><p>b</p>", "a\n\nb"),
            ("<div>a</div><div>b</div>", "a\nb"),
            ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
            ("a<br>b", "a\nb"),
            ("<b>wo</b>rd and <i>next</i>", "word and next"),
            ("<table><tr><td>a<td> b </td><tr><th>c<td></table>", "a\tb\nc"),
            ("<table><tr><td><p>a</p><td><p>b</p></table>", "a\n\nb"),
            ("<pre>  a\n\n\tb </pre>c", "  a\n\n\tb\n\nc"),
            ("a<script>x</script>b<style>y</style><noscript>z</noscript><template>q</template>c", "abc"),
            ("a&nbsp;\u3000 b\n\nc", "a b c"),
            ("<h1>a</h1>b<!-- x -->c", "a\n\nbc"),
            ("a<svg><title>b</title><desc>c</desc><path/></svg>d", "a b c d"),
            ("<b>a<svg><text>b</text></svg></b>c", "abc"),
            ("<pre>\na</pre><pre>\n\nb</pre>", "a\n\n\nb"),
            ("a<wbr>b<video><source src=x>c</video>d", "abcd"),
        ],
    )
    def test_blocks(self, markup, expected):
        assert extract_page(f"<title>T</title><main>{markup}</main>").text() == expected

    @given(elements())
    def test_no_character_is_lost_or_doubled(self, element):
        document = extract(element.getroottree())
        if document is None:
            return
        skipped = {"script", "style", "noscript", "template", "head"}
        held = []
        for root in document.roots:
            for node in root.iter():
                inside = [a.tag for a in (node, *node.iterancestors())] if isinstance(node.tag, str) else []
                if isinstance(node.tag, str) and not skipped.intersection(inside):
                    held.append(node.text or "")
                parents = [a.tag for a in node.iterancestors()]
                if node is not root and not skipped.intersection(parents):
                    held.append(node.tail or "")
        spaces = str.maketrans(dict.fromkeys(" \n\t\xa0\ufeff"))
        assert document.text().translate(spaces) == "".join(held).translate(spaces)


class TestValue:
    def test_equality_pickle_and_hash(self):
        markup = "<title>T</title><main>a</main>"
        one, other = extract_page(markup), extract_page(markup)
        assert one == other
        assert hash(one) == hash(other)
        assert one != extract_page("<title>T</title><main>b</main>")
        assert one != "text"
        copy = pickle.loads(pickle.dumps(one))
        assert copy == one
        assert copy.to_xml() == one.to_xml()
        assert etree.tostring(copy.roots[0]) == etree.tostring(one.roots[0])
        assert [region.tag for region in copy.regions] == ["main"]

    def test_bytes_stay_the_same_through_any_number_of_copies(self):
        document = extract_page("<main xml:space=x a='\n\t' @b=c>&#13;&#1;<o:p>x</o:p></main>", url="http://example.com/")
        copy = document
        for _ in range(3):
            copy = pickle.loads(pickle.dumps(copy))
            assert copy.roots
            assert copy.to_xml() == document.to_xml()

    def test_made_of_bytes_alone(self):
        document = Document([b"<p>x</p>"], is_page=False, title=None, base=None, rule="density")
        assert document.text() == "x"
        assert repr(document) == "<Document None by density, 8 bytes>"


def test_attribute_with_a_control_character_in_its_name() -> None:
    tree = parse_html(b"<main id=a \x0b=1 @x=2 xmlns=3 xml:lang=de z=4>text")
    document = extract(tree)
    assert document is not None
    expected = b'<html><body><main id="a" z="4" U00000B="1" U000040x="2" xml:lang="de">text</main></body></html>'
    assert document.to_xml() == expected


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        ("<figure><img src=x.png><figcaption>A caption.</figcaption></figure>", ""),
        ("<figure><div><img src=x.png></div> <figcaption>A caption.<p>And more.</figcaption></figure>", ""),
        ("<figure><img src=x.png><figcaption>A caption.</figcaption><p>A photographer</p></figure>", ""),
        ("<figure><img src=x.png><figcaption>One.</figcaption><img src=y.png><figcaption>Two captions.</figcaption></figure>", ""),
        ("<figure><figcaption>A caption, its picture yet to come.</figcaption></figure>", ""),
        (f"<figure><img src=x.png><p>A caption {'of many words ' * 50}.</figure>", f"\n\nA caption {'of many words ' * 50}."),
        ("<figure><pre>a = 1</pre><figcaption>A caption.</figcaption></figure>", "\n\na = 1\n\nA caption."),
        ("<figure><table><tr><td>1</table><figcaption>A caption.</figcaption></figure>", "\n\n1\n\nA caption."),
        ("<figure><p>A caption, or a statement.</p></figure>", "\n\nA caption, or a statement."),
        ("<div><img src=x.png><p>A caption without a figure.</p></div>", "\n\nA caption without a figure."),
    ],
)
def test_captions_leave_the_words_with_their_pictures(figure: str, text: str) -> None:
    last = "The last one says much more than any caption does. " * 20
    document = extract_page(f"<main><p>The first paragraph of a page.</p>{figure}<p>{last}</p></main>")
    assert document is not None
    assert document.text() == f"The first paragraph of a page.{text}\n\n{last.strip()}"
    assert b"aption" in document.to_xml()


def test_captions_that_are_most_of_a_page_are_its_words() -> None:
    figures = "".join(f"<figure><img src={name}.png><figcaption>What picture {name} shows.</figcaption></figure>" for name in "ab")
    document = extract_page(f"<main><p>A gallery.</p>{figures}</main>")
    assert document is not None
    assert document.text() == "A gallery.\n\nWhat picture a shows.\n\nWhat picture b shows."
