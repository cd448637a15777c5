"""Options of the pipelines, and what is wrong with them, told before anything runs."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from apache_beam.io.filesystem import BeamIOError, FileMetadata
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from mainextract_beam.beam import paths
from mainextract_beam.beam.formats import FORMATS, PAGE_FORMATS
from mainextract_beam.beam.sinks import SHARD_BYTES, check_prefix
from mainextract_beam.beam.transforms import MAX_BYTES, MAX_ELEMENTS, MAX_MEMORY, TIMEOUT
from mainextract_beam.beam.work import METADATA
from mainextract_beam.methods import METHODS, bind_method

LOCAL_RUNNERS = ("FnApiRunner", "DirectRunner", "PrismRunner", "BundleBasedDirectRunner")


class MainExtractOptions(PipelineOptions):  # type: ignore[misc]
    """Options of the pipelines. Each is spelt with underscores or with hyphens; for a limit, 0 means none."""

    @classmethod
    def _add_argparse_args(cls, parser: argparse.ArgumentParser) -> None:
        add_options(parser)


class SparkOptions(PipelineOptions):  # type: ignore[misc]
    """What Beam's runner on Spark heeds and Beam's Python side has no name for: it would call it unparseable."""

    @classmethod
    def _add_argparse_args(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--storage_level", help="how Spark keeps what several steps use, such as MEMORY_AND_DISK_2")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the pipelines to a parser."""

    def add(name: str, **details: Any) -> None:
        spellings = dict.fromkeys((f"--{name}", f"--{name.replace('_', '-')}"))
        parser.add_argument(*spellings, **details)

    add("input", help="files to read: a path or a pattern, such as 'crawl/*.warc.gz', on any file system Beam knows")
    add("output", help="how the paths of the files to write begin, such as out/documents; a directory with --files")
    add("method", default="regions", help=f"extraction method: {', '.join(METHODS)} (default: regions)")
    add(
        "method_option",
        action="append",
        metavar="NAME=VALUE",
        help="an option of the method; may be given again. VALUE is JSON, or else text",
    )
    add(
        "metadata",
        choices=METADATA,
        help="metadata read by methods other than clean, which reads all of it: what the page states, its type as well (all), "
        "or none (default: stated; none for xml and text)",
    )
    add("format", help=f"format of the files to write: {', '.join(FORMATS)} (default: as the pipeline is named)")
    add("files", action="store_true", help=f"write one file per page: {', '.join(PAGE_FORMATS)}")
    add("compress", action="store_true", help="write gzip files; Parquet files are compressed anyway")
    add("failures", help="how the paths of the files of failures begin (default: OUTPUT-failures)")
    add("overwrite", action="store_true", help="replace files that earlier runs wrote to the same place")
    add(
        "preview",
        type=int,
        metavar="N",
        help="print the documents of the first N pages that hold content; write nothing",
    )
    add("workers", type=int, default=1, metavar="N", help="worker processes on this machine (default: 1)")
    add(
        "max_failures",
        type=int,
        metavar="N",
        help="stop the run once more than N pages have failed; on a cluster, in one worker process",
    )
    add("metrics_file", metavar="PATH", help="write the numbers shown at the end to this file, as JSON")
    add("max_bytes", type=int, default=MAX_BYTES, metavar="N", help=f"largest page, in bytes (default: {MAX_BYTES})")
    add(
        "max_elements",
        type=int,
        default=MAX_ELEMENTS,
        metavar="N",
        help=f"most elements of a page (default: {MAX_ELEMENTS})",
    )
    add("timeout", type=float, default=TIMEOUT, metavar="SECONDS", help=f"longest time on a page (default: {TIMEOUT:g})")
    add(
        "max_memory",
        type=int,
        default=MAX_MEMORY,
        metavar="BYTES",
        help=f"most memory of the process that works on a page (default: {MAX_MEMORY})",
    )
    add(
        "shard_bytes",
        type=int,
        default=SHARD_BYTES,
        metavar="N",
        help=f"bytes after which a worker begins another file (default: {SHARD_BYTES})",
    )
    add(
        "whole_files",
        action="store_true",
        help="never split a file, for crawls that hold WARC files inside WARC records",
    )
    add(
        "bundle_bytes",
        type=int,
        metavar="N",
        help="bytes of a file that are given to a worker at a time (default: by the size of all files)",
    )
    add("html_column", default="html", metavar="NAME", help="Parquet: the column of pages (default: html)")
    add("url_column", default="url", metavar="NAME", help="Parquet: the column of URLs (default: url)")
    for field in ("content_type", "charset", "fetch_date", "record_id", "digest"):
        add(f"{field}_column", metavar="NAME", help=f"Parquet: the column of the pages' {field.replace('_', ' ')}")


class UsageError(ValueError):
    """A command line that cannot be run; the message is one line that names what is wrong and the remedy."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def parse(program: str, description: str, formats: Sequence[str], arguments: Sequence[str]) -> argparse.Namespace:
    """Reads a pipeline's command line and checks all that can be checked before the run.

    Args:
        program: The pipeline's name.
        description: What it does, for --help.
        formats: The format written where none is stated, first; not used otherwise.
        arguments: The command line.

    Returns:
        The options by name, with `method_options` (dict), `inputs` (the files to read) and `beam_arguments` (what the
        command line holds for Beam and its runner).

    Raises:
        UsageError: Something is wrong.
        SystemExit: --help was asked for.
    """
    parser = _Parser(prog=program, description=description, allow_abbrev=False, epilog=_EPILOG)
    add_options(parser)
    options, rest = parser.parse_known_args(list(arguments))
    options.format = options.format or formats[0]
    _check_rest(parser, rest)
    options.beam_arguments = rest
    _check_numbers(options)
    options.method_options = _method_options(options)
    if options.format not in (PAGE_FORMATS if options.files else FORMATS):
        known = ", ".join(PAGE_FORMATS if options.files else FORMATS)
        raise UsageError(f"--format {options.format!r} is unknown; choose one of {known}")
    options.inputs = _inputs(options.input)
    if options.metrics_file and not (directory := Path(options.metrics_file).parent).is_dir():
        raise UsageError(f"--metrics_file: there is no directory {str(directory)!r}; make it, or name another")
    if options.preview is None:
        _check_output(options)
    return options


_EPILOG = "Other options are Beam's and its runners': --runner, --temp_location ... See Beam's documentation."


def _check_rest(parser: argparse.ArgumentParser, rest: Sequence[str]) -> None:
    beam_parser = _Parser(allow_abbrev=False)
    for group in PipelineOptions.__subclasses__():
        if group is not MainExtractOptions:
            group._add_argparse_args(beam_parser)
    known, unknown = beam_parser.parse_known_args(list(rest))
    runner = known.runner or "FnApiRunner"
    for argument in unknown:
        # Runners of other systems have options that only their job servers know.
        if runner.rpartition(".")[2] in LOCAL_RUNNERS:
            name = argument.partition("=")[0]
            names = [spelling for each in (parser, beam_parser) for action in each._actions for spelling in action.option_strings]
            near = difflib.get_close_matches(name, names, 1)
            raise UsageError(f"unknown option {name}" + (f"; did you mean {near[0]}?" if near else "; see --help"))


def _check_numbers(options: argparse.Namespace) -> None:
    for name, least in {
        "preview": 1,
        "workers": 1,
        "shard_bytes": 1,
        "bundle_bytes": 1,
        "max_failures": 0,
        "max_bytes": 0,
        "max_elements": 0,
        "timeout": 0,
        "max_memory": 0,
    }.items():
        value = getattr(options, name)
        if value is not None and not value >= least:
            raise UsageError(f"--{name} must be at least {least}, not {value}")
    for name in ("max_bytes", "max_elements", "timeout", "max_memory"):
        if getattr(options, name) == 0:
            setattr(options, name, None)


def _method_options(options: argparse.Namespace) -> dict[str, Any]:
    stated: dict[str, Any] = {}
    for item in options.method_option or []:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise UsageError(f"--method_option takes NAME=VALUE, not {item!r}")
        try:
            stated[name] = json.loads(value)
        except ValueError:
            stated[name] = value
    try:
        bind_method(options.method, stated)
    except ValueError as error:
        raise UsageError(f"--method: {error}" if options.method not in METHODS else f"--method_option: {error}") from None
    return stated


def _inputs(pattern: str | None) -> list[FileMetadata]:
    if pattern is None:
        raise UsageError("--input is missing; give a file or a pattern, such as --input 'crawl/*.warc.gz'")
    if not pattern.strip():
        raise UsageError("--input is empty; give a file or a pattern, such as --input 'crawl/*.warc.gz'")
    try:
        found = paths.match(pattern)
    except BeamIOError as error:
        raise UsageError(f"--input {pattern!r} cannot be looked up: {' '.join(str(error).split())}") from None
    except ValueError as error:
        raise UsageError(f"--input {pattern!r}: {' '.join(str(error).split())}") from None
    if not found:
        raise UsageError(f"--input {pattern!r} names no file; check the path, and quote patterns")
    if "://" not in pattern and Path(pattern).is_dir():
        raise UsageError(f"--input {pattern!r} is a directory; name its files, such as {pattern.rstrip('/') + '/*'!r}")
    return sorted(found, key=lambda entry: entry.path)


def _check_output(options: argparse.Namespace) -> None:
    if not options.output:
        raise UsageError("--output is missing; give how the files' paths begin, such as --output out/documents")
    if not options.files:
        try:
            check_prefix(options.output)
        except ValueError as error:
            raise UsageError(f"--output {error}") from None
    options.failures = options.failures or (
        FileSystems.join(options.output, "failures") if options.files else f"{options.output}-failures"
    )
