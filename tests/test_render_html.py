"""HTML renderings: what is written, and that it is safe to show in every method."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import html5lib
import pytest
from lxml import etree
from test_sanitize import HOSTILE as MARKUP

from mainextract_beam import Document, extract, extract_page
from mainextract_beam.render.html import serialize, to_html

HEAD = '<head><meta charset="utf-8"><title>T</title></head>'


def page(content: str) -> str:
    return f"<html lang=en><head><title>T</title></head><body><main>{content}</main></body></html>"


def rendered(content: str, method: str = "regions", **options: Any) -> str:
    document = extract_page(page(content), method=method, **options)
    assert document is not None
    return document.to_html()


def test_page() -> None:
    assert rendered(
        "<p>a &amp; b &lt;c&gt;&nbsp;\"d\"<br>e<img src='/i.png' alt='\"&lt;'></p><pre>\nx</pre>", url="https://example.com/d/"
    ) == (
        f'<!DOCTYPE html>\n<html lang="en">{HEAD}<body><main><p>a &amp; b &lt;c&gt;&nbsp;"d"<br>e'
        '<img src="https://example.com/i.png" alt="&quot;&lt;"></p><pre>x</pre></main></body></html>\n'
    )


def test_fragment() -> None:
    tree = etree.ElementTree(etree.fromstring("<main><p>a<br/></p><p/></main>"))
    document = extract(tree)
    assert document is not None
    assert document.to_html() == "<main><p>a<br></p><p></p></main>\n"
    assert to_html(document, metadata={"url": 'x"><b>\x01'}) == (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><meta name="url" content="x&quot;&gt;&lt;b&gt;\ufffd"></head>'
        "<body><main><p>a<br></p><p></p></main></body></html>\n"
    )


def test_names_are_html_whatever_the_tree() -> None:
    markup = page("<p>a<svg viewbox='0 0 1 1'><lineargradient id=g /></svg><math><mi>x</mi></math></p>")
    documents = [extract(html5lib.parse(markup, treebuilder="lxml")), extract(html5lib.parse(markup)), extract_page(markup)]
    for document in documents:
        assert document is not None
        written = document.to_html()
        assert '<p>a<svg viewBox="0 0 1 1"><linearGradient id="g"></linearGradient></svg><math><mi>x</mi></math></p>' in written
        assert "xmlns" not in written


def test_references_are_resolved_against_the_base_of_their_region() -> None:
    tree = etree.ElementTree(
        etree.fromstring(
            '<html xml:base="https://example.com/a/"><body><article xml:base="b/"><p>x <a href="c">c</a><a href="#n">n</a></p></article>'
            '<article><p>y <a href="c">c</a></p></article></body></html>'
        )
    )
    document = extract(tree)
    assert document is not None
    assert [part for part in document.to_html().split('"') if part.startswith(("http", "#"))] == [
        "https://example.com/a/b/c", "#n", "https://example.com/a/c",
    ]  # fmt: skip


def test_language_of_xml_becomes_that_of_html() -> None:
    document = extract(
        etree.ElementTree(etree.fromstring('<html xml:lang="de"><body><main><p xml:lang="fr">a</p></main></body></html>'))
    )
    assert document is not None
    assert '<html lang="de">' in document.to_html()
    assert '<p lang="fr">' in document.to_html()


HOSTILE = [
    "<script>x()</script>a",
    "<p onclick='x()'>a</p>",
    "<a href='java&#9;script:x()'>a</a>",
    "<img src=x onerror=x()>a",
    "<svg><script>x()</script><a xlink:href='javascript:x()'><text>a</text></a></svg>a",
    "<math><annotation-xml encoding=text/html><img src=x onerror=x()></annotation-xml></math>a",
    "<noscript><p title='</noscript><img src=x onerror=x()>'></noscript>a",
    "<iframe srcdoc='<script>x()</script>'></iframe>a",
    "<form action='javascript:x()'><button formaction='javascript:x()'>a</button></form>",
    "<p style='background:url(javascript:x())'>a</p>",
    "<img src='https://example.com/\"onerror=x()' alt='\"><script>x()</script>'>a",
    "<template><script>x()</script></template>a",
]


@pytest.mark.parametrize("method", ["regions", "clean"])
@pytest.mark.parametrize("markup", HOSTILE)
def test_nothing_hostile_is_left(markup: str, method: str) -> None:
    written = rendered(f"<p>{'Words that make this long enough. ' * 8}</p><div>{markup}</div>", method)
    tree = html5lib.parse(written, treebuilder="lxml", namespaceHTMLElements=False)
    for element in tree.getroot().iter(etree.Element):
        assert element.tag not in ("script", "iframe", "form", "button", "template", "noscript"), written
        for name, value in element.attrib.items():
            assert not name.startswith("on"), written
            assert name not in ("srcdoc", "style", "formaction"), written
            assert not value.replace("\t", "").startswith("javascript:"), written


def test_what_preformatted_text_begins_with_is_read_back() -> None:
    page = "<html><body><main><pre>\n\nfirst</pre><p>one<wbr>two</p></main></body></html>"
    document = extract_page(page)
    assert document is not None
    html = to_html(document)
    assert "<main><pre>\n\nfirst</pre><p>one<wbr>two</p></main>" in html
    again = extract_page(html)
    assert again is not None
    assert again.text() == document.text() == "\nfirst\n\nonetwo"


def test_the_document_itself_is_left_as_it_is() -> None:
    document = extract_page(page("<p onclick='x()'>a</p>"))
    assert document is not None
    before = document.to_xml()
    document.to_html()
    assert Document.__eq__(document, extract_page(page("<p onclick='x()'>a</p>")))
    assert document.to_xml() == before
    assert document.roots[0].find(".//p").get("onclick") == "x()"


def test_depth_is_no_limit() -> None:
    root = element = etree.Element("div")
    for _ in range(20_000):
        element = etree.SubElement(element, "div")
    assert serialize(root) == "<div>" * 20_001 + "</div>" * 20_001


@pytest.mark.browser
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_in_a_browser(tmp_path: Path) -> None:
    """No script runs in what method `regions` hands on as the page states it."""
    prose = f"<p>{'Words that make this long enough. ' * 8}</p>"
    parts = [
        document.to_html() for markup, *_ in MARKUP.values() if (document := extract_page(page(f"{prose}<div>{markup}</div>")))
    ]
    assert len(parts) == len(MARKUP)
    path = tmp_path / "page.html"
    path.write_text("\n".join(parts).replace("<title>T</title>", "<title>quiet</title>"), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", f"--user-data-dir={tmp_path}"]
    dump = subprocess.run(
        ["chromium", *flags, "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": str(tmp_path)}, check=False,
    ).stdout  # fmt: skip
    assert "<title>quiet</title>" in dump
    assert "Words that make" in dump
