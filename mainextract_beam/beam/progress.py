"""How far a run is, while it runs: a bar on a terminal, a log line now and then elsewhere.

Workers on this machine, in whatever process, leave what they have done in small files in a directory; the process that
waits for the run adds them up. Workers on other machines do not see the directory and stay silent.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apache_beam as beam

from mainextract_beam.beam.pages import WebPage

LOGGER = logging.getLogger("mainextract")
LOG_SECONDS = 15.0
"""Seconds between log lines."""
TICK_SECONDS = 0.5
"""Seconds between looks, and between a worker's notes."""


class CountPagesFn(beam.DoFn):  # type: ignore[misc]
    """Passes pages on and notes how many went by, and how much of their files."""

    def __init__(self, board: str) -> None:
        self._board = board

    def setup(self) -> None:
        """Opens this worker's note."""
        self._note = Note(self._board)

    def start_bundle(self) -> None:
        """Begins a stretch of a file."""
        self._file: str | None = None
        self._offset = 0

    def process(self, page: WebPage) -> Iterator[WebPage]:
        """Counts one page."""
        read = 0
        if page.source_file is not None and page.offset is not None:
            if page.source_file == self._file:
                read = max(page.offset - self._offset, 0)
            self._file, self._offset = page.source_file, page.offset
        self._note.add("pages", 1, read)
        yield page

    def finish_bundle(self) -> None:
        """Notes what is left to note."""
        self._note.write()

    teardown = finish_bundle


class CountFailuresFn(beam.DoFn):  # type: ignore[misc]
    """Passes failures on and notes how many went by."""

    def __init__(self, board: str) -> None:
        self._board = board

    def setup(self) -> None:
        """Opens this worker's note."""
        self._note = Note(self._board)

    def process(self, failure: Any) -> Iterator[Any]:
        """Counts one failure."""
        self._note.add("failures", 1, 0)
        yield failure

    def finish_bundle(self) -> None:
        """Notes what is left to note."""
        self._note.write()


class Note:
    """What one worker has done so far, in a file that is replaced now and then."""

    def __init__(self, board: str) -> None:
        self._path = Path(board) / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"
        self._done = {"pages": 0, "failures": 0, "bytes": 0}
        self._due = 0.0

    def add(self, kind: str, number: int, read: int) -> None:
        """Adds to the note, and writes it where it is time."""
        self._done[kind] += number
        self._done["bytes"] += read
        if time.monotonic() >= self._due:
            self.write()

    def write(self) -> None:
        """Writes the note."""
        self._due = time.monotonic() + TICK_SECONDS
        with contextlib.suppress(OSError):  # the directory is on another machine, or the run is over
            draft = self._path.with_suffix(".new")
            draft.write_text(json.dumps(self._done))
            draft.replace(self._path)


def read_board(board: str) -> dict[str, int]:
    """Returns what all workers have noted, summed."""
    sums = {"pages": 0, "failures": 0, "bytes": 0}
    for path in Path(board).glob("*.json"):
        with contextlib.suppress(OSError, ValueError):
            for kind, number in json.loads(path.read_text()).items():
                sums[kind] += number
    return sums


def tally(board: str) -> int:
    """Counts one thing more; returns how many all workers have counted, 0 where the board is out of sight."""
    with contextlib.suppress(OSError), open(Path(board) / "tally", "ab") as marks:
        marks.write(b".")  # appended at once, whoever else appends
        marks.flush()
        return os.fstat(marks.fileno()).st_size
    return 0


@contextlib.contextmanager
def watched(total_bytes: int | None) -> Iterator[str]:
    """Shows how far a run is, from the notes in the directory it yields, as long as the context lasts.

    Args:
        total_bytes: Bytes of the files read. None: not known, or not told by the pages' offsets.
    """
    board = tempfile.mkdtemp(prefix="mainextract-")
    over = threading.Event()
    show = _show_bar if sys.stderr.isatty() else _show_lines
    thread = threading.Thread(target=show, args=(board, total_bytes, over), name="mainextract-progress", daemon=True)
    thread.start()
    try:
        yield board
    finally:
        over.set()
        thread.join()
        shutil.rmtree(board, ignore_errors=True)


def line(done: dict[str, int], total_bytes: int | None, seconds: float) -> str:
    """Returns how far a run is, in words."""
    parts = [f"{done['pages']:,} pages"]
    if total_bytes:
        parts.append(f"{min(done['bytes'] / total_bytes, 1):.0%} of {total_bytes / 1e6:,.1f} MB")
    parts.append(f"{done['pages'] / max(seconds, 1e-9):,.0f} pages/s")
    parts.append(f"{done['failures']:,} failures")
    return ", ".join(parts)


def _show_lines(board: str, total_bytes: int | None, over: threading.Event) -> None:
    begun = time.monotonic()
    while not over.wait(LOG_SECONDS):
        LOGGER.info("%s", line(read_board(board), total_bytes, time.monotonic() - begun))


def _show_bar(board: str, total_bytes: int | None, over: threading.Event) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    begun = time.monotonic()
    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=total_bytes)
        while not over.wait(TICK_SECONDS):
            done = read_board(board)
            seconds = time.monotonic() - begun
            bar.update(task, description=line(done, total_bytes, seconds), completed=min(done["bytes"], total_bytes or 0))
