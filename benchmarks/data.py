"""Pages and their ground truth, read from a folder of WARC files beside a ground-truth.jsonl.gz."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from mainextract_beam.text import cjk_share

_WORD = re.compile(r"\w+")
UNSPACED_SHARE = 0.3
"""Share of a text's characters, of scripts without spaces, from which it counts as written in one."""


@dataclass(frozen=True)
class Page:
    """One page as it was served."""

    id: str
    url: str
    content_type: str | None
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Truth:
    """What a page's main content is, by the judgement of a person."""

    id: str
    url: str
    kind: str
    text: str = field(repr=False)
    present: tuple[str, ...] = field(repr=False)
    absent: tuple[str, ...] = field(repr=False)


def read_pages(folder: Path) -> Iterator[Page]:
    """Yield the response records of every *.warc.gz in the folder, in the order of the files' names."""
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all"):
                name = (record.headers.get("WARC-Record-ID") or "").strip("<>").rpartition(":")[2]
                url = record.headers.get("WARC-Target-URI") or ""
                headers = record.http_headers
                yield Page(name, url, headers.get("Content-Type") if headers else None, record.reader.read())


def read_truth(folder: Path) -> dict[str, Truth]:
    """Read ground-truth.jsonl.gz of the folder: page id -> truth."""
    truths = {}
    with gzip.open(folder / "ground-truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            truths[row["id"]] = Truth(
                row["id"],
                row["url"],
                row["page_type"],
                row["main_content"] or "",
                tuple(row.get("with") or ()),
                tuple(row.get("without") or ()),
            )
    return truths


def tokens(text: str) -> Counter[str]:
    r"""Count the lower-cased ``\w+`` tokens of a text, as WCXB does."""
    return Counter(_WORD.findall(text.lower()))


def word_scores(text: str | None, truth: str) -> tuple[float, float, float]:
    """Compare a text with the truth by word multisets.

    Returns:
        F1, precision and recall, each 0..1; zeros where there is no text or no common word.
    """
    return _scores(tokens(text or ""), tokens(truth))


def character_f1(text: str | None, truth: str) -> float | None:
    """F1 of the characters but whitespace as multisets, where the truth is written without spaces between words; else None.

    A run of ``\\w`` is no word there: a comma's difference would cost a sentence.
    """
    if cjk_share(truth) < UNSPACED_SHARE:
        return None
    return _scores(Counter("".join((text or "").split())), Counter("".join(truth.split())))[0]


def _scores(found: Counter[str], wanted: Counter[str]) -> tuple[float, float, float]:
    common = sum((found & wanted).values())
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / sum(found.values()), common / sum(wanted.values())
    return 2 * precision * recall / (precision + recall), precision, recall
