"""Records of ARC files, the format before WARC, through warcio. They are read whole, from their beginning."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from mainextract_beam.beam.warc_headers import text_of
from mainextract_beam.beam.warc_records import OVERSIZE_SAMPLE, Damage, Record

ARC_MAGIC = b"filedesc:"


def read_arc(file: BinaryIO, max_record_bytes: int) -> Iterator[Record | Damage]:
    """Reads an ARC file, plain or gzip, as the WARC records its records correspond to.

    Args:
        file: at its beginning.
        max_record_bytes: blocks longer than this are not kept.

    Yields:
        Records, and at most one damage that ends the file: ARC has nothing by which to find the next record.
    """
    offset = 0
    try:
        archive = ArchiveIterator(file, no_record_parse=True, arc2warc=True)
        records = iter(archive)
        while True:
            offset = archive.offset
            # warcio prints warnings about what it meets.
            with contextlib.redirect_stderr(io.StringIO()):
                record = next(records, None)
            if record is None:
                return
            offset = archive.offset
            headers = {name.lower(): str(value) for name, value in record.rec_headers.headers}
            kept = bytearray()
            length = 0
            while part := record.raw_stream.read(64 * 1024):
                length += len(part)
                if length <= max_record_bytes or len(kept) < OVERSIZE_SAMPLE:
                    kept += part
            if length > max_record_bytes:
                del kept[OVERSIZE_SAMPLE:]
            stated = headers.get("content-length", "")
            # Of the file's own first record warcio has read the content already.
            if record.rec_type != "warcinfo" and stated.isdigit() and length < int(stated):
                yield Damage(offset, "cut-off", f"the file ends within the record's {stated} bytes", headers)
                return
            yield Record(offset, headers, bytes(kept), length)
    except (ArchiveLoadFailed, OSError, EOFError, ValueError) as error:
        yield Damage(offset, "corrupt", f"the rest of the ARC file is unreadable: {text_of(str(error).encode())}")
