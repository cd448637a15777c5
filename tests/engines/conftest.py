"""The crawl, and what the in-process runner makes of it, which every engine is compared with."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.engines.corpus import DOCUMENTS, FAILURES, MAX_ELEMENTS, write_crawl
from tests.engines.outcome import ROOT, Outcome, finished

sys.path[:0] = [str(ROOT / "templates"), *(str(ROOT / "templates" / engine) for engine in ("flink", "spark", "prism"))]

OPTIONS = [f"--max_elements={MAX_ELEMENTS}"]


def needs(*programs: str) -> pytest.MarkDecorator:
    """A mark: the test is left out, with the reason, where one of the programs is missing."""
    missing = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"there is no {' and no '.join(missing)}")


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The pattern of the crawl's files."""
    return write_crawl(tmp_path_factory.mktemp("crawl"))


@pytest.fixture(scope="session")
def expected(crawl: str, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """What one process makes of the crawl."""
    result = finished(crawl, tmp_path_factory.mktemp("expected"), OPTIONS)
    assert sum(result.documents.values()) == len(result.documents) == DOCUMENTS
    assert sum(result.failures.values()) == FAILURES
    return result


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the hooked pipeline looks at; workers are held until `release`."""
    folder = tmp_path / "hooks"
    folder.mkdir()
    (folder / "hold").touch()
    monkeypatch.setenv("HOOKS", str(folder))
    return folder
