"""Spark gives what one process gives, in the job server and on a cluster, whatever dies on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.engines.conftest import OPTIONS
from tests.engines.corpus import url
from tests.engines.faults import HOOKED, ended, finals, hosts, unfinished, wait, workers
from tests.engines.outcome import Outcome, finished, outcome, run, start

if TYPE_CHECKING:
    from spark import Spark

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spark]:
    """A master and two workers, each with one executor."""
    from spark import spark_cluster

    with spark_cluster(tmp_path_factory.mktemp("spark"), 2) as cluster:
        yield cluster


def test_inside_the_job_server(crawl: str, expected: Outcome, tmp_path: Path) -> None:
    from spark import spark_cluster

    with spark_cluster(tmp_path / "work", 0) as cluster:
        assert finished(crawl, tmp_path, [*OPTIONS, *cluster.options]) == expected


def test_two_executors(crawl: str, expected: Outcome, tmp_path: Path, hooks: Path, spark: Spark) -> None:
    assert finished(crawl, tmp_path, [*OPTIONS, *spark.options], HOOKED) == expected
    assert len(hosts(hooks)) == 2, "both executors have read pages"


def test_a_python_worker_that_ends_in_a_page(crawl: str, expected: Outcome, tmp_path: Path, hooks: Path, spark: Spark) -> None:
    (hooks / "exit-once").write_text(url(57))
    result = finished(crawl, tmp_path, [*OPTIONS, *spark.options], HOOKED)
    assert (hooks / "exited").exists()
    assert (result.documents, result.failures) == (expected.documents, expected.failures)
    assert unfinished(tmp_path) == []


def test_a_python_worker_that_ends_each_time(crawl: str, tmp_path: Path, hooks: Path, spark: Spark) -> None:
    (hooks / "exit-always").write_text(url(57))
    (tmp_path / "out").mkdir()
    done = run(crawl, tmp_path / "out", [*OPTIONS, *spark.options], HOOKED)
    assert done.returncode == 2
    assert "the run failed: a Python worker ended in the middle of its pages" in done.stderr
    assert finals(tmp_path / "out") == []


def test_an_output_folder_that_goes_away(crawl: str, tmp_path: Path, hooks: Path, spark: Spark) -> None:
    (hooks / "pause").write_text("0.1")
    folder = tmp_path / "out"
    folder.mkdir()
    process = start(crawl, folder, [*OPTIONS, *spark.options], HOOKED)
    wait("page", lambda: bool(workers(hooks)), process)
    folder.rename(tmp_path / "away")
    folder.write_text("no folder")
    text = ended(process)
    assert process.returncode == 2, text
    told = next(line for line in text.splitlines() if line.startswith("hooked_warc_to_xml: the run failed: "))
    assert str(folder) in told
    assert finals(tmp_path / "away") == []


def test_an_executor_that_is_killed(crawl: str, expected: Outcome, tmp_path: Path, hooks: Path, spark: Spark) -> None:
    (hooks / "pause").write_text("0.1")
    process = start(crawl, tmp_path, [*OPTIONS, *spark.options], HOOKED)
    wait("pages in both executors", lambda: len(hosts(hooks)) == 2, process)
    os.kill(max(hosts(hooks)), signal.SIGKILL)
    text = ended(process)
    assert process.returncode == 0, text
    result = outcome(tmp_path / "documents", tmp_path / "numbers.json")
    assert (result.documents, result.failures) == (expected.documents, expected.failures)
    assert unfinished(tmp_path) == []
