"""The sinks: what is in the files, that they are whole or not there, and that no page crosses a shuffle."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.testing import test_stream
from apache_beam.transforms.window import FixedWindows, TimestampedValue

from mainextract_beam.beam import formats, sinks
from mainextract_beam.beam.pages import ExtractedPage, Failure

FULL = ExtractedPage(
    url='https://example.com/a?b=1&c="2"',
    fetch_date="2024-05-01T12:30:00Z",
    title="A <title>\twith \x01",
    rule="main",
    method="regions",
    xml=b"<html><body><main><p>alpha</p></main></body></html>",
    text="alpha",
    authors=["Ann Author", "Bo Writer"],
    word_count=1,
    coverage=0.5,
    truncated=True,
    record_id="urn:uuid:1",
    source_file="pages.warc.gz",
    offset=0,
)
PLAIN = ExtractedPage(url="https://example.com/b", xml=b"<main>\xc3\xa9</main><main/>", text="é")
FAILURE = Failure("https://example.com/c", None, "pages.warc.gz", 7, "parse", "ValueError", "no <such> page", "Trace\n")


def write(rows: Sequence[Any], sink: beam.PTransform) -> None:
    with beam.Pipeline("FnApiRunner") as pipeline:
        pipeline | beam.Create(rows) | sink


def names(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*"))


def test_xml_shard(tmp_path: Path) -> None:
    write([FULL, PLAIN], sinks.WriteDocumentsToXml(str(tmp_path / "docs")))
    assert names(tmp_path) == ["docs-00000-of-00001.xml"]
    assert (tmp_path / "docs-00000-of-00001.xml").read_text() == (
        "<?xml version='1.0' encoding='UTF-8'?>\n<documents>\n"
        '<document url="https://example.com/a?b=1&amp;c=&quot;2&quot;" fetch-date="2024-05-01T12:30:00Z"'
        ' title="A &lt;title>&#9;with \ufffd" rule="main" method="regions" authors="Ann Author&#10;Bo Writer"'
        ' word-count="1" coverage="0.5" truncated="true" record-id="urn:uuid:1" source-file="pages.warc.gz" offset="0">'
        "<html><body><main><p>alpha</p></main></body></html></document>\n"
        '<document url="https://example.com/b"><main>é</main><main/></document>\n'
        "</documents>\n"
    )


def test_compressed_shard_is_the_same_in_every_run(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write([FULL, PLAIN], sinks.WriteDocumentsToXml(str(tmp_path / name), compress=True))
    first = (tmp_path / "a-00000-of-00001.xml.gz").read_bytes()
    assert first == (tmp_path / "b-00000-of-00001.xml.gz").read_bytes()
    assert len(ElementTree.fromstring(gzip.decompress(first))) == 2


def test_json_lines(tmp_path: Path) -> None:
    write([PLAIN], sinks.WriteDocumentsToJsonLines(str(tmp_path / "docs")))
    (line,) = (tmp_path / "docs-00000-of-00001.jsonl").read_text().splitlines()
    assert list(json.loads(line)) == list(ExtractedPage._fields)
    assert json.loads(line)["xml"] == "<main>é</main><main/>"


def test_failures(tmp_path: Path) -> None:
    write([FAILURE], sinks.WriteFailures(str(tmp_path / "failed")))
    (line,) = (tmp_path / "failed-00000-of-00001.jsonl").read_text().splitlines()
    assert json.loads(line) == FAILURE._asdict()


def test_text(tmp_path: Path) -> None:
    write([FULL, PLAIN], sinks.WriteDocumentsToText(str(tmp_path / "docs")))
    assert (tmp_path / "docs-00000-of-00001.txt").read_bytes() == b"alpha\n\x0c\n\xc3\xa9\n\x0c\n"


def test_markdown_states_what_is_known_of_each_page(tmp_path: Path) -> None:
    write([FULL._replace(xml=b"<main><h1>A</h1><p>*b*</p></main>")], sinks.WriteDocumentsToMarkdown(str(tmp_path / "docs")))
    assert (tmp_path / "docs-00000-of-00001.md").read_text() == (
        """---
url: "https://example.com/a?b=1&c=\\"2\\""
fetch-date: "2024-05-01T12:30:00Z"
title: "A <title>\\twith \\u0001"
rule: "main"
method: "regions"
authors: "Ann Author\\nBo Writer"
word-count: "1"
coverage: "0.5"
truncated: "true"
record-id: "urn:uuid:1"
source-file: "pages.warc.gz"
offset: "0"
---

# A

\\*b\\*
\f
"""
    )


def test_html_files_state_what_is_known_and_run_nothing(tmp_path: Path) -> None:
    page = PLAIN._replace(title='"><script>x()</script>', xml=b"<main onclick='x()'>\xc3\xa9<script>x()</script></main><main/>")
    write([page], sinks.WriteDocumentsToFiles(str(tmp_path), form="html"))
    (name,) = names(tmp_path)
    assert (tmp_path / name).read_text() == (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>"&gt;&lt;script&gt;x()&lt;/script&gt;</title>'
        '<meta name="url" content="https://example.com/b"><meta name="title" content="&quot;&gt;&lt;script&gt;x()&lt;/script&gt;">'
        "</head><body><main>é</main><main></main></body></html>\n"
    )


def test_parquet(tmp_path: Path) -> None:
    write([FULL, PLAIN], sinks.WriteDocumentsToParquet(str(tmp_path / "docs"), compress=True))
    assert names(tmp_path) == ["docs-00000-of-00001.parquet"]
    table = pq.read_table(tmp_path / "docs-00000-of-00001.parquet")
    assert table.schema == formats.parquet_schema(ExtractedPage)
    assert table.schema.field("authors").type == pa.list_(pa.string())
    assert not table.schema.field("url").nullable
    first, second = table.to_pylist()
    assert first == FULL._asdict()
    assert second == PLAIN._asdict()


def test_parquet_row_groups_are_bounded_by_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "BATCH_BYTES", 1000)
    rows = [PLAIN._replace(text="x" * size) for size in (900, 1, 1, 1)]
    write(rows, sinks.WriteDocumentsToParquet(str(tmp_path / "docs")))
    file = pq.ParquetFile(tmp_path / "docs-00000-of-00001.parquet")
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [1, 3]


def test_shards_are_bounded_by_bytes(tmp_path: Path) -> None:
    write([PLAIN] * 5, sinks.WriteDocumentsToXml(str(tmp_path / "docs"), shard_bytes=100))
    assert names(tmp_path) == [f"docs-0000{number}-of-00003.xml" for number in range(3)]
    sizes = [len(ElementTree.parse(path).getroot()) for path in sorted(tmp_path.iterdir())]
    assert sizes == [2, 2, 1]


@pytest.mark.parametrize(("form", "suffix"), [("xml", "xml"), ("parquet", "parquet"), ("jsonl", "jsonl")])
def test_no_rows_make_one_file_without_rows(tmp_path: Path, form: str, suffix: str) -> None:
    with beam.Pipeline("FnApiRunner") as pipeline:
        (pipeline | beam.Create([], reshuffle=False).with_output_types(ExtractedPage) | sinks.SINKS[form](str(tmp_path / "docs")))
    (name,) = names(tmp_path)
    assert name == f"docs-00000-of-00001.{suffix}"
    if form == "xml":
        assert len(ElementTree.parse(tmp_path / name).getroot()) == 0
    if form == "parquet":
        assert pq.read_table(tmp_path / name).num_rows == 0


def test_refuses_to_write_over(tmp_path: Path) -> None:
    prefix = str(tmp_path / "do[c]s")
    write([PLAIN] * 5, sinks.WriteDocumentsToXml(prefix, shard_bytes=1))
    with pytest.raises(ValueError, match=r"do\[c\]s-00000-of-00005\.xml is there already"):
        sinks.WriteDocumentsToXml(prefix)
    sinks.WriteDocumentsToXml(prefix, compress=True)
    sinks.WriteDocumentsToXml(str(tmp_path / "do"))
    write([FULL], sinks.WriteDocumentsToXml(prefix, overwrite=True))
    assert names(tmp_path) == ["do[c]s-00000-of-00001.xml"]


@pytest.mark.parametrize("tail", ["", "/"])
def test_directory_is_no_prefix(tmp_path: Path, tail: str) -> None:
    with pytest.raises(ValueError, match=r"is a directory; give the beginning of the files' names, such as '.*/documents'"):
        sinks.WriteDocumentsToXml(str(tmp_path) + tail)


class Fails(beam.DoFn):
    def process(self, row: ExtractedPage) -> Any:
        if row.url == "https://example.com/b":
            raise OSError("the disk is gone")
        yield row


def test_run_that_fails_leaves_nothing_under_a_final_name(tmp_path: Path) -> None:
    pipeline = beam.Pipeline("FnApiRunner")
    rows = pipeline | beam.Create([FULL, PLAIN]) | beam.ParDo(Fails()).with_output_types(ExtractedPage)
    rows | sinks.WriteDocumentsToXml(str(tmp_path / "docs"))
    with pytest.raises(Exception, match="the disk is gone"):
        pipeline.run()
    assert [path for path in names(tmp_path) if not path.startswith(".docs.xml.part-")] == []
    assert len(names(tmp_path)) == 2  # the directory, and a file in it
    sink = sinks.WriteDocumentsToXml(str(tmp_path / "docs"))
    sink.clean()
    assert names(tmp_path) == []


def test_naming_done_twice_is_done_once(tmp_path: Path) -> None:
    temporary = sinks.temporary_directory(str(tmp_path / "docs"), ".xml")
    Path(temporary).mkdir()
    paths = [f"{temporary}/{letter}.xml" for letter in "ba"]
    for path in paths:
        Path(path).write_text(path[-5])
    shards = sinks._Shards("xml", ExtractedPage, str(tmp_path / "docs"), ".xml", temporary)
    pane = beam.utils.windowed_value.PANE_INFO_UNKNOWN
    for _ in range(2):
        done = list(sinks._NameShardsFn(shards, False).process(("", [*paths, paths[0], ""]), sinks.GlobalWindow(), pane))
        assert [Path(path).name for path in done] == ["docs-00000-of-00002.xml", "docs-00001-of-00002.xml"]
        assert [Path(path).read_text() for path in done] == ["a", "b"]
    Path(done[1]).unlink()
    with pytest.raises(FileNotFoundError, match=r"b\.xml is gone before it became"):
        list(sinks._NameShardsFn(shards, False).process(("", paths), sinks.GlobalWindow(), pane))


def test_windows_have_files_of_their_own(tmp_path: Path) -> None:
    stream = (
        test_stream.TestStream(coder=beam.coders.registry.get_coder(ExtractedPage))
        .advance_watermark_to(0)
        .add_elements([TimestampedValue(PLAIN, 1), TimestampedValue(FULL, 2)])
        .advance_watermark_to(60)
        .add_elements([TimestampedValue(PLAIN, 61)])
        .advance_watermark_to_infinity()
    )
    options = PipelineOptions(["--streaming"])
    with beam.Pipeline("BundleBasedDirectRunner", options=options) as pipeline:
        rows = pipeline | stream | beam.WindowInto(FixedWindows(60))
        rows | sinks.WriteDocumentsToXml(str(tmp_path / "docs"))
    files = {path.name: len(ElementTree.parse(path).getroot()) for path in tmp_path.glob("docs*")}
    assert sum(files.values()) == 3
    assert all(name.startswith("docs-1970-01-01T000") and name.endswith(".xml") for name in files)
    windows = {name[5:39] for name in files}
    assert windows == {"1970-01-01T000000Z-1970-01-01T0001", "1970-01-01T000100Z-1970-01-01T0002"}


def test_one_file_per_page(tmp_path: Path) -> None:
    write([FULL, PLAIN], sinks.WriteDocumentsToFiles(str(tmp_path)))
    assert names(tmp_path) == ["example.com-a-b-1-c-2-c582413c3795.xml", "example.com-b-6ee225cc514b.xml"]
    roots = [ElementTree.parse(path).getroot() for path in sorted(tmp_path.iterdir())]
    assert [(root.tag, root.get("url"), len(root)) for root in roots] == [
        ("document", FULL.url, 1),
        ("document", PLAIN.url, 2),
    ]
    with pytest.raises(ValueError, match="is there already"):
        sinks.WriteDocumentsToFiles(str(tmp_path))
    write([FULL, PLAIN], sinks.WriteDocumentsToFiles(str(tmp_path), overwrite=True))
    assert len(names(tmp_path)) == 2
    with pytest.raises(
        ValueError, match="no files of one page as 'parquet'; the formats are xml, jsonl, json, text, markdown, html"
    ):
        sinks.WriteDocumentsToFiles(str(tmp_path), form="parquet")
