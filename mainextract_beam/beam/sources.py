"""The sources of the pipelines: each read by a pipeline, or page by page for a first look."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import apache_beam as beam

from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.parquet import ParquetPagesSource, ReadPagesFromParquet
from mainextract_beam.beam.paths import escaped
from mainextract_beam.beam.run import Failures, Pages, Source
from mainextract_beam.beam.source_items import DEFAULT_MAX_BYTES
from mainextract_beam.beam.warc import DEFAULT_STATUSES, ReadFromWarc, WarcSource


def _max_bytes(options: argparse.Namespace) -> int:
    """What a source may hold of a page: what extraction takes, or, where that is without limit, anything."""
    return int(max(DEFAULT_MAX_BYTES, options.max_bytes or 1 << 40))


def _read_warc(pipeline: beam.Pipeline, options: argparse.Namespace) -> tuple[Pages, Failures]:
    read = pipeline | "ReadFromWarc" >> ReadFromWarc(
        options.input,
        splittable=not options.whole_files,
        max_record_bytes=_max_bytes(options),
        with_failures=True,
        desired_bundle_bytes=options.bundle_bytes,
    )
    return read.pages, read.failures


def _first_of_warc(options: argparse.Namespace) -> Iterator[WebPage]:
    for entry in options.inputs:
        source = WarcSource(escaped(entry.path), splittable=False, statuses=DEFAULT_STATUSES, max_record_bytes=_max_bytes(options))
        yield from _pages(source)


def _parquet(options: argparse.Namespace) -> ReadPagesFromParquet:
    return ReadPagesFromParquet(
        options.input,
        html=options.html_column,
        url=options.url_column,
        content_type=options.content_type_column,
        charset=options.charset_column,
        fetch_date=options.fetch_date_column,
        record_id=options.record_id_column,
        digest=options.digest_column,
        max_bytes=_max_bytes(options),
        with_failures=True,
        desired_bundle_bytes=options.bundle_bytes,
    )


def _read_parquet(pipeline: beam.Pipeline, options: argparse.Namespace) -> tuple[Pages, Failures]:
    read = pipeline | "ReadPagesFromParquet" >> _parquet(options)
    return read.pages, read.failures


def _first_of_parquet(options: argparse.Namespace) -> Iterator[WebPage]:
    columns = _parquet(options)._columns()
    for entry in options.inputs:
        yield from _pages(ParquetPagesSource(escaped(entry.path), columns, _max_bytes(options)))


def _pages(source: Any) -> Iterator[WebPage]:
    for item in source.read(source.get_range_tracker(None, None)):
        if item.page is not None:
            yield item.page


WARC = Source(_read_warc, _first_of_warc, counts_bytes=True)
PARQUET = Source(_read_parquet, _first_of_parquet, counts_bytes=False)
