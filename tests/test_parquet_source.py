"""Pages from Parquet tables, and from plain files."""

from __future__ import annotations

import datetime
import gzip
import pathlib
import tracemalloc

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.io import source_test_utils
from apache_beam.testing.util import assert_that, equal_to

from mainextract_beam.beam.files import ReadPagesFromFiles
from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.parquet import ParquetPagesSource, ReadPagesFromParquet
from mainextract_beam.beam.source_items import SourceItem
from tests import hostile_archives as build

COLUMNS = {"content": "html", "url": "url"}


def write(path: pathlib.Path, count: int = 20, *, group: int = 5, kind: pa.DataType | None = None) -> None:
    contents = [build.html(number, 300) for number in range(count)]
    kind = kind or pa.binary()
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    table = pa.table(
        {
            "url": [f"https://example.com/{number}" for number in range(count)],
            "html": pa.array([content.decode() if text else content for content in contents], kind),
            "unused": list(range(count)),
        }
    )
    pq.write_table(table, path, row_group_size=group, compression="NONE", write_statistics=False)


def read(path: pathlib.Path, size: float = float("inf"), **options: object) -> list[SourceItem]:
    source = ParquetPagesSource(str(path), COLUMNS, **{"max_bytes": 1 << 20, **options})  # type: ignore[arg-type]
    return [
        item
        for bundle in source.split(desired_bundle_size=size)
        for item in source_test_utils.read_from_source(bundle.source, bundle.start_position, bundle.stop_position)
    ]


class TestParquet:
    @pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.string(), pa.large_string()])
    def test_binary_and_text_columns(self, tmp_path: pathlib.Path, kind: pa.DataType) -> None:
        write(tmp_path / "a.parquet", kind=kind)
        found = read(tmp_path / "a.parquet")
        assert [item.page.content for item in found if item.page] == [build.html(number, 300) for number in range(20)]
        assert [item.page.offset for item in found if item.page] == list(range(20))
        is_text = kind in (pa.string(), pa.large_string())
        assert {item.page.charset for item in found if item.page} == {"utf-8" if is_text else None}

    def test_every_split_reads_every_row_once(self, tmp_path: pathlib.Path) -> None:
        write(tmp_path / "a.parquet")
        whole = read(tmp_path / "a.parquet")
        for size in (100, 5000, 12_000, 30_000):
            assert read(tmp_path / "a.parquet", size) == whole
        write(tmp_path / "b.parquet", 9, group=3)
        source = ParquetPagesSource(str(tmp_path / "b.parquet"), COLUMNS, 1 << 20)
        (bundle,) = source.split(desired_bundle_size=float("inf"))
        source_test_utils.assert_split_at_fraction_exhaustive(
            bundle.source, bundle.start_position, bundle.stop_position, perform_multi_threaded_test=False
        )

    def test_all_fields(self, tmp_path: pathlib.Path) -> None:
        moment = datetime.datetime(2024, 5, 1, 14, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
        table = pa.table(
            {
                "address": ["https://example.com/1"],
                "body": [b"<p>"],
                "type": ["text/html"],
                "label": ["gbk"],
                "status": [200],
                "fetched": pa.array([moment], pa.timestamp("us", tz="Europe/Berlin")),
                "id": [17],
                "sum": [b"sha1:ABC"],
            }
        )
        path = tmp_path / "a.parquet"
        pq.write_table(table, path)
        transform = ReadPagesFromParquet(
            str(path),
            html="body",
            url="address",
            content_type="type",
            charset="label",
            http_status="status",
            fetch_date="fetched",
            record_id="id",
            digest="sum",
        )
        expected = WebPage(
            url="https://example.com/1",
            content=b"<p>",
            content_type="text/html",
            charset="gbk",
            http_status=200,
            fetch_date="2024-05-01T12:00:00Z",
            record_id="17",
            digest="sha1:ABC",
            source_file=str(path),
            offset=0,
        )
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | transform
            assert pages.element_type is WebPage
            assert_that(pages, equal_to([expected]))

    def test_rows_without_a_page_or_too_large_are_failures(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "a.parquet"
        html = [b"<p>", None, b"a" * 50, b""]
        pq.write_table(pa.table({"url": ["u0", "u1", "u2", None], "html": html}), path)
        found = read(path, max_bytes=40)
        assert [item.page and (item.page.url, item.page.content) for item in found] == [
            ("u0", b"<p>"),
            None,
            None,
            ("", b""),
        ]
        failures = [item.failure for item in found if item.failure]
        assert [(item.url, item.offset, item.exception) for item in failures] == [
            ("u1", 1, "no-content"),
            ("u2", 2, "too-large"),
        ]

    def test_a_broken_row_group_loses_its_rows_only(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "a.parquet"
        write(path)
        column = pq.ParquetFile(path).metadata.row_group(1).column(1)
        data = bytearray(path.read_bytes())
        start = column.dictionary_page_offset or column.data_page_offset
        data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
        path.write_bytes(data)
        found = read(path)
        assert [item.page.offset for item in found if item.page] == [*range(5), *range(10, 20)]
        (failure,) = [item.failure for item in found if item.failure]
        assert (failure.offset, failure.exception) == (5, "corrupt")
        assert failure.message.startswith("5 rows of row group 1 cannot be read: ")

    def test_a_missing_column_is_named_with_those_there_are(self, tmp_path: pathlib.Path) -> None:
        write(tmp_path / "a.parquet")
        there = r"has no column 'body'; its columns are: url \(string\), html \(binary\), unused \(int64\)$"
        with pytest.raises(ValueError, match=there):
            ReadPagesFromParquet(f"{tmp_path}/*.parquet", html="body")
        pipeline = beam.Pipeline(runner="FnApiRunner")
        _ = pipeline | ReadPagesFromParquet(f"{tmp_path}/*.parquet", html="body", validate=False)
        with pytest.raises(Exception, match="has no column 'body'"):
            pipeline.run()

    def test_other_files_are_refused(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "a.parquet").write_text("no table")
        with pytest.raises(ValueError, match=r"a\.parquet is no readable Parquet file: "):
            ReadPagesFromParquet(f"{tmp_path}/a.parquet")
        with pytest.raises(FileNotFoundError, match="no file matches"):
            ReadPagesFromParquet(f"{tmp_path}/none.parquet")
        with pytest.raises(ValueError, match="max_bytes must be positive, not 0"):
            ReadPagesFromParquet(f"{tmp_path}/a.parquet", max_bytes=0)

    def test_memory_does_not_grow_with_the_row_group(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "a.parquet"
        pages = [bytes([65 + number % 26]) * 1_000_000 for number in range(100)]
        table = pa.table({"url": ["u"] * 100, "html": pages})
        pq.write_table(table, path, use_dictionary=False, data_page_size=1 << 20, write_batch_size=1)
        del table
        del pages
        source = ParquetPagesSource(str(path), COLUMNS, 1 << 20)
        (bundle,) = source.split(desired_bundle_size=float("inf"))
        tracemalloc.start()
        peak = 0
        count = 0
        for item in bundle.source.read(bundle.source.get_range_tracker(None, None)):
            count += item.page is not None
            peak = max(peak, pa.total_allocated_bytes())
        python_peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == 100
        assert peak + python_peak < 60_000_000


class TestFiles:
    def test_files(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "a page.html").write_bytes(build.html(1))
        (tmp_path / "b.xhtml").write_bytes(build.html(2))
        (tmp_path / "c.html.gz").write_bytes(gzip.compress(build.html(3)))
        (tmp_path / "empty.html").touch()
        expected = [
            ("a%20page.html", build.html(1), "text/html"),
            ("b.xhtml", build.html(2), "application/xhtml+xml"),
            ("c.html.gz", build.html(3), "text/html"),
            ("empty.html", b"", "text/html"),
        ]
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | ReadPagesFromFiles(f"{tmp_path}/*")
            assert pages.element_type is WebPage
            found = pages | beam.Map(lambda page: (page.url, page.content, page.content_type))
            assert_that(found, equal_to([(f"{tmp_path.as_uri()}/{name}", *rest) for name, *rest in expected]))

    def test_files_that_cannot_be_read_are_failures(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "a.html").write_bytes(build.html(1))
        (tmp_path / "b.html").write_bytes(b"a" * 5000)
        (tmp_path / "c.html.gz").write_bytes(b"no gzip")
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            result = pipeline | ReadPagesFromFiles(f"{tmp_path}/*", max_bytes=4000, with_failures=True)
            found = result.failures | beam.Map(lambda item: (item.source_file, item.exception))
            assert_that(result.pages | beam.combiners.Count.Globally(), equal_to([1]), "pages")
            expected = [(f"{tmp_path}/b.html", "too-large"), (f"{tmp_path}/c.html.gz", "error")]
            assert_that(found, equal_to(expected), "failures")

    def test_a_pattern_without_files(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(FileNotFoundError, match="no file matches"):
            ReadPagesFromFiles(f"{tmp_path}/*.html")
