"""Beam source of web pages in Parquet tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io import iobase
from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from mainextract_beam.beam.pages import Failure, WebPage
from mainextract_beam.beam.source_items import (
    DEFAULT_MAX_BYTES,
    PatternSource,
    ReadSpread,
    SourceItem,
    check_source,
    count,
    failure_item,
    page_item,
    route,
)

_BATCH_BYTES = 4 * 1024 * 1024
_MAX_BATCH_ROWS = 1024
_PAGE_BUFFER = 1024 * 1024  # of a column chunk is read at a time, instead of the whole chunk


class ParquetPagesSource(PatternSource):
    """The rows of Parquet files as `SourceItem`s; positions are the byte offsets of row groups."""

    def __init__(self, file_pattern: str, columns: Mapping[str, str], max_bytes: int, *, may_be_empty: bool = False) -> None:
        super().__init__(file_pattern, splittable=True, may_be_empty=may_be_empty)
        self._columns = dict(columns)
        self._max_bytes = max_bytes

    def default_output_coder(self) -> beam.coders.Coder:
        """Rows."""
        return beam.coders.registry.get_coder(SourceItem)

    def read_records(self, file_name: str, range_tracker: iobase.RangeTracker) -> Iterator[SourceItem]:
        """Reads the row groups that start in a range of one file."""
        with self.open_file(file_name) as file:
            table = open_table(file, file_name)
            check_columns(table.schema_arrow, self._columns.values(), file_name)
            first_row = 0
            for group in range(table.num_row_groups):
                rows = table.metadata.row_group(group).num_rows
                start = _start_of(table.metadata.row_group(group))
                if start >= range_tracker.start_position():
                    if not range_tracker.try_claim(start):
                        return
                    yield from self._read_group(table, group, first_row, file_name)
                first_row += rows

    def _read_group(self, table: pq.ParquetFile, group: int, first_row: int, file_name: str) -> Iterator[SourceItem]:
        row = first_row
        wanted = sorted(set(self._columns.values()))
        try:
            for batch in table.iter_batches(_batch_rows(table.metadata.row_group(group)), [group], wanted, use_threads=False):
                for values in _rows(batch):
                    yield self._item(values, file_name, row)
                    row += 1
        except (pa.ArrowException, OSError) as error:
            count("row-groups-damaged")
            lost = first_row + table.metadata.row_group(group).num_rows - row
            message = f"{lost} rows of row group {group} cannot be read: {error}"
            yield failure_item(Failure(None, None, file_name, row, "read", "corrupt", message))
        pa.default_memory_pool().release_unused()

    def _item(self, values: dict[str, Any], file_name: str, row: int) -> SourceItem:
        named = {field: values[column] for field, column in self._columns.items()}
        count("rows-read")
        content = named["content"]
        charset = named.get("charset")
        if isinstance(content, str):
            content, charset = content.encode("utf-8", "surrogatepass"), "utf-8"
        url = _text(named["url"]) or ""
        record_id = _text(named.get("record_id"))
        trouble = None
        if content is None:
            trouble = "no-content", "the row holds no page"
        elif len(content) > self._max_bytes:
            trouble = "too-large", f"the page has {len(content)} bytes, more than {self._max_bytes}"
        if trouble:
            count(f"rows-unreadable-{trouble[0]}")
            return failure_item(Failure(url or None, record_id, file_name, row, "read", *trouble))
        status = named.get("http_status")
        page = WebPage(
            url=url,
            content=content,
            content_type=_text(named.get("content_type")),
            charset=_text(charset),
            http_status=int(status) if status is not None and str(status).isdigit() else None,
            fetch_date=_date(named.get("fetch_date")),
            record_id=record_id,
            digest=_text(named.get("digest")),
            source_file=file_name,
            offset=row,
        )
        return page_item(page)


def open_table(file: Any, file_name: str) -> pq.ParquetFile:
    """Opens a Parquet file so that column chunks are read piece by piece.

    Raises:
        ValueError: the file is no Parquet file.
    """
    try:
        return pq.ParquetFile(file, buffer_size=_PAGE_BUFFER, pre_buffer=False)
    except (pa.ArrowInvalid, OSError) as error:
        raise ValueError(f"{file_name} is no readable Parquet file: {error}") from error


def check_columns(schema: pa.Schema, wanted: Any, file_name: str) -> None:
    """Checks that a table has the columns asked for.

    Raises:
        ValueError: one is missing; the message lists those there are.
    """
    missing = sorted(set(wanted) - set(schema.names))
    if missing:
        there = ", ".join(f"{field.name} ({field.type})" for field in schema)
        raise ValueError(f"{file_name} has no column {', '.join(map(repr, missing))}; its columns are: {there}")


def _start_of(group: Any) -> int:
    """Byte offset of a row group: its first page's, a dictionary page coming before data pages."""
    offsets: list[int] = []
    for index in range(group.num_columns):
        column = group.column(index)
        if column.has_dictionary_page and column.dictionary_page_offset:
            offsets.append(column.dictionary_page_offset)
        offsets.append(column.data_page_offset)
    return min(offsets, default=0)


def _batch_rows(group: Any) -> int:
    """Rows that make a batch of bounded size, by the row group's average."""
    average: int = max(1, group.total_byte_size // max(1, group.num_rows))
    return max(1, min(_MAX_BATCH_ROWS, _BATCH_BYTES // average))


def _rows(batch: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """One row after the other, so that a batch is not held twice."""
    columns = {name: batch.column(index) for index, name in enumerate(batch.schema.names)}
    for row in range(batch.num_rows):
        yield {name: column[row].as_py() for name, column in columns.items()}


def _text(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def _date(value: Any) -> str | None:
    """Timestamps as ISO 8601 in UTC (those without a zone are taken for UTC), anything else as its text."""
    if isinstance(value, datetime):
        moment = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
        return moment.isoformat().replace("+00:00", "Z")
    return _text(value)


@dataclasses.dataclass
class ReadPagesFromParquet(beam.PTransform):  # type: ignore[misc]
    """Reads web pages from Parquet tables, one page a row, row group by row group in batches of bounded size.

    A data page is the least that is in memory at a time, beside a batch: tables whose writer put a whole row group of
    pages into one, as pyarrow's does by itself up to 1,024 rows, need twice as much memory as that has bytes.

    Rows are counted in the namespace `mainextract`: `rows-read`, of which `pages-read` and `rows-unreadable-REASON`
    (`no-content`, `too-large`), and `row-groups-damaged`.

    Attributes:
        file_pattern: a file or a pattern of files, on any Beam file system.
        html: name of the column that holds the page, binary (as served) or string.
        url: name of the column that holds its URL.
        content_type, charset, http_status, fetch_date, record_id, digest: names of the columns that hold these fields
            of `WebPage`, None for those there are none for.
        max_bytes: bytes a page may have; larger ones are failures.
        with_failures: as in `ReadFromWarc`.
        validate: fail when the pipeline is built if the pattern matches no file, or the first of its files lacks a
            column.
        desired_bundle_bytes: as in `ReadFromWarc`.
    """

    file_pattern: str
    html: str = "html"
    url: str = "url"
    content_type: str | None = None
    charset: str | None = None
    http_status: str | None = None
    fetch_date: str | None = None
    record_id: str | None = None
    digest: str | None = None
    max_bytes: int = DEFAULT_MAX_BYTES
    with_failures: bool = False
    validate: bool = True
    desired_bundle_bytes: int | None = None

    def __post_init__(self) -> None:
        super().__init__()
        sizes = {"max_bytes": self.max_bytes, "desired_bundle_bytes": self.desired_bundle_bytes}
        path = check_source(self.file_pattern, self.validate, **sizes)
        if path is not None:
            with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as file:
                check_columns(open_table(file, path).schema_arrow, self._columns().values(), path)

    def _columns(self) -> dict[str, str]:
        """Names of columns by the fields of `WebPage` they fill."""
        optional = ("content_type", "charset", "http_status", "fetch_date", "record_id", "digest")
        named = {field: getattr(self, field) for field in optional}
        return {"content": self.html, "url": self.url, **{field: name for field, name in named.items() if name}}

    def expand(self, pbegin: beam.pvalue.PBegin) -> Any:
        source = ParquetPagesSource(self.file_pattern, self._columns(), self.max_bytes, may_be_empty=not self.validate)
        return route(pbegin | "Read" >> ReadSpread(source, self.desired_bundle_bytes), self.with_failures)
