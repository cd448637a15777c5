"""Records found in sound and broken files, the same for every way of splitting them."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import tracemalloc
from collections.abc import Iterable

import pytest
from fastwarc.warc import ArchiveIterator
from hypothesis import given, settings
from hypothesis import strategies as st

from mainextract_beam.beam.warc_records import Damage, Record, RecordReader
from tests import hostile_archives as build

WHOLE = 1 << 40


def read_range(data: bytes, start: int, stop: int, name: str = "", limit: int = 1 << 30) -> list[Record | Damage]:
    """Reads what the starts in a range own."""
    reader = RecordReader(io.BytesIO(data), name, limit)
    found: list[Record | Damage] = []
    position = reader.find_start(start)
    if start == 0:
        found.extend(reader.leading_damage(position))
    while position is not None and position < stop:
        reading = reader.read(position)
        while True:
            try:
                found.append(next(reading))
            except StopIteration as end:
                position = end.value
                break
    return found


def read(data: bytes, name: str = "", limit: int = 1 << 30) -> list[Record | Damage]:
    """Reads a file whole, and checks that it reads the same in ranges of many sizes."""
    whole = read_range(data, 0, WHOLE, name, limit)
    for size in (61, 997, 5000, 65536):
        if len(data) / size < 400:
            split = [item for at in range(0, len(data), size) for item in read_range(data, at, at + size, name, limit)]
            assert split == whole
    return whole


def numbers(found: Iterable[Record | Damage]) -> list[int]:
    """Numbers of the records read."""
    return [int(item.headers["warc-record-id"].strip("<>").split(":")[-1]) for item in found if isinstance(item, Record)]


def damages(found: Iterable[Record | Damage]) -> list[tuple[str, int]]:
    """Kind and offset of each damage."""
    return [(item.kind, item.offset) for item in found if isinstance(item, Damage)]


def offsets(parts: Iterable[bytes]) -> list[int]:
    """Where each part begins when they stand one behind the other."""
    starts = [0]
    for part in parts:
        starts.append(starts[-1] + len(part))
    return starts


def dictionary_file(records: list[bytes], *, packed: bool) -> list[bytes]:
    dictionary = build.zstd_dictionary(build.pages(300))
    return [build.dictionary_frame(dictionary, packed=packed), *build.zstd_frames(records, dictionary)]


FORMATS = {
    "plain": list,
    "gzip": build.gzip_members,
    "zstd": build.zstd_frames,
    "zstd raw dictionary": lambda records: dictionary_file(records, packed=False),
    "zstd packed dictionary": lambda records: dictionary_file(records, packed=True),
}


@pytest.fixture(params=FORMATS)
def parts(request: pytest.FixtureRequest) -> list[bytes]:
    """Twelve records in each format, the parts of the file that hold them, and what leads the file."""
    return FORMATS[request.param](build.pages(12))


def records_from(parts: list[bytes]) -> int:
    """Index of the part that holds record 0."""
    return len(parts) - 12


class TestSoundFiles:
    def test_every_record_is_read_at_its_offset(self, parts: list[bytes]) -> None:
        found = read(b"".join(parts))
        assert numbers(found) == list(range(12))
        assert [item.offset for item in found] == offsets(parts)[records_from(parts) : -1]
        assert found[3].block == build.http(build.html(3))

    @pytest.mark.parametrize("name", ["plain", "gzip", "zstd"])
    def test_the_same_records_as_fastwarc_reads(self, name: str) -> None:
        data = b"".join(FORMATS[name](build.pages(30)))
        theirs = [
            (item.stream_pos, item.record_id, item.reader.read()) for item in ArchiveIterator(io.BytesIO(data), parse_http=False)
        ]
        assert [(item.offset, item.headers["warc-record-id"], item.block) for item in read(data)] == theirs

    @given(cuts=st.lists(st.integers(0, 6000), max_size=8), name=st.sampled_from(["plain", "gzip", "zstd"]))
    @settings(max_examples=150, deadline=None)
    def test_any_cut_points_give_every_record_once(self, cuts: list[int], name: str) -> None:
        data = b"".join(FORMATS[name](build.pages(12)))
        bounds = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
        split = [item for start, stop in itertools.pairwise(bounds) for item in read_range(data, start, stop)]
        assert split == read_range(data, 0, WHOLE)

    def test_files_that_give_less_than_asked_for(self, parts: list[bytes]) -> None:
        class Slow(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                return super().read(min(size or 0, 700))

        data = b"".join(parts)
        reader = RecordReader(Slow(data))
        found = []
        position = reader.find_start(0)
        while position is not None:
            reading = reader.read(position)
            while True:
                try:
                    found.append(next(reading))
                except StopIteration as end:
                    position = end.value
                    break
        assert found == read_range(data, 0, WHOLE)

    def test_an_empty_file_has_none(self) -> None:
        assert RecordReader(io.BytesIO(b"")).find_start(0) is None

    @pytest.mark.parametrize("eol", [b"\n", b"\r\r\n"])
    def test_headers_with_odd_line_ends(self, eol: bytes) -> None:
        records = [build.page(number, eol=eol) for number in range(5)]
        assert numbers(read(b"".join(records))) == [0, 1, 2, 3, 4]
        assert numbers(read(b"".join(build.gzip_members(records)))) == [0, 1, 2, 3, 4]

    def test_all_records_in_one_member(self) -> None:
        found = read(gzip.compress(b"".join(build.pages(12)), mtime=0))
        assert numbers(found) == list(range(12))
        assert {item.offset for item in found} == {0}

    def test_members_that_end_within_records(self) -> None:
        assert numbers(read(build.gzip_blocks(b"".join(build.pages(40)), 1000))) == list(range(40))
        assert not damages(read(build.gzip_blocks(b"".join(build.pages(40)), 1000)))

    def test_a_member_that_unpacks_a_hundredfold(self) -> None:
        big = build.record(0, build.http(b"<p>" + b"a" * 5_000_000))
        found = read(b"".join(build.gzip_members([big, build.page(1)])))
        assert [item.length for item in found] == [len(build.http(b"<p>")) + 5_000_000, len(build.http(build.html(1)))]

    def test_skippable_frames_between_records_are_no_damage(self) -> None:
        frames = build.zstd_frames(build.pages(4))
        skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc"
        found = read(skippable + frames[0] + skippable + skippable + b"".join(frames[1:]) + skippable)
        assert numbers(found) == [0, 1, 2, 3]
        assert not damages(found)

    @pytest.mark.parametrize("make", [list, build.gzip_members])
    def test_folded_and_repeated_header_fields(self, make: object) -> None:
        fields = [b"WARC-Concurrent-To: <urn:example:a>", b"WARC-Concurrent-To: <urn:example:b>", b"X-Long: a", b"  b"]
        (found,) = read(b"".join(FORMATS["plain"]([build.page(1, fields=fields)])))
        assert found.headers["x-long"] == "a b"
        assert found.headers["warc-concurrent-to"] == "<urn:example:a>"


class TestDamage:
    def test_a_member_overwritten_loses_that_record_only(self, parts: list[bytes]) -> None:
        index = records_from(parts) + 5
        noise = b"x" + random.Random(1).randbytes(len(parts[index]) - 1)
        found = read(b"".join([*parts[:index], noise, *parts[index + 1 :]]))
        assert numbers(found) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]
        assert damages(found) == [("garbage", offsets(parts)[index])]

    def test_the_first_record_overwritten(self, parts: list[bytes]) -> None:
        index = records_from(parts)
        noise = b"x" + random.Random(1).randbytes(len(parts[index]) - 1)
        data = b"".join([*parts[:index], noise, *parts[index + 1 :]])
        name = "a.warc.gz" if parts[0].startswith(b"\x1f\x8b") else "a.warc.zst" if index == 0 else ""
        found = read(data, name if not parts[0].startswith(b"WARC") else "a.warc")
        assert numbers(found) == list(range(1, 12))
        assert damages(found) == [("garbage", offsets(parts)[index])]

    @pytest.mark.parametrize("name", ["gzip", "zstd"])
    def test_one_byte_changed_at_any_place_loses_at_most_its_record(self, name: str) -> None:
        parts = FORMATS[name](build.pages(3))
        start = offsets(parts)[1]
        for place in range(0, len(parts[1]), 3):
            data = bytearray(b"".join(parts))
            data[start + place] ^= 0x5A
            found = read_range(bytes(data), 0, WHOLE)
            assert numbers(found) in ([0, 2], [0, 1, 2])  # a gzip header has bytes that mean nothing
            assert len(damages(found)) == 3 - len(numbers(found))

    @pytest.mark.parametrize("noise", [b"some text", b"\0" * 600, b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd\0", b"WARC/1.0\r\n"])
    def test_garbage_between_records_loses_none(self, parts: list[bytes], noise: bytes) -> None:
        index = records_from(parts) + 5
        found = read(b"".join([*parts[:index], noise, *parts[index:]]))
        assert numbers(found) == list(range(12))
        assert [offset for _, offset in damages(found)] == [offsets(parts)[index]]

    @pytest.mark.parametrize("noise", [b"some text", b"\0" * 600])
    def test_garbage_at_the_end(self, parts: list[bytes], noise: bytes) -> None:
        found = read(b"".join(parts) + noise)
        assert numbers(found) == list(range(12))
        assert damages(found) == [("garbage", offsets(parts)[-1])]

    def test_garbage_at_the_beginning(self) -> None:
        found = read(b"some text\n" + b"".join(build.pages(3)))
        assert numbers(found) == [0, 1, 2]
        assert damages(found) == [("garbage", 0)]

    @pytest.mark.parametrize("kept", [1, 12, 60, 150, -1])
    def test_a_file_cut_off_loses_the_last_record(self, parts: list[bytes], kept: int) -> None:
        last = parts[-1].rstrip(b"\r\n")
        found = read(b"".join(parts[:-1]) + last[: min(kept, len(last) - 1)])
        assert numbers(found) == list(range(11))
        assert [offset for _, offset in damages(found)] == [offsets(parts)[-2]]

    def test_what_a_cut_off_file_is_said_to_be(self) -> None:
        for make in (list, build.gzip_members):
            parts = make(build.pages(2))
            (damage,) = [item for item in read(b"".join(parts)[:-30]) if isinstance(item, Damage)]
            assert damage.kind == "cut-off"
            assert damage.headers["warc-target-uri"] == "https://example.com/1"

    @pytest.mark.parametrize("wrong", [0, 10, 53, 290, 500, 3000, 10**9, 10**14])
    @pytest.mark.parametrize("name", ["plain", "gzip", "zstd"])
    def test_a_wrong_length_loses_that_record_only(self, name: str, wrong: int) -> None:
        records = build.pages(12)
        records[5] = build.page(5, length=wrong)
        parts = FORMATS[name](records)
        found = read(b"".join(parts))
        assert numbers(found) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]
        assert damages(found) == [("length", offsets(parts)[5])]

    def test_a_length_that_ends_with_the_http_header(self) -> None:
        records = build.pages(4)
        records[1] = build.page(1, length=records[1].index(b"<!DOCTYPE") - records[1].index(b"HTTP/1.1") - 4)
        for parts in (records, build.gzip_members(records)):
            found = read(b"".join(parts))
            assert numbers(found) == [0, 2, 3]
            assert damages(found) == [("length", offsets(parts)[1])]

    def test_a_wrong_length_within_a_member_of_many_records(self) -> None:
        records = build.pages(12)
        records[3] = build.page(3, length=20)
        records[7] = build.page(7, length=1500)
        found = read(gzip.compress(b"".join(records), mtime=0))
        assert numbers(found) == [0, 1, 2, 4, 5, 6, 8, 9, 10, 11]
        assert [kind for kind, _ in damages(found)] == ["length", "length"]

    @pytest.mark.parametrize("length", [b"many", b"-1", b"", b"9" * 40])
    def test_a_length_that_is_no_number(self, length: bytes) -> None:
        records = build.pages(4)
        records[2] = records[2].replace(b"Content-Length: ", b"Content-Length: " + length + b" was ")
        found = read(b"".join(build.gzip_members(records)))
        assert numbers(found) == [0, 1, 3]
        assert [kind for kind, _ in damages(found)] == ["header"]
        plain = read(b"".join(records))
        assert numbers(plain) == [0, 1, 3]
        assert damages(plain) == [("garbage", offsets(records)[2])]

    def test_a_broken_member_of_many_records_keeps_those_before(self) -> None:
        data = bytearray(gzip.compress(b"".join(build.pages(2000)), mtime=0))
        half = len(data) // 2
        data[half : half + 40] = b"\xff" * 40
        tail = b"".join(build.gzip_members([build.page(5000)]))
        found = read_range(bytes(data) + tail, 0, WHOLE)
        before = numbers(found)[:-1]
        assert before == list(range(len(before)))
        assert 500 < len(before) < 1500
        assert numbers(found)[-1] == 5000
        assert damages(found) == [("corrupt", 0)]

    def test_a_plain_record_without_id_is_no_record(self) -> None:
        records = build.pages(3)
        records[1] = records[1].replace(b"WARC-Record-ID", b"WARC-Something")
        found = read(b"".join(records))
        assert numbers(found) == [0, 2]
        assert damages(found) == [("garbage", offsets(records)[1])]

    def test_a_page_that_speaks_of_warc_is_no_start(self) -> None:
        header = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: &lt;urn:a&gt;\r\nContent-Length: 2\r\n\r\n"
        example = b"<pre>" + header + b"ab</pre>"
        records = [build.page(0), build.record(1, build.http(example)), build.page(2)]
        assert numbers(read(b"".join(records))) == [0, 1, 2]

    @pytest.mark.parametrize("seed", range(2))
    @pytest.mark.parametrize("name", ["plain", "gzip", "zstd"])
    def test_forty_overwritten_of_a_thousand(self, name: str, seed: int) -> None:
        parts = FORMATS[name](build.pages(1000))
        rng = random.Random(seed)
        hit = sorted(2 * number + 1 for number in rng.sample(range(500), 40))
        for number in hit:
            parts[number] = b"x" + rng.randbytes(len(parts[number]) - 1)
        whole = read_range(b"".join(parts), 0, WHOLE)
        assert numbers(whole) == [number for number in range(1000) if number not in set(hit)]
        starts = offsets(parts)
        assert damages(whole) == [("garbage", starts[number]) for number in hit]
        data = b"".join(parts)
        split = [item for at in range(0, len(data), 65536) for item in read_range(data, at, at + 65536)]
        assert split == whole

    @given(seed=st.integers(0, 1 << 30))
    @settings(max_examples=60, deadline=None)
    def test_damage_of_any_kind_reads_the_same_however_split(self, seed: int) -> None:
        rng = random.Random(seed)
        name = rng.choice(["plain", "gzip", "zstd"])
        data = bytearray(b"".join(FORMATS[name](build.pages(30))))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(40, len(data))
            action = rng.choice(["overwrite", "insert", "delete"])
            size = rng.choice([1, 5, 50, 700])
            if action == "overwrite":
                data[at : at + size] = rng.randbytes(min(size, len(data) - at))
            elif action == "insert":
                data[at:at] = rng.randbytes(size)
            else:
                del data[at : at + size]
        whole = read_range(bytes(data), 0, WHOLE)
        step = rng.choice([61, 300, 1000, 4000])
        split = [item for at in range(0, len(data), step) for item in read_range(bytes(data), at, at + step)]
        assert split == whole
        # By where they stand, since damage may have changed what they are called.
        starts = [item.offset for item in whole if isinstance(item, Record)]
        assert starts == sorted(set(starts))


class TestLimits:
    @pytest.mark.parametrize("name", ["plain", "gzip", "zstd"])
    def test_a_record_over_the_limit_is_sampled(self, name: str) -> None:
        big = build.record(1, build.http(b"<p>" + b"ab" * 300_000))
        found = read(b"".join(FORMATS[name]([build.page(0), big, build.page(2)])), limit=100_000)
        assert [item.oversize for item in found] == [False, True, False]
        assert found[1].length == len(build.http(b"<p>")) + 600_000
        assert found[1].block == build.http(b"<p>" + b"ab" * 300_000)[: 64 * 1024]

    @pytest.mark.parametrize("name", ["gzip", "zstd"])
    def test_memory_stays_bounded(self, name: str) -> None:
        parts = FORMATS[name]([build.record(0, b"a" * 60_000_000), build.page(1)])
        tracemalloc.start()
        try:
            found = read_range(b"".join(parts), 0, WHOLE, limit=1 << 20)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert numbers(found) == [0, 1]
        assert peak < 30_000_000

    @pytest.mark.parametrize(
        "text",
        [
            b"WARC/1.0\r\n" * 40_000,
            b"WARC/1.0\r\nWARC-Type: a\r\n" * 20_000,
            b"X: WARC/1.0\r\n" * 30_000,
            b"\x1f\x8b\x08\x08" * 20_000,
            b"\x28\xb5\x2f\xfd" * 20_000,
        ],
    )
    def test_text_made_to_be_searched_for_long_ends(self, text: bytes) -> None:
        records = build.pages(2)
        for make in (list, build.gzip_members, build.zstd_frames):
            first, second = make(records)
            assert numbers(read_range(first + text + second, 0, WHOLE)) == [0, 1]

    @pytest.mark.parametrize("make", [list, lambda records: [gzip.compress(b"".join(records), mtime=0)]])
    def test_many_lengths_that_lie(self, make: object) -> None:
        records = [build.page(number, length=10**7) for number in range(3000)]
        found = read_range(b"".join(make(records)), 0, WHOLE)  # type: ignore[operator]
        assert not numbers(found)
        assert {kind for kind, _ in damages(found)} <= {"length", "cut-off"}
