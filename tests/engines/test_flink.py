"""Flink gives what one process gives, in the job server and on a cluster, whatever dies on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.engines.conftest import OPTIONS
from tests.engines.corpus import url
from tests.engines.faults import HOOKED, ended, finals, hosts, unfinished, wait, workers
from tests.engines.outcome import Outcome, finished, outcome, run, start

if TYPE_CHECKING:
    from flink import Flink

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def flink(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flink]:
    """A JobManager and two TaskManagers."""
    from flink import flink_cluster

    with flink_cluster(tmp_path_factory.mktemp("flink"), 2, restarts=2) as cluster:
        yield cluster


def test_inside_the_job_server(crawl: str, expected: Outcome, tmp_path: Path) -> None:
    from flink import flink_cluster

    with flink_cluster(tmp_path / "work", 0) as cluster:
        assert finished(crawl, tmp_path, [*OPTIONS, *cluster.options]) == expected


def test_two_task_managers(crawl: str, expected: Outcome, tmp_path: Path, hooks: Path, flink: Flink) -> None:
    assert finished(crawl, tmp_path, [*OPTIONS, *flink.options], HOOKED) == expected
    assert len(hosts(hooks)) == 2, "both TaskManagers have read pages"


def test_a_python_worker_that_ends_in_a_page(crawl: str, expected: Outcome, tmp_path: Path, hooks: Path, flink: Flink) -> None:
    (hooks / "exit-once").write_text(url(57))
    result = finished(crawl, tmp_path, [*OPTIONS, *flink.options], HOOKED)
    assert (hooks / "exited").exists()
    assert (result.documents, result.failures) == (expected.documents, expected.failures)
    assert unfinished(tmp_path) == []


def test_a_python_worker_that_ends_each_time(crawl: str, tmp_path: Path, hooks: Path, flink: Flink) -> None:
    (hooks / "exit-always").write_text(url(57))
    (tmp_path / "out").mkdir()
    done = run(crawl, tmp_path / "out", [*OPTIONS, *flink.options], HOOKED)
    assert done.returncode == 2
    assert "the run failed: a Python worker ended in the middle of its pages" in done.stderr
    assert finals(tmp_path / "out") == []


def test_an_output_folder_that_goes_away(crawl: str, tmp_path: Path, hooks: Path, flink: Flink) -> None:
    (hooks / "pause").write_text("0.1")
    folder = tmp_path / "out"
    folder.mkdir()
    process = start(crawl, folder, [*OPTIONS, *flink.options], HOOKED)
    wait("page", lambda: bool(workers(hooks)), process)
    folder.rename(tmp_path / "away")
    folder.write_text("no folder")
    text = ended(process)
    assert process.returncode == 2, text
    told = next(line for line in text.splitlines() if line.startswith("hooked_warc_to_xml: the run failed: "))
    assert str(folder) in told
    assert finals(tmp_path / "away") == []


def test_a_task_manager_that_is_killed(crawl: str, expected: Outcome, tmp_path: Path, hooks: Path, flink: Flink) -> None:
    (hooks / "pause").write_text("0.1")
    process = start(crawl, tmp_path, [*OPTIONS, *flink.options], HOOKED)
    wait("pages in both TaskManagers", lambda: len(hosts(hooks)) == 2, process)
    flink.processes.kill("task-manager-0")
    # What a supervisor does: the job needs two slots.
    flink.start_task_manager(2)
    text = ended(process)
    assert process.returncode == 0, text
    assert len(workers(hooks)) > 2, "the job began anew"
    result = outcome(tmp_path / "documents", tmp_path / "numbers.json")
    assert (result.documents, result.failures) == (expected.documents, expected.failures)
    assert unfinished(tmp_path) == []
