"""ExtractContent, ExtractPages and the coders: the same bytes by every way, types, keys, windows, limits, no shuffle."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

import apache_beam as beam
import pytest
from apache_beam import coders
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.testing import test_stream
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.transforms.window import FixedWindows, TimestampedValue
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree, html

from mainextract_beam.beam import metrics, transforms
from mainextract_beam.beam.pages import ExtractedPage, Failure, WebPage
from mainextract_beam.beam.source_items import SourceItem
from mainextract_beam.beam.transforms import ExtractContent, ExtractContentFn, ExtractPages
from mainextract_beam.beam.trees import decode_tree, encode_tree
from mainextract_beam.document import Document
from mainextract_beam.methods import extract, extract_page
from mainextract_beam.parse import parse_html
from tests import poison

ARTICLE = WebPage(
    "https://example.com/a",
    b"<html lang=en><head><title>A</title><base href=/b/></head><body><nav>menu</nav><main @click=x><p>alpha"
    b"<o:p>beta</o:p><!-- a--b --></main></body></html>",
    content_type="text/html",
    charset="utf-8",
    fetch_date="2024-05-01T12:30:00Z",
    record_id="urn:uuid:1",
    digest="sha1:A",
    source_file="a.warc.gz",
    offset=12,
    truncated=True,
)
FRAGMENT = WebPage("https://example.com/f", b"<div><article>one</article><article>two</article></div>")
CHINESE = WebPage("https://example.com/c", "<title>标题</title><p>中文内容</p>".encode("gbk"), charset="gbk")
BLANK = WebPage("https://example.com/e", b"<body><nav>menu</nav></body>")
PAGES = [ARTICLE, FRAGMENT, CHINESE, BLANK]
IN_PROCESS: dict[str, Any] = {"timeout": None, "max_memory": None}


class Gather(beam.PTransform):
    """Puts what comes into a list of this process."""

    results: ClassVar[dict[str, list[Any]]] = {}

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.results[name] = []

    def expand(self, pcoll: beam.PCollection[Any]) -> Any:
        return pcoll | beam.Map(_gather, self.name)


def _gather(element: Any, name: str) -> None:
    Gather.results[name].append(element)


def extracted(pages: list[Any], **options: Any) -> tuple[list[Any], list[Failure], dict[str, int]]:
    """The documents, failures and counts that ExtractPages makes of pages."""
    pipeline = beam.Pipeline("FnApiRunner")
    documents, failures = pipeline | beam.Create(pages, reshuffle=False) | ExtractPages(**(IN_PROCESS | options))
    documents | "Documents" >> Gather("documents")
    failures | "Failures" >> Gather("failures")
    result = pipeline.run()
    return Gather.results["documents"], Gather.results["failures"], metrics.counts(result)


def expected(page: WebPage) -> Document | None:
    return extract_page(page.content, url=page.url, encoding=page.charset, content_type=page.content_type)


@pytest.mark.parametrize("limits", [IN_PROCESS, {}])
def test_extract_pages(limits: dict[str, Any]) -> None:
    documents, failures, counts = extracted(PAGES, **limits)
    assert failures == []
    assert [page.url for page in documents] == [ARTICLE.url, FRAGMENT.url, CHINESE.url]
    assert [page.xml for page in documents] == [expected(page).to_xml() for page in PAGES[:3]]  # type: ignore[union-attr]
    first = documents[0]
    assert type(first) is ExtractedPage
    assert first._replace(xml=b"") == ExtractedPage(
        url=ARTICLE.url,
        fetch_date="2024-05-01T12:30:00Z",
        title="A",
        base="https://example.com/b/",
        rule="main",
        method="regions",
        text="alphabeta",
        word_count=1,
        coverage=round(len("alphabeta") / len("menualphabeta"), 3),
        language="en",
        truncated=True,
        record_id="urn:uuid:1",
        digest="sha1:A",
        source_file="a.warc.gz",
        offset=12,
    )
    assert {name: number for name, number in counts.items() if not name.startswith("micro")} == {
        "pages-extracted": 4,
        "documents": 3,
        "pages-without-content": 1,
        "documents-by-main": 1,
        "documents-by-article": 1,
        "documents-by-density": 1,
        "bytes-in": sum(len(page.content) for page in PAGES),
        "bytes-out": sum(len(page.xml) for page in documents),
    }


STATING = WebPage(
    "https://www.example.com/a",
    b"<html lang=de><head><title>A page of it | Example</title><meta name=author content='Ada Example'><meta property=og:site_name"
    b" content=Example><meta name=date content=2024-03-05></head><body><nav>x</nav><main><h1>A page of it</h1><p>alpha beta</main>",
)


@pytest.mark.parametrize("method", ["regions", "lines", "clean"])
@pytest.mark.parametrize("metadata", ["all", "stated", "none"])
def test_metadata_columns(method: str, metadata: str) -> None:
    page = STATING._replace(content=STATING.content + b"<p>A sentence of some length, which is read by the few who come here." * 9)
    (found,), _, _ = extracted([WebPage(*page)], method=method, metadata=metadata)
    stated = (found.title, found.authors, found.published, found.site_name, found.language)
    whole = metadata != "none" or method == "clean"
    expected = ("A page of it", ("Ada Example",), "2024-03-05", "Example", "de")
    assert stated == (expected if whole else ("A page of it | Example", None, None, None, None))
    assert (found.word_count is not None) == whole
    assert (found.coverage is not None) == (whole or method == "lines")
    assert (found.page_type is not None) == (found.page_type_reason is not None) == (metadata == "all" or method == "clean")


def test_another_value_of_metadata() -> None:
    with pytest.raises(ValueError, match="metadata must be one of all, stated, none, not 'some'"):
        ExtractPages(metadata="some")


def test_text_is_left_out_where_it_is_not_wanted() -> None:
    documents, _, _ = extracted([ARTICLE], text=False)
    assert [(page.text, page.xml) for page in documents] == [("", expected(ARTICLE).to_xml())]  # type: ignore[union-attr]


def test_all_ways_give_the_same_bytes() -> None:
    by_page = [page.xml for page in extracted(PAGES)[0]]
    with beam.Pipeline("FnApiRunner") as pipeline:
        pages = pipeline | beam.Create(PAGES, reshuffle=False)
        pages | "Pages" >> ExtractContent() | "A" >> Gather("of pages")
        trees = pages | beam.Map(WebPage.tree).with_output_types(etree._ElementTree)
        trees | "Trees" >> ExtractContent() | "B" >> Gather("of trees")
        shuffled = trees | beam.Reshuffle()
        shuffled | "Shuffled" >> ExtractContent() | "Again" >> beam.Reshuffle() | "C" >> Gather("of shuffled")
    for name in ("of pages", "of trees", "of shuffled"):
        assert [document.to_xml() for document in Gather.results[name]] == by_page, name
    assert Gather.results["of shuffled"] == Gather.results["of trees"]


def test_trees_of_all_kinds() -> None:
    element = html.fromstring("<div><p>alpha</p></div>")
    with beam.Pipeline("FnApiRunner") as pipeline:
        made = pipeline | beam.Create([element]) | ExtractContent()
        assert made.element_type is Document
        made | Gather("made")
    assert Gather.results["made"] == [extract(element)]


def test_keys_pass_through() -> None:
    with beam.Pipeline("FnApiRunner") as pipeline:
        pages = pipeline | beam.Create([(number, page) for number, page in enumerate(PAGES)], reshuffle=False)
        documents, _ = pages | ExtractPages(**IN_PROCESS)
        contents = pages | ExtractContent()
        assert documents.element_type == beam.typehints.Tuple[int, ExtractedPage]
        assert contents.element_type == beam.typehints.Tuple[int, Document]
        documents | "A" >> Gather("pages")
        contents | "B" >> Gather("contents")
    assert [(key, page.url) for key, page in Gather.results["pages"]] == [(n, PAGES[n].url) for n in range(3)]
    assert Gather.results["contents"] == [(n, expected(PAGES[n])) for n in range(3)]


def test_types_without_keys() -> None:
    pipeline = beam.Pipeline("FnApiRunner")
    documents, failures = pipeline | beam.Create(PAGES) | ExtractPages()
    assert (documents.element_type, failures.element_type) == (ExtractedPage, Failure)
    assert isinstance(coders.registry.get_coder(documents.element_type), coders.RowCoder)


def test_unbounded_source_windows_and_timestamps() -> None:
    stream = (
        test_stream.TestStream(coder=coders.registry.get_coder(WebPage))
        .advance_watermark_to(0)
        .add_elements([TimestampedValue(ARTICLE, 5), TimestampedValue(BLANK, 6)])
        .advance_watermark_to(60)
        .add_elements([TimestampedValue(FRAGMENT, 70)])
        .advance_watermark_to_infinity()
    )
    with beam.Pipeline("BundleBasedDirectRunner", options=PipelineOptions(["--streaming"])) as pipeline:
        pages = pipeline | stream | beam.WindowInto(FixedWindows(60))
        documents, _ = pages | ExtractPages(**IN_PROCESS)
        contents = pages | ExtractContent()
        places = [(5, 0, ARTICLE.url), (70, 60, FRAGMENT.url)]
        assert_that(documents | "P" >> beam.ParDo(Where()), equal_to(places), label="pages")
        assert_that(contents | "C" >> beam.ParDo(Where()), equal_to([p[:2] for p in places]), label="contents")


class Where(beam.DoFn):
    def process(self, element: Any, time: Any = beam.DoFn.TimestampParam, window: Any = beam.DoFn.WindowParam) -> Any:
        place = (int(time), int(window.start))
        yield (*place, element.url) if isinstance(element, ExtractedPage) else place


def test_pages_cross_no_shuffle() -> None:
    pipeline = beam.Pipeline("FnApiRunner")
    documents, failures = pipeline | beam.Create(PAGES, reshuffle=False) | ExtractPages()
    assert shuffled_types(pipeline) == []
    shuffled = pipeline | "More" >> beam.Create(PAGES, reshuffle=False) | beam.Reshuffle()
    assert len(shuffled_types(shuffled.pipeline)) == 1
    assert documents.producer.full_label == failures.producer.full_label == "ExtractPages/Extract/ParDo(ExtractPagesFn)"


def shuffled_types(pipeline: beam.Pipeline) -> list[Any]:
    """The types of what a pipeline groups behind the first step that gives pages."""
    found: list[Any] = []
    behind: set[Any] = set()

    class Visitor(beam.pipeline.PipelineVisitor):
        def visit_transform(self, node: Any) -> None:
            outputs = [each for each in node.outputs.values() if isinstance(each, beam.PCollection)]
            pages = any(each.element_type in (WebPage, SourceItem) for each in outputs)
            if pages or not behind.isdisjoint(node.inputs):
                behind.update(outputs)
            if isinstance(node.transform, beam.GroupByKey) and not behind.isdisjoint(node.inputs):
                found.extend(each.element_type for each in node.inputs)

    pipeline.visit(Visitor())
    return found


# Limits


@pytest.mark.parametrize("word", ["stuck", "crash", "panic"])
def test_poison_page_costs_itself_only(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setattr(transforms, "work", poison.Work)
    bad = WebPage("https://example.com/p", word.encode(), record_id="urn:uuid:p", source_file="p.warc", offset=3)
    documents, failures, counts = extracted([ARTICLE, bad, FRAGMENT], timeout=1.0)
    assert [page.url for page in documents] == [ARTICLE.url, FRAGMENT.url]
    (failure,) = failures
    told = {
        "stuck": ("limits", "PageTimeoutError", "the page took longer than 1 s"),
        "crash": ("limits", "ProcessDiedError", "the process working on the page ended, by SIGSEGV"),
        "panic": ("extract", "KeyboardInterrupt", "a ? panic"),
    }[word]
    assert failure[:7] == ("https://example.com/p", "urn:uuid:p", "p.warc", 3, *told)
    assert ("Traceback" in (failure.traceback or "")) == (word == "panic")
    assert counts[f"pages-failed-{told[1]}"] == 1
    assert metrics.report(counts)["unaccounted"] == 0


def test_max_bytes_and_max_elements() -> None:
    many = WebPage("https://example.com/m", b"<p>" * 50)
    documents, failures, _ = extracted([ARTICLE, many, FRAGMENT], max_bytes=150, max_elements=20)
    assert [page.url for page in documents] == [FRAGMENT.url]
    assert [(failure.url, failure.stage, failure.exception, failure.message) for failure in failures] == [
        (ARTICLE.url, "limits", "PageTooLarge", f"page of {len(ARTICLE.content)} bytes is larger than max_bytes=150"),
        (many.url, "parse", "PageTooLarge", "page of 52 elements is larger than max_elements=20"),
    ]
    documents, failures, _ = extracted([many], max_elements=52)
    assert (len(failures), [page.url for page in documents]) == (0, [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "guess"}, "unknown method 'guess'; methods are regions"),
        ({"depth": 3}, "unknown option 'depth' of method 'regions'"),
        ({"timeout": 0}, "timeout must be a positive number or None, not 0"),
        ({"max_bytes": "1"}, "max_bytes must be a positive number or None, not '1'"),
        ({"max_elements": True}, "max_elements must be a positive number or None, not True"),
    ],
)
def test_options_are_checked_when_the_pipeline_is_built(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        ExtractPages(**options)
    if not {"timeout", "max_bytes", "max_elements"} & set(options):
        for each in (ExtractContent, ExtractContentFn):
            with pytest.raises(ValueError, match=re.escape(message)):
                each(**options)


# Coders


def test_document_coder() -> None:
    coder = coders.registry.get_coder(Document)
    document = expected(ARTICLE)
    assert document is not None
    encoded = coder.encode(document)
    for _ in range(3):
        again = coder.decode(encoded)
        assert again == document
        assert [root.tag for root in again.roots] == ["html"]
        assert coder.encode(again) == encoded
    assert coder.is_deterministic()
    assert coder.encode(expected(ARTICLE)) == encoded


def signature(tree: Any) -> list[Any]:
    """All a tree holds."""
    root = tree.getroot() if isinstance(tree, etree._ElementTree) else tree
    return [
        (
            node.tag if isinstance(node.tag, str) else node.tag.__name__,
            node.attrib.items() if isinstance(node.tag, str) else None,
            (node.prefix, node.nsmap) if isinstance(node.tag, str) else None,
            node.text or "",
            (node.tail or "") if node is not root else "",
        )
        for node in list(root.iter())
    ]


@pytest.mark.parametrize(
    "tree",
    [
        parse_html(b"<p @click='a' x:y=1 data-\xe4=2>a<o:p>b</o:p>c<!-- d--e -->f<br>g", url="https://example.com/"),
        parse_html(b"<p title='a\x02b'>c\x01d<b>e\x03</b>f\x04g"),
        etree.ElementTree(html.fromstring("<div id='a'>b<p>c<p>d</div>")),
        etree.ElementTree(
            etree.fromstring(
                '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "f">]><a xmlns="urn:a" xmlns:b="urn:b" b:c="d">g&e;h<?i j?>'
                '<b:k xmlns:l="urn:l"/>m<n xmlns="" xml:base="o"/></a>',
                etree.XMLParser(resolve_entities=False),
            )
        ),
    ],
)
def test_tree_coder(tree: Any) -> None:
    for each in (tree, tree.getroot()):
        again = decode_tree(encode_tree(each))
        assert type(again) is type(each)
        assert signature(again) == signature(each)
        assert encode_tree(again) == encode_tree(each)
    assert decode_tree(encode_tree(tree)).docinfo.URL == tree.docinfo.URL
    assert extract(decode_tree(encode_tree(tree))) == extract(tree)


def test_element_keeps_the_bases_around_it() -> None:
    tree = parse_html(
        b"<html><head><base href=/b/></head><body xml:base=c/><div><section><main>a</main></section></div></body></html>",
        url="https://example.com/x",
    )
    section = tree.find(".//section")
    again = decode_tree(encode_tree(section))
    assert again.tag == "section"
    assert extract(again) == extract(section)
    assert extract(again).roots[0].base == "https://example.com/b/c/"


def test_deep_tree() -> None:
    nodes = [etree.Element("div")]
    for _ in range(20_000):
        nodes.append(etree.SubElement(nodes[-1], "div"))
    again = decode_tree(encode_tree(nodes[0]))
    assert sum(1 for _ in list(again.iter())) == 20_001


@given(st.text("<>/=\"' abp:@!-&;\x01\x0b", max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_html_tree_survives(source: str) -> None:
    tree = parse_html(source)
    again = decode_tree(encode_tree(tree))
    assert extract(again) == extract(tree)
    assert encode_tree(decode_tree(encode_tree(again))) == encode_tree(again)


def test_journal_travels_with_the_page() -> None:
    page = WebPage("https://example.com/", b"<body><main><p>alpha beta</p><p hidden>gamma</p></main></body>")
    (document,), failures, _ = extracted([page], method="clean", journal=True)
    assert failures == []
    entries = [json.loads(line) for line in document.journal.splitlines()]
    assert [entry["tag"] for entry in entries if entry["step"] == "hidden" and entry["action"] == "remove"] == ["p"]
