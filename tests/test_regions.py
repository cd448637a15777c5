"""Which regions: marked ones, articles, density (the rules of the regions method, line by line)."""

from __future__ import annotations

import pytest
from hypothesis import given
from lxml import etree
from lxml import html as lxml_html

from mainextract_beam import extract, extract_page, parse_html
from mainextract_beam.page import Page
from mainextract_beam.regions import densest
from tests import oracle
from tests.trees import elements, html5_tree, xml_tree


def xml_of(markup: str) -> str | None:
    """The document of an XML tree, as text."""
    document = extract(xml_tree(markup))
    return None if document is None else document.to_xml().decode()


def page_of(markup: str) -> str | None:
    """The document of a page, as text; by both ways the same."""
    document = extract_page(markup)
    other = extract(parse_html(markup))
    assert document == other
    return None if document is None else document.to_xml().decode()


def body_of(markup: str) -> str | None:
    page = page_of(markup)
    return None if page is None else page.partition("<body>")[2].removesuffix("</body></html>")


class TestExamples:
    def test_main_beside_nav(self):
        assert xml_of("<div><nav>alpha</nav><main><p>beta</p></main></div>") == "<main><p>beta</p></main>"

    def test_article_in_aside_is_passed_over(self):
        assert body_of("<aside><article>in</article></aside><article>out</article>") == "<article>out</article>"

    def test_two_articles_and_a_title(self):
        assert page_of("<title>T</title><article>a</article><p>x</p><article>b</article>") == (
            "<html><head><title>T</title></head><body><article>a</article><article>b</article></body></html>"
        )

    def test_article_holding_only_an_image(self):
        assert (
            xml_of("<div><article><img/></article><div>text</div></div>") == "<div><article><img/></article><div>text</div></div>"
        )
        assert body_of("<body><nav>x</nav><article><img></article><div>text here</div>") == "<div>text here</div>"

    def test_scripts_discount_the_container(self):
        tree = f"<div><script>a()</script><p>{'a' * 39}</p><script>b()</script><p>{'b' * 31}</p><script>c()</script></div>"
        assert xml_of(tree) == f"<p>{'a' * 39}</p>"

    def test_br_hr_img_do_not(self):
        tree = "<div><p>one</p><br/><p>two</p><hr/><p>three</p><img/></div>"
        assert xml_of(tree) == tree

    def test_figure_text_weighs_nothing(self):
        assert xml_of(f"<div><figure>{'a' * 43}</figure><p>{'b' * 39}</p></div>") == f"<p>{'b' * 39}</p>"

    def test_bases(self):
        tree = '<html xml:base="https://example.com/docs/index.html"><body><main xml:base="sub/page.html">x</main></body></html>'
        assert xml_of(tree) == (
            '<html xml:base="https://example.com/docs/index.html"><body>'
            '<main xml:base="https://example.com/docs/sub/page.html">x</main></body></html>'
        )


class TestMarked:
    def test_first_main_of_several(self):
        assert body_of("<main>a</main><main>bbbbbbbbb</main>") == "<main>a</main>"

    @pytest.mark.parametrize("inside", ["", "<img>", "x"])
    def test_main_is_taken_as_stated(self, inside):
        document = extract_page(f"<main>{inside}</main><p>{'text ' * 50}</p>")
        assert [region.tag for region in document.regions] == ["main"]
        assert document.text() == inside.replace("<img>", "")

    def test_main_inside_framing(self):
        assert body_of("<aside><main>x</main></aside><p>yyyy</p>") == "<main>x</main>"

    def test_main_before_role(self):
        assert body_of("<div role=main>a</div><main>b</main>") == "<main>b</main>"

    @pytest.mark.parametrize("role", ["main", "MAIN", "none Main", "main\tx"])
    def test_role_is_a_token_in_any_case(self, role):
        document = extract_page(f"<div role='{role}'>a</div><article>bbbb</article>")
        assert document.rule == "role"
        assert [region.text for region in document.regions] == ["a"]

    def test_role_in_a_processing_instruction_is_none(self):
        assert body_of('<body><?x role="main"?><p role=main>text</p></body>') == '<p role="main">text</p>'

    def test_role_of_another_name(self):
        assert extract_page("<div role=mainly>a</div><p>bbbb</p>").rule == "density"

    def test_names_in_any_case_and_namespace(self):
        assert xml_of("<DIV><MAIN>a</MAIN><P>bbbbbbb</P></DIV>") == "<MAIN>a</MAIN>"
        assert xml_of("<div xmlns='urn:any'><main>a</main></div>") == '<main xmlns="urn:any">a</main>'
        assert xml_of("<h:div xmlns:h='http://www.w3.org/1999/xhtml'><h:main>a</h:main></h:div>") == (
            '<h:main xmlns:h="http://www.w3.org/1999/xhtml">a</h:main>'
        )

    def test_prefixed_name_in_another_namespace_is_another_name(self):
        tree = "<div xmlns:q='urn:any'><q:main>aaaa</q:main><p>b</p></div>"
        document = extract(xml_tree(tree))
        assert document.rule == "density"
        assert document.to_xml() == b"<p>b</p>"

    def test_role_attribute_in_any_case(self):
        assert extract(xml_tree("<div><p ROLE='main'>a</p><p>bbbbb</p></div>")).rule == "role"


class TestArticles:
    def test_nested_articles_are_part_of_the_outer_one(self):
        assert body_of("<article>a<article>b</article></article>") == "<article>a<article>b</article></article>"

    @pytest.mark.parametrize("framing", sorted(oracle.FRAMING - {"menuitem", "track", "source", "embed", "input"}))
    def test_inside_framing(self, framing):
        tree = f"<div><{framing}><article>in</article></{framing}><article>out</article></div>"
        assert xml_of(tree) == "<article>out</article>"

    def test_text_in_framing_only_is_a_widget(self):
        assert extract(xml_tree("<div><article><nav>a</nav></article><p>cc</p></div>")).rule == "density"

    def test_text_after_a_comment_counts(self):
        assert extract(xml_tree("<div><article><!-- b -->text</article></div>")).rule == "article"

    def test_article_element_given_as_tree_is_no_region(self):
        element = etree.fromstring("<article>a<p>bb</p></article>")
        assert extract(element).to_xml() == b"<p>bb</p>"

    def test_ancestors_of_an_element_never_count(self):
        root = etree.fromstring("<aside><div><article>a</article></div></aside>")
        assert extract(root[0]).rule == "article"
        assert extract(etree.ElementTree(root)) is None


class TestDensity:
    def test_long_run_beats_the_same_text_scattered(self):
        scattered = "".join(f"<b>{'b' * 20}</b> " for _ in range(3))
        assert extract_page(f"<nav>x</nav><div><p>{'a' * 60}</p></div><nav>y</nav><div>{scattered}</div>").text() == "a" * 60

    def test_outermost_of_a_chain(self):
        assert xml_of("<section><div><p>text</p></div></section>") == "<section><div><p>text</p></div></section>"

    def test_custom_elements_are_content(self):
        assert xml_of("<div><x-y>aaaa</x-y><figure>bbbbbb</figure></div>") == "<x-y>aaaa</x-y>"

    @pytest.mark.parametrize(
        "space", ["\x00", "\x1f", "\x7f", "\xa0", "\u1680", "\u200a", "\u2028", "\u202f", "\u205f", "\u3000", "\ufeff"]
    )
    def test_whitespace_alone_is_no_text(self, space):
        root = lxml_html.fragment_fromstring("<div><p></p></div>")
        if space not in ("\x00", "\x1f"):
            root[0].text = space * 3
        assert extract(etree.ElementTree(root)) is None

    @pytest.mark.parametrize("text", ["\x85", "\u200b", "\u180e"])
    def test_what_python_alone_strips_is_text(self, text):
        root = lxml_html.fragment_fromstring("<div><p></p></div>")
        root[0].text = text
        assert extract(etree.ElementTree(root)) is not None

    def test_entity_reference_is_text(self):
        tree = xml_tree("<!DOCTYPE div SYSTEM 'none'><div><p>&eacute;</p></div>")
        document = extract(tree)
        assert document.text() == "é"
        assert document.to_xml().decode() == "<div><p>é</p></div>"

    def test_nothing_heavier_than_zero(self):
        assert page_of("<body><nav>text</nav><img></body>") is None
        assert page_of("") is None
        assert page_of("<!-- text -->") is None

    @given(elements())
    def test_same_as_the_rule_word_for_word(self, element):
        assert densest(Page(element)) is oracle.densest(element)

    @given(elements())
    def test_root_of_an_element_is_no_candidate(self, element):
        expected: dict = {}
        oracle.weight(element, expected)
        expected.pop(element, None)
        found = densest(Page(element, whole=False))
        heaviest = max(expected.values(), default=0)
        assert (found is None) == (heaviest <= 0)
        if found is not None:
            assert expected[found] == heaviest


class TestTrees:
    def test_element_and_tree(self):
        element = etree.fromstring("<p>text</p>")
        assert extract(element) is None
        assert extract(etree.ElementTree(element)).to_xml() == b"<p>text</p>"

    def test_comment_given_as_tree(self):
        assert extract(etree.Comment("text")) is None
        assert extract(etree.ProcessingInstruction("x", "text")) is None

    def test_tree_without_root(self):
        assert extract(etree.ElementTree()) is None

    def test_element_that_is_html_decides_that_it_is_a_page(self):
        html = etree.fromstring("<html><body><p>x</p></body></html>")
        document = extract(html)
        assert document.is_page
        assert document.to_xml() == b"<html><body><p>x</p></body></html>"

    def test_text_or_bytes_point_to_extract_page(self):
        for wrong in ("<p>x</p>", b"<p>x</p>"):
            with pytest.raises(TypeError, match="extract_page"):
                extract(wrong)
        with pytest.raises(TypeError, match="int"):
            extract(3)

    def test_html5lib_namespace(self):
        document = extract(html5_tree("<title>T</title><main>a</main>"))
        assert document.to_xml() == (
            b'<html:html xmlns:html="http://www.w3.org/1999/xhtml"><html:head><html:title>T</html:title></html:head>'
            b"<html:body><html:main>a</html:main></html:body></html:html>"
        )

    def test_unknown_method_and_option(self):
        tree = xml_tree("<p>x</p>")
        with pytest.raises(ValueError, match=r"unknown method 'best'; methods are regions"):
            extract(tree, method="best")
        with pytest.raises(ValueError, match=r"unknown option 'colour' of method 'regions'"):
            extract(tree, colour=1)


class TestSize:
    def test_deep_tree(self):
        nodes = [etree.Element("div")]
        for _ in range(100_000):
            nodes.append(etree.SubElement(nodes[-1], "div"))
        nodes[-1].text = "text"
        assert densest(Page(nodes[0])) is nodes[0]
        while nodes:  # from the deepest up: lxml releases a proxy by climbing to the next one held
            nodes.pop()

    def test_wide_tree(self):
        root = etree.Element("div")
        for _ in range(100_000):
            etree.SubElement(root, "p").text = "x"
        assert densest(Page(root)) is root
