"""Base URLs: where they start, how they nest, what is recorded."""

from __future__ import annotations

import pytest
from lxml import etree

from mainextract_beam import extract, extract_page, parse_html
from mainextract_beam.base import resolve, uri
from tests.trees import html5_tree, xml_tree

XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"


@pytest.mark.parametrize(
    ("reference", "expected"),
    [  # RFC 3986, 5.4.1 and 5.4.2
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ],
)  # fmt: skip
def test_references_of_the_rfc(reference, expected):
    assert resolve("http://a/b/c/d;p?q", reference) == expected


@pytest.mark.parametrize("bad", ["http://[", "//[x", "http://a:b:c/", "::", ":a", "%", "\n"])
def test_odd_references_raise_nothing(bad):
    assert isinstance(resolve("http://a/b", bad), str)


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [
        ("docs/", "sub/", "docs/sub/"),
        ("docs/a", "b", "docs/b"),
        ("docs/", "../x", "x"),
        ("", "a", "a"),
        ("a", "../../b", "../../b"),
    ],
)
def test_relative_bases_stay_relative(base, reference, expected):
    assert resolve(base, reference) == expected


def test_forbidden_characters_are_escaped():
    assert uri("http://example.com/a b/é?<q>#%zz%41") == "http://example.com/a%20b/%C3%A9?%3Cq%3E#%25zz%41"


class TestStart:
    def test_url_given(self):
        document = extract_page("<main>x</main>", url="http://example.com/a")
        assert document.base == "http://example.com/a"
        assert document.to_xml() == (
            b'<html xml:base="http://example.com/a"><body><main xml:base="http://example.com/a">x</main></body></html>'
        )

    def test_url_the_tree_was_loaded_from(self):
        assert extract(parse_html("<main>x</main>", url="https://example.com/a")).base == "https://example.com/a"
        assert extract(parse_html("<main>x</main>", url="file:///a")).base is None
        assert (
            extract(parse_html("<main>x</main>", url="https://example.com/a"), url="http://example.org/").base
            == "http://example.org/"
        )

    def test_first_base_with_href(self):
        markup = "<base target=x><base href=' b/\n'><base href=c/><main>x</main>"
        assert extract_page(markup, url="http://example.com/a").base == "http://example.com/b/"
        assert extract_page(markup).base == "b/"

    @pytest.mark.parametrize("href", ["javascript:x", "data:text/html,x"])
    def test_base_of_a_scheme_html_ignores(self, href):
        assert extract_page(f"<base href='{href}'><main>x</main>", url="http://example.com/a").base == "http://example.com/a"

    def test_none_stated(self):
        assert extract_page("<main>x</main>").base is None
        assert b"base" not in extract_page("<main>x</main>").to_xml()


class TestRegions:
    def test_relative_bases_do_not_double(self):
        tree = '<html xml:base="docs/"><body><main>x</main></body></html>'
        assert extract(xml_tree(tree)).to_xml() == b'<html xml:base="docs/"><body><main>x</main></body></html>'

    def test_relative_base_below_the_root_nests(self):
        tree = '<html xml:base="docs/"><body xml:base="a/"><main xml:base="b/">x</main></body></html>'
        assert extract(xml_tree(tree)).to_xml() == b'<html xml:base="docs/"><body><main xml:base="a/b/">x</main></body></html>'

    def test_fragment_records_the_whole_chain(self):
        tree = '<div xml:base="docs/"><main xml:base="b/">x</main></div>'
        document = extract(xml_tree(tree))
        assert document.to_xml() == b'<main xml:base="docs/b/">x</main>'
        assert document.base == "docs/"

    def test_bases_above_an_element_count(self):
        root = etree.fromstring('<html xml:base="http://example.com/a/"><body xml:base="b/"><div><p>x</p></div></body></html>')
        document = extract(root.find("body/div"))
        assert document.to_xml() == b'<p xml:base="http://example.com/a/b/">x</p>'
        assert document.base == "http://example.com/a/b/"

    def test_plain_forms_are_read_and_never_doubled(self):
        expected = '<main xml:base="http://example.com/b/">x</main>'
        assert expected in extract_page("<main xml:base=b/>x</main>", url="http://example.com/a").to_xml().decode()
        lxml_builder = extract(html5_tree("<main xml:base=b/>x</main>"), url="http://example.com/a").to_xml().decode()
        assert lxml_builder.count("base=") == 2
        assert 'main xml:base="http://example.com/b/"' in lxml_builder

    def test_references_resolve_as_in_the_source(self):
        markup = '<html xml:base="http://example.com/x/y"><body><main xml:base="z/"><p xml:base="../q/"><a href="r"/></p>text</main></body></html>'
        tree = xml_tree(markup)
        document = extract(tree)
        for roots in (document.roots, (etree.fromstring(document.to_xml()),)):
            for name in ("main", "p", "a"):
                assert roots[0].find(f".//{name}").base == tree.getroot().find(f".//{name}").base

    def test_in_memory_roots_of_an_html_tree_know_their_base(self):
        document = extract_page("<base href=http://example.com/b/><main><p xml:base=c/>x</p></main>")
        assert document.regions[0].base == "http://example.com/b/"
        assert document.regions[0][0].base == "http://example.com/b/c/"

    def test_base_is_a_valid_reference(self):
        document = extract_page("<main>x</main>", url="http://example.com/a b<\"'>")
        assert document.base == "http://example.com/a%20b%3C%22'%3E"
        assert document.roots[0].get(XML_BASE) == document.base
