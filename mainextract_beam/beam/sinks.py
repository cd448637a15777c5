"""Sinks: extracted pages, or failures, to files that are whole or not there.

Rows are written where they are made, to files under a temporary name beside the output; only the names of finished
files cross a shuffle, to the one step that gives them their final names. A run that is killed leaves temporary files,
in a directory whose name begins with a dot, and none under a final name.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import re
import shutil
import typing
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import apache_beam as beam
from apache_beam.io.filesystem import BeamIOError, CompressionTypes
from apache_beam.io.filesystems import FileSystems
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.windowed_value import WindowedValue

from mainextract_beam.beam.formats import FORMATS, PAGE_FORMATS, Format
from mainextract_beam.beam.pages import ExtractedPage, Failure
from mainextract_beam.beam.paths import escaped, match

SHARD_BYTES = 256 << 20
"""Bytes, before compression, after which a worker begins another file."""

MAX_OPEN = 20
"""Files a worker holds open at a time, one to a window."""


class _WriteRows(beam.PTransform):  # type: ignore[misc]
    """Writes rows to shards `PREFIX-00000-of-00003.EXTENSION`, as many as workers wrote; gives their names.

    Where no row comes, one file without rows is written. In windows other than the global one, each window has its
    shards, named after it, from each pane that fires.
    """

    _format: typing.ClassVar[str]
    _row_type: typing.ClassVar[type[Any]] = ExtractedPage

    def __init__(self, prefix: str, *, compress: bool = False, overwrite: bool = False, shard_bytes: int = SHARD_BYTES) -> None:
        """Looks whether the files may be written.

        Args:
            prefix: How the files' paths begin, on any of Beam's file systems: `out/documents`.
            compress: Write gzip files (`.gz`); Parquet files are compressed anyway.
            overwrite: Replace the shards of this prefix and format that are there, all of them, once the new ones are
                whole.
            shard_bytes: Bytes, before compression, after which a worker begins another file.

        Raises:
            ValueError: A prefix that is a directory, or files already there.
        """
        super().__init__()
        form = FORMATS[self._format]
        check_prefix(prefix)
        self._prefix = prefix
        self._suffix = f".{form.extension}" + (".gz" if compress and not form.packed else "")
        if not overwrite and (there := shards_there(prefix, self._suffix)):
            raise ValueError(f"{there[0]} is there already; choose another output, or overwrite it")
        self._overwrite = overwrite
        self._shard_bytes = shard_bytes

    def clean(self) -> None:
        """Removes what earlier runs to the same files left unfinished."""
        remove_leftovers(self._prefix, self._suffix)

    def expand(self, pcoll: beam.PCollection[Any]) -> beam.PCollection[str]:
        """Writes."""
        temporary = temporary_directory(self._prefix, self._suffix)
        shards = _Shards(self._format, self._row_type, self._prefix, self._suffix, temporary)
        written = pcoll | "Write" >> beam.ParDo(_WriteShardsFn(shards, self._shard_bytes)).with_output_types(tuple[str, str])
        if pcoll.windowing.is_default():
            # Without it nothing would name, and end, an output without rows.
            begin = pcoll.pipeline | "Begin" >> beam.Create([("", "")])
            written = (written, begin) | "WithBegin" >> beam.Flatten()
        name = _NameShardsFn(shards, self._overwrite)
        return written | "Gather" >> beam.GroupByKey() | "Name" >> beam.ParDo(name).with_output_types(str)


class WriteDocumentsToXml(_WriteRows):
    """Writes ExtractedPages to XML files, `PREFIX-00000-of-00003.xml`: a `documents` element each."""

    _format = "xml"


class WriteDocumentsToParquet(_WriteRows):
    """Writes ExtractedPages to Parquet files, a column to each field; memory is bounded by bytes, not by rows."""

    _format = "parquet"


class WriteDocumentsToJsonLines(_WriteRows):
    """Writes ExtractedPages to JSON Lines files."""

    _format = "jsonl"


class WriteDocumentsToText(_WriteRows):
    """Writes the text of ExtractedPages, with a form feed on a line of its own after each."""

    _format = "text"


class WriteDocumentsToMarkdown(_WriteRows):
    """Writes ExtractedPages as Markdown, each after a block of YAML that states what is known of it, with a form feed after."""

    _format = "markdown"


class WriteDocumentsToHtml(_WriteRows):
    """Writes ExtractedPages as HTML that is safe to show, a whole document each, with a form feed on a line of its own after."""

    _format = "html"


class WriteFailures(_WriteRows):
    """Writes Failures to JSON Lines files: what is needed to find each page and replay it."""

    _format = "jsonl"
    _row_type = Failure


class WriteDocumentsToFiles(beam.PTransform):  # type: ignore[misc]
    """Writes each ExtractedPage to a file of its own in a directory; gives their paths.

    A file is named after the page's URL and a digest of where the page was read, so that a page gets the same name in
    every run. XML files hold one `document` element.
    """

    def __init__(self, directory: str, *, form: str = "xml", overwrite: bool = False) -> None:
        """Looks whether the files may be written.

        Args:
            directory: Where to, on any of Beam's file systems.
            form: One of `PAGE_FORMATS`.
            overwrite: Write also where files of this format are there; those of the same pages are replaced.

        Raises:
            ValueError: An unknown format, or files of this format already there.
        """
        super().__init__()
        if form not in PAGE_FORMATS:
            raise ValueError(f"there are no files of one page as {form!r}; the formats are {', '.join(PAGE_FORMATS)}")
        extension, _ = PAGE_FORMATS[form]
        if not overwrite and (there := _match(FileSystems.join(escaped(directory), f"*.{extension}"))):
            raise ValueError(f"{there[0]} is there already; choose another output, or overwrite it")
        self._directory = directory
        self._form = form
        self._pages = FileSystems.join(directory, "page"), f".{extension}"

    def clean(self) -> None:
        """Removes what earlier runs to the same files left unfinished."""
        remove_leftovers(*self._pages)

    def expand(self, pcoll: beam.PCollection[Any]) -> beam.PCollection[str]:
        """Writes."""
        temporary = temporary_directory(*self._pages)
        return pcoll | "Write" >> beam.ParDo(_WritePageFn(self._directory, self._form, temporary)).with_output_types(str)


class _WritePageFn(beam.DoFn):  # type: ignore[misc]
    """Writes a page under a temporary name and renames it."""

    def __init__(self, directory: str, form: str, temporary: str) -> None:
        self._directory = directory
        self._form = form
        self._temporary = temporary

    def process(self, page: ExtractedPage) -> Iterator[str]:
        """Writes one page."""
        extension, render = PAGE_FORMATS[self._form]
        target = FileSystems.join(self._directory, f"{page_name(page)}.{extension}")
        source = FileSystems.join(self._temporary, uuid.uuid4().hex)
        with FileSystems.create(source, compression_type=CompressionTypes.UNCOMPRESSED) as stream:
            stream.write(render(page))
        _rename(source, target)
        yield target

    def teardown(self) -> None:
        """Removes the directory of temporary names once it is empty."""
        with contextlib.suppress(OSError):
            Path(self._temporary).rmdir()


def page_name(page: ExtractedPage) -> str:
    """Returns a file name for a page, without extension: readable, and different for different records."""
    readable = re.sub(r"[^\w.-]+", "-", re.sub(r"^\w+://", "", page.url)).strip("-.")[:80]
    record = [page.url, page.record_id, page.fetch_date, (page.source_file or "").rpartition("/")[2], page.offset]
    return f"{readable}-{hashlib.sha256(repr(record).encode(errors='replace')).hexdigest()[:12]}"


SINKS: dict[str, type[_WriteRows]] = {
    "xml": WriteDocumentsToXml,
    "parquet": WriteDocumentsToParquet,
    "jsonl": WriteDocumentsToJsonLines,
    "json": WriteDocumentsToJsonLines,
    "text": WriteDocumentsToText,
    "markdown": WriteDocumentsToMarkdown,
    "html": WriteDocumentsToHtml,
}
"""The sinks of documents, by format."""

WITH_TEXT = frozenset({"parquet", "jsonl", "json"})
"""Formats that hold the text of pages beside their XML."""

WITH_METADATA = frozenset({"parquet", "jsonl", "json", "markdown", "html"})
"""Formats whose pages come with their metadata whatever the method. Those of XML do where it is asked for, since reading it
costs `regions` half as much again; those of text have no place for it."""


class _Shards(typing.NamedTuple):
    """The files of a sink: what is in them, and how their final and their temporary names begin and end."""

    form: str
    row_type: type[Any]
    prefix: str
    suffix: str
    temporary: str

    def begin(self, name: str) -> _Shard:
        """Begins a file under a temporary name."""
        return _Shard(FileSystems.join(self.temporary, f"{name}{self.suffix}"), FORMATS[self.form], self.row_type)


class _Shard:
    """A file being written."""

    def __init__(self, path: str, form: Format, row_type: type[Any]) -> None:
        self.path = path
        self.size = 0
        self._file = FileSystems.create(path, form.media_type, CompressionTypes.UNCOMPRESSED)
        self._stream: BinaryIO = self._file
        if path.endswith(".gz"):
            self._stream = cast(BinaryIO, gzip.GzipFile("", "wb", 6, self._file, mtime=0))
        self._writer = form.writer(self._stream, row_type)

    def write(self, row: Any) -> None:
        self.size += self._writer.write(row)

    def close(self) -> None:
        self._writer.close()
        if self._stream is not self._file:
            self._stream.close()
        self._file.close()


class _WriteShardsFn(beam.DoFn):  # type: ignore[misc]
    """Writes the rows of a bundle to temporary files, and gives the name of each once it is whole."""

    def __init__(self, shards: _Shards, shard_bytes: int) -> None:
        self._shards = shards
        self._shard_bytes = shard_bytes

    def start_bundle(self) -> None:
        """Begins names no other bundle, and no other try of this one, has."""
        self._bundle = uuid.uuid4().hex
        self._begun = 0
        self._open: dict[Any, _Shard] = {}

    def process(self, row: Any, window: Any = beam.DoFn.WindowParam) -> Iterator[tuple[str, str]]:
        """Writes one row."""
        shard = self._open.get(window)
        if shard is None:
            if len(self._open) == MAX_OPEN:
                oldest = next(iter(self._open))
                yield cast(Any, self._closed(oldest))
            shard = self._open[window] = self._shards.begin(f"{self._bundle}-{self._begun:05}")
            self._begun += 1
        shard.write(row)
        if shard.size >= self._shard_bytes:
            yield cast(Any, self._closed(window))

    def finish_bundle(self) -> Iterator[Any]:
        """Ends the files that are open."""
        for window in list(self._open):
            yield self._closed(window)

    def _closed(self, window: Any) -> WindowedValue:
        shard = self._open.pop(window)
        shard.close()
        return WindowedValue(("", shard.path), window.max_timestamp(), [window])


class _NameShardsFn(beam.DoFn):  # type: ignore[misc]
    """Gives the temporary files of a window their final names. A second try finds the work done and does the rest."""

    def __init__(self, shards: _Shards, overwrite: bool) -> None:
        self._shards = shards
        self._overwrite = overwrite

    def process(
        self,
        named: tuple[str, Iterable[str]],
        window: Any = beam.DoFn.WindowParam,
        pane: Any = beam.DoFn.PaneInfoParam,
    ) -> Iterator[str]:
        """Renames, and yields the final names."""
        # A worker that was lost after its bundle was committed may have it written again: the same name twice is one.
        _, _, prefix, suffix, temporary = self._shards
        sources = sorted({path for path in named[1] if path})
        whole = isinstance(window, GlobalWindow)
        if not sources:
            empty = self._shards.begin("empty")
            empty.close()
            sources = [empty.path]
        first = prefix if whole else f"{prefix}-{_window_name(window, pane)}"
        targets = [shard_name(first, number, len(sources), suffix) for number in range(len(sources))]
        if whole and self._overwrite:
            names = {FileSystems.split(target)[1] for target in targets}
            stale = [path for path in shards_there(prefix, suffix) if FileSystems.split(path)[1] not in names]
            if stale:
                FileSystems.delete([escaped(path) for path in stale])
        for source, target in zip(sources, targets, strict=True):
            if FileSystems.exists(source):
                _rename(source, target)
            elif not FileSystems.exists(target):
                raise FileNotFoundError(f"{source} is gone before it became {target}")
        if whole:
            remove_directory(temporary)
        yield from targets


def _rename(source: str, target: str) -> None:
    if "://" in target and FileSystems.exists(target):  # on a local file system renaming replaces, at once
        FileSystems.delete([escaped(target)])
    FileSystems.rename([source], [target])


def remove_directory(path: str) -> None:
    """Removes a directory and what is in it, or, where there are no directories, what is under the path."""
    if "://" not in path:
        shutil.rmtree(path, ignore_errors=True)
    elif there := _match(FileSystems.join(escaped(path), "*")):
        with contextlib.suppress(BeamIOError):  # another try of the same step may have been faster
            FileSystems.delete([escaped(entry) for entry in there])


def _window_name(window: Any, pane: Any) -> str:
    start, end = (moment.to_rfc3339().replace(":", "") for moment in (window.start, window.end))
    index = "" if pane.is_first and pane.is_last else f"-pane-{pane.index}"
    return f"{start}-{end}{index}"


def shard_name(prefix: str, number: int, total: int, suffix: str) -> str:
    """Returns the final name of a shard."""
    return f"{prefix}-{number:05}-of-{total:05}{suffix}"


def shards_there(prefix: str, suffix: str) -> list[str]:
    """Returns the paths of shards of this prefix and suffix that exist."""
    _, tail = FileSystems.split(prefix)
    shape = re.compile(rf"{re.escape(tail)}-\d{{5,}}-of-\d{{5,}}{re.escape(suffix)}")
    found = _match(f"{escaped(prefix)}-*-of-*{suffix}")
    return [path for path in found if shape.fullmatch(FileSystems.split(path)[1])]


def _match(pattern: str) -> list[str]:
    try:
        return sorted(entry.path for entry in match(pattern))
    except BeamIOError:
        return []


def check_prefix(prefix: str) -> None:
    """Raises a ValueError where a prefix of paths is a directory."""
    if not prefix or prefix.endswith(("/", "\\")) or _is_directory(prefix):
        example = FileSystems.join(prefix or ".", "documents")
        raise ValueError(f"{prefix!r} is a directory; give the beginning of the files' names, such as {example!r}")


def _is_directory(path: str) -> bool:
    return "://" not in path and Path(path).is_dir()


def temporary_directory(prefix: str, suffix: str) -> str:
    """Returns the path of a directory beside the output, of this run alone."""
    return f"{_temporary_directories(prefix, suffix)}{uuid.uuid4().hex[:12]}"


def _temporary_directories(prefix: str, suffix: str) -> str:
    head, tail = FileSystems.split(prefix)
    return str(FileSystems.join(head, f".{tail}{suffix}.part-"))


def remove_leftovers(prefix: str, suffix: str) -> None:
    """Removes the temporary files of runs to the same files that were killed."""
    begin = _temporary_directories(prefix, suffix)
    for path in {FileSystems.split(path)[0] for path in _match(f"{escaped(begin)}*/*")}:
        remove_directory(path)
