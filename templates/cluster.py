"""What the one-machine clusters share: fetching distributions, starting processes, taking them down again.

Everything downloaded or built lies under `.cache/` of the repository and is used again; everything that runs is a
child of the calling process, is told to listen on the loopback address only, writes its output to a log file, and is stopped
by its own process group when the `Processes` that started it closes, also after an error or Ctrl-C. (Beam's Java runners open the
ports that they serve Python workers on at all addresses, and have no setting for it.)
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache"
HOST = "127.0.0.1"

# Seconds. Starting a JVM takes 2 s on an idle machine; these are for a busy one.
START_TIMEOUT = 180.0
STOP_TIMEOUT = 10.0


class ClusterError(RuntimeError):
    """A cluster did not come up, or a process of it ended by itself; the message ends with the log's last lines."""


class Processes(contextlib.AbstractContextManager["Processes"]):
    """Child processes, each in a process group of its own, stopped in reverse order of their start.

    Args:
        logs: The directory of their log files, `NAME.log`; made where it is missing.
    """

    def __init__(self, logs: Path) -> None:
        self.logs = logs
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        logs.mkdir(parents=True, exist_ok=True)

    def start(self, name: str, command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> int:
        """Starts `command` under `name` (with `env` added to the environment) and returns its process id."""
        with open(self.logs / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                start_new_session=True,
            )
        self.running[name] = process
        return process.pid

    def tail(self, name: str, lines: int = 20) -> str:
        """The last lines of a process's log."""
        text = (self.logs / f"{name}.log").read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def wait_until(self, name: str, ready: Callable[[], bool], timeout: float = START_TIMEOUT) -> None:
        """Returns when `ready()` holds; a `ClusterError` with the end of the log where `name` ends or time runs out."""
        deadline = time.monotonic() + timeout
        while not ready():
            status = self.running[name].poll()
            if status is not None:
                raise ClusterError(f"{name} ended with status {status}:\n{self.tail(name)}")
            if time.monotonic() > deadline:
                raise ClusterError(f"{name} was not ready after {timeout:.0f} s:\n{self.tail(name)}")
            time.sleep(0.2)

    def wait_for_port(self, name: str, port: int, timeout: float = START_TIMEOUT) -> None:
        """Waits until something listens on `port` of the loopback address."""
        self.wait_until(name, lambda: is_open(port), timeout)

    def kill(self, name: str) -> None:
        """Ends a process and its children at once, as a machine that goes away does."""
        self._signal(name, signal.SIGKILL)
        self.running.pop(name).wait()

    def _signal(self, name: str, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.running[name].pid, number)

    def stop(self, name: str) -> None:
        """Asks a process to end, and its group to be gone after `STOP_TIMEOUT` seconds at the latest."""
        self._signal(name, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.running[name].wait(STOP_TIMEOUT)
        # The leader may be gone while a Python worker that it started is not.
        self._signal(name, signal.SIGKILL)
        self.running.pop(name).wait()

    def __exit__(self, *_: object) -> None:
        for name in reversed(list(self.running)):
            self.stop(name)


def is_open(port: int) -> bool:
    """Whether something listens on `port` of the loopback address."""
    with contextlib.closing(socket.socket()) as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def free_ports(count: int) -> list[int]:
    """`count` distinct ports of the loopback address that nothing listens on now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(contextlib.closing(socket.socket())) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]


def get_json(url: str) -> Any:
    """The JSON that `url` answers with, or None where nothing answers yet."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)
    except (OSError, ValueError):
        return None


def fetch_distribution(name: str, version: str) -> Path:
    """The unpacked archive of a Python distribution, fetched by pip when it is not there yet.

    Flink's and Spark's Python distributions hold the engine whole (jars and scripts), so no other download is needed.
    They are unpacked, not installed: their own requirements (an older Apache Beam among them) stay away.
    """
    target = CACHE / f"{name}-{version}"
    if not target.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            # fmt: off
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--dest", folder, f"{name}=={version}"],
                check=True,
            )
            # fmt: on
            (archive,) = Path(folder).iterdir()
            unpacked = Path(folder) / "unpacked"
            if archive.suffix == ".whl":
                with zipfile.ZipFile(archive) as wheel:
                    wheel.extractall(unpacked)
                unpacked.rename(target)
            else:
                with tarfile.open(archive) as sdist:
                    sdist.extractall(unpacked, filter="data") if hasattr(tarfile, "data_filter") else sdist.extractall(unpacked)
                (inner,) = unpacked.iterdir()
                inner.rename(target)
    return target


def build_job_server(engine: str, pom: Path) -> Path:
    """The jar that `pom` builds, built by Maven when it is not there yet or the pom has changed."""
    jar = CACHE / engine / "job-server.jar"
    source = CACHE / engine / "pom.xml"
    if not jar.is_file() or not source.is_file() or source.read_bytes() != pom.read_bytes():
        jar.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=jar.parent) as folder:
            subprocess.run(["mvn", "-q", "-B", "-f", str(pom), f"-Ddirectory={folder}", "package"], check=True)
            (Path(folder) / "job-server.jar").replace(jar)
        shutil.copyfile(pom, source)
    return jar


def empty_jar(folder: Path) -> Path:
    """A jar that holds nothing, for jobs that bring nothing along."""
    jar = folder / "empty.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
    return jar


def write_boot(folder: Path) -> Path:
    """An executable that starts a Python worker with this interpreter, for Beam's PROCESS environment."""
    boot = folder / "boot.sh"
    command = f'exec "{sys.executable}" "{ROOT / "templates" / "boot.py"}" "$@"'
    boot.write_text(f'#!/bin/sh\nexport PYTHONPATH="{ROOT}:$PYTHONPATH"\n{command}\n', encoding="utf-8")
    boot.chmod(0o755)
    return boot


def worker_environment(folder: Path, cached: int) -> list[str]:
    """Pipeline options that make the engine's own processes start the Python workers.

    Args:
        folder: Where the program that starts a worker is written.
        cached: Milliseconds for which a worker outlives its stage; starting one takes 3 s of CPU time.
    """
    config = json.dumps({"command": str(write_boot(folder))})
    return ["--environment_type=PROCESS", f"--environment_config={config}", f"--environment_cache_millis={cached}"]


@contextlib.contextmanager
def work_folder(keep: Path | None, prefix: str) -> Iterator[Path]:
    """A folder for logs and staged files: `keep` where given, else a temporary one, gone afterwards."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
    else:
        with tempfile.TemporaryDirectory(prefix=prefix) as folder:
            yield Path(folder)


def run_pipeline(command: Sequence[str], options: Sequence[str]) -> int:
    """Runs `python COMMAND OPTIONS`, output on this terminal, and returns its exit status."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
    return subprocess.run([sys.executable, *command, *options], check=False, env=env).returncode
