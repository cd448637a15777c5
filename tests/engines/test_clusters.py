"""Flink and Spark give what one process gives, in the job server and on a cluster, whatever dies on the way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import OPTIONS, needs
from tests.engines.corpus import PAGES_PER_FILE, url
from tests.engines.faults import HOOKED, ended, finals, hold, hosts, is_running, release, started, unfinished, wait, workers
from tests.engines.outcome import Outcome, finished, outcome, run

pytestmark = [pytest.mark.engines, needs("java", "mvn")]

# A page that no worker has come to when it is in the middle of its first file.
LATE = url(PAGES_PER_FILE - 1)


def _flink(work: Path, hosts: int) -> AbstractContextManager[Any]:
    from flink import flink_cluster

    return flink_cluster(work, hosts, restarts=2)


def _spark(work: Path, hosts: int) -> AbstractContextManager[Any]:
    from spark import spark_cluster

    return spark_cluster(work, hosts, tries=3)


@dataclass(frozen=True)
class Engine:
    """An engine: how a cluster of it is started, and what replaces a process of it that was lost."""

    cluster: Callable[[Path, int], AbstractContextManager[Any]]
    """Takes the folder for all it leaves and the number of processes that run Python workers; 0: in the job server."""
    replace: Callable[[Any], object]
    """What a supervisor does. Spark is one itself."""


ENGINES = {
    "flink": Engine(_flink, lambda cluster: cluster.start_task_manager(2)),
    "spark": Engine(_spark, lambda cluster: None),
}


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return ENGINES[request.param]


@pytest.fixture(scope="module")
def cluster(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A cluster in which two processes run Python workers; the tests use the same one after each other."""
    with engine.cluster(tmp_path_factory.mktemp("cluster"), 2) as started:
        yield started


def test_inside_the_job_server(engine: Engine, crawl: str, expected: Outcome, tmp_path: Path) -> None:
    with engine.cluster(tmp_path / "work", 0) as cluster:
        assert finished(crawl, tmp_path, [*OPTIONS, *cluster.options]) == expected


def test_two_hosts(cluster: Any, crawl: str, expected: Outcome, tmp_path: Path, hooks: Path) -> None:
    with started(crawl, tmp_path, [*OPTIONS, *cluster.options]) as process:
        wait("pages in both hosts", lambda: len(hosts(hooks)) == 2, process)
        release(hooks)
        text = ended(process)
    assert process.returncode == 0, text
    assert outcome(tmp_path / "documents", tmp_path / "numbers.json") == expected


def test_a_python_worker_that_ends_in_a_page(cluster: Any, crawl: str, expected: Outcome, tmp_path: Path, hooks: Path) -> None:
    release(hooks)
    (hooks / "exit-once").write_text(url(57))
    assert finished(crawl, tmp_path, [*OPTIONS, *cluster.options], HOOKED) == expected
    assert (hooks / "exited").exists()
    assert unfinished(tmp_path) == []


def test_a_python_worker_that_ends_each_time(cluster: Any, crawl: str, tmp_path: Path, hooks: Path) -> None:
    release(hooks)
    (hooks / "exit-always").write_text(url(57))
    (tmp_path / "out").mkdir()
    done = run(crawl, tmp_path / "out", [*OPTIONS, *cluster.options], HOOKED)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "the run failed: a Python worker ended in the middle of its pages" in done.stderr
    assert finals(tmp_path / "out") == []


def test_an_output_folder_that_goes_away(cluster: Any, crawl: str, tmp_path: Path, hooks: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    with started(crawl, folder, [*OPTIONS, *cluster.options]) as process:
        wait("page", lambda: bool(workers(hooks)), process)
        folder.rename(tmp_path / "away")
        folder.write_text("no folder")
        release(hooks)
        text = ended(process)
    assert process.returncode == 2, text
    told = next(line for line in text.splitlines() if line.startswith("hooked_warc_to_xml: the run failed: "))
    assert str(folder) in told
    assert finals(tmp_path / "away") == []


def test_a_host_that_is_killed(engine: Engine, cluster: Any, crawl: str, expected: Outcome, tmp_path: Path, hooks: Path) -> None:
    with started(crawl, tmp_path, [*OPTIONS, *cluster.options]) as process:
        wait("pages in both hosts", lambda: len(hosts(hooks)) == 2, process)
        before = workers(hooks)
        os.kill(max(hosts(hooks)), signal.SIGKILL)
        release(hooks)
        engine.replace(cluster)
        text = ended(process)
    assert process.returncode == 0, text
    assert workers(hooks) - before, "what was lost has been done again, by another worker"
    assert outcome(tmp_path / "documents", tmp_path / "numbers.json") == expected
    assert unfinished(tmp_path) == []


REPORTED = 5.0
"""Seconds in which an executor tells the driver of a task whose Python worker has ended. Nothing shows from outside when it has;
before that the counts of the task die with it, its documents do not."""


@pytest.mark.parametrize("engine", ["spark"], indirect=True)
def test_a_host_that_is_killed_after_its_share(cluster: Any, crawl: str, expected: Outcome, tmp_path: Path, hooks: Path) -> None:
    with started(crawl, tmp_path, [*OPTIONS, *cluster.options]) as process:
        wait("pages in both hosts", lambda: len(hosts(hooks)) == 2, process)
        hold(hooks, LATE)
        wait("the held page", lambda: bool(hosts(hooks, LATE)), process)
        (done,) = hosts(hooks) - hosts(hooks, LATE)
        others = workers(hooks) - workers(hooks, LATE)
        wait("the end of the other's share", lambda: not any(map(is_running, others)), process)
        time.sleep(REPORTED)
        os.kill(done, signal.SIGKILL)
        release(hooks)
        text = ended(process)
    assert process.returncode == 0, text
    assert outcome(tmp_path / "documents", tmp_path / "numbers.json") == expected
    assert unfinished(tmp_path) == []
