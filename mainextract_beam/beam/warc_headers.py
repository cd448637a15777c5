"""Header blocks of WARC records (ISO 28500, "named fields") and HTTP messages (RFC 9112).

Read leniently (lines end with LF, CRLF or CRCRLF, all of which occur) and in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MAX_HEADER = 64 * 1024
"""Longest header block taken for one, in bytes."""

_VERSION = re.compile(rb"WARC/\d\.\d{1,2}[ \t]*\r*\n")
_FIELD_NAME = re.compile(rb"[!#-'*+.\w^`|~-]+[ \t]*:")  # RFC 9110 token; blanks before the colon occur
_REQUIRED = ("warc-type", "warc-record-id", "content-length")  # of the four that ISO 28500 demands of every record


class Block(NamedTuple):
    """A header block: its fields as (lower-case name, value), and the position behind its blank line."""

    fields: list[tuple[str, str]]
    end: int


def text_of(value: bytes) -> str:
    """Header bytes as text: UTF-8 as WARC states, else Latin-1 as old HTTP did; never fails."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def at_version(data: bytes, position: int = 0) -> bool:
    """Tells whether a WARC version line stands at `position`."""
    return _VERSION.match(data, position) is not None


def read_warc_block(data: bytes, position: int = 0) -> Block | int:
    """Reads the version line and the header block of a WARC record.

    Args:
        data: bytes that hold the whole block, `MAX_HEADER` bytes of it at most.
        position: where the version line begins.

    Returns:
        The block, or the position of the first line that cannot belong to one (`position` itself where no version line
        stands): nothing between the two begins a header block, so a search goes on from there.
    """
    version = _VERSION.match(data, position)
    if version is None:
        return position
    fields: list[tuple[str, str]] = []
    start = version.end()
    limit = position + MAX_HEADER
    while start < limit:
        stop = data.find(b"\n", start, limit)
        if stop < 0:
            break
        line = data[start:stop].rstrip(b"\r")
        if not line:
            return Block(fields, stop + 1)
        if line[:1] in b" \t" and fields:
            name, value = fields[-1]
            fields[-1] = name, f"{value} {text_of(line.strip())}"
        elif _FIELD_NAME.match(line):
            name_bytes, _, value_bytes = line.partition(b":")
            fields.append((text_of(name_bytes.strip()).lower(), text_of(value_bytes.strip())))
        else:
            return start
        start = stop + 1
    return start


def read_record_start(data: bytes, position: int = 0) -> tuple[dict[str, str], int] | int:
    """Reads the header block of a record that can be told from text that merely speaks of one.

    A record's header block has the fields ISO 28500 demands of every record, its id in angle brackets as the standard
    writes it (HTML escapes those), and a length that is a number.

    Returns:
        The fields by lower-case name (the first of repeated ones) and the position behind the block, or, as
        `read_warc_block`, the position to search on from (always behind `position` where a version line stands there).
    """
    block = read_warc_block(data, position)
    if isinstance(block, int):
        return block
    fields = first_values(block.fields)
    sound = all(name in fields for name in _REQUIRED) and content_length(fields) is not None
    if not sound or not (fields["warc-record-id"].startswith("<") and fields["warc-record-id"].endswith(">")):
        return block.end
    return fields, block.end


def first_values(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Fields by name, the first of repeated ones."""
    values: dict[str, str] = {}
    for name, value in fields:
        values.setdefault(name, value)
    return values


def content_length(fields: dict[str, str]) -> int | None:
    """The record's Content-Length in bytes, None where it is missing or no number that a file can have."""
    value = fields.get("content-length", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


class HttpHead(NamedTuple):
    """The head of an HTTP response: status code (None where it is unreadable), fields, and where the body begins."""

    status: int | None
    fields: list[tuple[str, str]]
    body: int
    complete: bool


_STATUS_LINE = re.compile(rb"(?:HTTP|ICY)(?:/[\d.]+)?[ \t]+(\d{3})(?!\d)")
_BLANK_LINE = re.compile(rb"\n\r*\n")


def read_http_head(block: bytes) -> HttpHead | None:
    """Reads the head of an HTTP response.

    Args:
        block: the record's block.

    Returns:
        The head, or None where the block does not begin with an HTTP status line (the payload then stands alone).
        Lines that are no fields are left out.
    """
    start = len(block) - len(block.lstrip(b"\r\n"))
    if not block.startswith((b"HTTP/", b"ICY "), start):
        return None
    blank = _BLANK_LINE.search(block, start)
    end = blank.start() if blank else len(block)
    lines = block[start:end].split(b"\n")
    status = _STATUS_LINE.match(lines[0])
    fields: list[tuple[str, str]] = []
    for line in lines[1:]:
        if line[:1] in (b" ", b"\t") and fields:
            name, value = fields[-1]
            fields[-1] = name, f"{value} {text_of(line.strip())}"
            continue
        name_bytes, colon, value_bytes = line.partition(b":")
        if colon and name_bytes.strip():
            fields.append((text_of(name_bytes.strip()).lower(), text_of(value_bytes.strip())))
    return HttpHead(int(status[1]) if status else None, fields, blank.end() if blank else len(block), blank is not None)
