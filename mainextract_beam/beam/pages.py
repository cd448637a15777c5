"""Elements of the pipelines: crawled pages, extracted pages and failures, as schema'd rows.

Each is a named tuple with a Beam row schema of a fixed id, so that it goes to Parquet and other SDKs by its fields and
comes out of any stage boundary as the class it went in as, in every worker process.
"""

from __future__ import annotations

import types
import typing
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from apache_beam import coders
from apache_beam.typehints.schemas import named_tuple_to_schema

if TYPE_CHECKING:
    from lxml import etree

_SCHEMA_NAMESPACE = uuid.UUID("a7b1f3a2-4a53-5c3c-9d7e-0c8f5e6d2b41")
_NO_HEADERS: Mapping[str, str] = {}


class _WebPageFields(NamedTuple):
    url: str
    content: bytes
    content_type: str | None = None
    charset: str | None = None
    http_status: int | None = None
    fetch_date: str | None = None
    record_id: str | None = None
    digest: str | None = None
    source_file: str | None = None
    offset: int | None = None
    headers: Mapping[str, str] = _NO_HEADERS
    truncated: bool = False


class WebPage(_WebPageFields):
    """One crawled page: its original bytes, and where they come from.

    Attributes:
        url: the page's URL.
        content: the page as it was served, content and transfer encodings undone.
        content_type: media type in lower case without parameters (`text/html`), as identified or as stated by HTTP.
        charset: encoding label stated by HTTP: a hint, the bytes may say otherwise.
        http_status: HTTP status code, None where the page was not fetched by HTTP.
        fetch_date: when the page was fetched, ISO 8601 in UTC (`2024-05-01T12:30:00Z`), which sorts by time and
            travels alike in rows, Parquet and JSON.
        record_id: the source's own identifier of the record (WARC-Record-ID without its angle brackets).
        digest: the source's digest of the payload (`sha1:...`).
        source_file: file the page was read from.
        offset: byte offset in `source_file` of the record, or of the compressed member that holds it; row number in a
            table.
        headers: HTTP headers worth keeping, names in lower case, values of repeated ones joined by `, `.
        truncated: the crawler cut the content off.
    """

    def tree(self) -> etree._ElementTree:
        """Parses the page on the first call and gives the same tree afterwards.

        The tree is no part of equality, pickling or coding: behind a stage boundary it is parsed anew, from the
        original bytes. It must not be changed.
        """
        tree: etree._ElementTree | None = self.__dict__.get("_tree")
        if tree is None:
            from mainextract_beam.parse import parse_html

            tree = parse_html(self.content, url=self.url, encoding=self.charset, content_type=self.content_type)
            self.__dict__["_tree"] = tree
        return tree

    def __reduce__(self) -> tuple[type[WebPage], tuple[Any, ...]]:
        return type(self), tuple(self)

    def __hash__(self) -> int:
        return hash((self.url, self.record_id, self.source_file, self.offset))

    def __repr__(self) -> str:
        return f"WebPage(url={self.url!r}, {len(self.content)} bytes, {self.source_file}:{self.offset})"


class ExtractedPage(NamedTuple):
    """The main content of one page, what is known about the page, and where it was read.

    Attributes:
        url: the page's URL.
        fetch_date: ISO 8601 in UTC, as in `WebPage`.
        title: the page's title, without the site's name where metadata is read.
        base: base URL of the page's relative references.
        rule: how the content was found (`main`, `article`, `density` ...).
        method: the extraction method.
        xml: the document, UTF-8.
        text: its text.
        authors, published, modified, site_name, description, language, canonical_url, image, licence, keywords,
            page_type, page_type_reason: metadata, where it is read; dates are ISO 8601.
        word_count: words of the document.
        coverage: share of the page's prose that was kept, 0 to 1.
        journal: what was removed and why, as JSON Lines, where a journal was asked for.
        truncated: the crawler cut the page off.
        record_id, digest, source_file, offset: provenance, as in `WebPage`.
    """

    url: str
    fetch_date: str | None = None
    title: str | None = None
    base: str | None = None
    rule: str | None = None
    method: str | None = None
    xml: bytes = b""
    text: str = ""
    authors: Sequence[str] | None = None
    published: str | None = None
    modified: str | None = None
    site_name: str | None = None
    description: str | None = None
    language: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    licence: str | None = None
    keywords: Sequence[str] | None = None
    page_type: str | None = None
    page_type_reason: str | None = None
    word_count: int | None = None
    coverage: float | None = None
    journal: str | None = None
    truncated: bool = False
    record_id: str | None = None
    digest: str | None = None
    source_file: str | None = None
    offset: int | None = None


class Failure(NamedTuple):
    """A page or a stretch of a file that could not be read or extracted: what is needed to find and replay it.

    Attributes:
        url: the page's URL, where it is known.
        record_id: as in `WebPage`, where it is known.
        source_file: file the page comes from.
        offset: where in the file, as in `WebPage`.
        stage: what was being done: `read`, `decode`, `parse`, `extract`, `render` ...
        exception: name of the exception's class, or of the kind of damage (`corrupt`, `garbage`, `length`, `cut-off`).
        message: one line.
        traceback: the traceback, where there is one.
    """

    url: str | None
    record_id: str | None
    source_file: str | None
    offset: int | None
    stage: str
    exception: str
    message: str
    traceback: str | None = None


def _as_optional(kind: Any) -> Any:
    """`X | None` as `Optional[X]`, other types as they are."""
    if isinstance(kind, types.UnionType):
        return typing.Union[typing.get_args(kind)]  # noqa: UP007 - a runtime value
    return kind


def register_row(row: type[Any], fields: type[Any] | None = None) -> None:
    """Gives a named tuple its row coder under a schema id that depends on its name and fields alone.

    A generated id would differ from process to process, and a worker that does not know an id decodes rows to a
    class it makes up, which has the fields and none of the methods.

    Args:
        row: the named tuple class.
        fields: the class that states its fields, where that is a base class.
    """
    # Beam reads __annotations__ of the class itself, as they stand, and knows Optional[X] but not X | None: without
    # this a nullable field would travel pickled, as a type that Parquet and other SDKs do not have.
    hints = typing.get_type_hints(fields or row)
    row.__annotations__ = {name: _as_optional(kind) for name, kind in hints.items()}
    outline = ", ".join(f"{name}: {kind}" for name, kind in row.__annotations__.items())
    row._beam_schema_id = str(uuid.uuid5(_SCHEMA_NAMESPACE, f"{row.__module__}.{row.__qualname__}({outline})"))
    named_tuple_to_schema(row)
    coders.registry.register_coder(row, coders.RowCoder)


register_row(WebPage, _WebPageFields)
register_row(ExtractedPage)
register_row(Failure)
