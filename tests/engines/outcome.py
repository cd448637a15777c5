"""What a run left behind, in a form that can be compared: documents and failures as multisets, the numbers as told."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

ROOT = Path(__file__).parents[2]
PIPELINE = ROOT / "pipelines" / "warc_to_xml.py"


@dataclass(frozen=True)
class Outcome:
    """The documents (URL and digest of all that was written of each), the failures and the numbers of a run."""

    documents: Counter[tuple[str, str]]
    failures: Counter[tuple[Any, ...]]
    numbers: dict[str, Any]


def outcome(output: Path, metrics: Path) -> Outcome:
    """Reads the XML shards, the failures and the metrics of a run that wrote to the prefix `output`."""
    documents: Counter[tuple[str, str]] = Counter()
    for shard in output.parent.glob(f"{output.name}-[0-9]*.xml"):
        for _, element in etree.iterparse(str(shard), tag="document", huge_tree=True):
            element.tail = None
            documents[element.get("url"), hashlib.sha256(etree.tostring(element, method="c14n")).hexdigest()] += 1
            element.clear()
    failures: Counter[tuple[Any, ...]] = Counter()
    for shard in output.parent.glob(f"{output.name}-failures-*.jsonl"):
        for line in shard.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            failures[row["url"], row["source_file"], row["offset"], row["stage"], row["exception"], row["message"]] += 1
    numbers = json.loads(metrics.read_text(encoding="utf-8"))
    del numbers["milliseconds"]
    return Outcome(documents, failures, numbers)


def run(pattern: str, folder: Path, options: Sequence[str], script: Path = PIPELINE) -> subprocess.CompletedProcess[str]:
    """Runs a pipeline's script over a pattern of files, the output in `folder`, and waits for it."""
    return subprocess.run(command(pattern, folder, options, script), capture_output=True, text=True, env=environment(), check=False)


def command(pattern: str, folder: Path, options: Sequence[str], script: Path) -> list[str]:
    """The command line of a run: documents, failures and numbers go to `folder`."""
    # fmt: off
    return [sys.executable, str(script), "--input", pattern, "--output", str(folder / "documents"),
            "--metrics_file", str(folder / "numbers.json"), *options]
    # fmt: on


def environment() -> dict[str, str]:
    """The environment of a run: its workers import this package, wherever they run."""
    paths = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def finished(pattern: str, folder: Path, options: Sequence[str], script: Path = PIPELINE) -> Outcome:
    """Runs a pipeline, which must end well, and returns what it left behind."""
    folder.mkdir(exist_ok=True)
    done = run(pattern, folder, options, script)
    assert done.returncode == 0, done.stdout + done.stderr
    return outcome(folder / "documents", folder / "numbers.json")
