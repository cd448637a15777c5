"""Steps that the fault tests of all engines share."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.engines.corpus import number
from tests.engines.outcome import command, environment

HOOKED = Path(__file__).with_name("hooked_warc_to_xml.py")

# Seconds after which a test gives up; a run of the crawl takes less than a minute on an idle machine.
PATIENCE = 420.0


@contextlib.contextmanager
def started(pattern: str, folder: Path, options: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Starts the hooked pipeline over a pattern of files, the output in `folder`; where the test fails, it is ended."""
    process = subprocess.Popen(
        command(pattern, folder, options, HOOKED),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
    )
    with process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def wait(what: str, ready: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    """Returns when `ready()` holds; fails where the run ends before."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        assert run.poll() is None, f"the run ended before {what}:\n{ended(run)}"
        assert time.monotonic() < deadline, f"no {what} after {PATIENCE:.0f} s"
        time.sleep(0.1)


def hold(hooks: Path, page: str) -> None:
    """Lets workers go on, but for the one that comes to the page of this URL."""
    (hooks / "hold").write_text(page)


def release(hooks: Path) -> None:
    """Lets all workers go on."""
    (hooks / "hold").unlink()


def workers(hooks: Path, page: str = "") -> set[int]:
    """Process ids of the Python workers that have come to the middle of a file, or to the held page of this URL."""
    return {int(path.name.split("-")[2]) for path in hooks.glob(f"{_sign(page)}-*")}


def hosts(hooks: Path, page: str = "") -> set[int]:
    """Process ids of the TaskManagers or executors that started these workers."""
    return {int(path.name.split("-")[3]) for path in hooks.glob(f"{_sign(page)}-*")}


def _sign(page: str) -> str:
    return f"held-{number(page)}" if page else "middle-*"


def is_running(process: int) -> bool:
    """Whether there is a process of this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def ended(run: subprocess.Popen[str]) -> str:
    """Waits for a run and returns all it printed."""
    text, _ = run.communicate(timeout=PATIENCE)
    return text


def finals(folder: Path) -> list[str]:
    """Names in an output folder that do not begin with a dot: what a reader takes for results."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def unfinished(folder: Path) -> list[str]:
    """Names in an output folder that begin with a dot: what attempts wrote that came to nothing."""
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))
