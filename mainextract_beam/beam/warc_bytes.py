"""Bytes of an archive file: random access with one buffer, and compressed members as one stream.

Knows gzip (RFC 1952) and Zstandard (RFC 8878) and nothing of records.
"""

from __future__ import annotations

import zlib
from collections import deque
from typing import BinaryIO, NamedTuple, Protocol

import zstandard

GZIP_MAGIC = b"\x1f\x8b\x08"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_DICTIONARY_MAGIC = b"\x5d\x2a\x4d\x18"  # IIPC, "WARC Zstandard compression": a dictionary in a skippable frame
_ZSTD_SKIPPABLE = frozenset(bytes([low, 0x2A, 0x4D, 0x18]) for low in range(0x50, 0x60))
_MAX_DICTIONARY = 32 * 1024 * 1024
_MAX_WINDOW = 128 * 1024 * 1024  # zstd's own default limit (window log 27)

_BLOCK = 256 * 1024
_GZIP_FEED = 64 * 1024
_GZIP_OUTPUT = 1024 * 1024
# zstandard's decompressor has no bound on its output; a block of 4 bytes can give 128 KiB, so the input is bounded.
_ZSTD_FEED = 256
_PROBE = 64  # decompressed bytes that show how a member begins
_SALVAGE = 4096
_GZIP_PROBE_INPUT = 1024
_ZSTD_FRAME_HEADER = 18  # bytes, at most
_ZSTD_PROBE_INPUTS = (4096, 132 * 1024)  # the largest block is 128 KiB, and gives nothing before it is whole


class FileBytes:
    """Random access to a file's bytes through one buffer, whatever file system the file object belongs to."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._base = 0
        self._data = b""
        self._file_position: int | None = None

    def at(self, position: int, count: int) -> bytes:
        """Up to `count` bytes from `position`; fewer only where the file ends."""
        start = position - self._base
        if not 0 <= start <= start + count <= len(self._data):
            kept = self._data[start:] if 0 <= start <= len(self._data) else b""
            self._data = kept + self._read(position + len(kept), max(count, _BLOCK) - len(kept))
            self._base = position
            start = 0
        return self._data[start : start + count]

    def probe(self, position: int, count: int) -> bytes:
        """As `at`, for a few bytes far ahead: the buffer stays where it is."""
        if 0 <= position - self._base <= len(self._data) - count:
            return self.at(position, count)
        return self._read(position, count)

    def _read(self, position: int, count: int) -> bytes:
        """Reads from the file; those of some file systems give less than was asked for before their end."""
        if self._file_position != position:
            self._file.seek(position)
        parts: list[bytes] = []
        left = count
        while left > 0:
            part = self._file.read(left)
            if not part:
                break
            parts.append(part)
            left -= len(part)
        self._file_position = position + count - left
        return parts[0] if len(parts) == 1 else b"".join(parts)


class _Fed(NamedTuple):
    output: bytes
    used: int
    ended: bool


class _Inflater(Protocol):
    feed_size: int

    def feed(self, data: bytes) -> _Fed: ...


class _GzipInflater:
    feed_size = _GZIP_FEED

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(wbits=31)

    def feed(self, data: bytes) -> _Fed:
        output = self._inflate.decompress(data, _GZIP_OUTPUT)
        ended = self._inflate.eof
        # At the end the tail can repeat the unused data.
        unused = self._inflate.unused_data if ended else self._inflate.unconsumed_tail
        return _Fed(output, len(data) - len(unused), ended)


class _ZstdInflater:
    feed_size = _ZSTD_FEED

    def __init__(self, decompressor: zstandard.ZstdDecompressor) -> None:
        self._inflate = decompressor.decompressobj()

    def feed(self, data: bytes) -> _Fed:
        output = self._inflate.decompress(data)
        return _Fed(output, len(data) - len(self._inflate.unused_data), self._inflate.eof)


class Compression(Protocol):
    """A way of compressing members one behind the other."""

    magic: bytes

    def inflater(self) -> _Inflater: ...

    def begins(self, raw: FileBytes, position: int, count: int = _PROBE) -> bytes:
        """Up to `count` first decompressed bytes of the member at `position`, empty where none stands there."""
        ...

    def skip_padding(self, raw: FileBytes, position: int) -> int:
        """The position behind what the format lets stand between members."""
        ...


class Gzip:
    """Gzip members."""

    magic = GZIP_MAGIC

    def inflater(self) -> _Inflater:
        return _GzipInflater()

    def begins(self, raw: FileBytes, position: int, count: int = _PROBE) -> bytes:
        data = raw.at(position, max(count, _GZIP_PROBE_INPUT))
        if not data.startswith(GZIP_MAGIC) or len(data) < 10 or data[3] & 0xE0:
            return b""
        while count >= _PROBE:
            try:
                return zlib.decompressobj(wbits=31).decompress(data, count)
            except zlib.error:
                count //= 2  # the error may lie behind so many
        return b""

    def skip_padding(self, raw: FileBytes, position: int) -> int:
        return position


class Zstd:
    """Zstandard frames, with the dictionary of the file where it begins with one."""

    magic = ZSTD_MAGIC

    def __init__(self, dictionary: zstandard.ZstdCompressionDict | None = None) -> None:
        self._dictionary = dictionary

    def inflater(self) -> _Inflater:
        return _ZstdInflater(self._decompressor())

    def _decompressor(self) -> zstandard.ZstdDecompressor:
        return zstandard.ZstdDecompressor(dict_data=self._dictionary, max_window_size=_MAX_WINDOW)

    def begins(self, raw: FileBytes, position: int, count: int = _PROBE) -> bytes:
        try:
            zstandard.get_frame_parameters(raw.at(position, _ZSTD_FRAME_HEADER))
        except zstandard.ZstdError:
            return b""
        decompressor = self._decompressor()
        for size in _ZSTD_PROBE_INPUTS:
            try:
                with decompressor.stream_reader(raw.at(position, size)) as reader:
                    output: bytes = reader.read(count)
            except zstandard.ZstdError:
                return b""
            if output:
                return output
        return b""

    def skip_padding(self, raw: FileBytes, position: int) -> int:
        while True:
            head = raw.at(position, 8)
            if len(head) < 8 or head[:4] not in _ZSTD_SKIPPABLE:
                return position
            position += 8 + int.from_bytes(head[4:], "little")


def compression_of(raw: FileBytes) -> Compression | None:
    """Finds out by a file's first bytes how it is compressed, None for not at all.

    Raises:
        ValueError: the dictionary that leads a Zstandard file is broken, so that no frame of it can be read.
    """
    head = raw.at(0, 8)
    if head.startswith(GZIP_MAGIC[:2]):
        return Gzip()
    if head[:4] == _ZSTD_DICTIONARY_MAGIC:
        return Zstd(_read_dictionary(raw, int.from_bytes(head[4:8], "little")))
    if head[:4] == ZSTD_MAGIC or head[:4] in _ZSTD_SKIPPABLE:
        return Zstd()
    return None


def _read_dictionary(raw: FileBytes, size: int) -> zstandard.ZstdCompressionDict:
    if size > _MAX_DICTIONARY:
        raise ValueError(f"its Zstandard dictionary claims {size} bytes, more than {_MAX_DICTIONARY}")
    content = raw.at(8, size)
    if len(content) < size:
        raise ValueError(f"its Zstandard dictionary is cut off, {len(content)} of {size} bytes")
    if content.startswith(ZSTD_MAGIC):
        try:
            with zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).stream_reader(content) as reader:
                content = reader.read(_MAX_DICTIONARY + 1)
        except zstandard.ZstdError as error:
            raise ValueError(f"its Zstandard dictionary cannot be unpacked: {error}") from error
        if not content:
            raise ValueError("its Zstandard dictionary cannot be unpacked: it holds nothing")
        if len(content) > _MAX_DICTIONARY:
            raise ValueError(f"its Zstandard dictionary unpacks to more than {_MAX_DICTIONARY} bytes")
    dictionary = zstandard.ZstdCompressionDict(content)
    try:
        zstandard.ZstdDecompressor(dict_data=dictionary)
    except zstandard.ZstdError as error:
        raise ValueError(f"its Zstandard dictionary is broken: {error}") from error
    return dictionary


class StreamError(NamedTuple):
    """What ended a stream early: kind (`corrupt`, `cut-off`), the member's offset, and the library's words."""

    kind: str
    member: int
    message: str


class MemberStream:
    """The decompressed bytes of a member and of those behind it that are no starts of their own.

    Nothing here raises on bad data: reads give fewer bytes than asked for, and `error` tells why.

    Attributes:
        next: where in the file the stream ended, once it has.
        error: what broke the stream off, None where it ended of itself.
    """

    def __init__(self, raw: FileBytes, start: int, compression: Compression, is_start: IsStart) -> None:
        self._raw = raw
        self._compression = compression
        self._is_start = is_start
        self._inflater: _Inflater | None = compression.inflater()
        self.next = start
        self.error: StreamError | None = None
        self._ended = False
        self._buffer = bytearray()
        self._taken = 0
        self._produced = 0
        self._members = deque([(0, start)])  # (position in the stream, offset in the file), in order

    @property
    def member(self) -> int:
        """Offset in the file of the member that holds the byte to be read next (the last member, at the end)."""
        return self._member_of(self._taken)

    @property
    def last_member(self) -> int:
        """Offset in the file of the member that held the byte read last."""
        return self._member_of(self._taken - 1)

    def _member_of(self, position: int) -> int:
        # Members whose bytes are all read are dropped, but for the one that holds the byte read last.
        while len(self._members) > 1 and self._members[1][0] < self._taken:
            self._members.popleft()
        member = self._members[0][1]
        for start, offset in self._members:
            if start > position:
                break
            member = offset
        return member

    def peek(self, count: int) -> bytes:
        """Up to `count` bytes that a read would give next."""
        while len(self._buffer) < count and self._fill():
            pass
        return bytes(self._buffer[:count])

    def take(self, count: int) -> bytes:
        """Reads up to `count` bytes."""
        data = self.peek(count)
        del self._buffer[: len(data)]
        self._taken += len(data)
        return data

    def skip(self, count: int) -> int:
        """Reads and drops up to `count` bytes in bounded memory; gives how many there were."""
        left = count
        while left:
            step = min(left, len(self._buffer))
            del self._buffer[:step]
            self._taken += step
            left -= step
            if left and not self._fill():
                break
        return count - left

    def unread(self, data: bytes) -> None:
        """Puts back bytes that were read."""
        self._buffer[:0] = data
        self._taken -= len(data)

    def _fill(self) -> bool:
        if self._ended:
            return False
        if self._inflater is None and not self._enter_next_member():
            return False
        assert self._inflater is not None
        data = self._raw.at(self.next, self._inflater.feed_size)
        member = self._members[-1][1]
        try:
            if not data:
                return self._end(StreamError("cut-off", member, "the file ends within the compressed member"))
            fed = self._inflater.feed(data)
        except (zlib.error, zstandard.ZstdError) as error:
            if self._members[-1][0] == self._produced:
                # All the member's output is lost with the step that failed; its beginning says which record it was.
                self._buffer += self._compression.begins(self._raw, member, _SALVAGE)
            return self._end(StreamError("corrupt", member, str(error)))
        self.next += fed.used
        self._buffer += fed.output
        self._produced += len(fed.output)
        if fed.ended:
            self._inflater = None
        return True

    def _enter_next_member(self) -> bool:
        self.next = self._compression.skip_padding(self._raw, self.next)
        magic = self._compression.magic
        if self._raw.at(self.next, len(magic)) != magic or self._is_start(self.next):
            return self._end(None)
        if self._members[-1][0] == self._produced:
            self._members.pop()  # it was empty
        self._members.append((self._produced, self.next))
        self._inflater = self._compression.inflater()
        return True

    def _end(self, error: StreamError | None) -> bool:
        self.error = error
        self._ended = True
        return False


class IsStart(Protocol):
    """Tells whether a record starts at an offset of the file."""

    def __call__(self, position: int, /) -> bool: ...
