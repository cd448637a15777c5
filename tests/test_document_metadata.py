"""Document.metadata: the same fields by every method, read when first asked for, and by whatever way the page came."""

from __future__ import annotations

import gc
import json
import pickle
import weakref
from typing import Any

import pytest
from lxml import etree

from mainextract_beam import Document, aextract_page, extract, extract_all, extract_page, methods, parse_html
from mainextract_beam.beam.coders import DocumentCoder
from mainextract_beam.metadata import page as metadata_page

URL = "https://www.example.com/2024/03/05/a-page-of-it"
SENTENCES = [f"This is sentence number {number} of the text, which everyone who opens the page can read." for number in range(24)]
PARAGRAPHS = "".join(f"<p>{' '.join(SENTENCES[first : first + 4])}</p>" for first in range(0, 24, 4))
HTML = f"""<!DOCTYPE html><html lang="en-GB"><head><title>A page of it | Example</title><meta name="author" content="Ada Example">
<meta property="og:site_name" content="Example"><meta name="description" content="What it is">
<script type="application/ld+json">{{"@type":"NewsArticle","datePublished":"2024-03-05T10:20:30Z","dateModified":"2024-03-06"}}</script>
</head><body><nav><a href="/">Home</a> <a href="/b">Others</a></nav><main><h1>A page of it</h1>
{PARAGRAPHS}<script>none of these words</script></main></body></html>"""
STATED = {
    "title": "A page of it",
    "authors": ("Ada Example",),
    "published": "2024-03-05T10:20:30+00:00",
    "modified": "2024-03-06",
    "site_name": "Example",
    "description": "What it is",
    "language": "en-GB",
}
WORDS = sum(len(sentence.split()) for sentence in SENTENCES) + 4


def by_bytes(method: str, **options: Any) -> Document | None:
    return extract_page(HTML.encode(), url=URL, method=method, **options)


def by_tree(method: str, **options: Any) -> Document | None:
    return extract(parse_html(HTML.encode(), url=URL), method=method, **options)


@pytest.mark.parametrize("way", [by_bytes, by_tree])
@pytest.mark.parametrize("method", methods.METHODS)
def test_every_method_has_all_fields(method: str, way: Any) -> None:
    document = way(method)
    metadata = dict(document.metadata)
    # By clean without the heading, which is the title again; `lines` says how it read the page, too.
    assert metadata.pop("word_count") == (WORDS - 4 if method == "clean" else WORDS)
    assert 0.9 < metadata.pop("coverage") < 1
    assert metadata.pop("page_type") == "article"
    assert "the URL ends in a title of many words" in metadata.pop("page_type_reason")
    metadata.pop("layout", None)
    assert metadata == STATED


@pytest.mark.parametrize("way", [by_bytes, by_tree])
@pytest.mark.parametrize("method", ["regions", "lines"])
def test_nothing_is_read_before_it_is_asked_for(method: str, way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(metadata_page, "page_metadata", lambda page, document: read.append(page) or {"title": "x"})
    document = way(method)
    assert document.to_xml()
    assert document.text()
    assert document.to_markdown()
    assert read == []
    assert document.metadata["title"] == "x"
    assert document.metadata["title"] == "x"
    assert len(read) == 1


@pytest.mark.parametrize("method", methods.METHODS)
def test_pickled_documents_have_it(method: str) -> None:
    for document in (by_bytes(method), by_tree(method)):
        assert document is not None
        coded = DocumentCoder().decode(DocumentCoder().encode(document))
        assert coded.metadata == by_bytes(method).metadata  # type: ignore[union-attr]
        assert pickle.loads(pickle.dumps(document)) == coded == document
        assert json.loads(document.to_json())["metadata"]["authors"] == ["Ada Example"]


def test_documents_that_differ_in_metadata_only_are_not_equal() -> None:
    one, other = (extract_page(f"<meta name=author content='{name}'><main>a</main>") for name in ("Ada Example", "Bob Sample"))
    assert one is not None
    assert other is not None
    assert one.to_xml() == other.to_xml()
    assert one != other


@pytest.mark.parametrize("way", [by_bytes, by_tree])
def test_without_metadata_a_document_knows_what_its_method_found(way: Any) -> None:
    assert way("regions", metadata=False).metadata == {}
    assert set(way("lines", metadata=False).metadata) == {"coverage", "layout"}
    assert way("clean", metadata=False).metadata == way("clean").metadata


def test_bytes_that_change_meanwhile() -> None:
    data = bytearray(HTML.encode())
    document = extract_page(data, url=URL)  # type: ignore[arg-type]
    data[:] = b"x" * len(data)
    assert document.metadata["authors"] == ("Ada Example",)  # type: ignore[union-attr]


def test_names_in_namespaces_and_upper_case() -> None:
    xhtml = HTML.replace("<!DOCTYPE html><html", '<html xmlns="http://www.w3.org/1999/xhtml"')
    xhtml = (
        xhtml.replace('">\n', '"/>\n')
        .replace('Example"><', 'Example"/><')
        .replace('is">', 'is"/>')
        .replace('"Example">', '"Example"/>')
    )
    page = extract_page(xhtml, url=URL)
    assert page is not None
    assert {name: page.metadata.get(name) for name in STATED} == STATED
    upper = etree.fromstring("<HTML><HEAD><META NAME='author' CONTENT='Ada Example'/></HEAD><BODY><MAIN>a</MAIN></BODY></HTML>")
    assert extract(upper).metadata["authors"] == ("Ada Example",)  # type: ignore[union-attr]
    assert upper.tag == "HTML"


def test_other_document_models() -> None:
    import xml.etree.ElementTree as ET

    model = ET.fromstring("<html><head><title>A page of it</title></head><body><main><p>a b c</p></main></body></html>")
    metadata = extract(model).metadata  # type: ignore[union-attr]
    assert (metadata["title"], metadata["word_count"], metadata["coverage"]) == ("A page of it", 3, 1.0)


def test_feeds_read_it_at_once_where_asked_to() -> None:
    class Root(etree.ElementBase):
        pass

    parser = etree.HTMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=Root))
    root = etree.fromstring(HTML, parser)
    alive = weakref.ref(root)
    trees = [root.getroottree()]
    del root
    document = next(extract_all((trees.pop() for _ in range(1)), url=URL, metadata=True))
    gc.collect()
    assert alive() is None
    assert document.metadata["authors"] == ("Ada Example",)
    assert next(extract_all([parse_html(HTML)])).metadata == {}


def test_async_twin() -> None:
    import asyncio

    document = asyncio.run(aextract_page(HTML, url=URL))
    assert document is not None
    assert document.metadata["title"] == "A page of it"
