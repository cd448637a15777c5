"""How rows become files: one writer of a shard for each format."""

from __future__ import annotations

import collections.abc
import json
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from mainextract_beam.beam.pages import ExtractedPage

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
    parts = []
    for field, name in _ATTRIBUTES.items():
        value = getattr(page, field)
        if value is None or value == "" or value is False:
            continue
        if isinstance(value, str):
            text = value
        elif isinstance(value, Sequence):
            text = "\n".join(value)
        else:
            text = str(value).lower() if isinstance(value, bool) else str(value)
        parts.append(f' {name}="{_FORBIDDEN.sub(chr(0xFFFD), text).translate(_ESCAPES)}"')
    return "".join(parts).encode()


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


class TextWriter:
    """The text of each page, with a form feed (U+000C) on a line of its own after each."""

    def __init__(self, stream: BinaryIO, row_type: type[Any]) -> None:
        self._stream = stream

    def write(self, row: ExtractedPage) -> int:
        """See `ShardWriter.write`."""
        data = row.text.encode(errors="replace") + b"\n\f\n"
        self._stream.write(data)
        return len(data)

    def close(self) -> None:
        """See `ShardWriter.close`."""


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
    "text": Format("txt", TextWriter, "text/plain"),
}
"""Formats of files of many rows, by name."""

PAGE_FORMATS: dict[str, tuple[str, Callable[[ExtractedPage], bytes]]] = {
    "xml": ("xml", lambda page: b"<?xml version='1.0' encoding='UTF-8'?>\n" + xml_document(page) + b"\n"),
    "jsonl": ("json", lambda page: json_object(page) + b"\n"),
    "text": ("txt", lambda page: page.text.encode(errors="replace") + b"\n"),
}
"""Formats of files of one page, by name: the files' extension, and what is written."""
