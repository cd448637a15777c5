"""The pipelines, as a user runs them: what they write, what they print, and what they say of bad input."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mainextract_beam.beam import options as options_module
from mainextract_beam.beam import progress, transforms
from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.run import build, run
from mainextract_beam.beam.sources import PARQUET, WARC
from tests import hostile_archives as archives
from tests import poison
from tests.test_transforms import shuffled_types

ROOT = Path(__file__).parent.parent
HTML = [archives.html(number) for number in range(6)]
RECORDS = [
    archives.record(100, b"", kind=b"warcinfo", content_type=b"application/warc-fields"),
    *archives.pages(6),
    archives.record(6, archives.http(b"<nav>menu</nav>")),
    archives.record(7, archives.http(b"gone", status=b"404 Not Found")),
]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Two WARC files of three pages each, one of them with a page without content and records that are no pages."""
    directory = tmp_path / "crawl"
    directory.mkdir()
    members = archives.gzip_members(RECORDS)
    (directory / "a.warc.gz").write_bytes(b"".join(members[:4]))
    (directory / "b.warc.gz").write_bytes(b"".join(members[4:]))
    return directory


def warc_to_xml(*arguments: object) -> int:
    return run("warc_to_xml", "", WARC, "xml", [str(argument) for argument in arguments])


def documents(directory: Path, pattern: str = "docs-*.xml") -> list[str]:
    """The URLs of the documents in XML files."""
    roots = [ElementTree.parse(path).getroot() for path in sorted(directory.glob(pattern))]
    return sorted(document.get("url", "") for root in roots for document in root)


URLS = [f"https://example.com/{number}" for number in range(6)]


def test_warc_to_xml(crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metrics_file = tmp_path / "metrics.json"
    status = warc_to_xml("--input", crawl / "*.warc.gz", "--output", tmp_path / "out/docs", "--metrics-file", metrics_file)
    assert status == 0
    assert documents(tmp_path / "out") == URLS
    out = capsys.readouterr().out.splitlines()
    assert [re.sub(r" +", " ", line) for line in out[:8]] == [
        "read 9",
        " documents 6",
        " by main 6",
        " without content 1",
        " failures 0",
        " skipped 2",
        " status 1",
        " warcinfo 1",
    ]
    assert out[-1] == f"6 documents in {tmp_path}/out/docs-*"
    numbers = json.loads(metrics_file.read_text())
    assert {name: numbers[name] for name in ("read", "documents", "without_content", "failures", "skipped")} == {
        "read": 9,
        "documents": 6,
        "without_content": 1,
        "failures": {},
        "skipped": {"status": 1, "warcinfo": 1},
    }
    assert numbers["unaccounted"] == 0
    assert set(numbers["milliseconds"]) == {"parse", "extract", "render"}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "docs-00000-of-00001.xml",
        "docs-failures-00000-of-00001.jsonl",
    ]


@pytest.mark.parametrize(
    "runner",
    [
        ["--workers", "2"],
        ["--runner", "DirectRunner"],
        ["--timeout=0", "--max_memory=0"],
        ["--whole-files"],
        ["--bundle-bytes", "300"],
    ],
)
def test_other_runners_write_the_same(crawl: Path, tmp_path: Path, runner: Sequence[str]) -> None:
    for name, arguments in (("one", []), ("other", runner)):
        assert warc_to_xml("--input", crawl / "*.warc.gz", "--output", tmp_path / name / "docs", *arguments) == 0
    one, other = (
        sorted(line for path in (tmp_path / name).glob("*.xml") for line in path.read_bytes().splitlines() if b"<document " in line)
        for name in ("one", "other")
    )
    assert len(one) == 6
    assert one == other


def test_damage_and_failures_are_accounted_for(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(transforms, "work", poison.Work)
    bad = archives.gzip_members([archives.record(20, archives.http(b"<p>panic"))])[0]
    with open(crawl / "a.warc.gz", "ab") as file:
        file.write(b"garbage" + bad)
    assert warc_to_xml("--input", crawl / "a.warc.gz", "--output", tmp_path / "out/docs") == 0
    assert documents(tmp_path / "out") == URLS[:3]
    lines = (tmp_path / "out/docs-failures-00000-of-00001.jsonl").read_text().splitlines()
    failures = sorted((json.loads(line) for line in lines), key=lambda failure: failure["stage"])
    size = (crawl / "a.warc.gz").stat().st_size
    assert [(failure["url"], failure["offset"], failure["stage"], failure["exception"]) for failure in failures] == [
        ("https://example.com/20", size - len(bad), "extract", "KeyboardInterrupt"),
        (None, size - len(bad) - 7, "read", "garbage"),
    ]
    assert "Traceback" in failures[0]["traceback"]
    assert [failure["source_file"] for failure in failures] == [str(crawl / "a.warc.gz")] * 2
    out = capsys.readouterr().out
    assert "UNACCOUNTED" not in out
    assert re.search(r"^read +6$", out, re.MULTILINE)
    assert re.search(r"^  failures +2$", out, re.MULTILINE)
    assert out.endswith(f"; failures in {tmp_path}/out/docs-failures-*\n")


def test_max_failures(crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(transforms, "work", poison.Work)
    records = [archives.record(number, archives.http(b"<p>panic")) for number in range(4)]
    (crawl / "c.warc").write_bytes(b"".join(records))
    common = ("--input", crawl / "c.warc", "--output")
    assert warc_to_xml(*common, tmp_path / "one/docs", "--max-failures", 4) == 0
    assert warc_to_xml(*common, tmp_path / "two/docs", "--max-failures", 3) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"warc_to_xml: stopped: more than 3 pages failed; the last: https://example.com/3 ({crawl}/c.warc, offset "
        f"{sum(map(len, records[:3]))}): extract: KeyboardInterrupt: a ? panic"
    )
    assert list((tmp_path / "two").iterdir()) == []


@pytest.mark.parametrize("workers", [2, 3])
def test_max_failures_is_a_limit_of_the_whole_run(tmp_path: Path, workers: int, capsys: pytest.CaptureFixture[str]) -> None:
    records = [archives.page(number, length=10) for number in range(200)]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    common = ("--input", tmp_path / "a.warc", "--workers", workers, "--bundle_bytes", 1000, "--output")
    assert warc_to_xml(*common, tmp_path / "one/docs", "--max-failures", 200) == 0
    assert warc_to_xml(*common, tmp_path / "two/docs", "--max-failures", 199) == 1
    assert "stopped: more than 199 pages failed; the last: " in capsys.readouterr().err.splitlines()[-1]
    assert list((tmp_path / "two").iterdir()) == []


def test_formats(crawl: Path, tmp_path: Path) -> None:
    common = ("--input", crawl / "*.warc.gz", "--output", tmp_path / "out/docs", "--failures", tmp_path / "out/bad")
    assert warc_to_xml(*common, "--format", "jsonl", "--compress") == 0
    assert warc_to_xml(*common, "--format", "parquet", "--overwrite", "--compress") == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "bad-00000-of-00001.jsonl.gz",
        "docs-00000-of-00001.jsonl.gz",
        "docs-00000-of-00001.parquet",
    ]
    lines = gzip.decompress((tmp_path / "out/docs-00000-of-00001.jsonl.gz").read_bytes()).splitlines()
    rows = pq.read_table(tmp_path / "out/docs-00000-of-00001.parquet").to_pylist()
    assert sorted((row["url"], row["text"]) for row in map(json.loads, lines)) == sorted((row["url"], row["text"]) for row in rows)
    assert warc_to_xml("--input", crawl / "*", "--output", tmp_path / "pages", "--files") == 0
    pages = sorted((tmp_path / "pages").glob("example.com-*.xml"))
    assert [ElementTree.parse(path).getroot().get("url") for path in pages] == URLS


def test_parquet_to_xml_writes_what_warc_to_xml_does(crawl: Path, tmp_path: Path) -> None:
    table = pa.table({"address": URLS, "body": HTML, "when": ["2024-05-01T12:00:00Z"] * 6})
    pq.write_table(table, tmp_path / "pages.parquet", row_group_size=2)
    arguments = ["--input", str(tmp_path / "pages.parquet"), "--output", str(tmp_path / "out/docs")]
    columns = ["--html_column=body", "--url-column=address", "--fetch_date_column=when"]
    assert run("parquet_to_xml", "", PARQUET, "xml", [*arguments, *columns]) == 0
    assert warc_to_xml("--input", crawl / "*.warc.gz", "--output", tmp_path / "warc/docs") == 0

    def bodies(directory: str) -> list[bytes]:
        found = [path.read_bytes() for path in (tmp_path / directory).glob("docs-0*")]
        return sorted(part for data in found for part in re.findall(rb"<html.*</html>", data))

    assert len(bodies("out")) == 6
    assert bodies("out") == bodies("warc")


def test_preview(crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert warc_to_xml("--input", crawl / "*.warc.gz", "--preview", 2) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "--- https://example.com/0 (by main, 'Page 0')"
    assert lines[1].startswith('<html xml:base="https://example.com/0"><head><title>Page 0</title></head><body><main ')
    assert lines[2].startswith("--- https://example.com/1 ")
    assert len(lines) == 4
    assert err.splitlines()[-1] == "--- 2 documents of the first 2 pages"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl"]


def test_preview_of_a_file_named_like_a_pattern(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a[1].warc").write_bytes(archives.page(1))
    pq.write_table(pa.table({"url": URLS[:1], "html": HTML[:1]}), tmp_path / "a[1].parquet")
    for source, name in ((WARC, "*.warc"), (PARQUET, "*.parquet")):
        assert run("warc_to_xml", "", source, "xml", ["--input", f"{tmp_path}/{name}", "--preview", "1"]) == 0
        assert capsys.readouterr().err.splitlines()[-1] == "--- 1 documents of the first 1 pages"


def test_preview_of_pages_that_fail(crawl: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(transforms, "work", poison.Work)
    (crawl / "0.warc").write_bytes(archives.record(0, archives.http(b"<p>panic")))
    assert warc_to_xml("--input", crawl / "*", "--preview", 1, "--format", "text", "--timeout=0", "--max-memory=0") == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1].startswith("word0 ")
    assert "--- https://example.com/0: extract: KeyboardInterrupt: a ? panic" in err.splitlines()
    assert err.splitlines()[-1] == "--- 1 documents of the first 2 pages"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--input is missing; give a file or a pattern, such as --input 'crawl/*.warc.gz'"),
        (["--input", ""], "--input is empty; give a file or a pattern, such as --input 'crawl/*.warc.gz'"),
        (["--input", "nothing*.warc"], "--input 'nothing*.warc' names no file; check the path, and quote patterns"),
        (["--input", "nosuch://x"], "--input 'nosuch://x': "),
        (["--input", "."], "--input '.' is a directory; name its files, such as './*'"),
        (["--input", "a.warc"], "--output is missing; give how the files' paths begin, such as --output out/documents"),
        (["--input", "a.warc", "--output", "out"], "--output 'out' is a directory; give the beginning of the files' names"),
        (["--input", "a.warc", "--output", "x", "--method", "guess"], "--method: unknown method 'guess'; methods are "),
        (["--input", "a.warc", "--output", "x", "--method_option", "k=1"], "--method_option: unknown option 'k' of "),
        (["--input", "a.warc", "--output", "x", "--method_option", "k"], "--method_option takes NAME=VALUE, not 'k'"),
        (["--input", "a.warc", "--output", "x", "--format", "pdf"], "--format 'pdf' is unknown; choose one of xml, "),
        (["--input", "a.warc", "--output", "x", "--files", "--format", "parquet"], "--format 'parquet' is unknown; "),
        (["--input", "a.warc", "--output", "x", "--workers", "0"], "--workers must be at least 1, not 0"),
        (["--input", "a.warc", "--output", "x", "--preview", "many"], "argument --preview: invalid int value: 'many'"),
        (["--input", "a.warc", "--output", "x", "--timeout", "-1"], "--timeout must be at least 0, not -1.0"),
        (["--input", "a.warc", "--output", "x", "--metod", "y"], "unknown option --metod; did you mean --method?"),
        (["--input", "a.warc", "--output", "done"], "done-00000-of-00001.xml is there already; choose another output"),
        (["--input", "a.warc", "--output", "x", "--metrics-file", "no/m.json"], "--metrics_file: there is no directory 'no'"),
        (["--input", "a.warc", "--output", "x"], "the run failed: "),
    ],
)
def test_bad_input_is_told_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.warc").write_text("this is no WARC file")
    (tmp_path / "out").mkdir()
    (tmp_path / "done-00000-of-00001.xml").touch()
    assert warc_to_xml(*arguments) == 2
    out, err = capsys.readouterr()
    (line,) = [line for line in err.splitlines() if line.startswith("warc_to_xml")]
    assert message in line
    assert (out, "Traceback" in err) == ("", False)


def test_patterns_in_the_working_directory(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(crawl)
    assert warc_to_xml("--input", "*.warc.gz", "--output", "docs") == 0
    assert documents(crawl) == URLS


def test_no_warc_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_text("this is no WARC file")
    for arguments in ([], ["--workers=2"]):
        command = [sys.executable, str(ROOT / "pipelines/warc_to_xml.py"), "--input", "a.warc", "--output", "x", *arguments]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "warc_to_xml: the run failed: a.warc is no WARC or ARC file: it begins with b'this is no WARC '" in done.stderr
        assert list(tmp_path.glob("x*")) == []


def test_missing_parquet_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"address": URLS, "body": HTML}), tmp_path / "p.parquet")
    arguments = ["--input", str(tmp_path / "p.parquet"), "--output", str(tmp_path / "docs")]
    assert run("parquet_to_xml", "", PARQUET, "xml", arguments) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"parquet_to_xml: {tmp_path}/p.parquet has no column 'html', 'url'; its columns are: address (string), body (binary)"
    )


def test_killed_run_leaves_no_file_under_a_final_name(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"".join(archives.pages(1500)))
    command = [sys.executable, str(ROOT / "pipelines/warc_to_xml.py"), "--input", "a.warc", "--output", "out/docs"]
    command += ["--shard_bytes", "2000"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list(tmp_path.glob("out/.docs.xml.part-*/*"))) < 20:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert list(tmp_path.glob("out/docs*")) == []
    assert list(tmp_path.glob("out/.docs*")) != []
    assert subprocess.run([*command[:-2]], cwd=tmp_path, env=environment, capture_output=True, check=False).returncode == 0
    assert len(documents(tmp_path / "out")) == 1500
    assert list(tmp_path.glob("out/.docs*")) == []


def test_pages_cross_no_shuffle(crawl: Path, tmp_path: Path) -> None:
    for source in (WARC, PARQUET):
        pq.write_table(pa.table({"url": URLS, "html": HTML}), tmp_path / "p.parquet")
        given = crawl / "a.warc.gz" if source is WARC else tmp_path / "p.parquet"
        arguments = ["--input", str(given), "--output", str(tmp_path / "docs"), "--max-failures", "1"]
        pipeline = beam.Pipeline("FnApiRunner")
        build(pipeline, source, options_module.parse("", "", ["xml"], arguments), str(tmp_path))
        assert shuffled_types(pipeline) == [beam.typehints.Tuple[str, str]] * 2  # the sinks' file names


def test_progress_counts_pages_bytes_and_failures(tmp_path: Path) -> None:
    first = progress.CountPagesFn(str(tmp_path))
    first.setup()
    first.start_bundle()
    for offset in (100, 150, 400):
        page = WebPage("https://example.com/", b"", source_file="a", offset=offset)
        assert list(first.process(page)) == [page]
    list(first.process(WebPage("https://example.com/", b"", source_file="b", offset=1000)))
    first.finish_bundle()
    second = progress.CountFailuresFn(str(tmp_path))
    second.setup()
    assert list(second.process("failure")) == ["failure"]
    second.finish_bundle()
    done = progress.read_board(str(tmp_path))
    assert done == {"pages": 4, "failures": 1, "bytes": 300}
    assert progress.line(done, 1200, 2.0) == "4 pages, 25% of 0.0 MB, 2 pages/s, 1 failures"
    assert progress.line(done, None, 2.0) == "4 pages, 2 pages/s, 1 failures"


def test_progress_on_another_machine_is_silent(tmp_path: Path) -> None:
    fn = progress.CountFailuresFn(str(tmp_path / "not here"))
    fn.setup()
    assert list(fn.process("failure")) == ["failure"]
    fn.finish_bundle()
    assert not (tmp_path / "not here").exists()


def test_every_option_has_help_and_both_spellings() -> None:
    import argparse

    parser = argparse.ArgumentParser()
    options_module.add_options(parser)
    for action in parser._actions:
        assert action.help
        if "_" in action.dest:
            assert {f"--{action.dest}", f"--{action.dest.replace('_', '-')}"} == set(action.option_strings)
