"""The transforms as Beam YAML takes them: options that YAML can state, rows in and out, outputs by name.

`templates/yaml/provider.yaml` gives them their names in a pipeline. Every option is checked when the pipeline is built.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import apache_beam as beam

from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.parquet import ReadPagesFromParquet
from mainextract_beam.beam.sinks import SINKS, WriteFailures
from mainextract_beam.beam.transforms import ExtractPages
from mainextract_beam.beam.warc import ReadFromWarc


class _Named(beam.PTransform):  # type: ignore[misc]
    """A transform whose outputs go by name."""

    def __init__(self, transform: beam.PTransform, *outputs: str) -> None:
        super().__init__()
        self._transform = transform
        self._outputs = outputs

    def expand(self, pcoll: Any) -> dict[str, beam.PCollection[Any]]:
        """Applies it."""
        result = pcoll | self._transform
        return {name: result[name] for name in self._outputs}


def read_pages_from_warc(path: str, whole_files: bool = False, statuses: list[int] | None = None) -> beam.PTransform:
    """Reads the pages of WARC files; outputs `pages` and `failures`.

    Args:
        path: A file or a pattern.
        whole_files: Never split a file.
        statuses: HTTP status codes of the pages wanted; 200 where none are given.
    """
    wanted: dict[str, Any] = {} if statuses is None else {"statuses": statuses}
    return _Named(ReadFromWarc(path, splittable=not whole_files, with_failures=True, **wanted), "pages", "failures")


def read_pages_from_parquet(path: str, html: str = "html", url: str = "url") -> beam.PTransform:
    """Reads the pages of Parquet tables; outputs `pages` and `failures`.

    Args:
        path: A file or a pattern.
        html: The column of pages, binary or text.
        url: The column of URLs.
    """
    return _Named(ReadPagesFromParquet(path, html=html, url=url, with_failures=True), "pages", "failures")


class ExtractMainContent(beam.PTransform):  # type: ignore[misc]
    """Rows of pages to rows of documents; outputs `documents` and `failures`.

    The rows may come from any source: they hold `url` and `content` (bytes or text), and may hold the other fields of a
    page (`content_type`, `charset`, `fetch_date`, `record_id` ...).
    """

    def __init__(
        self,
        method: str = "regions",
        options: Mapping[str, Any] | None = None,
        max_bytes: int | None = None,
        max_elements: int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Checks the options.

        Args:
            method: The extraction method.
            options: The method's options.
            max_bytes: Bytes of a page beyond which it is a failure; the package's own limit where none is given.
            max_elements: Elements of a page, likewise.
            timeout: Seconds for one page, likewise.
        """
        super().__init__()
        limits = {"max_bytes": max_bytes, "max_elements": max_elements, "timeout": timeout}
        stated: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
        self._extract = ExtractPages(method, **stated, **(options or {}))

    def expand(self, pcoll: beam.PCollection[Any]) -> dict[str, beam.PCollection[Any]]:
        """Extracts."""
        pages = pcoll | "Pages" >> beam.Map(_page).with_output_types(WebPage)
        return pages | "Extract" >> _Named(self._extract, "documents", "failures")  # type: ignore[no-any-return]


def _page(row: Any) -> WebPage:
    if isinstance(row, WebPage):
        return row
    fields = {name: getattr(row, name) for name in WebPage._fields if hasattr(row, name)}
    if isinstance(fields.get("content"), str):
        # Text has no encoding left to find; a page's own statement of one would mislead.
        fields |= {"content": fields["content"].encode("utf-8", "replace"), "charset": "utf-8"}
    return WebPage(**fields)


def write_documents(
    path: str,
    format: str = "xml",  # noqa: A002 - its name in YAML
    compress: bool = False,
    overwrite: bool = False,
) -> beam.PTransform:
    """Writes rows of documents to files.

    Args:
        path: How the files' paths begin.
        format: xml, parquet, jsonl or text.
        compress: Write gzip files.
        overwrite: Replace files of an earlier run.
    """
    if format not in SINKS:
        raise ValueError(f"format must be one of {', '.join(SINKS)}, not {format!r}")
    return SINKS[format](path, compress=compress, overwrite=overwrite)


def write_failures(path: str, overwrite: bool = False) -> beam.PTransform:
    """Writes rows of failures to JSON Lines files whose paths begin with `path`."""
    return WriteFailures(path, overwrite=overwrite)
