"""What the sources have in common: their elements, their two outputs, their counters."""

from __future__ import annotations

import copy
import logging
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import apache_beam as beam
from apache_beam.io import filebasedsource, iobase
from apache_beam.io.filesystem import CompressionTypes, FileMetadata
from apache_beam.metrics import Metrics

from mainextract_beam.beam import paths
from mainextract_beam.beam.pages import Failure, WebPage, register_row

NAMESPACE = "mainextract"
PAGES = "pages"
FAILURES = "failures"
DEFAULT_MAX_BYTES = 32 * 1024 * 1024

_LOGGER = logging.getLogger(__name__)


class SourceItem(NamedTuple):
    """What a source gives: a page, or a failure to read one."""

    page: WebPage | None
    failure: Failure | None


register_row(SourceItem)


def count(name: str, amount: int = 1) -> None:
    """Adds to a counter of the running step."""
    Metrics.counter(NAMESPACE, name).inc(amount)


def page_item(page: WebPage) -> SourceItem:
    """Counts a page and wraps it."""
    count("pages-read")
    count("bytes-read", len(page.content))
    return SourceItem(page, None)


def failure_item(failure: Failure) -> SourceItem:
    """Logs a failure and wraps it; the counters are the caller's."""
    _LOGGER.warning("%s:%s: %s: %s", failure.source_file, failure.offset, failure.exception, failure.message)
    return SourceItem(None, failure)


class _Route(beam.DoFn):  # type: ignore[misc]
    """Sends pages and failures their ways."""

    def process(self, item: SourceItem) -> Iterator[Any]:
        if item.page is not None:
            yield item.page
        if item.failure is not None:
            yield beam.pvalue.TaggedOutput(FAILURES, item.failure)


def route(items: beam.PCollection, with_failures: bool) -> Any:
    """Splits a source's items into `pages` and `failures`.

    Returns:
        With failures the two as attributes of one result, else the pages.
    """
    items.element_type = SourceItem  # Beam's readers leave it open, and would fall back on pickling
    routed = items | "Route" >> beam.ParDo(_Route()).with_outputs(FAILURES, main=PAGES)
    routed.pages.element_type = WebPage
    routed.failures.element_type = Failure
    return routed if with_failures else routed.pages


def matches(file_pattern: str, limit: int | None = None) -> list[FileMetadata]:
    """The files of a pattern.

    Raises:
        FileNotFoundError: there are none.
    """
    found = paths.match(file_pattern, limit)
    if not found:
        raise FileNotFoundError(f"no file matches {file_pattern!r}")
    return found


def first_match(file_pattern: str) -> str:
    """The first file of a pattern, as `matches`."""
    path: str = matches(file_pattern, limit=1)[0].path
    return path


def check_source(file_pattern: str, validate: bool, **sizes: int | None) -> str | None:
    """Checks what every source of files is given.

    Args:
        file_pattern: the pattern of its files.
        validate: whether one has to be there.
        **sizes: numbers of bytes by name; None for one that is left to the source.

    Returns:
        The first file, None where none has to be there.

    Raises:
        ValueError: a number of bytes lets nothing through.
        FileNotFoundError: there is no file.
    """
    for name, value in sizes.items():
        if value is not None and value <= 0:
            raise ValueError(f"{name} must be positive, not {value!r}")
    return first_match(file_pattern) if validate else None


class PatternSource(filebasedsource.FileBasedSource):  # type: ignore[misc]
    """A source of the files of a pattern; the positions in each are its subclass's.

    Where the workers see no file of the pattern (it is on another machine's disk, or gone), reading fails: Beam's own
    sources would give nothing, without a word.
    """

    def __init__(self, file_pattern: str, *, splittable: bool, min_bundle_bytes: int = 0, may_be_empty: bool = False) -> None:
        # The compression is the reader's own business: told of it, Beam would decompress and could not split.
        super().__init__(
            paths.beam_pattern(file_pattern),
            min_bundle_size=min_bundle_bytes,
            compression_type=CompressionTypes.UNCOMPRESSED,
            splittable=splittable,
            validate=False,
        )
        self._may_be_empty = may_be_empty

    def split(self, *args: Any, **kwargs: Any) -> Any:
        """As the base class does, where there is a file.

        Raises:
            FileNotFoundError: There is none.
        """
        if not self._may_be_empty:
            first_match(self._pattern.get())
        return super().split(*args, **kwargs)

    def ranges(self, desired_bytes: int) -> Iterator[iobase.BoundedSource]:
        """Sources of a part each of what this one reads: ranges of files, or files where they are not to be split."""
        if self.splittable:
            for bundle in self.split(desired_bytes):
                yield bundle.source
            return
        # Split, they would be ranges without an end, whose size Beam's reader cannot tell.
        for file in paths.match(self._pattern.get()) if self._may_be_empty else matches(self._pattern.get()):
            part = copy.copy(self)
            PatternSource.__init__(part, paths.escaped(file.path), splittable=False)
            yield part


MIN_RANGE_BYTES = 1 << 20
MAX_RANGE_BYTES = 256 << 20


def range_bytes(total: int) -> int:
    """How large the ranges are that files of so many bytes in all are split into at first.

    Many enough for all workers of a small job, few enough that naming them costs nothing in a large one.
    """
    return min(MAX_RANGE_BYTES, max(MIN_RANGE_BYTES, int(1000 * math.sqrt(total))))


class ReadSpread(beam.PTransform):  # type: ignore[misc]
    """Reads a source as `beam.io.Read` does, with its ranges shuffled over the workers first.

    Some runners (Flink, Spark) leave the ranges of `beam.io.Read` on the worker that listed them, which then reads all
    of them alone. The ranges can still be split further while they are read.
    """

    def __init__(self, source: PatternSource, desired_bundle_bytes: int | None = None) -> None:
        super().__init__()
        self._source = source
        self._desired = desired_bundle_bytes

    def expand(self, pbegin: beam.pvalue.PBegin) -> beam.PCollection:
        """Reads."""
        return (
            pbegin
            | "Source" >> beam.Create([self._source])
            | "Split" >> beam.FlatMap(_ranges, self._desired).with_output_types(iobase.BoundedSource)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> iobase.SDFBoundedSourceReader(self._source.display_data())
        )


def _ranges(source: PatternSource, desired_bytes: int | None) -> Iterator[iobase.BoundedSource]:
    yield from source.ranges(desired_bytes or range_bytes(source.estimate_size()))
