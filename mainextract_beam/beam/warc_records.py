"""Finds the records of a WARC file from any position on, and finds its way again behind damage.

A *start* is a place where reading can begin: a record of a plain file, a compressed member that begins with a record
otherwise. Whether a place is a start is told by the bytes there alone, so every reader of the file, wherever it came
in, agrees on the list of starts; each start owns what the file holds up to the next one, the damage found there
included. What is split by starts is therefore read, and reported, exactly once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from mainextract_beam.beam import warc_headers
from mainextract_beam.beam.warc_bytes import (
    Compression,
    FileBytes,
    Gzip,
    MemberStream,
    StreamError,
    Zstd,
    compression_of,
)
from mainextract_beam.beam.warc_headers import MAX_HEADER

OVERSIZE_SAMPLE = 64 * 1024
"""Bytes kept of a record that is larger than the limit, to tell what it was."""

_NEWLINES = b"\r\n"
_TWO_NEWLINES = re.compile(rb"\r*\n\r*\n")
_WORST_TRAILER = 64  # bytes looked at for the newlines behind a block; the standard has four
_RESCAN_BUDGET = 256 * 1024 * 1024  # bytes one stream may be read over again for lengths that lie


@dataclass(frozen=True, slots=True)
class Record:
    """One record.

    Attributes:
        offset: where in the file it (or the compressed member that holds it) begins.
        headers: its header fields by lower-case name.
        block: what follows the header; of an oversize record the first `OVERSIZE_SAMPLE` bytes.
        length: length of the whole block in bytes.
    """

    offset: int
    headers: dict[str, str]
    block: bytes
    length: int

    @property
    def oversize(self) -> bool:
        """The block is longer than the reader was allowed to keep."""
        return len(self.block) < self.length


class Damage(NamedTuple):
    """A stretch of a file that cannot be read.

    Attributes:
        offset: where in the file it begins, as for records.
        kind: `corrupt` (the compressed data is broken), `cut-off` (the file ends within a record), `length` (the record
            is not as long as it says), `header` (a header block without the fields a record needs), `garbage` (no
            record).
        message: what was found, one line.
        headers: the header fields of the record that is lost, as far as they are known.
    """

    offset: int
    kind: str
    message: str
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


class RecordReader:
    """Reads records of one open WARC file.

    Attributes:
        compression: how the file is compressed, None for a plain one.
    """

    def __init__(self, file: BinaryIO, name: str = "", max_record_bytes: int = 1 << 62) -> None:
        """Finds out what kind of file it is.

        Args:
            file: the file's own bytes, seekable, not decompressed.
            name: its name, which tells the compression where the beginning of the file is damaged.
            max_record_bytes: blocks longer than this are not kept.

        Raises:
            ValueError: no record of the file can be read for want of its dictionary.
        """
        self._raw = FileBytes(file)
        self._limit = max_record_bytes
        compression = compression_of(self._raw)
        if compression is None and not self._is_plain_start(0):
            compression = _compression_by_name(name)
        self.compression: Compression | None = compression

    def head(self, count: int) -> bytes:
        """The first bytes of the file, of its first member if it is compressed."""
        if self.compression is not None:
            return self.compression.begins(self._raw, 0)[:count]
        return self._raw.at(0, count)

    def is_start(self, position: int) -> bool:
        """Tells whether `position` is a start."""
        if self.compression is None:
            return self._is_plain_start(position)
        return warc_headers.at_version(self.compression.begins(self._raw, position))

    def find_start(self, position: int) -> int | None:
        """The first start at or behind `position`, None where there is no more."""
        if self.compression is None:
            return _find_plain_start(self._raw.at, position)
        magic = self.compression.magic
        step = 64 * 1024
        while True:
            data = self._raw.at(position, step)
            found = data.find(magic)
            while found >= 0:
                if self.is_start(position + found):
                    return position + found
                found = data.find(magic, found + 1)
            if len(data) < step:
                return None
            position += step - len(magic) + 1

    def leading_damage(self, start: int) -> Iterator[Damage]:
        """What stands before the first start of the file."""
        damage = self._gap(0, start)
        if damage:
            yield damage

    def read(self, start: int) -> Generator[Record | Damage, None, int | None]:
        """Reads what a start owns.

        Args:
            start: a start, as `find_start` gives it.

        Returns:
            (as the generator's value) The next start, None at the end of the file.
        """
        if self.compression is None:
            position, damaged = yield from self._read_plain(start)
        else:
            position, damaged = yield from self._read_members(start, self.compression)
        following = self.find_start(position)
        if not damaged:
            damage = self._gap(position, following)
            if damage:
                yield damage
        return following

    def _gap(self, position: int, following: int | None) -> Damage | None:
        """What is wrong with a stretch without a start, None where nothing is."""
        if self.compression is not None:
            position = self.compression.skip_padding(self._raw, position)
        else:
            position = self._skip_newlines(position)
        sample = self._raw.at(position, _WORST_TRAILER)
        if not sample or (following is not None and position >= following):
            return None
        extent = f"{following - position} bytes are" if following is not None else "the rest of the file is"
        return Damage(position, "garbage", f"{extent} no record, beginning {sample[:16]!r}")

    def _skip_newlines(self, position: int) -> int:
        while True:
            data = self._raw.at(position, _WORST_TRAILER)
            newlines = len(data) - len(data.lstrip(_NEWLINES))
            position += newlines
            if newlines < _WORST_TRAILER:
                return position

    def _is_plain_start(self, position: int) -> bool:
        if not warc_headers.at_version(self._raw.at(position, 32)):
            return False
        return not isinstance(warc_headers.read_record_start(self._raw.at(position, MAX_HEADER)), int)

    # Plain files: every record is a start. Lengths are checked at both ends before anything is read, so that lies cost
    # next to nothing.

    def _read_plain(self, start: int) -> Generator[Record | Damage, None, tuple[int, bool]]:
        """Reads the record at `start`; gives where to go on, and whether all up to the next start is reported."""
        found = warc_headers.read_record_start(self._raw.at(start, MAX_HEADER))
        assert not isinstance(found, int)
        headers, header_length = found
        length = warc_headers.content_length(headers)
        assert length is not None
        begin = start + header_length
        end = begin + length
        trailer = self._raw.probe(end, _WORST_TRAILER)
        if not trailer and length and not self._raw.probe(end - 1, 1):
            if self.find_start(begin) is None:
                yield Damage(start, "cut-off", f"the file ends within the record's {length} bytes", headers)
            else:
                yield Damage(start, "length", _lies(length), headers)
            return begin, True
        newlines = len(trailer) - len(trailer.lstrip(_NEWLINES))
        after = end + newlines
        if newlines < len(trailer) and not self.is_start(after):
            following = self.find_start(begin)
            if (
                not _TWO_NEWLINES.match(trailer)
                or (following is not None and following < end)
                or _lacks_http_body(self._raw.at(begin, min(length, MAX_HEADER)), length, headers)
            ):
                yield Damage(start, "length", _lies(length), headers)
                return begin, True
        kept = length if length <= self._limit else min(length, OVERSIZE_SAMPLE)
        yield Record(start, headers, self._raw.at(begin, kept), length)
        return after, False

    # Compressed files: a start is a member; the stream of a member goes on through members that are no starts, so that
    # files with many records in one member, or one record over many, are read too.

    def _read_members(self, start: int, compression: Compression) -> Generator[Record | Damage, None, tuple[int, bool]]:
        """Reads the stream of the member at `start`; gives what `_read_plain` gives."""
        stream = MemberStream(self._raw, start, compression, self.is_start)
        budget = _RESCAN_BUDGET
        damaged_member: int | None = None  # the one in which damage was reported, and nothing sound found since
        while True:
            _skip_newlines(stream)
            if not stream.peek(1):
                break
            offset = stream.member
            item, again = self._read_from_stream(stream)
            damaged_member = None
            if isinstance(item, Damage):
                budget -= len(again)
                if again and budget >= 0:
                    stream.unread(again)
                _skip_to_record(stream)
                damaged_member = stream.error.member if stream.error else offset
                if stream.error and stream.error.member == offset:
                    item = _broken(offset, stream.error, item.headers)  # what was odd about it comes from that
            yield item
        error = stream.error
        if error is None:
            return stream.next, False
        if error.member != damaged_member:
            yield Damage(error.member, error.kind, error.message)
        return error.member + 1, True

    def _read_from_stream(self, stream: MemberStream) -> tuple[Record | Damage, bytes]:
        """Reads one record of a stream; beside damage come the bytes that must be searched for a record again."""
        offset = stream.member
        head = stream.peek(MAX_HEADER)
        found = warc_headers.read_warc_block(head)
        if isinstance(found, int):
            if stream.error is not None and warc_headers.at_version(head):
                return _broken(offset, stream.error, {}), stream.take(len(head))[1:]
            kind = "header" if warc_headers.at_version(head) else "garbage"
            return Damage(offset, kind, f"no record begins with {head[:16]!r}"), stream.take(len(head))[1:]
        headers = warc_headers.first_values(found.fields)
        length = warc_headers.content_length(headers)
        stream.take(found.end)
        if length is None:
            stated = headers.get("content-length")
            return Damage(offset, "header", f"Content-Length is {stated!r}, not a number", headers), b""
        if length > self._limit:
            block = stream.take(min(length, OVERSIZE_SAMPLE))
            got = len(block) + stream.skip(length - len(block))
        else:
            block = stream.take(length)
            got = len(block)
        if got < length:
            if stream.error is not None:
                return _broken(offset, stream.error, headers), block
            return Damage(offset, "length", _lies(length), headers), block
        last_member = stream.last_member
        trailer = stream.peek(_WORST_TRAILER)
        newlines = len(trailer) - len(trailer.lstrip(_NEWLINES))
        if newlines == len(trailer):
            if stream.error is not None and stream.error.member == last_member:
                return _broken(offset, stream.error, headers), b""
        elif not warc_headers.at_version(trailer, newlines) and (
            not _TWO_NEWLINES.match(trailer) or _holds_record(block) or _lacks_http_body(block, length, headers)
        ):
            return Damage(offset, "length", _lies(length), headers), block
        return Record(offset, headers, block, length), b""


def _find_plain_start(at: Callable[[int, int], bytes], position: int) -> int | None:
    """Searches plain text for the first record from `position` on, in linear time."""
    step = 4 * MAX_HEADER
    while True:
        data = at(position, step)
        last = len(data) < step
        # A header block that could run out of the window is looked at when the window has moved on.
        usable = len(data) if last else len(data) - MAX_HEADER
        found = data.find(b"WARC/")
        while 0 <= found < usable:
            start = warc_headers.read_record_start(data, found)
            if not isinstance(start, int):
                return position + found
            found = data.find(b"WARC/", max(start, found + 1))
        if last:
            return None
        position += usable if found < 0 else min(max(found, usable), len(data))


def _skip_to_record(stream: MemberStream) -> None:
    """Reads a stream on to the next record in it, or to its end."""
    position = _find_in_stream(stream)
    while position is None:
        position = _find_in_stream(stream)


def _find_in_stream(stream: MemberStream) -> int | None:
    """Moves the stream to the next record among the bytes ahead, or past them; None where there may be more."""
    step = 4 * MAX_HEADER
    data = stream.peek(step)
    last = len(data) < step
    usable = len(data) if last else len(data) - MAX_HEADER
    found = data.find(b"WARC/")
    while 0 <= found < usable:
        start = warc_headers.read_record_start(data, found)
        if not isinstance(start, int):
            return stream.skip(found)
        found = data.find(b"WARC/", max(start, found + 1))
    gone = stream.skip(usable if found < 0 else min(max(found, usable), len(data)))
    return gone if last else None


def _skip_newlines(stream: MemberStream) -> None:
    while True:
        data = stream.peek(_WORST_TRAILER)
        newlines = len(data) - len(data.lstrip(_NEWLINES))
        stream.skip(newlines)
        if newlines < _WORST_TRAILER:
            return


# Newlines behind a block, and then no record: garbage between records, or a wrong length that ends at a blank line. The
# latter swallows records, or stops at the blank line that every HTTP message has.


def _holds_record(block: bytes) -> bool:
    found = block.find(b"WARC/")
    while found >= 0:
        start = warc_headers.read_record_start(block, found)
        if not isinstance(start, int):
            return True
        found = block.find(b"WARC/", max(start, found + 1))
    return False


def _lacks_http_body(block: bytes, length: int, headers: dict[str, str]) -> bool:
    if length > MAX_HEADER or not headers.get("content-type", "").lower().startswith("application/http"):
        return False
    head = warc_headers.read_http_head(block)
    return head is not None and not head.complete


def _broken(offset: int, error: StreamError, headers: dict[str, str]) -> Damage:
    return Damage(offset, error.kind, error.message, headers)


def _lies(length: int) -> str:
    return f"the record is not as long as its Content-Length says, {length}"


def _compression_by_name(name: str) -> Compression | None:
    lowered = name.lower()
    if lowered.endswith((".gz", ".gzip")):
        return Gzip()
    if lowered.endswith((".zst", ".zstd")):
        return Zstd()
    return None
