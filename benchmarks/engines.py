"""What does a run cost on each engine, and does it give the same? CPU time and memory of all its processes, by kind.

python benchmarks/engines.py --input '../crawl/*.warc.gz' [--on flink spark]

Runs WARC -> XML in one process, then on one-machine clusters of two TaskManagers or executors, each from nothing (what they
need is fetched before). Every process that a run starts is looked at twice a second: its CPU time, and its largest resident
memory, in which what processes share counts for each. The digest is over all documents and failures, in any order.
Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.engines.outcome import PIPELINE, Outcome, command, environment, outcome

ENGINES = {
    "one process": [],
    "flink": [str(ROOT / "templates/flink/flink.py"), "--task-managers", "2", "--"],
    "spark": [str(ROOT / "templates/spark/spark.py"), "--executors", "2", "--"],
}

# What tells the kind of a process in its command line; the first that is found.
KINDS = {
    "StandaloneSessionClusterEntrypoint": "JobManager",
    "TaskManagerRunner": "TaskManager",
    "FlinkJobServerDriver": "job server",
    "SparkJobServerDriver": "job server and driver",
    "CoarseGrainedExecutorBackend": "executor",
    "worker.Worker": "Spark worker",
    "master.Master": "Spark master",
    "sdk_worker_main": "Python worker",
    "mainextract_beam.beam.isolate": "helper that parses and extracts",
    "templates/": "script that starts all",
    "pipelines/": "pipeline",
}

TICKS = os.sysconf("SC_CLK_TCK")
INTERVAL = 0.5


class Seen(NamedTuple):
    """What was last seen of a process."""

    kind: str
    seconds: float
    """CPU time."""
    peak: int
    """Bytes, its largest resident memory."""


def processes() -> Iterator[tuple[int, int, float]]:
    """All processes: id, parent's id, CPU time in seconds."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            yield int(entry.name), int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS


def look(top: int, seen: dict[int, Seen]) -> int:
    """Looks at a process and all it has started, updates `seen` by process id, and returns their resident bytes in all."""
    children, spent, resident = defaultdict(list), {}, 0
    for process, parent, seconds in processes():
        children[parent].append(process)
        spent[process] = seconds
    found = [top]
    for process in found:
        found += children[process]
        try:
            status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
            words = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if "VmHWM" in status:
            kind = next((kind for sign, kind in KINDS.items() if sign in words), "others")
            seen[process] = Seen(kind, spent.get(process, 0.0), int(status["VmHWM"].split()[0]) * 1024)
            resident += int(status["VmRSS"].split()[0]) * 1024
    return resident


def digest(result: Outcome) -> str:
    """One digest of all documents and failures, whatever their order."""
    rows = sorted(repr(each) for counted in (result.documents, result.failures) for each in counted.items())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]


def measure(name: str, pattern: str, options: list[str]) -> None:
    """Runs on an engine and prints what came out and what it took."""
    with tempfile.TemporaryDirectory() as folder:
        pipeline = command(pattern, Path(folder), options, PIPELINE)[1:]
        seen: dict[int, Seen] = {}
        began, together = time.monotonic(), 0
        with open(Path(folder) / "output", "w+") as told:
            whole = [sys.executable, *ENGINES[name], *pipeline]
            process = subprocess.Popen(whole, stdout=told, stderr=subprocess.STDOUT, env=environment())
            while process.poll() is None:
                together = max(together, look(process.pid, seen))
                time.sleep(INTERVAL)
            if process.returncode:
                told.seek(0)
                sys.exit(f"{name} ended with exit status {process.returncode}:\n{told.read()}")
        took = time.monotonic() - began
        result = outcome(Path(folder) / "documents", Path(folder) / "numbers.json")
    print(f"\n{name}: {sum(result.documents.values()):,} documents, {sum(result.failures.values()):,} failures, {digest(result)}")
    numbers = result.numbers
    print(f"  told: {numbers['read']:,} read, {numbers['documents']:,} documents, {sum(numbers['failures'].values()):,} failures")
    seconds = sum(each.seconds for each in seen.values())
    print(f"  {seconds:.1f} s of CPU, {took:.1f} s of wall time; at once at most {together / 1e6:,.0f} MB resident")
    kinds = defaultdict(list)
    for each in seen.values():
        kinds[each.kind].append(each)
    for kind, members in sorted(kinds.items(), key=lambda item: -sum(each.seconds for each in item[1])):
        spent, peak = sum(each.seconds for each in members), max(each.peak for each in members)
        print(f"    {kind}: {len(members)} x, {spent:.1f} s of CPU, the largest {peak / 1e6:,.0f} MB")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="WARC files: a path or a pattern")
    parser.add_argument("--on", nargs="+", choices=ENGINES, default=list(ENGINES), help="engines (default: all)")
    given, options = parser.parse_known_args()
    for name in given.on:
        measure(name, given.input, options)


if __name__ == "__main__":
    main()
