"""How rows become files: one writer of a shard for each format."""

from __future__ import annotations

import collections.abc
import json
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet as pq
from lxml import etree

from mainextract_beam.beam.pages import ExtractedPage
from mainextract_beam.document import Document
from mainextract_beam.names import local_name
from mainextract_beam.render.html import to_html
from mainextract_beam.render.markdown import to_markdown
from mainextract_beam.render.text import to_text

BATCH_BYTES = 8 << 20
"""Bytes of rows held before they go into one Parquet row group."""


class ShardWriter(Protocol):
    """Writes rows to one open file."""

    def __init__(self, stream: BinaryIO, row_type: type[Any]) -> None: ...

    def write(self, row: Any) -> int:
        """Writes one row; returns the bytes it takes, before compression."""
        ...

    def close(self) -> None:
        """Writes what ends the file; the stream stays open."""
        ...


class XmlWriter:
    """One `documents` element to a file, one `document` to a page: what is known of the page as attributes.

    Attribute names are those of the `ExtractedPage` fields with hyphens for underscores; what is unknown is left out;
    of several values each is on a line of its own. The element holds the document as extracted: an `html` element, or
    the regions of a fragment.
    """

    def __init__(self, stream: BinaryIO, row_type: type[Any]) -> None:
        self._stream = stream
        stream.write(b"<?xml version='1.0' encoding='UTF-8'?>\n<documents>\n")

    def write(self, row: ExtractedPage) -> int:
        """See `ShardWriter.write`."""
        data = xml_document(row) + b"\n"
        self._stream.write(data)
        return len(data)

    def close(self) -> None:
        """See `ShardWriter.close`."""
        self._stream.write(b"</documents>\n")


def xml_document(page: ExtractedPage) -> bytes:
    """Returns the `document` element of a page."""
    return b"".join((b"<document", _attributes(page), b">", page.xml, b"</document>"))


_NO_ATTRIBUTES = frozenset({"xml", "text", "journal"})
_ATTRIBUTES = {name: name.replace("_", "-") for name in ExtractedPage._fields if name not in _NO_ATTRIBUTES}
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2
_ESCAPES = {ord(mark): f"&#{ord(mark)};" for mark in "\t\n\r"} | {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord('"'): "&quot;",
}


def _attributes(page: ExtractedPage) -> bytes:
    return "".join(f' {name}="{_FORBIDDEN.sub(chr(0xFFFD), text).translate(_ESCAPES)}"' for name, text in stated(page)).encode()


def stated(page: ExtractedPage) -> Iterator[tuple[str, str]]:
    """What is known of a page but its content, by name: hyphens for underscores, of several values each on a line."""
    for field, name in _ATTRIBUTES.items():
        value = getattr(page, field)
        if value is None or value == "" or value is False:
            continue
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Sequence):
            yield name, "\n".join(value)
        else:
            yield name, str(value).lower() if isinstance(value, bool) else str(value)


class JsonLinesWriter:
    """One JSON object to a line, the fields of the row by name; bytes are written as the UTF-8 text they hold."""

    def __init__(self, stream: BinaryIO, row_type: type[Any]) -> None:
        self._stream = stream

    def write(self, row: Any) -> int:
        """See `ShardWriter.write`."""
        data = json_object(row) + b"\n"
        self._stream.write(data)
        return len(data)

    def close(self) -> None:
        """See `ShardWriter.close`."""


def json_object(row: Any) -> bytes:
    """Returns a row as one JSON object on one line."""
    text = json.dumps(row._asdict(), ensure_ascii=False, default=_plain, separators=(",", ":"))
    return text.encode(errors="replace")  # a lone surrogate is no UTF-8


def _plain(value: object) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, collections.abc.Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def document_of(page: ExtractedPage) -> Document:
    """The document of a row, to be rendered."""
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True, collect_ids=False)
    roots = list(etree.fromstring(b"<roots>" + page.xml + b"</roots>", parser=parser))
    is_page = len(roots) == 1 and local_name(roots[0]) == "html"
    return Document([page.xml], is_page=is_page, title=page.title, base=page.base, rule=page.rule or "", roots=roots)


def text_of(page: ExtractedPage) -> str:
    """A page as text, with list markers and rows of tables."""
    return to_text(document_of(page))


def markdown_of(page: ExtractedPage) -> str:
    """A page as Markdown, after a block of YAML that states what is known of it, each value a JSON string."""
    known = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in stated(page))
    return f"---\n{known}---\n\n{to_markdown(document_of(page))}"


def html_of(page: ExtractedPage) -> str:
    """A page as HTML, safe to show, with a ``meta`` element for each thing known of it."""
    return to_html(document_of(page), metadata=dict(stated(page)))


RENDERINGS: dict[str, Callable[[ExtractedPage], str]] = {"text": text_of, "markdown": markdown_of, "html": html_of}
"""Formats that are made from the rows' XML, by name."""


def _rendered(form: str, page: ExtractedPage) -> bytes:
    return RENDERINGS[form](page).rstrip("\n").encode(errors="replace") + b"\n"


class _RenderedWriter:
    """A rendering of each page, with a form feed (U+000C) on a line of its own after each."""

    form: typing.ClassVar[str]

    def __init__(self, stream: BinaryIO, row_type: type[Any]) -> None:
        self._stream = stream

    def write(self, row: ExtractedPage) -> int:
        """See `ShardWriter.write`."""
        data = _rendered(self.form, row) + b"\f\n"
        self._stream.write(data)
        return len(data)

    def close(self) -> None:
        """See `ShardWriter.close`."""


class TextWriter(_RenderedWriter):
    """The text of each page."""

    form = "text"


class MarkdownWriter(_RenderedWriter):
    """Each page as Markdown, after what is known of it."""

    form = "markdown"


class HtmlWriter(_RenderedWriter):
    """Each page as a whole document of HTML."""

    form = "html"


class ParquetWriter:
    """A table of the row's fields, in row groups of about `BATCH_BYTES`, compressed with Zstandard."""

    def __init__(self, stream: BinaryIO, row_type: type[Any]) -> None:
        self._schema = parquet_schema(row_type)
        self._writer = pq.ParquetWriter(stream, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def write(self, row: Any) -> int:
        """See `ShardWriter.write`."""
        fields = row._asdict()
        size = sum(len(value) for value in fields.values() if isinstance(value, str | bytes)) + 8 * len(fields)
        self._rows.append(fields)
        self._bytes += size
        if self._bytes >= BATCH_BYTES:
            self._flush()
        return size

    def close(self) -> None:
        """See `ShardWriter.close`."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            columns = {
                field.name: pa.array([_storable(row[field.name]) for row in self._rows], field.type) for field in self._schema
            }
            self._writer.write_batch(pa.record_batch(columns, self._schema))
        self._rows = []
        self._bytes = 0


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="replace").decode()
    return list(value.items()) if isinstance(value, Mapping) else value


_ARROW: dict[Any, pa.DataType] = {
    str: pa.string(),
    bytes: pa.binary(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
}


def parquet_schema(row_type: type[Any]) -> pa.Schema:
    """Returns the Parquet schema of a named tuple: strings, binary, 64-bit numbers, lists and maps of these."""
    return pa.schema(
        [
            pa.field(name, _arrow(hint), nullable=type(None) in typing.get_args(hint))
            for name, hint in typing.get_type_hints(row_type).items()
            if name in row_type._fields
        ]
    )


def _arrow(hint: Any) -> pa.DataType:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _arrow(next(argument for argument in arguments if argument is not type(None)))
    if origin is collections.abc.Sequence:
        return pa.list_(_arrow(arguments[0]))
    if origin is collections.abc.Mapping:
        return pa.map_(_arrow(arguments[0]), _arrow(arguments[1]))
    return _ARROW[hint]


class Format(typing.NamedTuple):
    """A file format by its name."""

    extension: str
    writer: type[ShardWriter]
    media_type: str
    packed: bool = False
    """The format has its own compression."""


FORMATS: dict[str, Format] = {
    "xml": Format("xml", XmlWriter, "application/xml"),
    "parquet": Format("parquet", ParquetWriter, "application/vnd.apache.parquet", packed=True),
    "jsonl": Format("jsonl", JsonLinesWriter, "application/jsonl"),
    "json": Format("jsonl", JsonLinesWriter, "application/jsonl"),
    "text": Format("txt", TextWriter, "text/plain"),
    "markdown": Format("md", MarkdownWriter, "text/markdown"),
    "html": Format("html", HtmlWriter, "text/html"),
}
"""Formats of files of many rows, by name."""

PAGE_FORMATS: dict[str, tuple[str, Callable[[ExtractedPage], bytes]]] = {
    "xml": ("xml", lambda page: b"<?xml version='1.0' encoding='UTF-8'?>\n" + xml_document(page) + b"\n"),
    "jsonl": ("json", lambda page: json_object(page) + b"\n"),
    "json": ("json", lambda page: json_object(page) + b"\n"),
    "text": ("txt", partial(_rendered, "text")),
    "markdown": ("md", partial(_rendered, "markdown")),
    "html": ("html", partial(_rendered, "html")),
}
"""Formats of files of one page, by name: the files' extension, and what is written."""
