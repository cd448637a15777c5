"""A run that is killed leaves no file under a final name, and the same run once more gives every document."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from lxml import etree

from tests import hostile_archives as archives

ROOT = Path(__file__).parent.parent
PAGES = 1500
WORKER = sys.executable.encode() + b"\0-m\0apache_beam.runners.worker.sdk_worker_main\0"


def urls(directory: Path, form: str) -> Counter[str]:
    """How often each page is in the files of a run; the files have to be whole."""
    found: Counter[str] = Counter()
    for path in directory.glob(f"docs-0*.{form}"):
        if form == "xml":
            found.update(document.get("url") for document in etree.parse(path).getroot())
        elif form == "jsonl":
            found.update(json.loads(line)["url"] for line in path.read_text().splitlines())
        else:
            found.update(pq.read_table(path)["url"].to_pylist())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("begun", [2, 20])
@pytest.mark.parametrize("form", ["xml", "jsonl", "parquet"])
def test_a_killed_run_and_the_run_after_it(tmp_path: Path, form: str, begun: int) -> None:
    (tmp_path / "a.warc").write_bytes(b"".join(archives.pages(PAGES)))
    command = [sys.executable, str(ROOT / "pipelines/warc_to_xml.py"), "--input", "a.warc", "--output", "out/docs"]
    command += ["--format", form, "--workers", "2", "--bundle_bytes", "100000", "--shard_bytes", "20000"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None and len(list(tmp_path.glob(f"out/.docs.{form}.part-*/*"))) < begun:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert list(tmp_path.glob("out/docs*")) == []
    assert list(tmp_path.glob("out/.docs*")) != []
    again = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert urls(tmp_path / "out", form) == Counter(f"https://example.com/{number}" for number in range(PAGES))
    assert list(tmp_path.glob("out/.docs*")) == []


@pytest.mark.slow
def test_a_worker_killed_ends_the_run_without_files(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"".join(archives.pages(PAGES)))
    command = [sys.executable, str(ROOT / "pipelines/warc_to_xml.py"), "--input", "a.warc", "--output", "out/docs"]
    command += ["--workers", "2", "--bundle_bytes", "100000", "--shard_bytes", "2000"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None and len(list(tmp_path.glob("out/.docs.xml.part-*/*"))) < 5:
        time.sleep(0.01)
    workers = [pid for pid in children(process.pid) if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(WORKER)]
    os.kill(workers[0], signal.SIGKILL)
    try:
        assert process.wait(timeout=120) != 0
    finally:
        process.kill()
    assert list(tmp_path.glob("out/docs*")) == []


def children(pid: int) -> list[int]:
    """The processes below a process."""
    found = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    return found + [below for child in found for below in children(child)]
