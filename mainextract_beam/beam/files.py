"""Beam source of plain HTML files."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator
from typing import Any

import apache_beam as beam
from apache_beam.io import fileio
from apache_beam.io.filesystem import CompressionTypes

from mainextract_beam.beam.pages import Failure, WebPage
from mainextract_beam.beam.paths import beam_pattern
from mainextract_beam.beam.source_items import (
    DEFAULT_MAX_BYTES,
    SourceItem,
    check_source,
    count,
    failure_item,
    page_item,
    route,
)

_XHTML_ENDINGS = (".xhtml", ".xht")


class _ReadPage(beam.DoFn):  # type: ignore[misc]
    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    def process(self, file: fileio.ReadableFile) -> Iterator[SourceItem]:
        path: str = file.metadata.path
        count("files-read")
        try:
            with file.open(compression_type=CompressionTypes.AUTO) as stream:
                content = stream.read(self._max_bytes + 1)
        except Exception as error:  # what a file system or a decompressor raises is not for us to list
            count("files-unreadable-corrupt")
            name = type(error).__name__
            yield failure_item(Failure(_url_of(path), None, path, 0, "read", name, str(error)))
            return
        if len(content) > self._max_bytes:
            count("files-unreadable-too-large")
            message = f"the page has more than {self._max_bytes} bytes"
            yield failure_item(Failure(_url_of(path), None, path, 0, "read", "too-large", message))
            return
        bare = path.lower().removesuffix(".gz")
        content_type = "application/xhtml+xml" if bare.endswith(_XHTML_ENDINGS) else "text/html"
        yield page_item(WebPage(_url_of(path), content, content_type, source_file=path, offset=0))


def _url_of(path: str) -> str:
    """A path as a URL: as it is where it has a scheme, else a `file:` URL."""
    return path if "://" in path else pathlib.Path(path).absolute().as_uri()


@dataclasses.dataclass
class ReadPagesFromFiles(beam.PTransform):  # type: ignore[misc]
    """Reads files that hold one page each; `.xhtml` and `.xht` are XHTML, those that end in `.gz` are decompressed.

    Files are counted in the namespace `mainextract`: `files-read`, of which `pages-read` and `files-unreadable-REASON`.

    Attributes:
        file_pattern: a file or a pattern of files, on any Beam file system.
        max_bytes: bytes a page may have; larger ones are failures.
        with_failures: as in `ReadFromWarc`.
        validate: fail when the pipeline is built if the pattern matches no file.
    """

    file_pattern: str
    max_bytes: int = DEFAULT_MAX_BYTES
    with_failures: bool = False
    validate: bool = True

    def __post_init__(self) -> None:
        super().__init__()
        check_source(self.file_pattern, self.validate, max_bytes=self.max_bytes)

    def expand(self, pbegin: beam.pvalue.PBegin) -> Any:
        # A worker that sees no file where this process saw some must say so.
        empty = fileio.EmptyMatchTreatment.DISALLOW if self.validate else fileio.EmptyMatchTreatment.ALLOW
        items = (
            pbegin
            | "Match" >> fileio.MatchFiles(beam_pattern(self.file_pattern), empty)
            | "Open" >> fileio.ReadMatches(compression=CompressionTypes.AUTO)
            | "Read" >> beam.ParDo(_ReadPage(self.max_bytes))
        )
        return route(items, self.with_failures)
