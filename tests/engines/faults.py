"""Steps that the fault tests of all engines share."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

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


def release(hooks: Path) -> None:
    """Lets workers go on beyond the middle of the file they have come to."""
    (hooks / "hold").unlink()


def workers(hooks: Path) -> set[int]:
    """Process ids of the Python workers that have read half a file."""
    return {int(path.name.split("-")[1]) for path in hooks.glob("pid-*")}


def hosts(hooks: Path) -> set[int]:
    """Process ids of the TaskManagers or executors that started these workers."""
    return {int(path.name.split("-")[2]) for path in hooks.glob("pid-*")}


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
