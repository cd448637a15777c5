"""Other document models: the same document from the same page, and what each model needs beside."""

from __future__ import annotations

import asyncio
import functools
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from xml.dom import minidom

import html5lib
import pytest
from lxml import etree
from lxml import html as lxml_html

from mainextract_beam import Document, aextract_all, aextract_page, extract, extract_page, feeds, parse_html
from mainextract_beam.adapters import lxml_tree
from tests.page_pairs import OPTIONS, PAIRS

bs4 = pytest.importorskip("bs4")
lexbor = pytest.importorskip("selectolax.lexbor")
soupparser = pytest.importorskip("lxml.html.soupparser")

ROOT = Path(__file__).parent.parent
PAGES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "samples" / "pages").glob("*html")) if "gbk" not in path.name]

MODELS: dict[str, Callable[[str], Any]] = {
    "html5lib etree": html5lib.parse,
    "html5lib etree, no namespaces": lambda page: html5lib.parse(page, namespaceHTMLElements=False),
    "html5lib lxml": lambda page: html5lib.parse(page, treebuilder="lxml"),
    "html5lib dom": lambda page: html5lib.parse(page, treebuilder="dom"),
    "BeautifulSoup html.parser": lambda page: bs4.BeautifulSoup(page, "html.parser"),
    "BeautifulSoup lxml": lambda page: bs4.BeautifulSoup(page, "lxml"),
    "BeautifulSoup html5lib": lambda page: bs4.BeautifulSoup(page, "html5lib"),
    "selectolax": lexbor.LexborHTMLParser,
}

XHTML = """<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:base="http://example.com/a/"><head><title>T &amp; x</title></head><body>
<nav>n</nav><main><p class="a b">a<b>b</b>c<![CDATA[<d>]]> e <a href="f">f</a></p><svg xmlns="http://www.w3.org/2000/svg"
 xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1" xlink:href="#a"><path/></svg><?pi x?></main></body></html>"""  # fmt: skip

XML_MODELS: dict[str, Callable[[str], Any]] = {
    "xml.etree element": ET.fromstring,
    "xml.etree tree": lambda page: ET.ElementTree(ET.fromstring(page)),
    "minidom document": minidom.parseString,
    "minidom element": lambda page: minidom.parseString(page).documentElement,
    "BeautifulSoup lxml-xml": lambda page: bs4.BeautifulSoup(page, "lxml-xml"),
}


def as_xml(page: str) -> str:
    """A page of HTML as XML, for models that come from XML only."""
    return str(etree.tostring(parse_html(page), encoding="unicode"))


PAIR_MODELS: dict[str, Callable[[str], Any]] = {
    **MODELS,
    "lxml.html": lxml_html.document_fromstring,
    "lxml.html.soupparser": soupparser.fromstring,
    "xml.etree": lambda page: ET.fromstring(as_xml(page)),
    "xml.etree, comments kept": lambda page: ET.fromstring(as_xml(page), ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))),
    "minidom": lambda page: minidom.parseString(as_xml(page)),
    "BeautifulSoup lxml-xml": lambda page: bs4.BeautifulSoup(as_xml(page), "lxml-xml"),
}

# What parsers see differently in the very page, by the pairs that show it; nothing that extraction could know.
TBODY = {"selectors-in-table", "table-data-in-clutter", "table-empty-cells", "table-shape", "table-spans"}
"""The HTML Standard puts rows that stand in a table directly into a `tbody`; libxml2, and XML, do not."""
COMMENTS = {
    "deferred-hexadecimal-ids", "deferred-nested-boundaries", "deferred-prefixed-ids", "deferred-segment", "deferred-streamed-part",
    "deferred-with-styles",
}  # fmt: skip
"""xml.etree drops comments unless told otherwise; where content streamed in late belongs is said by comments."""

DIFFERENCES: dict[str, tuple[set[str], tuple[bytes, ...]]] = {
    model: (TBODY, (b"<tbody>", b"</tbody>")) for model in PAIR_MODELS if "html5lib" in model or model == "selectolax"
}
"""Model -> the pairs it differs in, and the tags that make all the difference, if tags do."""
DIFFERENCES["xml.etree"] = COMMENTS, ()


@pytest.fixture(scope="module")
def documents() -> dict[str, bytes]:
    """The document of every pair, which test_page_pairs.py holds to what is expected."""
    return {pair.name: flat(extract_page(pair.page, **OPTIONS)) for pair in PAIRS}


def flat(document: Document | None) -> bytes:
    """A document but for white space between elements, which some models have cut down."""
    assert document is not None
    return re.sub(rb">\s+<", b"><", document.to_xml())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", PAIR_MODELS)
def test_every_pair_has_its_document(model: str, documents: dict[str, bytes]) -> None:
    differing, tags = DIFFERENCES.get(model, (set(), ()))
    found = {pair.name: flat(extract(PAIR_MODELS[model](pair.page.decode()), **OPTIONS)) for pair in PAIRS}
    assert {name for name in found if found[name] != documents[name]} == differing
    for name in differing if tags else ():
        assert functools.reduce(lambda xml, tag: xml.replace(tag, b""), tags, found[name]) == documents[name]


def seen(document: Document | None) -> tuple[Any, ...] | None:
    """What of a document does not depend on a parser: tbody or not, spaces between blocks."""
    return None if document is None else (document.text().split(), document.title, document.rule, document.to_markdown().split())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["regions", "clean"])
@pytest.mark.parametrize("model", MODELS)
def test_same_document_from_the_same_page(model: str, method: str) -> None:
    for page in PAGES:
        assert seen(extract(MODELS[model](page), method=method)) == seen(extract_page(page, method=method)), page[:300]


@pytest.mark.parametrize("model", XML_MODELS)
def test_same_bytes_from_the_same_xhtml(model: str) -> None:
    expected = extract(etree.ElementTree(etree.fromstring(XHTML.replace("<?pi x?>", ""))))
    found = extract(XML_MODELS[model](XHTML))
    assert expected is not None
    assert found is not None
    # What a prefix is bound at, and that of a namespace the models do not keep, is no part of the content.
    assert etree.canonicalize(found.to_xml().decode(), rewrite_prefixes=True) == etree.canonicalize(
        expected.to_xml().decode(), rewrite_prefixes=True
    )
    assert found.to_markdown() == "a**b**c\\<d> e [f](http://example.com/a/f)\n"


def text(model: Any) -> str:
    tree = lxml_tree(model)
    return etree.tostring(tree.getroot(), encoding="unicode")


ODD = '<html><body><p @click="a" class="x  y" hidden>a\x01<!-- b -- c --></p><o:p>d</o:p></body></html>'


# html5lib's lxml builder refuses the character; a DOM takes what is before a colon for a prefix.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", sorted(MODELS.keys() - {"html5lib lxml", "html5lib dom"}))
def test_names_and_characters_that_xml_does_not_know(model: str) -> None:
    document = extract(MODELS[model](ODD))
    assert document is not None
    assert document.text() == "a\ufffd"
    assert etree.fromstring(document.to_xml()).find(".//{*}p").get("class") in ("x  y", "x y")


def test_element_counts_with_all_it_is() -> None:
    soup = bs4.BeautifulSoup("<main><p>a</main><p>b", "html.parser")
    for model in (
        soup.main,
        ET.fromstring("<main><p>a</p></main>"),
        lexbor.LexborHTMLParser("<main><p>a</main>").css_first("main"),
    ):
        document = extract(model)
        assert document is not None
        assert document.to_xml() == b"<main><p>a</p></main>"


def test_tail_of_an_element_is_not_its_own() -> None:
    assert text(ET.fromstring("<a><b>c</b>d</a>")[0]) == "<b>c</b>"


def test_soup_without_html_becomes_a_page() -> None:
    assert text(bs4.BeautifulSoup("a<p>b</p>", "html.parser")) == "<html><body>a<p>b</p></body></html>"
    assert (
        text(bs4.BeautifulSoup("<!DOCTYPE html><body class='c d'>a</body>", "html.parser"))
        == '<html><body class="c d">a</body></html>'
    )


def test_soup_joins_texts_and_leaves_out_what_is_none() -> None:
    soup = bs4.BeautifulSoup("<html><p>a</p></html>", "html.parser")
    soup.p.append("b")
    soup.p.append(bs4.CData("c"))
    soup.p.append(bs4.Declaration("d"))
    assert text(soup) == "<html><p>abc</p></html>"


def test_template_of_selectolax() -> None:
    assert "<template><p>a</p></template>" in text(lexbor.LexborHTMLParser("<div><template><p>a</template></div>"))


def test_document_without_an_element() -> None:
    assert extract(minidom.Document()) is None
    assert extract(ET.ElementTree()) is None
    assert extract(ET.Comment("x")) is None
    assert extract(bs4.BeautifulSoup("", "lxml-xml")) is None
    assert extract(bs4.BeautifulSoup("", "html.parser")) is None


def test_depth_is_no_limit() -> None:
    root = element = ET.Element("div")
    for _ in range(5000):
        element = ET.SubElement(element, "div")
    assert sum(1 for _ in lxml_tree(root).getroot().iter()) == 5001


@pytest.mark.parametrize("model", [{}, None, 3, object(), bs4.BeautifulSoup("x", "lxml").find(string=True)])
def test_anything_else_is_a_type_error(model: Any) -> None:
    with pytest.raises(TypeError, match=f"extract takes an lxml tree.* got {type(model).__name__}"):
        extract(model)


def test_models_are_not_imported_unless_used() -> None:
    code = (
        "import sys, mainextract_beam as m\n"
        "m.extract_page('<main>a</main>')\n"
        "try: m.extract({})\n"
        "except TypeError: pass\n"
        "print([name for name in ('bs4', 'html5lib', 'selectolax', 'xml.dom.minidom', 'apache_beam') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# Async twins


def test_aextract_page_gives_the_document_of_extract_page() -> None:
    page = PAGES[0]
    assert asyncio.run(aextract_page(page, method="clean")) == extract_page(page, method="clean")
    with pytest.raises(ValueError, match="unknown method 'none'"):
        asyncio.run(aextract_page(page, method="none"))


@pytest.mark.parametrize("name", ["extract_page", "extract_bound"])
def test_the_event_loop_goes_on_meanwhile(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on = threading.Event()
    # Were the work done in the loop, nobody could set the event.
    monkeypatch.setattr(feeds, name, lambda *args, **options: went_on.wait(5))

    async def trees() -> AsyncIterator[None]:
        yield None

    async def run() -> Any:
        work = aextract_page(b"") if name == "extract_page" else anext(aextract_all(trees()))
        task = asyncio.ensure_future(work)
        asyncio.get_running_loop().call_later(0.01, went_on.set)
        return await task

    assert asyncio.run(run()) is True
