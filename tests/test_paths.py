"""Paths and patterns of files, relative ones above all: Beam by itself finds nothing for some of them."""

from __future__ import annotations

from pathlib import Path

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.testing.util import assert_that, equal_to

from mainextract_beam.beam import sinks
from mainextract_beam.beam.files import ReadPagesFromFiles
from mainextract_beam.beam.pages import ExtractedPage
from mainextract_beam.beam.parquet import ReadPagesFromParquet
from mainextract_beam.beam.paths import beam_pattern
from mainextract_beam.beam.sinks import WriteDocumentsToXml, shards_there
from mainextract_beam.beam.warc import ReadAllFromWarc, ReadFromWarc
from tests import hostile_archives as build
from tests.test_sinks import PLAIN, write


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [
        ("*.warc.gz", "./*.warc.gz"),
        ("part-*/a.warc", "./part-*/a.warc"),
        ("a?.warc", "./a?.warc"),
        ("[ab].warc", "./[ab].warc"),
        ("a.warc", "a.warc"),
        ("sub/*.warc", "sub/*.warc"),
        ("../*.warc", "../*.warc"),
        ("/crawl/*.warc", "/crawl/*.warc"),
        ("gs://bucket/*.warc", "gs://bucket/*.warc"),
        (r"C:\crawl\*.warc", r"C:\crawl\*.warc"),
        ("", ""),
    ],
)
def test_beam_pattern(pattern: str, taken: str) -> None:
    assert beam_pattern(pattern) == taken


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a file of each kind in it, and one below."""
    monkeypatch.chdir(tmp_path)
    for directory in (tmp_path, tmp_path / "sub"):
        directory.mkdir(exist_ok=True)
        (directory / "a.warc").write_bytes(build.page(1))
        (directory / "a.html").write_bytes(build.html(1))
        pq.write_table(pa.table({"url": ["u"], "html": [build.html(1)]}), directory / "a.parquet")
    return tmp_path


@pytest.mark.parametrize("validate", [True, False])
@pytest.mark.parametrize("pattern", ["*.{}", "a?{}", "[a].{}", "su*/a.{}", "a.{}", "./*.{}"])
@pytest.mark.parametrize("kind", ["warc", "html", "parquet"])
def test_sources_read_relative_patterns(here: Path, kind: str, pattern: str, validate: bool) -> None:
    read = {"warc": ReadFromWarc, "html": ReadPagesFromFiles, "parquet": ReadPagesFromParquet}[kind]
    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        pages = pipeline | read(pattern.format(kind), validate=validate)
        assert_that(pages | beam.Map(lambda page: page.content), equal_to([build.html(1)]))


def test_read_all_reads_relative_patterns(here: Path) -> None:
    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        pages = pipeline | beam.Create(["*.warc", "su*/a.warc"]) | ReadAllFromWarc()
        assert_that(pages | beam.combiners.Count.Globally(), equal_to([2]))


@pytest.mark.parametrize("read", [ReadFromWarc, ReadPagesFromFiles, ReadPagesFromParquet])
def test_a_relative_pattern_without_files_is_an_error_that_names_it(here: Path, read: type[beam.PTransform]) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file matches '\*\.none'"):
        read("*.none")


def test_shards_in_the_working_directory_are_seen_and_replaced(here: Path) -> None:
    write([PLAIN] * 3, WriteDocumentsToXml("docs", shard_bytes=1))
    assert len(shards_there("docs", ".xml")) == 3
    with pytest.raises(ValueError, match=r"docs-00000-of-00003\.xml is there already"):
        WriteDocumentsToXml("docs")
    write([PLAIN], WriteDocumentsToXml("docs", overwrite=True))
    assert sorted(path.name for path in here.glob("docs*")) == ["docs-00000-of-00001.xml"]


def test_naming_done_twice_in_the_working_directory_keeps_the_files(here: Path) -> None:
    Path(".part").mkdir()
    Path(".part/a.xml").write_text("a")
    named = ("", [".part/a.xml"])
    name = sinks._NameShardsFn(sinks._Shards("xml", ExtractedPage, "docs", ".xml", ".part"), True)
    for _ in range(2):
        assert list(name.process(named, sinks.GlobalWindow())) == ["docs-00000-of-00001.xml"]
        assert Path("docs-00000-of-00001.xml").read_text() == "a"
