"""The documentation holds: its links lead somewhere, and the examples of the README run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_files_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = sorted(page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md")
    assert [page for page in pages if f"({page})" not in index] == []


# Folders whose files the documentation may name; one that is announced but not there at all is not checked.
FOLDERS = [name for name in ("benchmarks", "pipelines", "samples", "templates", "tests") if (ROOT / name).is_dir()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_the_documentation_names_exist(page: Path) -> None:
    names = re.findall(rf"\b(?:{'|'.join(FOLDERS)})/[\w./-]*\w", page.read_text(encoding="utf-8"))
    assert [name for name in names if not (ROOT / name).exists()] == []


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """What the examples read: a page, and a folder of WARC files."""
    shutil.copy(ROOT / "samples" / "pages" / "news-article.html", tmp_path / "page.html")
    (tmp_path / "crawl").mkdir()
    shutil.copy(ROOT / "samples" / "pages.warc.gz", tmp_path / "crawl")
    return tmp_path


EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_examples_are_found() -> None:
    assert len(EXAMPLES) == 2


@pytest.mark.parametrize("example", EXAMPLES, ids=["page", "pipeline"])
def test_examples_of_the_readme_run(example: str, directory: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if "WriteToText" in example:
        written = "".join(path.read_text("utf-8") for path in (directory / "out").iterdir())
        assert "https://news.example.com/2026/03/tram-depot-market\tCouncil backs plan" in written
