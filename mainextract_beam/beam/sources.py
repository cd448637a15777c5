"""The sources of the pipelines: each read by a pipeline, or page by page for a first look."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import apache_beam as beam

from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.run import Failures, Pages, Source
from mainextract_beam.beam.warc import DEFAULT_MAX_RECORD_BYTES, DEFAULT_STATUSES, ReadFromWarc, WarcSource


def _record_bytes(options: argparse.Namespace) -> int:
    return max(DEFAULT_MAX_RECORD_BYTES, options.max_bytes or 1 << 40)


def _read_warc(pipeline: beam.Pipeline, options: argparse.Namespace) -> tuple[Pages, Failures]:
    read = pipeline | "ReadFromWarc" >> ReadFromWarc(
        options.input,
        splittable=not options.whole_files,
        max_record_bytes=_record_bytes(options),
        with_failures=True,
    )
    return read.pages, read.failures


def _first_of_warc(options: argparse.Namespace) -> Iterator[WebPage]:
    for entry in options.inputs:
        source = WarcSource(
            entry.path, splittable=False, statuses=DEFAULT_STATUSES, max_record_bytes=_record_bytes(options)
        )
        for item in source.read(source.get_range_tracker(None, None)):
            if item.page is not None:
                yield item.page


WARC = Source(_read_warc, _first_of_warc, counts_bytes=True)
