"""Records of ARC files, the format before WARC, through warcio. They are read whole, from their beginning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator

from mainextract_beam.beam.warc_records import OVERSIZE_SAMPLE, Damage, Record

_STEP = 64 * 1024
ARC_MAGIC = b"filedesc:"


def read_arc(file: BinaryIO, max_record_bytes: int) -> Iterator[Record | Damage]:
    """Reads an ARC file, plain or gzip, as the WARC records its records correspond to.

    Args:
        file: at its beginning.
        max_record_bytes: blocks longer than this are not kept.

    Yields:
        Records, and damage; broken data ends the file, as ARC has nothing by which to find the next record.
    """
    archive = ArchiveIterator(file, no_record_parse=True, arc2warc=True)
    offset = 0
    pending: Record | None = None
    warnings = 0
    trouble: Damage | None = None
    try:
        for found in archive:
            if pending is not None:
                # Only behind a record warcio notices that its length was wrong; then it is somewhere in the text.
                yield pending if archive.err_count == warnings else _of_wrong_length(pending)
            warnings = archive.err_count
            offset = archive.offset
            pending = None
            record = _record_of(found, offset, max_record_bytes)
            stated = record.headers.get("content-length", "")
            # Of the file's own first record warcio has read the content already.
            if found.rec_type != "warcinfo" and stated.isdigit() and record.length < int(stated):
                message = f"the file ends within the record's {stated} bytes"
                trouble = Damage(offset, "cut-off", message, record.headers)
                break
            pending = record
    except Exception as error:  # warcio lets through what its parts raise on broken data, of many kinds
        trouble = Damage(archive.offset, "corrupt", f"the rest of the ARC file is unreadable: {error}")
    if pending is not None:
        yield pending if archive.err_count == warnings else _of_wrong_length(pending)
    if trouble is not None:
        yield trouble


def _record_of(found: Any, offset: int, max_record_bytes: int) -> Record:
    """Reads a record's block, or a sample of it where it is over the limit."""
    kept = bytearray()
    length = 0
    while part := found.raw_stream.read(_STEP):
        length += len(part)
        if length <= max_record_bytes or len(kept) < OVERSIZE_SAMPLE:
            kept += part
    if length > max_record_bytes:
        del kept[OVERSIZE_SAMPLE:]
    headers = {name.lower(): str(value) for name, value in found.rec_headers.headers}
    return Record(offset, headers, bytes(kept), length)


def _of_wrong_length(record: Record) -> Damage:
    message = f"the record is not as long as its header says, {record.length}"
    return Damage(record.offset, "length", message, record.headers)
