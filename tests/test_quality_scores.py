"""The measures of benchmarks/quality.py, and its report, on pages made here."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from tests import hostile_archives as archives
from tests.pages_zh.pages import PAGES

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import lines_settings
import quality
from data import character_f1, word_scores


def test_words_are_compared_as_multisets() -> None:
    assert word_scores("One two, two", "one TWO three four") == pytest.approx((4 / 7, 2 / 3, 2 / 4))
    assert word_scores("none", "one") == (0, 0, 0)
    assert word_scores(None, "one") == (0, 0, 0)


def test_characters_are_compared_where_no_spaces_part_words() -> None:
    assert character_f1("渡口 没有人", "渡口没有。") == pytest.approx(8 / 10)
    assert character_f1(None, "渡口") == 0
    assert character_f1("one", "one") is None
    assert character_f1("one", "one 渡") is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Chinese pages, each on a site of its own, and their truth."""
    made = {name: make() for name, make in PAGES.items()}
    records, rows = [], []
    for number, (name, page) in enumerate(made.items()):
        kind = f"text/html; charset={page.charset}".encode() if page.charset else b"text/html"
        url = f"https://{name.replace('_', '-')}.example/"
        records.append(
            archives.record(number, archives.http(page.data, content_type=kind)).replace(
                b"https://example.com/%d" % number, url.encode()
            )
        )
        truth = {"id": str(number), "url": url, "page_type": "article", "main_content": "\n".join(page.paragraphs)}
        rows.append(json.dumps(truth))
    (tmp_path / "a.warc.gz").write_bytes(b"".join(archives.gzip_members(records)))
    (tmp_path / "ground-truth.jsonl.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    return tmp_path


def test_quality_of_chinese_pages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert quality.main([str(folder), "--method", "lines"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith(f"pages in scripts without spaces: {len(PAGES)}, F1 of characters 0.9")
    assert line.endswith(", >= 0.8: 100.0%")


def test_settings_are_chosen_on_one_half_and_checked_on_the_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lines_settings.main([str(folder), "--only", "gap"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in out if line.startswith(("defaults", "gap"))] == ["defaults", "gap=2", "gap=4", "gap=5"]
    assert out[-1].startswith("best on half 1: ")
