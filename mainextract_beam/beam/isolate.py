"""Runs a function on page after page in a place of its own: a helper process, or a thread renewed now and then.

Both let only picklable values out, so that nothing a page leaves behind stays with the worker. libxml2 keeps every
element and attribute name it has seen in a dictionary that lives as long as its thread; crawled pages bring ever new
names, so the thread that parses is renewed every `RENEW_EVERY` pages.

The helper process also bounds what one page may cost. A page stuck in C code cannot be interrupted from inside its
process, whoever holds the interpreter lock; the process that waits for it kills it and starts another. Only the page
at work is lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, Pipe
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

RENEW_EVERY = 500
"""Pages after which the working thread is renewed. Ten thousand never seen names cost about 1 MB."""

RETIRE_GROWTH = 128 << 20
"""Bytes by which a helper process may have grown, between pages, before it is replaced."""

START_SECONDS = 120.0
"""How long a helper process may take to import what it needs."""

WATCH_SECONDS = 0.25
"""How often the memory of a page at work is looked at; pages that take less are never looked at."""

ORPHAN_SECONDS = 30.0
"""How long beyond its limit a helper works on when nobody is left to kill it."""

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from mainextract_beam.beam.isolate import serve; serve(int(sys.argv[2]))"
)


class PageError(Exception):
    """A page that could not be worked on; the worker is fit for the next one."""


class PageTimeoutError(PageError):
    """The page took longer than it may."""


class PageMemoryError(PageError):
    """The page took more memory than it may."""


class ProcessDiedError(PageError):
    """The page ended the process that worked on it, twice."""


class RaisedError(PageError):
    """The function raised; `.kind`, `.text` and `.traceback` say what, as strings."""

    def __init__(self, kind: str, text: str, traceback: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text
        self.traceback = traceback


class HelperStartError(RuntimeError):
    """A helper process cannot be started at all: an error of the whole run, not of a page."""


class Place(Protocol[P, R_co]):
    """Where a function is called."""

    def call(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Calls the function there.

        Raises:
            PageError: This page could not be worked on.
            HelperStartError: No page can be.
        """
        ...

    def close(self) -> None:
        """Gives back what the place holds. It may be called again and then starts afresh."""
        ...


def place(
    function: Callable[P, R],
    *,
    timeout: float | None,
    max_memory: int | None = None,
    renew_every: int = RENEW_EVERY,
) -> Place[P, R]:
    """Returns a helper process where a page has limits, else a renewed thread of this process.

    Args:
        function: What to call; for a helper process a function of an importable module.
        timeout: Seconds one call may take. None: no limit.
        max_memory: Bytes the helper process may hold while it works on one page. None: no limit.
        renew_every: Calls after which the working thread is renewed.
    """
    if (timeout is None and max_memory is None) or os.name != "posix":
        return RenewedThread(function, renew_every=renew_every)
    return HelperProcess(function, timeout=timeout, max_memory=max_memory, renew_every=renew_every)


class RenewedThread(Generic[P, R]):
    """Calls a function in a thread that is replaced every `renew_every` calls. One caller at a time."""

    def __init__(self, function: Callable[P, R], *, renew_every: int = RENEW_EVERY) -> None:
        self._function = function
        self._renew_every = renew_every
        self._left = 0
        self._tasks: queue.SimpleQueue[tuple[tuple[Any, ...], dict[str, Any]] | None] | None = None
        self._results: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def call(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """See `Place.call`."""
        if self._left == 0:
            self.close()
        if self._tasks is None:
            self._tasks = queue.SimpleQueue()
            self._thread = threading.Thread(
                target=_work, args=(self._function, self._tasks, self._results), name="mainextract-pages", daemon=True
            )
            self._thread.start()
            self._left = self._renew_every
        self._left -= 1
        self._tasks.put((args, kwargs))
        return _opened(self._results.get())  # type: ignore[no-any-return]

    def close(self) -> None:
        """See `Place.close`."""
        if self._tasks is not None and self._thread is not None:
            self._tasks.put(None)
            self._thread.join()
        self._tasks = self._thread = None


def _work(function: Callable[..., Any], tasks: queue.SimpleQueue[Any], results: queue.SimpleQueue[Any]) -> None:
    while (task := tasks.get()) is not None:
        results.put(_outcome(function, *task))
        del task


def _outcome(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bool, Any]:
    """What a call came to, as picklable values: its result, or what it raised."""
    try:
        return True, function(*args, **kwargs)
    except BaseException as error:  # a Rust panic is no Exception, and no page may end the worker
        return False, (type(error).__name__, str(error), traceback.format_exc())


def _opened(outcome: tuple[bool, Any]) -> Any:
    good, value = outcome
    if good:
        return value
    raise RaisedError(*value)


class HelperProcess(Generic[P, R]):
    """Calls a function in a process of its own, started at the first call and after each loss. One caller at a time."""

    def __init__(
        self,
        function: Callable[P, R],
        *,
        timeout: float | None,
        max_memory: int | None = None,
        renew_every: int = RENEW_EVERY,
    ) -> None:
        self._function = function
        self._timeout = timeout
        self._max_memory = max_memory
        self._renew_every = renew_every
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    def call(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """See `Place.call`."""
        request = pickle.dumps((args, kwargs), protocol=5)
        # A process may end for reasons that are not the page's (the machine runs out of memory): a second one decides.
        for attempt in (1, 2):
            pipe = self._started()
            try:
                pipe.send_bytes(request)
                self._wait(pipe)
                outcome, retire = pickle.loads(pipe.recv_bytes())
            except (EOFError, OSError):
                how = self._kill()
                if attempt == 2:
                    raise ProcessDiedError(f"the process working on the page ended, {how}") from None
                continue
            if retire:
                self.close()
            return _opened(outcome)  # type: ignore[no-any-return]
        raise AssertionError("unreachable")

    def close(self) -> None:
        """See `Place.close`."""
        if self._process is not None and self._pipe is not None:
            self._pipe.close()  # the helper reads the end of its input and leaves
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = self._pipe = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def _started(self) -> Connection:
        if self._pipe is not None:
            return self._pipe
        ours, theirs = Pipe()
        with theirs:
            command = [sys.executable, "-c", _BOOT, json.dumps(sys.path), str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        self._pipe = ours
        try:
            ours.send_bytes(pickle.dumps((self._function, self._timeout, self._renew_every)))
            if not ours.poll(START_SECONDS):
                raise HelperStartError(f"the helper process was not ready after {START_SECONDS:g} s")
            problem = ours.recv_bytes().decode()
        except (EOFError, OSError):
            problem = "it ended at once"
        if problem:
            raise HelperStartError(f"the helper process that works on pages cannot start, {self._kill()}: {problem}")
        return ours

    def _wait(self, pipe: Connection) -> None:
        """Returns when the answer is there; kills the process where a limit is passed first."""
        end = None if self._timeout is None else time.monotonic() + self._timeout
        while True:
            left = WATCH_SECONDS if end is None else min(WATCH_SECONDS, end - time.monotonic())
            if pipe.poll(max(left, 0)):
                return
            if end is not None and time.monotonic() >= end:
                self._kill()
                raise PageTimeoutError(f"the page took longer than {self._timeout:g} s")
            if self._max_memory is not None and self._process is not None:
                held = resident(self._process.pid)
                if held > self._max_memory:
                    self._kill()
                    raise PageMemoryError(f"the page took more than {self._max_memory >> 20} MiB of memory ({held >> 20} MiB)")

    def _kill(self) -> str:
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if pipe is not None:
            pipe.close()
        if process is None:
            return "unknown how"
        # The pipe of a process that ended by itself closes a moment before its status is known.
        try:
            status = process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"by {signal.Signals(-status).name}"
        return f"with exit status {status}"


def resident(pid: int) -> int:
    """Returns the bytes of memory a process holds; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as statm:
            return int(statm.read().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError, ValueError):
        return 0


_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def serve(descriptor: int) -> None:
    """Is the helper process: answers requests on the pipe until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the process that started this one
    pipe = Connection(descriptor)
    try:
        function, timeout, renew_every = pickle.loads(pipe.recv_bytes())
    except Exception as error:
        pipe.send_bytes(f"{type(error).__name__}: {error}".encode())
        return
    pipe.send_bytes(b"")
    requests = _requests(pipe)
    base = resident(os.getpid())
    open_ = True

    def some() -> None:
        nonlocal open_
        for _ in range(renew_every):
            request = next(requests, None)
            if request is None:
                open_ = False
                return
            # Should nobody be left to kill this process, the alarm ends it: its default action needs no interpreter.
            if timeout is not None:
                signal.setitimer(signal.ITIMER_REAL, timeout + ORPHAN_SECONDS)
            args, kwargs = pickle.loads(request)
            del request
            outcome = _outcome(function, args, kwargs)
            del args, kwargs
            if timeout is not None:
                signal.setitimer(signal.ITIMER_REAL, 0)
            answer = pickle.dumps((outcome, resident(os.getpid()) > base + RETIRE_GROWTH), protocol=5)
            try:
                pipe.send_bytes(answer)
            except OSError:
                open_ = False
                return

    while open_:
        thread = threading.Thread(target=some, name="mainextract-pages")
        thread.start()
        thread.join()


def _requests(pipe: Connection) -> Iterator[bytes]:
    while True:
        try:
            yield pipe.recv_bytes()
        except (EOFError, OSError):
            return
