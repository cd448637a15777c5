"""Beam sources of WARC files: one file is read by many workers, split where records start."""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Collection, Generator, Iterator
from typing import Any

import apache_beam as beam
from apache_beam.io import iobase
from apache_beam.io.filesystem import FileMetadata
from apache_beam.io.range_trackers import OffsetRangeTracker
from apache_beam.io.restriction_trackers import OffsetRange

from mainextract_beam.beam.pages import Failure
from mainextract_beam.beam.source_items import (
    DEFAULT_MAX_BYTES,
    PatternSource,
    ReadSpread,
    SourceItem,
    check_source,
    count,
    failure_item,
    matches,
    page_item,
    route,
)
from mainextract_beam.beam.warc_arc import ARC_MAGIC, read_arc
from mainextract_beam.beam.warc_pages import Page, Skipped, Unreadable, identity, page_of
from mainextract_beam.beam.warc_payload import is_panic
from mainextract_beam.beam.warc_records import Damage, Record, RecordReader

DEFAULT_STATUSES: Collection[int] = (200,)
DEFAULT_BUNDLE_BYTES = 64 * 1024 * 1024


class WarcSource(PatternSource):
    """The records of WARC files that are pages, as `SourceItem`s; positions are byte offsets of record starts."""

    def __init__(
        self,
        file_pattern: str,
        *,
        splittable: bool,
        statuses: Collection[int] | None,
        max_record_bytes: int,
        min_bundle_bytes: int = 0,
        may_be_empty: bool = False,
    ) -> None:
        super().__init__(file_pattern, splittable=splittable, min_bundle_bytes=min_bundle_bytes, may_be_empty=may_be_empty)
        self._statuses = None if statuses is None else frozenset(statuses)
        self._max_record_bytes = max_record_bytes

    def default_output_coder(self) -> beam.coders.Coder:
        """Rows."""
        return beam.coders.registry.get_coder(SourceItem)

    def read_records(self, file_name: str, range_tracker: iobase.RangeTracker) -> Iterator[SourceItem]:
        """Reads the starts in a range of one file, and all that belongs to each."""
        with self.open_file(file_name) as file:
            try:
                reader = RecordReader(file, file_name, self._max_record_bytes)
            except ValueError as error:
                raise ValueError(f"{file_name}: {error}") from error
            if reader.head(len(ARC_MAGIC)) == ARC_MAGIC:
                if range_tracker.start_position() == 0 and range_tracker.try_claim(0):
                    file.seek(0)
                    for found in read_arc(file, self._max_record_bytes):
                        yield from self._items(found, file_name)
                return
            start = reader.find_start(range_tracker.start_position())
            range_tracker.set_split_points_unclaimed_callback(lambda stop: _unclaimed(start, stop))
            if range_tracker.start_position() == 0:
                if start is None:
                    raise ValueError(_not_a_warc(file_name, reader))
                for damage in reader.leading_damage(start):
                    yield from self._items(damage, file_name)
            while start is not None and range_tracker.try_claim(start):
                start = yield from self._read_start(reader, start, file_name)

    def _read_start(self, reader: RecordReader, start: int, file_name: str) -> Generator[SourceItem, None, int | None]:
        reading = reader.read(start)
        while True:
            try:
                found = next(reading)
            except StopIteration as end:
                following: int | None = end.value
                return following
            yield from self._items(found, file_name)

    def _items(self, found: Record | Damage, file_name: str) -> Iterator[SourceItem]:
        if isinstance(found, Damage):
            count(f"records-damaged-{found.kind}")
            url, record_id = identity(found.headers)
            yield failure_item(Failure(url, record_id, file_name, found.offset, "read", found.kind, found.message))
            return
        count("records-read")
        outcome, trace = _contained(found, file_name, self._statuses, self._max_record_bytes)
        if isinstance(outcome, Skipped):
            count(f"records-skipped-{outcome.reason}")
        elif isinstance(outcome, Unreadable):
            count(f"records-unreadable-{outcome.kind}")
            url, record_id = identity(found.headers)
            where = (url, record_id, file_name, found.offset)
            yield failure_item(Failure(*where, outcome.stage, outcome.kind, outcome.message, trace))
        else:
            for note in outcome.notes:
                count(f"pages-{note}")
            if outcome.page.truncated:
                count("pages-truncated")
            yield page_item(outcome.page)


def _contained(
    record: Record, file_name: str, statuses: Collection[int] | None, max_bytes: int
) -> tuple[Page | Skipped | Unreadable, str | None]:
    """What a record holds; an error nobody foresaw costs that record, and comes with its traceback."""
    try:
        return page_of(record, file_name, statuses, max_bytes), None
    except BaseException as error:
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        return Unreadable("decode", type(error).__name__, str(error)), traceback.format_exc()


def _unclaimed(next_start: int | None, stop: float) -> int:
    """How many starts a range still holds, as far as is known: Beam asks to judge what a split would bring."""
    if next_start is None or next_start >= stop:
        return 0
    unknown: int = iobase.RangeTracker.SPLIT_POINTS_UNKNOWN
    return unknown


def _not_a_warc(file_name: str, reader: RecordReader) -> str:
    if reader.compression is None:
        return f"{file_name} is no WARC or ARC file: it begins with {reader.head(16)!r} and holds no record"
    return f"{file_name} is no WARC or ARC file: no compressed member of it begins with a record that can be read"


def _check_statuses(statuses: Collection[int] | None) -> None:
    if statuses is not None and not all(isinstance(status, int) and 100 <= status <= 999 for status in statuses):
        raise ValueError(f"statuses must be HTTP status codes (100 to 999) or None for all, not {statuses!r}")


@dataclasses.dataclass
class ReadFromWarc(beam.PTransform):  # type: ignore[misc]
    """Reads the pages of WARC files (`.warc`, `.warc.gz`, `.warc.zst`) and ARC files.

    One file is read by many workers: it is split at record starts, where the runner asks for it while reading, too, and
    every record is read exactly once however it is split. Damage costs the records it hits and no others.

    Records are counted in the namespace `mainextract`: `records-read`, of which `pages-read`, `records-skipped-REASON`
    (no page: `warcinfo`, `request`, `metadata`, `revisit`, `conversion`, `continuation`, `unknown-record-type`,
    `status`, `content-type`) and `records-unreadable-REASON`; beside them `records-damaged-KIND` (`corrupt`,
    `cut-off`, `length`, `header`, `garbage`), `pages-truncated` and `pages-NOTE` for odd encodings.

    Attributes:
        file_pattern: a file or a pattern of files, on any Beam file system.
        splittable: False reads every file from its beginning to its end: for crawls that hold WARC files inside WARC
            records, where a range can begin within such a file and take its records for the outer file's.
        statuses: HTTP status codes of pages wanted, None for all.
        max_record_bytes: bytes a record, and its content unpacked, may have; larger pages are failures.
        min_bundle_bytes: ranges are not split smaller than this.
        with_failures: the result has two PCollections, `pages` and `failures` (`Failure` rows: file, offset and kind of
            all damage and unreadable pages); else it is the pages, and failures are logged and counted only.
        validate: fail when the pipeline is built if the pattern matches no file.
        desired_bundle_bytes: size of the ranges that files are split into at first; None: by the size of all files.
    """

    file_pattern: str
    splittable: bool = True
    statuses: Collection[int] | None = DEFAULT_STATUSES
    max_record_bytes: int = DEFAULT_MAX_BYTES
    min_bundle_bytes: int = 0
    with_failures: bool = False
    validate: bool = True
    desired_bundle_bytes: int | None = None

    def __post_init__(self) -> None:
        super().__init__()
        _check_statuses(self.statuses)
        sizes = {"max_record_bytes": self.max_record_bytes, "desired_bundle_bytes": self.desired_bundle_bytes}
        check_source(self.file_pattern, self.validate, **sizes)

    def expand(self, pbegin: beam.pvalue.PBegin) -> Any:
        source = WarcSource(
            self.file_pattern,
            splittable=self.splittable,
            statuses=self.statuses,
            max_record_bytes=self.max_record_bytes,
            min_bundle_bytes=self.min_bundle_bytes,
            may_be_empty=not self.validate,
        )
        return route(pbegin | "Read" >> ReadSpread(source, self.desired_bundle_bytes), self.with_failures)


@dataclasses.dataclass
class ReadAllFromWarc(beam.PTransform):  # type: ignore[misc]
    """Reads the pages of the WARC and ARC files that a PCollection of file patterns (or Beam's FileMetadata) names.

    For lists of files too long for one pattern, or known only when the pipeline runs. Ranges of files are spread over
    the workers; what is read from them is not.

    Attributes:
        desired_bundle_bytes: size of the ranges.
        splittable, statuses, max_record_bytes, min_bundle_bytes, with_failures: as in `ReadFromWarc`.
    """

    splittable: bool = True
    statuses: Collection[int] | None = DEFAULT_STATUSES
    max_record_bytes: int = DEFAULT_MAX_BYTES
    desired_bundle_bytes: int = DEFAULT_BUNDLE_BYTES
    min_bundle_bytes: int = 0
    with_failures: bool = False

    def __post_init__(self) -> None:
        super().__init__()
        _check_statuses(self.statuses)
        sizes = {"max_record_bytes": self.max_record_bytes, "desired_bundle_bytes": self.desired_bundle_bytes}
        check_source("", False, **sizes)

    def expand(self, patterns: beam.PCollection) -> Any:
        source = WarcSource(
            "",
            splittable=self.splittable,
            statuses=self.statuses,
            max_record_bytes=self.max_record_bytes,
        )
        ranges = _ExpandIntoRanges(self.splittable, self.desired_bundle_bytes, self.min_bundle_bytes)
        items = (
            patterns
            | "Expand" >> beam.ParDo(ranges).with_output_types(tuple[str, int, int])
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.ParDo(_ReadRange(source))
        )
        return route(items, self.with_failures)


class _ExpandIntoRanges(beam.DoFn):  # type: ignore[misc]
    """Patterns to (path, start, stop), byte ranges of files."""

    def __init__(self, splittable: bool, desired_bytes: int, min_bytes: int) -> None:
        self._splittable = splittable
        self._desired_bytes = desired_bytes
        self._min_bytes = min_bytes

    def process(self, pattern: str | FileMetadata) -> Iterator[tuple[str, int, int]]:
        found = [pattern] if isinstance(pattern, FileMetadata) else matches(pattern)
        for file in found:
            whole = OffsetRange(0, file.size_in_bytes)
            for part in whole.split(self._desired_bytes, self._min_bytes) if self._splittable else [whole]:
                if part.stop > part.start:
                    yield file.path, part.start, part.stop


class _ReadRange(beam.DoFn):  # type: ignore[misc]
    def __init__(self, source: WarcSource) -> None:
        self._source = source

    def process(self, file_range: tuple[str, int, int]) -> Iterator[SourceItem]:
        path, start, stop = file_range
        return self._source.read_records(path, OffsetRangeTracker(start, stop))
