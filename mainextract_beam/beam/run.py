"""What the pipelines share: options, source, extraction, sinks, progress, and the table at the end."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions

from mainextract_beam.beam import metrics, progress
from mainextract_beam.beam.formats import RENDERINGS
from mainextract_beam.beam.options import LOCAL_RUNNERS, UsageError, parse
from mainextract_beam.beam.pages import ExtractedPage, Failure, WebPage
from mainextract_beam.beam.sinks import SINKS, WITH_METADATA, WITH_TEXT, WriteDocumentsToFiles, WriteFailures
from mainextract_beam.beam.transforms import ExtractPages
from mainextract_beam.beam.work import Failed

Pages: TypeAlias = "beam.PCollection[WebPage]"
Failures: TypeAlias = "beam.PCollection[Failure]"


class Source(NamedTuple):
    """Where a pipeline's pages come from."""

    read: Callable[[beam.Pipeline, argparse.Namespace], tuple[Pages, Failures | None]]
    """Adds the source to a pipeline; gives its pages and the failures to read."""
    first: Callable[[argparse.Namespace], Iterator[WebPage]]
    """Reads pages one by one, without a pipeline."""
    counts_bytes: bool
    """Offsets of pages are bytes of the file."""


class TooManyFailuresError(RuntimeError):
    """More pages failed than a run may have."""


class _StopFn(beam.DoFn):  # type: ignore[misc]
    """Passes failures on, until there are too many: of all workers that see the board, else of this process."""

    _seen: ClassVar[dict[str, int]] = {}  # by run, of this process: bundles come and go
    _lock = threading.Lock()

    def __init__(self, most: int, run: str, board: str | None) -> None:
        self._most = most
        self._run = run
        self._board = board

    def process(self, failure: Failure) -> Iterator[Failure]:
        """Counts one failure."""
        with self._lock:
            self._seen[self._run] = seen = self._seen.get(self._run, 0) + 1
        if self._board is not None:
            seen = max(seen, progress.tally(self._board))
        if seen > self._most:
            raise TooManyFailuresError(
                f"more than {self._most} pages failed; the last: {failure.url} ({failure.source_file}, "
                f"offset {failure.offset}): {failure.stage}: {failure.exception}: {failure.message}"
            )
        yield failure


def run(program: str, description: str, source: Source, form: str, arguments: Sequence[str] | None = None) -> int:
    """Runs a pipeline from a command line.

    Args:
        program: Its name.
        description: What it does, for --help.
        source: Where its pages come from.
        form: The format it writes where none is stated.
        arguments: The command line. None: the process's own.

    Returns:
        The exit status: 0 after a run, 1 where it was stopped, 2 for a command line that cannot be run.
    """
    _log_lines()
    try:
        options = parse(program, description, [form], sys.argv[1:] if arguments is None else arguments)
        if options.preview is not None:
            return _preview(source, options)
        return _run(program, source, options)
    except UsageError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2


def _log_lines() -> None:
    progress.LOGGER.setLevel(logging.INFO)
    progress.LOGGER.propagate = False
    if not progress.LOGGER.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        progress.LOGGER.addHandler(handler)


def _run(program: str, source: Source, options: argparse.Namespace) -> int:
    beam_options = _beam_options(options)
    runner = beam_options.view_as(StandardOptions).runner
    local = runner.rpartition(".")[2] in LOCAL_RUNNERS
    if not local:
        _make_paths_absolute(options)
    size = sum(entry.size_in_bytes for entry in options.inputs) if source.counts_bytes else None
    # Workers elsewhere leave no notes here.
    with progress.watched(size) if local else contextlib.nullcontext() as board:
        pipeline = beam.Pipeline(options=beam_options)
        try:
            sinks = build(pipeline, source, options, board)
        except ValueError as error:
            raise UsageError(" ".join(str(error).split())) from error
        for sink in sinks:
            sink.clean()
        try:
            result = pipeline.run()
            if not local and "Dataflow" in runner:
                print(f"{program}: submitted; the service goes on by itself")
                return 0
            result.wait_until_finish()
        except KeyboardInterrupt:
            for sink in sinks:
                sink.clean()
            print(f"{program}: interrupted; nothing was written", file=sys.stderr)
            return 130
        except Exception as error:
            for sink in sinks:
                sink.clean()
            kind, message = _reason(error)
            if kind == TooManyFailuresError.__name__:
                print(f"{program}: stopped: {message}", file=sys.stderr)
                return 1
            if kind not in _TOLD_IN_A_LINE:
                raise
            print(f"{program}: the run failed: {message}", file=sys.stderr)
            return 2
        # An engine that ran a step again, for a worker it lost, leaves what the first try wrote.
        for sink in sinks:
            sink.clean()
    numbers = metrics.report(metrics.counts(result))
    print(metrics.table(numbers))
    if options.metrics_file:
        Path(options.metrics_file).write_text(json.dumps(numbers, indent=2) + "\n")
    where = f"in {options.output}" if options.files else f"in {options.output}-*"
    failed = f"; failures in {options.failures}-*" if numbers["failures"] else ""
    print(f"{numbers['documents']:,} documents {where}{failed}")
    return 0


def build(pipeline: beam.Pipeline, source: Source, options: argparse.Namespace, board: str | None = None) -> list[Any]:
    """Adds everything to a pipeline: read, extract, write; pages go from one step to the next without a shuffle.

    Returns:
        The sinks.
    """
    pages, unread = source.read(pipeline, options)
    if board is not None:
        pages = pages | "Watch" >> beam.ParDo(progress.CountPagesFn(board)).with_output_types(WebPage)
    documents, failures = pages | "Extract" >> ExtractPages(
        options.method, text=options.format in WITH_TEXT, metadata=_metadata(options), **_limits(options), **options.method_options
    )
    if unread is not None:
        failures = (failures, unread) | "AllFailures" >> beam.Flatten()
    if board is not None:
        failures = failures | "WatchFailures" >> beam.ParDo(progress.CountFailuresFn(board)).with_output_types(Failure)
    if options.max_failures is not None:
        stop = _StopFn(options.max_failures, os.urandom(8).hex(), board)
        failures = failures | "StopAt" >> beam.ParDo(stop).with_output_types(Failure)
    overwrite, compress = options.overwrite, options.compress
    write: Any
    if options.files:
        write = WriteDocumentsToFiles(options.output, form=options.format, overwrite=overwrite)
    else:
        write = SINKS[options.format](options.output, compress=compress, overwrite=overwrite, shard_bytes=options.shard_bytes)
    write_failures = WriteFailures(options.failures, compress=compress, overwrite=overwrite)
    _ = documents | "WriteDocuments" >> write
    _ = failures | "WriteFailures" >> write_failures
    return [write, write_failures]


def _beam_options(options: argparse.Namespace) -> PipelineOptions:
    flags = list(options.beam_arguments)
    if options.workers > 1:
        flags += ["--direct_running_mode=multi_processing", f"--direct_num_workers={options.workers}"]
        if not any("sdk_harness_log_level" in flag for flag in flags):
            flags.append("--default_sdk_harness_log_level=WARNING")
        _let_workers_import()
    beam_options = PipelineOptions(flags)
    standard = beam_options.view_as(StandardOptions)
    # Beam's own default, DirectRunner, would first try to fetch a runner from the network.
    standard.runner = standard.runner or "FnApiRunner"
    return beam_options


def _make_paths_absolute(options: argparse.Namespace) -> None:
    """Workers of a cluster run elsewhere than in this directory: there a relative path names nothing, or something else."""
    for name in ("input", "output", "failures"):
        path = getattr(options, name)
        if "://" not in path:
            setattr(options, name, str(Path(path).absolute()))


def _let_workers_import() -> None:
    """Worker processes look for modules where PYTHONPATH says, not where this process does."""
    import mainextract_beam

    home = str(Path(mainextract_beam.__file__).resolve().parent.parent)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if home not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([home, *filter(None, paths)])


_TOLD_IN_A_LINE = frozenset(
    {"ValueError", "OSError", "FileNotFoundError", "FileExistsError", "NotADirectoryError", "IsADirectoryError"}
    | {"PermissionError", "HelperStartError", "BeamIOError", "WorkerLost"}
)
"""Errors of what a run is given (files that are no WARC files, a full disk); others come with their traceback."""


_WORKER_LOST = re.compile("CANCELLED: (?:client|call already) cancelled")
"""How Flink's and Spark's job servers tell that the process at the other end of a worker's channel is gone."""


def _reason(error: BaseException) -> tuple[str, str]:
    """The name and the message of the error at the bottom of one that a runner raised."""
    while error.__cause__ is not None:
        error = error.__cause__
    kind, message = type(error).__name__, str(error)
    if _WORKER_LOST.search(message):
        return "WorkerLost", "a Python worker ended in the middle of its pages, as often as the engine tried; its log says why"
    # Runners with processes of their own tell a worker's error as text that ends like a traceback.
    for found in re.finditer(r"^(?:[\w.]+\.)?(\w+): (.*)$", message, re.MULTILINE):
        if found[1] in _TOLD_IN_A_LINE or found[1] == TooManyFailuresError.__name__:
            kind, message = found[1], found[2]
    return kind, " ".join(message.partition(" [while running")[0].split())


def _preview(source: Source, options: argparse.Namespace) -> int:
    """Prints the first documents, each after a line that says which page it is of."""
    left, seen = options.preview, 0
    text = options.format in WITH_TEXT
    metadata = _metadata(options)
    extract = ExtractPages(options.method, text=text, metadata=metadata, **_limits(options), **options.method_options).fn
    extract.setup()
    try:
        for page in source.first(options):
            seen += 1
            outcome = extract.work(page)
            if isinstance(outcome, Failed):
                print(f"--- {page.url}: {outcome.stage}: {outcome.exception}: {outcome.message}", file=sys.stderr)
            elif outcome.fields is not None:
                print(f"--- {page.url} (by {outcome.fields['rule']}, {outcome.fields['title']!r})")
                print(_shown(options.format, ExtractedPage(url=page.url, **outcome.fields)))
                left -= 1
            if not left:
                break
    finally:
        extract.teardown()
    print(f"--- {options.preview - left} documents of the first {seen} pages", file=sys.stderr)
    return 0


def _shown(form: str, page: ExtractedPage) -> str:
    if form in RENDERINGS:
        return RENDERINGS[form](page).rstrip("\n")
    return page.text if form in WITH_TEXT else page.xml.decode()


def _metadata(options: argparse.Namespace) -> str:
    """How much metadata is read: as asked for, else by the format."""
    return options.metadata or ("stated" if options.format in WITH_METADATA else "none")


def _limits(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("max_bytes", "max_elements", "timeout", "max_memory")}
