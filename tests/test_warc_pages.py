"""Which records are pages, and what their payloads decode to."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Sequence

import pytest
import zstandard
from fastwarc.stream_io import BrotliWriter

from mainextract_beam.beam import warc_payload
from mainextract_beam.beam.warc_pages import Page, Skipped, Unreadable, page_of, sniff_html, utc_date
from mainextract_beam.beam.warc_payload import Payload, TooLargeError, decode_body
from mainextract_beam.beam.warc_records import Record, RecordReader
from tests import hostile_archives as build

LIMIT = 1 << 20
HTML = build.html(1)


def brotli(body: bytes) -> bytes:
    class Kept(io.BytesIO):
        def close(self) -> None:
            """The writer closes what it writes to."""

    target = Kept()
    writer = BrotliWriter(target)
    writer.write(body)
    writer.close()
    return target.getvalue()


def zstd(body: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(body)


def decode(body: bytes, content: Sequence[str] = (), transfer: Sequence[str] = (), limit: int = LIMIT) -> Payload:
    return decode_body(body, content, transfer, limit)


class TestDecodeBody:
    @pytest.mark.parametrize(
        ("coding", "encode"),
        [
            ("gzip", gzip.compress),
            ("x-gzip", gzip.compress),
            ("GZip", gzip.compress),
            ('"gzip"', gzip.compress),
            ("deflate", zlib.compress),
            ("deflate", build.raw_deflate),
            ("br", brotli),
            ("zstd", zstd),
            ("identity", bytes),
            ("", bytes),
            ("none", bytes),
        ],
    )
    def test_content_codings(self, coding: str, encode: object) -> None:
        encoded = encode(HTML)  # type: ignore[operator]
        assert decode(encoded, [coding]) == Payload(HTML, frozenset())
        assert decode(build.chunked(encoded), [coding], ["chunked"]) == Payload(HTML, frozenset())
        assert decode(build.chunked(encoded), [], [f"{coding}, chunked"]) == Payload(HTML, frozenset())

    def test_many_codings_are_undone_from_the_last(self) -> None:
        assert decode(brotli(gzip.compress(HTML)), ["gzip, br"]).content == HTML
        assert decode(brotli(gzip.compress(HTML)), ["gzip", "br"]).content == HTML

    @pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
    def test_a_body_that_was_decoded_already(self, coding: str) -> None:
        assert decode(HTML, [coding]) == Payload(HTML, frozenset({"not-encoded"}))

    def test_a_body_that_is_not_chunked(self) -> None:
        assert decode(HTML, [], ["chunked"]) == Payload(HTML, frozenset({"not-encoded"}))
        assert decode(gzip.compress(HTML), ["gzip"], ["chunked"]) == Payload(HTML, frozenset({"not-encoded"}))

    def test_codings_nobody_stated(self) -> None:
        assert decode(gzip.compress(HTML)) == Payload(HTML, frozenset({"undeclared-encoding"}))
        assert decode(build.chunked(HTML)) == Payload(HTML, frozenset({"undeclared-encoding"}))
        assert decode(gzip.compress(gzip.compress(HTML)), ["gzip"]).content == HTML

    @pytest.mark.parametrize("coding", ["x-foo", "gzip, x-foo", "br;q=1, sdch"])
    def test_an_unknown_coding_leaves_the_body_as_it_is(self, coding: str) -> None:
        assert decode(HTML, [coding]) == Payload(HTML, frozenset({"unknown-encoding"}))

    def test_renamed_fields_are_of_no_concern(self) -> None:
        block = build.http(HTML, fields=[b"X-Crawler-Content-Encoding: gzip", b"X-Crawler-Transfer-Encoding: chunked"])
        assert read_page(build.record(1, block)).page.content == HTML

    @pytest.mark.parametrize("encode", [gzip.compress, zlib.compress, build.raw_deflate, brotli, zstd])
    def test_a_body_cut_off_keeps_what_there_is(self, encode: object) -> None:
        long = b"".join(build.html(number) for number in range(2000))
        named = {zlib.compress: "deflate", build.raw_deflate: "deflate", brotli: "br", zstd: "zstd"}
        coding = named.get(encode, "gzip")
        encoded = encode(long)  # type: ignore[operator]
        content, notes = decode(encoded[: len(encoded) // 2], [coding])
        assert long.startswith(content)
        assert len(content) > len(long) // 4
        assert notes == {"damaged-encoding"}

    def test_content_much_longer_than_its_deflate_stream(self) -> None:
        for length in (65_536, 131_072, 131_100, 500_000):
            assert decode(build.raw_deflate(b"\n" * length), ["deflate"]).content == b"\n" * length

    def test_gzip_members_and_what_follows_them(self) -> None:
        assert decode(gzip.compress(b"one ") + gzip.compress(b"two") + b"\0\0junk", ["gzip"]).content == b"one two"

    def test_a_wrong_checksum_keeps_the_content(self) -> None:
        encoded = gzip.compress(HTML)
        wrong = encoded[:-8] + bytes([encoded[-8] ^ 1]) + encoded[-7:]
        assert decode(wrong, ["gzip"]) == Payload(HTML, frozenset({"damaged-encoding"}))

    def test_chunks_cut_off_or_of_wrong_size_keep_what_there_is(self) -> None:
        assert decode(b"5\r\nhello\r\n5\r\nwor", [], ["chunked"]) == Payload(b"hellowor", frozenset({"damaged-encoding"}))
        wrong = decode(b"5\r\nhello\r\n3\r\nworld\r\n0\r\n\r\n", [], ["chunked"])
        assert wrong == Payload(b"hellowor" + b"ld\r\n0\r\n\r\n", frozenset({"damaged-encoding"}))

    def test_chunk_extensions_trailers_and_line_feeds(self) -> None:
        assert decode(b"5;a=b\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", [], ["chunked"]).content == b"hello"
        assert decode(b"5\nhello\n0\n\n", [], ["chunked"]).content == b"hello"
        assert decode(b" 05 \r\nhello\r\n000\r\n\r\n", [], ["chunked"]).content == b"hello"

    @pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "chunked"])
    def test_an_empty_body_is_empty(self, coding: str) -> None:
        assert decode(b"", [coding]) == Payload(b"", frozenset())

    @pytest.mark.parametrize(
        ("coding", "encode"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli), ("zstd", zstd)]
    )
    def test_a_bomb_is_refused(self, coding: str, encode: object) -> None:
        bomb = encode(b"a" * 30_000_000)  # type: ignore[operator]
        with pytest.raises(TooLargeError, match="more than 1048576 bytes"):
            decode(bomb, [coding])

    def test_a_panic_of_the_decoder_is_contained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from fastwarc.warc import ArchiveIterator

        class NoTell:
            def read(self, size: int = -1) -> bytes:
                return b""

        def panic(_: object) -> None:
            ArchiveIterator(NoTell())

        monkeypatch.setattr(warc_payload, "BrotliReader", panic)
        with pytest.raises(BaseException) as raised:
            panic(None)
        assert not isinstance(raised.value, Exception)
        assert decode(HTML, ["br"]) == Payload(HTML, frozenset({"not-encoded"}))


def read_record(data: bytes, limit: int = 1 << 30) -> Record:
    reader = RecordReader(io.BytesIO(data), max_record_bytes=limit)
    record = next(reader.read(0))
    assert isinstance(record, Record)
    return record


def outcome(data: bytes, statuses: Sequence[int] | None = (200,), limit: int = LIMIT) -> Page | Skipped | Unreadable:
    return page_of(read_record(data, limit), "a.warc", statuses, limit)


def read_page(data: bytes, **options: object) -> Page:
    found = outcome(data, **options)  # type: ignore[arg-type]
    assert isinstance(found, Page)
    return found


class TestPageOf:
    def test_all_that_is_known_of_a_page(self) -> None:
        fields = [b"Link: <a>", b"Link: <b>", b"Content-Language: de", b"Server: x"]
        block = build.http(HTML, fields=fields, content_type=b'Text/HTML; Charset="utf-8"')
        extra = [b"WARC-Payload-Digest: sha1:ABC", b"WARC-Truncated: length"]
        page = read_page(build.record(7, block, fields=extra)).page
        assert page._asdict() == {
            "url": "https://example.com/7",
            "content": HTML,
            "content_type": "text/html",
            "charset": "utf-8",
            "http_status": 200,
            "fetch_date": "2024-05-01T12:07:00Z",
            "record_id": "urn:example:7",
            "digest": "sha1:ABC",
            "source_file": "a.warc",
            "offset": 0,
            "headers": {
                "link": "<a>, <b>",
                "content-language": "de",
                "content-type": 'Text/HTML; Charset="utf-8"',
            },
            "truncated": True,
        }

    @pytest.mark.parametrize("kind", ["warcinfo", "request", "metadata", "revisit", "conversion", "continuation"])
    def test_other_records_are_skipped_by_kind(self, kind: str) -> None:
        assert outcome(build.record(1, build.http(HTML), kind=kind.encode())) == Skipped(kind)

    def test_records_of_unknown_kind(self) -> None:
        assert outcome(build.record(1, build.http(HTML), kind=b"note")) == Skipped("unknown-record-type")

    @pytest.mark.parametrize("kind", [b"Response", b"RESOURCE"])
    def test_kinds_in_any_case(self, kind: bytes) -> None:
        assert read_page(build.record(1, build.http(HTML), kind=kind)).page.content == HTML

    @pytest.mark.parametrize("status", [b"301 Moved", b"404 Not Found", b"500", b"204 No Content", b"20", b"x"])
    def test_other_statuses_are_skipped_unless_asked_for(self, status: bytes) -> None:
        data = build.record(1, build.http(HTML, status=status))
        assert outcome(data) == Skipped("status")
        found = read_page(data, statuses=None).page
        assert found.http_status == (int(status[:3]) if len(status) > 2 else None)

    def test_chosen_statuses(self) -> None:
        data = build.record(1, build.http(HTML, status=b"404 Not Found"))
        assert read_page(data, statuses=(200, 404)).page.http_status == 404

    @pytest.mark.parametrize("head", [b"HTTP/1.1 200", b"HTTP/1.1 200 ", b"HTTP/2 200", b"ICY 200 OK", b"HTTP/1.0  200 OK"])
    def test_odd_status_lines(self, head: bytes) -> None:
        block = head + b"\r\nContent-Type: text/html\r\n\r\n" + HTML
        assert read_page(build.record(1, block)).page.content == HTML

    @pytest.mark.parametrize("eol", [b"\n", b"\r\r\n"])
    def test_odd_line_ends_in_http(self, eol: bytes) -> None:
        assert read_page(build.record(1, build.http(HTML, eol=eol))).page.content == HTML

    @pytest.mark.parametrize(
        "stated",
        [
            b"text/html",
            b"TEXT/HTML;charset=x",
            b"text/html charset=utf-8",
            b" text/html , text/html",
            b"application/xhtml+xml",
            b"application/xhtml+xml; charset=utf-8",
        ],
    )
    def test_content_types_of_pages(self, stated: bytes) -> None:
        assert read_page(build.record(1, build.http(HTML, content_type=stated))).page.content == HTML

    @pytest.mark.parametrize("stated", [b"text/plain", b"image/png", b"application/json", b"application/octet-stream"])
    def test_other_content_types_are_skipped(self, stated: bytes) -> None:
        assert outcome(build.record(1, build.http(HTML, content_type=stated))) == Skipped("content-type")

    @pytest.mark.parametrize("stated", [None, b"", b"html", b"*/*", b"unknown/unknown"])
    def test_content_without_a_type_is_sniffed(self, stated: bytes | None) -> None:
        assert read_page(build.record(1, build.http(HTML, content_type=stated))).page.content_type == "text/html"
        assert outcome(build.record(1, build.http(b"GIF89a", content_type=stated))) == Skipped("content-type")

    def test_the_sniff_sees_the_decoded_content(self) -> None:
        block = build.http(gzip.compress(HTML), content_type=None, fields=[b"Content-Encoding: gzip"])
        assert read_page(build.record(1, block)).page.content == HTML

    def test_the_identified_type_comes_first(self) -> None:
        identified = [b"WARC-Identified-Payload-Type: application/xhtml+xml"]
        block = build.http(HTML, content_type=b"text/plain")
        assert read_page(build.record(1, block, fields=identified)).page.content_type == "application/xhtml+xml"
        identified = [b"WARC-Identified-Payload-Type: application/pdf"]
        assert outcome(build.record(1, build.http(HTML), fields=identified)) == Skipped("content-type")

    def test_a_response_without_http_head(self) -> None:
        page = read_page(build.record(1, HTML)).page
        assert (page.content, page.http_status, page.content_type) == (HTML, None, "text/html")
        assert outcome(build.record(1, b"20240501 example.com", content_type=b"text/dns")) == Skipped("content-type")

    def test_a_resource(self) -> None:
        data = build.record(1, HTML, kind=b"resource", content_type=b"text/html; charset=gbk")
        page = read_page(data).page
        assert (page.content, page.http_status, page.charset) == (HTML, None, "gbk")

    def test_an_empty_page_is_a_page(self) -> None:
        assert read_page(build.record(1, build.http(b""))).page.content == b""

    def test_a_truncated_gzip_body_is_kept_and_flagged(self) -> None:
        body = gzip.compress(HTML)[:-20]
        block = build.http(body, fields=[b"Content-Encoding: gzip"])
        page = read_page(build.record(1, block, fields=[b"WARC-Truncated: length"])).page
        assert page.truncated
        assert HTML.startswith(page.content)
        assert len(page.content) > 40
        assert read_page(build.record(1, block)).page.truncated

    def test_the_first_segment_of_a_record_is_flagged(self) -> None:
        assert read_page(build.record(1, build.http(HTML), fields=[b"WARC-Segment-Number: 1"])).page.truncated

    def test_header_fields_in_latin_1(self) -> None:
        block = build.http(HTML, fields=[b"Link: <caf\xe9>", b"no colon here"])
        assert read_page(build.record(1, block)).page.headers["link"] == "<caf\xe9>"

    def test_a_record_over_the_limit(self) -> None:
        big = build.record(1, build.http(HTML + b"a" * 200_000))
        length = len(build.http(HTML)) + 200_000
        expected = Unreadable("read", "too-large", f"the record has {length} bytes, more than 100000")
        assert outcome(big, limit=100_000) == expected
        video = build.record(1, build.http(b"a" * 200_000, content_type=b"video/mp4"))
        assert outcome(video, limit=100_000) == Skipped("content-type")

    def test_content_over_the_limit(self) -> None:
        bomb = build.http(gzip.compress(b"a" * 2_000_000), fields=[b"Content-Encoding: gzip"])
        found = outcome(build.record(1, bomb))
        assert found == Unreadable("decode", "too-large", "the content unpacks to more than 1048576 bytes")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<!doctype HTML>", "text/html"),
        (b"\xef\xbb\xbf \n<html lang=en>", "text/html"),
        ("<html>".encode("utf-16"), "text/html"),
        (b"<!-- a -->", "text/html"),
        (b"<p>", "text/html"),
        (b"<pre>", None),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "application/xhtml+xml"),
        (b"<?xml version='1.0'?><rss>", None),
        (b"plain <html>", None),
        (b"", None),
    ],
)
def test_sniff_html(content: bytes, kind: str | None) -> None:
    assert sniff_html(content) == kind


@pytest.mark.parametrize(
    ("stated", "date"),
    [
        ("2024-05-01T12:00:00Z", "2024-05-01T12:00:00Z"),
        ("2024-05-01T12:00:00.250000Z", "2024-05-01T12:00:00.250000Z"),
        ("2024-05-01T14:00:00+02:00", "2024-05-01T12:00:00Z"),
        ("20240501120000", "2024-05-01T12:00:00Z"),
        ("2024", "2024"),
        ("no date", "no date"),
        ("", None),
        (None, None),
    ],
)
def test_utc_date(stated: str | None, date: str | None) -> None:
    assert utc_date(stated) == date
