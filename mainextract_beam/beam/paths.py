"""Paths and patterns of files on Beam's file systems, and what of Beam's way with them has to be known."""

from __future__ import annotations

import re

from apache_beam.io.filesystem import FileMetadata
from apache_beam.io.filesystems import FileSystems

_UP_TO_WILDCARD = re.compile(r"[^*?\[]*")


def beam_pattern(pattern: str) -> str:
    """Returns a path or pattern as Beam takes it.

    Beam lists the directory that a pattern names before its first wildcard and finds nothing where none is named, as in
    `*.warc.gz` or `part-*/a.warc.gz`.
    """
    plain = _UP_TO_WILDCARD.match(pattern)
    assert plain is not None
    if len(plain[0]) == len(pattern) or "/" in plain[0] or "\\" in plain[0]:
        return pattern
    return f"./{pattern}"


def match(pattern: str, limit: int | None = None) -> list[FileMetadata]:
    """Returns the files of a path or pattern, in no order.

    Args:
        pattern: on any of Beam's file systems; a relative one is looked up in the working directory.
        limit: at most so many.

    Raises:
        BeamIOError: the file system cannot tell.
        ValueError: there is no file system for it.
    """
    found: list[FileMetadata] = FileSystems.match([beam_pattern(pattern)], limits=[limit])[0].metadata_list
    return found


def escaped(path: str) -> str:
    """Returns the pattern that matches this path alone."""
    return re.sub(r"([*?[])", r"[\1]", path)
