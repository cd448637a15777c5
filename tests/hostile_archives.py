"""Builds archives, sound and broken ones, byte by byte. All pages are made up."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Sequence

import zstandard

CRLF = b"\r\n"


def html(number: int, words: int = 40) -> bytes:
    """A small page that is unlike every other one."""
    text = " ".join(f"word{(number * 7919 + index * 104729) % 100003}" for index in range(words))
    return f"<!DOCTYPE html><title>Page {number}</title><main><p>{text}</p></main>".encode()


def http(
    body: bytes,
    *,
    status: bytes = b"200 OK",
    content_type: bytes | None = b"text/html; charset=utf-8",
    fields: Sequence[bytes] = (),
    eol: bytes = CRLF,
) -> bytes:
    """An HTTP response."""
    lines = [b"HTTP/1.1 " + status, *fields]
    if content_type is not None:
        lines.append(b"Content-Type: " + content_type)
    return eol.join(lines) + eol + eol + body


def record(
    number: int,
    block: bytes,
    *,
    kind: bytes = b"response",
    content_type: bytes = b"application/http; msgtype=response",
    fields: Sequence[bytes] = (),
    length: int | None = None,
    eol: bytes = CRLF,
) -> bytes:
    """A WARC record; `length` is what its Content-Length says, if not the truth."""
    lines = [
        b"WARC/1.1",
        b"WARC-Type: " + kind,
        b"WARC-Record-ID: <urn:example:%d>" % number,
        b"WARC-Date: 2024-05-01T12:%02d:00Z" % (number % 60),
        b"WARC-Target-URI: https://example.com/%d" % number,
        b"Content-Type: " + content_type,
        b"Content-Length: %d" % (len(block) if length is None else length),
        *fields,
    ]
    return eol.join(lines) + eol + eol + block + eol + eol


def page(number: int, **options: object) -> bytes:
    """The record of page `number`."""
    return record(number, http(html(number)), **options)  # type: ignore[arg-type]


def pages(count: int) -> list[bytes]:
    """The records of pages 0 to `count - 1`."""
    return [page(number) for number in range(count)]


def gzip_members(records: Iterable[bytes]) -> list[bytes]:
    """A gzip member per record."""
    return [gzip.compress(data, mtime=0) for data in records]


def gzip_blocks(data: bytes, size: int) -> bytes:
    """Gzip members of `size` bytes each, wherever records begin, and an empty one at the end."""
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    return b"".join(gzip_members([*parts, b""]))


def zstd_frames(records: Iterable[bytes], dictionary: bytes | None = None) -> list[bytes]:
    """A Zstandard frame with a checksum per record."""
    shared = zstandard.ZstdCompressionDict(dictionary) if dictionary is not None else None
    compressor = zstandard.ZstdCompressor(dict_data=shared, write_checksum=True)
    return [compressor.compress(data) for data in records]


def zstd_dictionary(samples: Sequence[bytes]) -> bytes:
    """A dictionary trained on the samples."""
    return zstandard.train_dictionary(4096, list(samples)).as_bytes()


def dictionary_frame(dictionary: bytes, *, packed: bool) -> bytes:
    """The skippable frame that holds the dictionary of a file."""
    content = zstandard.ZstdCompressor().compress(dictionary) if packed else dictionary
    return b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content


def chunked(body: bytes, size: int = 100) -> bytes:
    """The chunked transfer coding."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def raw_deflate(body: bytes) -> bytes:
    """A deflate stream without zlib's frame."""
    deflater = zlib.compressobj(wbits=-15)
    return deflater.compress(body) + deflater.flush()


def arc(records: Iterable[tuple[str, bytes]]) -> list[bytes]:
    """An ARC 1 file of (URL, HTTP response), its parts as they stand one behind the other."""
    text = b"1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n"
    parts = [b"filedesc://example.arc 0.0.0.0 20240501120000 text/plain %d\n" % len(text) + text + b"\n"]
    for url, block in records:
        parts.append(b"%b 192.0.2.1 20240501120000 text/html %d\n" % (url.encode(), len(block)) + block + b"\n")
    return parts
