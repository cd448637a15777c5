"""The Beam sources of WARC files: splits, dynamic splits, pipelines, errors."""

from __future__ import annotations

import gzip
import io
import itertools
import pathlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import ClassVar

import apache_beam as beam
import pytest
from apache_beam.io import source_test_utils
from apache_beam.io.filesystem import CompressionTypes, FileMetadata, FileSystem
from apache_beam.testing.util import assert_that, equal_to
from hypothesis import given, settings
from hypothesis import strategies as st

from mainextract_beam.beam import warc_pages, warc_payload
from mainextract_beam.beam.pages import Failure, WebPage
from mainextract_beam.beam.source_items import SourceItem
from mainextract_beam.beam.warc import ReadAllFromWarc, ReadFromWarc, WarcSource
from tests import hostile_archives as build

MAKERS: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "warc": list,
    "warc.gz": build.gzip_members,
    "warc.zst": build.zstd_frames,
}


def source(path: object, *, splittable: bool = True, max_record_bytes: int = 1 << 20) -> WarcSource:
    return WarcSource(str(path), splittable=splittable, statuses=(200,), max_record_bytes=max_record_bytes)


def bundles(path: object, size: float, **options: bool) -> list[tuple[object, object, object]]:
    return [
        (bundle.source, bundle.start_position, bundle.stop_position)
        for bundle in source(path, **options).split(desired_bundle_size=size)
    ]


def items(path: object, size: float = float("inf"), **options: bool) -> list[SourceItem]:
    return [item for bundle in bundles(path, size, **options) for item in source_test_utils.read_from_source(*bundle)]


def page_numbers(found: list[SourceItem]) -> list[int]:
    return [int(item.page.url.rsplit("/", 1)[1]) for item in found if item.page is not None]


def write_nested(path: pathlib.Path) -> None:
    """Four pages and, before the last, a file of 200 stored as it is."""
    inner = b"".join(build.gzip_members([build.page(1000 + number) for number in range(200)]))
    stored = build.record(5, build.http(inner, content_type=b"application/gzip"))
    records = [*build.pages(3), stored, build.page(4)]
    path.write_bytes(b"".join(gzip.compress(record, compresslevel=0, mtime=0) for record in records))


@pytest.fixture(params=MAKERS)
def damaged(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> pathlib.Path:
    """Four pages and a request; of the pages the second is overwritten, and garbage stands before the fourth."""
    records = [build.page(number, fields=[b"X: " + b"x" * 200]) for number in range(4)]
    records.insert(1, build.record(100, b"GET / HTTP/1.1\r\n\r\n", kind=b"request"))
    parts = MAKERS[request.param](records)
    parts[2] = b"x" * len(parts[2])
    parts[4] = b"garbage" + parts[4]
    path = tmp_path / f"damaged.{request.param}"
    path.write_bytes(b"".join(parts))
    return path


class TestSplits:
    @pytest.mark.parametrize("size", [50, 400, 1000, 65536])
    def test_initial_splits_read_the_same(self, damaged: pathlib.Path, size: int) -> None:
        (reference,) = bundles(damaged, float("inf"))
        split = bundles(damaged, size)
        assert (len(split) > 1) == (size < damaged.stat().st_size)
        source_test_utils.assert_sources_equal_reference_source(reference, split)
        assert page_numbers(items(damaged, size)) == [0, 2, 3]

    def test_every_dynamic_split_is_right(self, damaged: pathlib.Path) -> None:
        (bundle,) = bundles(damaged, float("inf"))
        source_test_utils.assert_split_at_fraction_exhaustive(*bundle, perform_multi_threaded_test=False)

    @pytest.mark.slow
    def test_splits_from_another_thread_are_right(self, damaged: pathlib.Path) -> None:
        (bundle,) = bundles(damaged, float("inf"))
        source_test_utils.assert_split_at_fraction_exhaustive(*bundle)

    def test_reads_may_overlap(self, damaged: pathlib.Path) -> None:
        (bundle,) = bundles(damaged, float("inf"))
        source_test_utils.assert_reentrant_reads_succeed(bundle)

    @given(seed=st.integers(0, 1 << 30), maker=st.sampled_from(sorted(MAKERS)))
    @settings(max_examples=60, deadline=None)
    def test_splits_of_splits_while_reading(self, tmp_path_factory: pytest.TempPathFactory, seed: int, maker: str) -> None:
        rng = random.Random(seed)
        parts = MAKERS[maker](build.pages(25))
        for index in rng.sample(range(1, 25), 3):
            parts[index] = b"x" * len(parts[index])
        path = tmp_path_factory.mktemp("splits") / f"a.{maker}"
        path.write_bytes(b"".join(parts))
        (whole,) = source(path).split(desired_bundle_size=float("inf"))
        found: list[SourceItem] = []
        pending = [(whole.start_position, whole.stop_position)]
        while pending:
            start, stop = pending.pop()
            tracker = whole.source.get_range_tracker(start, stop)
            for item in whole.source.read(tracker):
                found.append(item)
                if rng.random() < 0.3:
                    fraction = rng.choice([0.1, 0.5, 0.9])
                    before = tracker.stop_position()
                    split = tracker.try_split(tracker.position_at_fraction(fraction))
                    if split:
                        pending.append((split[0], before))
        assert Counter(found) == Counter(items(path))

    def test_the_unclaimed_starts_are_known_at_the_end(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "a.warc"
        path.write_bytes(b"".join(build.pages(2)))
        (bundle,) = source(path).split(desired_bundle_size=float("inf"))
        tracker = bundle.source.get_range_tracker(None, None)
        reading = bundle.source.read(tracker)
        next(reading)
        assert tracker.split_points() == (0, beam.io.iobase.RangeTracker.SPLIT_POINTS_UNKNOWN)
        assert list(reading)
        assert tracker.split_points() == (1, 1)

    def test_archives_within_records_need_whole_files(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "nested.warc.gz"
        write_nested(path)
        assert page_numbers(items(path, 1000, splittable=False)) == [0, 1, 2, 4]
        assert len(bundles(path, 1000, splittable=False)) == 1
        assert len(page_numbers(items(path, 1000))) > 4  # what the option is for


class TestFiles:
    def test_an_empty_file_holds_nothing(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "a.warc.gz").touch()
        assert items(tmp_path / "a.warc.gz") == []

    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("page.html", b"<!doctype html><title>A page</title>"),
            ("page.html.gz", gzip.compress(b"<!doctype html><title>A page</title>")),
            ("a.warc.gz", b"\0" * 1000),
            ("a.warc.zst", build.zstd_frames(build.pages(2), build.zstd_dictionary(build.pages(300)))[0]),
        ],
    )
    def test_a_file_that_is_no_archive_is_named(self, tmp_path: pathlib.Path, name: str, data: bytes) -> None:
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(ValueError, match=f"{name} is no WARC or ARC file"):
            items(path, 20)

    @pytest.mark.parametrize(
        ("size", "content", "trouble"),
        [
            (255, b"abc", "is cut off, 3 of 255 bytes"),
            (1 << 31, b"abc", "claims 2147483648 bytes, more than 33554432"),
            (12, b"\x28\xb5\x2f\xfd" + b"\xff" * 8, "cannot be unpacked"),
            (40, b"\x37\xa4\x30\xec" + b"\xff" * 36, "is broken"),
        ],
    )
    def test_a_broken_dictionary_is_an_error(self, tmp_path: pathlib.Path, size: int, content: bytes, trouble: str) -> None:
        path = tmp_path / "a.warc.zst"
        path.write_bytes(b"\x5d\x2a\x4d\x18" + size.to_bytes(4, "little") + content)
        with pytest.raises(ValueError, match=rf"a\.warc\.zst: its Zstandard dictionary {trouble}"):
            items(path)

    @pytest.mark.parametrize("pack", [b"".join, lambda parts: b"".join(build.gzip_members(parts))])
    @pytest.mark.parametrize("size", [100, float("inf")])
    def test_arc_files(self, tmp_path: pathlib.Path, pack: Callable[[list[bytes]], bytes], size: float) -> None:
        responses = [(f"https://example.com/{number}", build.http(build.html(number))) for number in range(4)]
        path = tmp_path / "a.arc"
        path.write_bytes(pack(build.arc(responses)))
        found = items(path, size)
        assert page_numbers(found) == [0, 1, 2, 3]
        page = found[2].page
        assert page is not None
        assert (page.content, page.fetch_date, page.http_status) == (build.html(2), "2024-05-01T12:00:00Z", 200)

    def test_an_arc_file_cut_off(self, tmp_path: pathlib.Path) -> None:
        responses = [(f"https://example.com/{number}", build.http(build.html(number))) for number in range(3)]
        for name, data in {
            "plain.arc": b"".join(build.arc(responses))[:-50],
            "a.arc.gz": b"".join(build.gzip_members(build.arc(responses)))[:-50],
        }.items():
            path = tmp_path / name
            path.write_bytes(data)
            found = items(path)
            assert page_numbers(found) == [0, 1]
            assert [item.failure.stage for item in found if item.failure] == ["read"]

    def test_an_arc_record_of_wrong_length(self, tmp_path: pathlib.Path) -> None:
        responses = [(f"https://example.com/{number}", build.http(build.html(number))) for number in range(4)]
        parts = build.arc(responses)
        parts[2] = parts[2].replace(b"text/html %d" % len(responses[1][1]), b"text/html %d" % (len(responses[1][1]) - 9))
        path = tmp_path / "a.arc"
        path.write_bytes(b"".join(parts))
        found = items(path)
        assert page_numbers(found) == [0, 2, 3]
        assert [item.failure.exception for item in found if item.failure] == ["length"]

    def test_damage_is_reported_where_it_is(self, tmp_path: pathlib.Path) -> None:
        parts = build.gzip_members(build.pages(3))
        parts[1] = parts[1][:-8] + b"\0\0\0\0" + parts[1][-4:]
        path = tmp_path / "a.warc.gz"
        path.write_bytes(b"".join(parts))
        (failure,) = [item.failure for item in items(path) if item.failure]
        assert failure == Failure(
            url="https://example.com/1",
            record_id="urn:example:1",
            source_file=str(path),
            offset=len(parts[0]),
            stage="read",
            exception="corrupt",
            message="Error -3 while decompressing data: incorrect data check",
        )

    def test_an_unforeseen_error_costs_its_record(self, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class PanicException(BaseException):
            """As native libraries raise it."""

        def fail(body: bytes, *_: object) -> object:
            if b"Page 1<" in body:
                raise PanicException("a panic")
            if b"Page 2<" in body:
                raise RuntimeError("an error")
            return warc_payload.Payload(body, frozenset())

        monkeypatch.setattr(warc_pages, "decode_body", fail)
        path = tmp_path / "a.warc"
        path.write_bytes(b"".join(build.pages(4)))
        found = items(path)
        assert page_numbers(found) == [0, 3]
        failures = [item.failure for item in found if item.failure]
        assert [(item.exception, item.message) for item in failures] == [
            ("PanicException", "a panic"),
            ("RuntimeError", "an error"),
        ]
        assert "in fail" in str(failures[0].traceback)

    def test_a_page_over_the_limit_is_a_failure(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "a.warc.gz"
        bomb = build.http(gzip.compress(b"a" * 2_000_000), fields=[b"Content-Encoding: gzip"])
        path.write_bytes(b"".join(build.gzip_members([build.page(0), build.record(1, bomb), build.page(2)])))
        found = items(path)
        assert page_numbers(found) == [0, 2]
        failure = found[1].failure
        assert failure is not None
        assert (failure.url, failure.stage, failure.exception) == ("https://example.com/1", "decode", "too-large")


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """One file of each kind, four pages each, and a damaged one."""
    kinds = itertools.count(0, 10)
    for ending, make in MAKERS.items():
        first = next(kinds)
        parts = make([build.page(first + number) for number in range(4)])
        (tmp_path / f"a.{ending}").write_bytes(b"".join(parts))
    responses = [(f"https://example.com/{number}", build.http(build.html(number))) for number in range(30, 34)]
    (tmp_path / "a.arc").write_bytes(b"".join(build.arc(responses)))
    parts = build.gzip_members([build.page(40), build.page(41), build.record(42, b"", kind=b"revisit")])
    (tmp_path / "b.warc.gz").write_bytes(parts[0] + b"x" * 50 + parts[1][50:] + parts[2])
    return tmp_path


EXPECTED_URLS = [f"https://example.com/{tens + ones}" for tens in (0, 10, 20, 30) for ones in range(4)]
EXPECTED_URLS.append("https://example.com/40")


def counters(result: object) -> dict[str, int]:
    found = result.metrics().query()["counters"]  # type: ignore[attr-defined]
    return {item.key.metric.name: item.committed for item in found if item.key.metric.namespace == "mainextract"}


def url_of(page: WebPage) -> str:
    return f"{type(page).__name__} {page.url}"


class TestPipelines:
    @pytest.mark.parametrize("shuffle", [False, True])
    def test_read_from_warc(self, folder: pathlib.Path, shuffle: bool) -> None:
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | ReadFromWarc(f"{folder}/*")
            assert pages.element_type is WebPage
            if shuffle:
                pages |= beam.Reshuffle()
            urls = pages | beam.Map(url_of)
            assert_that(urls, equal_to([f"WebPage {url}" for url in EXPECTED_URLS]))
        assert (
            counters(pipeline.result).items()
            >= {
                "records-read": 19,
                "pages-read": 17,
                "records-skipped-warcinfo": 1,
                "records-skipped-revisit": 1,
                "records-damaged-garbage": 1,
            }.items()
        )

    def test_failures_are_an_output(self, folder: pathlib.Path) -> None:
        offset = len(build.gzip_members([build.page(40)])[0])
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            result = pipeline | ReadFromWarc(f"{folder}/b.*", with_failures=True)
            assert result.failures.element_type is Failure
            urls = result.pages | beam.Map(lambda page: page.url)
            where = result.failures | beam.Map(lambda item: (item.source_file, item.offset, item.exception))
            assert_that(urls, equal_to(["https://example.com/40"]), "pages")
            assert_that(where, equal_to([(f"{folder}/b.warc.gz", offset, "garbage")]), "failures")

    @pytest.mark.parametrize("splittable", [True, False])
    def test_read_all_from_warc(self, folder: pathlib.Path, splittable: bool) -> None:
        read = ReadAllFromWarc(desired_bundle_bytes=500, splittable=splittable, with_failures=True)
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            result = pipeline | beam.Create([f"{folder}/a.*", f"{folder}/b.warc.gz"]) | read
            urls = result.pages | beam.Map(url_of)
            assert_that(urls, equal_to([f"WebPage {url}" for url in EXPECTED_URLS]), "pages")
            assert_that(result.failures | beam.combiners.Count.Globally(), equal_to([1]), "failures")

    def test_whole_files(self, folder: pathlib.Path) -> None:
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            urls = pipeline | ReadFromWarc(f"{folder}/*", splittable=False) | beam.Map(url_of)
            assert_that(urls, equal_to([f"WebPage {url}" for url in EXPECTED_URLS]))

    def test_whole_files_that_hold_archives(self, tmp_path: pathlib.Path) -> None:
        write_nested(tmp_path / "a[1].warc.gz")
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | ReadFromWarc(f"{tmp_path}/*", splittable=False, desired_bundle_bytes=1000)
            assert_that(pages | beam.combiners.Count.Globally(), equal_to([4]))

    def test_whole_files_that_are_gone(self, tmp_path: pathlib.Path) -> None:
        for validate in (True, False):
            (tmp_path / "a.warc").write_bytes(build.page(1))
            pipeline = beam.Pipeline(runner="FnApiRunner")
            pages = pipeline | ReadFromWarc(f"{tmp_path}/*.warc", splittable=False, validate=validate)
            assert_that(pages, equal_to([]))
            (tmp_path / "a.warc").unlink()
            if validate:
                with pytest.raises(Exception, match="no file matches"):
                    pipeline.run()
            else:
                pipeline.run()

    def test_read_all_takes_file_metadata(self, folder: pathlib.Path) -> None:
        path = folder / "a.warc"
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | beam.Create([FileMetadata(str(path), path.stat().st_size)]) | ReadAllFromWarc()
            assert_that(pages | beam.combiners.Count.Globally(), equal_to([4]))

    def test_read_all_reads_names_that_look_like_patterns(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "a[1].warc").write_bytes(b"".join(build.pages(3)))
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | beam.Create([f"{tmp_path}/*"]) | ReadAllFromWarc()
            assert_that(pages | beam.combiners.Count.Globally(), equal_to([3]))

    def test_read_all_names_a_pattern_without_files(self, tmp_path: pathlib.Path) -> None:
        pipeline = beam.Pipeline(runner="FnApiRunner")
        _ = pipeline | beam.Create([f"{tmp_path}/none.warc"]) | ReadAllFromWarc()
        with pytest.raises(Exception, match=r"no file matches '.*/none\.warc'"):
            pipeline.run()

    def test_a_file_that_is_no_archive_ends_the_run(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "a.warc").write_text("no archive")
        pipeline = beam.Pipeline(runner="FnApiRunner")
        _ = pipeline | ReadFromWarc(f"{tmp_path}/a.warc")
        with pytest.raises(Exception, match=r"a\.warc is no WARC or ARC file"):
            pipeline.run()

    def test_any_beam_file_system(self) -> None:
        MemoryFileSystem.files = {"memory://b/a.warc.gz": b"".join(build.gzip_members(build.pages(30)))}
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | ReadFromWarc("memory://b/*")
            urls = pages | beam.Map(lambda page: (page.url, page.source_file))
            expected = [(f"https://example.com/{number}", "memory://b/a.warc.gz") for number in range(30)]
            assert_that(urls, equal_to(expected))


class TestOptions:
    def test_a_pattern_without_files(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(FileNotFoundError, match=r"no file matches '.*/none"):
            ReadFromWarc(f"{tmp_path}/none*")
        ReadFromWarc(f"{tmp_path}/none*", validate=False)

    def test_values_are_checked_at_once(self) -> None:
        with pytest.raises(ValueError, match=r"statuses must be HTTP status codes .* not \('200',\)"):
            ReadAllFromWarc(statuses=("200",))  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="max_record_bytes must be positive, not 0"):
            ReadAllFromWarc(max_record_bytes=0)
        with pytest.raises(ValueError, match="desired_bundle_bytes must be positive, not -1"):
            ReadAllFromWarc(desired_bundle_bytes=-1)

    def test_statuses(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "a.warc"
        path.write_bytes(build.page(0) + build.record(1, build.http(b"<p>gone", status=b"404 Not Found")))
        with beam.Pipeline(runner="FnApiRunner") as pipeline:
            pages = pipeline | ReadFromWarc(str(path), statuses=None) | beam.Map(lambda page: page.http_status)
            assert_that(pages, equal_to([200, 404]))


class MemoryFileSystem(FileSystem):
    """Files in memory, whose reads give at most a few hundred bytes."""

    files: ClassVar[dict[str, bytes]] = {}

    @classmethod
    def scheme(cls) -> str:
        return "memory"

    def join(self, basepath: str, *paths: str) -> str:
        return "/".join([basepath, *paths])

    def split(self, path: str) -> tuple[str, str]:
        head, _, tail = path.rpartition("/")
        return head, tail

    def has_dirs(self) -> bool:
        return False

    def _list(self, dir_or_prefix: str) -> Iterator[FileMetadata]:
        for path, data in self.files.items():
            if path.startswith(dir_or_prefix):
                yield FileMetadata(path, len(data))

    def open(
        self,
        path: str,
        mime_type: str = "application/octet-stream",
        compression_type: str = CompressionTypes.AUTO,
    ) -> io.BytesIO:
        class Reader(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                return super().read(min(size or 0, 300))

        assert compression_type == CompressionTypes.UNCOMPRESSED
        return Reader(self.files[path])

    def exists(self, path: str) -> bool:
        return path in self.files

    def size(self, path: str) -> int:
        return len(self.files[path])

    def metadata(self, path: str) -> FileMetadata:
        return FileMetadata(path, self.size(path))

    def last_updated(self, path: str) -> float:
        return 0.0

    def checksum(self, path: str) -> str:
        return ""

    def _refuse(self, *args: object, **kwargs: object) -> None:
        raise NotImplementedError

    mkdirs = create = copy = rename = delete = _refuse
