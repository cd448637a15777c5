"""Undoes the content and transfer codings of HTTP bodies (RFC 9110, 9112), also where the headers lie."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fastwarc.stream_io import BrotliReader, WarcReader, ZstdReader

_GZIP_MAGIC = b"\x1f\x8b\x08"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_STEP = 64 * 1024
_READER_STEP = 4 * 1024  # what a reader had got of a step is lost where it fails
_NO_CODING = frozenset({"", "identity", "none", "binary", "8bit", "7bit", "utf-8"})
_CHUNK_HEAD = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MAX_CODINGS = 8


class TooLargeError(ValueError):
    """A body that unpacks to more bytes than allowed."""


class Payload(NamedTuple):
    """A decoded body.

    Attributes:
        content: the bytes.
        notes: what was odd, of `unknown-encoding` (a coding nobody knows: the body is left as it is),
            `undeclared-encoding` (coded without saying so), `not-encoded` (not coded, other than stated),
            `damaged-encoding` (decoded as far as it goes: cut off or corrupt).
    """

    content: bytes
    notes: frozenset[str]


class _Decoded(NamedTuple):
    content: bytes
    complete: bool


def decode_body(body: bytes, content_codings: Sequence[str], transfer_codings: Sequence[str], limit: int) -> Payload:
    """Decodes the body of an HTTP message.

    Args:
        body: as it was received.
        content_codings: values of its Content-Encoding fields, in order.
        transfer_codings: values of its Transfer-Encoding fields, in order.
        limit: bytes the content may have at any stage.

    Raises:
        TooLargeError: the content is larger.
    """
    codings = [*_listed(content_codings), *_listed(transfer_codings)]
    notes: set[str] = set()
    if "chunked" not in codings:
        whole = _decode_chunks(body, strict=True)
        if whole is not None:
            body = whole.content
            notes.add("undeclared-encoding")
    if len(codings) > _MAX_CODINGS:
        codings = ["too many to be true"]
    for coding in reversed(codings):
        decode = _DECODERS.get(coding)
        if decode is None:
            notes.add("unknown-encoding")
            break
        if not body:
            break
        decoded = decode(body, limit)
        if decoded is None:
            notes.add("not-encoded")
            continue
        if not decoded.complete:
            notes.add("damaged-encoding")
        body = decoded.content
    if body.startswith(_GZIP_MAGIC) and "unknown-encoding" not in notes:
        # No HTML begins so: compressed twice, or without saying so.
        decoded = _decode_gzip(body, limit)
        if decoded is not None and decoded.complete:
            body = decoded.content
            notes.add("undeclared-encoding")
    if len(body) > limit:
        raise TooLargeError(f"the content has {len(body)} bytes, more than {limit}")
    return Payload(body, frozenset(notes))


def _listed(values: Sequence[str]) -> list[str]:
    codings = (item.split(";")[0].strip().strip("\"'").lower() for value in values for item in value.split(","))
    return [coding for coding in codings if coding not in _NO_CODING]


def _decode_chunks(body: bytes, *, strict: bool = False) -> _Decoded | None:
    """Undoes chunking, None where there is none; `strict` asks for the whole of it, last chunk included."""
    parts: list[bytes] = []
    position = 0
    complete = False
    while True:
        head = _CHUNK_HEAD.match(body, position)
        if head is None:
            if strict or not parts:
                return None
            # Wrong chunk sizes: the rest is kept as it is rather than lost.
            parts.append(body[position:])
            break
        size = int(head[1], 16)
        if size == 0:
            complete = True
            break
        chunk = body[head.end() : head.end() + size]
        parts.append(chunk)
        position = head.end() + size
        if len(chunk) < size:
            break
        if body.startswith(b"\r\n", position):
            position += 2
        elif body.startswith(b"\n", position):
            position += 1
        elif position == len(body):
            break
    if strict and not complete:
        return None
    return _Decoded(b"".join(parts), complete)


def _decode_chunked(body: bytes, _limit: int) -> _Decoded | None:
    return _decode_chunks(body)


def _decode_gzip(body: bytes, limit: int) -> _Decoded | None:
    """Gzip of one member or more; what follows the last one is no content, as browsers have it."""
    if not body.startswith(_GZIP_MAGIC[:2]):
        return None
    parts: list[bytes] = []
    left = limit
    while body.startswith(_GZIP_MAGIC):
        decoded, body = _inflate(body, 31, left)
        parts.append(decoded.content)
        left -= len(decoded.content)
        if not decoded.complete:
            return _Decoded(b"".join(parts), False)
    return _Decoded(b"".join(parts), True) if parts else None


def _decode_deflate(body: bytes, limit: int) -> _Decoded | None:
    """The `deflate` coding: zlib's format as the standard says, or a bare deflate stream as servers send."""
    if len(body) >= 2 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0:
        decoded, _ = _inflate(body, 15, limit)
        if decoded.complete or decoded.content:
            return decoded
    decoded, _ = _inflate(body, -15, limit)
    if decoded.complete or (decoded.content and not _is_text(body)):
        return decoded
    return None


def _inflate(body: bytes, wbits: int, limit: int) -> tuple[_Decoded, bytes]:
    """Inflates one stream as far as it goes; gives what stands behind it too."""
    inflater = zlib.decompressobj(wbits=wbits)
    parts: list[bytes] = []
    size = 0
    position = 0
    sound = True
    full = True  # there can be more output though the input is used up
    while sound and not inflater.eof and (position < len(body) or full):
        step = body[position : position + _STEP]
        before = inflater.copy()
        try:
            part = inflater.decompress(step, _STEP)
        except zlib.error:
            # What the step gave up to the error is lost with it: again from before it, byte by byte.
            sound = False
            part = _inflate_bytewise(before, step, limit - size)
        if not inflater.eof:
            position += len(step) - len(inflater.unconsumed_tail)
        full = len(part) == _STEP
        size += len(part)
        if size > limit:
            raise TooLargeError(f"the content unpacks to more than {limit} bytes")
        parts.append(part)
    return _Decoded(b"".join(parts), sound and inflater.eof), inflater.unused_data + body[position + _STEP :]


def _inflate_bytewise(inflater: zlib._Decompress, data: bytes, limit: int) -> bytes:
    parts = bytearray()
    try:
        for at in range(len(data)):
            parts += inflater.decompress(data[at : at + 1])
            if len(parts) > limit:
                break
    except zlib.error:
        pass
    return bytes(parts)


def _decode_brotli(body: bytes, limit: int) -> _Decoded | None:
    decoded = _read_all(lambda: BrotliReader(io.BytesIO(body)), limit)
    if decoded.complete or (decoded.content and not _is_text(body)):
        return decoded
    return None


def _decode_zstd(body: bytes, limit: int) -> _Decoded | None:
    if not body.startswith(_ZSTD_MAGIC):
        return None
    return _read_all(lambda: ZstdReader(io.BytesIO(body)), limit)


def _read_all(open_reader: Callable[[], WarcReader], limit: int) -> _Decoded:
    parts: list[bytes] = []
    size = 0
    complete = True
    try:
        reader = open_reader()
        while part := reader.read(_READER_STEP):
            parts.append(part)
            size += len(part)
            if size > limit:
                break
    except Exception:
        complete = False
    except BaseException as error:
        if not is_panic(error):
            raise
        complete = False
    if size > limit:
        raise TooLargeError(f"the content unpacks to more than {limit} bytes")
    return _Decoded(b"".join(parts), complete)


def is_panic(error: BaseException) -> bool:
    """Tells whether a native library's panic was raised, which is no `Exception` and would end the process."""
    return type(error).__name__ == "PanicException"


def _is_text(body: bytes) -> bool:
    """Tells whether bytes look like markup or text that nobody compressed."""
    sample = body[:64]
    return all(byte >= 0x20 or byte in b"\t\n\r\f" for byte in sample) and b"\x7f" not in sample


_DECODERS: dict[str, Callable[[bytes, int], _Decoded | None]] = {
    "gzip": _decode_gzip,
    "x-gzip": _decode_gzip,
    "deflate": _decode_deflate,
    "br": _decode_brotli,
    "zstd": _decode_zstd,
    "chunked": _decode_chunked,
}
