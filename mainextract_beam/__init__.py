"""Main content of crawled X/HTML pages, one page at a time or a crawl on Apache Beam."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mainextract_beam.document import Document as Document
from mainextract_beam.feeds import aextract_all as aextract_all
from mainextract_beam.feeds import aextract_page as aextract_page
from mainextract_beam.feeds import extract_all as extract_all
from mainextract_beam.lines import line_blocks as line_blocks
from mainextract_beam.methods import extract as extract
from mainextract_beam.methods import extract_page as extract_page
from mainextract_beam.parse import PageTooLarge as PageTooLarge
from mainextract_beam.parse import parse_html as parse_html
from mainextract_beam.similarity import content_similarity as content_similarity

if TYPE_CHECKING:
    from mainextract_beam.beam.files import ReadPagesFromFiles as ReadPagesFromFiles
    from mainextract_beam.beam.journal import SummarizeJournal as SummarizeJournal
    from mainextract_beam.beam.pages import ExtractedPage as ExtractedPage
    from mainextract_beam.beam.pages import Failure as Failure
    from mainextract_beam.beam.pages import WebPage as WebPage
    from mainextract_beam.beam.parquet import ReadPagesFromParquet as ReadPagesFromParquet
    from mainextract_beam.beam.similar import FindNearDuplicates as FindNearDuplicates
    from mainextract_beam.beam.sinks import WriteDocumentsToFiles as WriteDocumentsToFiles
    from mainextract_beam.beam.sinks import WriteDocumentsToHtml as WriteDocumentsToHtml
    from mainextract_beam.beam.sinks import WriteDocumentsToJsonLines as WriteDocumentsToJsonLines
    from mainextract_beam.beam.sinks import WriteDocumentsToMarkdown as WriteDocumentsToMarkdown
    from mainextract_beam.beam.sinks import WriteDocumentsToParquet as WriteDocumentsToParquet
    from mainextract_beam.beam.sinks import WriteDocumentsToText as WriteDocumentsToText
    from mainextract_beam.beam.sinks import WriteDocumentsToXml as WriteDocumentsToXml
    from mainextract_beam.beam.sinks import WriteFailures as WriteFailures
    from mainextract_beam.beam.transforms import ExtractContent as ExtractContent
    from mainextract_beam.beam.transforms import ExtractContentFn as ExtractContentFn
    from mainextract_beam.beam.transforms import ExtractPages as ExtractPages
    from mainextract_beam.beam.warc import ReadAllFromWarc as ReadAllFromWarc
    from mainextract_beam.beam.warc import ReadFromWarc as ReadFromWarc

# Names that load when first used, so that a page in hand never imports Beam.
_BEAM = "mainextract_beam.beam"
_LAZY: dict[str, str] = {
    "WebPage": f"{_BEAM}.pages",
    "ExtractedPage": f"{_BEAM}.pages",
    "Failure": f"{_BEAM}.pages",
    "ExtractContent": f"{_BEAM}.transforms",
    "ExtractContentFn": f"{_BEAM}.transforms",
    "ExtractPages": f"{_BEAM}.transforms",
    "ReadFromWarc": f"{_BEAM}.warc",
    "ReadAllFromWarc": f"{_BEAM}.warc",
    "ReadPagesFromParquet": f"{_BEAM}.parquet",
    "ReadPagesFromFiles": f"{_BEAM}.files",
    "WriteDocumentsToXml": f"{_BEAM}.sinks",
    "WriteDocumentsToParquet": f"{_BEAM}.sinks",
    "WriteDocumentsToJsonLines": f"{_BEAM}.sinks",
    "WriteDocumentsToHtml": f"{_BEAM}.sinks",
    "WriteDocumentsToMarkdown": f"{_BEAM}.sinks",
    "WriteDocumentsToText": f"{_BEAM}.sinks",
    "WriteDocumentsToFiles": f"{_BEAM}.sinks",
    "WriteFailures": f"{_BEAM}.sinks",
    "SummarizeJournal": f"{_BEAM}.journal",
    "FindNearDuplicates": f"{_BEAM}.similar",
}

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
