"""What the removal rules took, over a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import apache_beam as beam

from mainextract_beam.beam.pages import ExtractedPage, register_row


class JournalSummary(NamedTuple):
    """What one rule did, on all pages or on those of one site.

    Attributes:
        site: host of the pages; None for all pages together.
        step: step of the cleaning chain.
        rule: rule of the step.
        action: what it did to elements: `remove`, `unwrap`, `replace` ...
        pages: pages on which it did.
        entries: how often it did.
        words: words of the elements it did that to.
        sample: the beginning of the text of the one with the most words.
    """

    site: str | None
    step: str
    rule: str
    action: str
    pages: int
    entries: int
    words: int
    sample: str


register_row(JournalSummary)

_Key = tuple[str, str, str, str]
_Sums = tuple[int, int, int, int, str]  # pages, entries, words, words of the sample, sample


class SummarizeJournal(beam.PTransform):  # type: ignore[misc]
    """Adds up the journals of ExtractedPages, by rule and by site and rule, to JournalSummary rows.

    The pages' journals are those of `ExtractPages(method="clean", journal=True)`. Attempts that were rejected again
    do not count. Only sums cross a shuffle.
    """

    def expand(self, pages: beam.PCollection[ExtractedPage]) -> beam.PCollection[JournalSummary]:
        """Summarizes."""
        return (
            pages
            | "Entries" >> beam.FlatMap(page_sums).with_output_types(tuple[_Key, _Sums])
            | "Sum" >> beam.CombinePerKey(add_sums)
            | "Rows" >> beam.MapTuple(_row).with_output_types(JournalSummary)
        )


def page_sums(page: ExtractedPage) -> Iterator[tuple[_Key, _Sums]]:
    """Yields what each rule did on a page, once for all pages and once for the page's site."""
    sums: dict[tuple[str, str, str], _Sums] = {}
    for line in (page.journal or "").splitlines():
        entry = json.loads(line)
        if not entry.get("accepted", True):
            continue
        words, sample = int(entry.get("words") or 0), str(entry.get("sample") or "")
        key = (str(entry["step"]), str(entry["rule"]), str(entry["action"]))
        sums[key] = add_sums([sums.get(key, (1, 0, 0, -1, "")), (0, 1, words, words, sample)])
    site = urlsplit(page.url).hostname or ""
    for key, done in sums.items():
        yield ("", *key), done
        yield (site or "(no site)", *key), done


def add_sums(parts: Iterable[_Sums]) -> _Sums:
    """Adds up; of the samples, that of the most words stays, of equals the first in the alphabet."""
    pages = entries = words = 0
    most, sample = -1, ""
    for part in parts:
        pages += part[0]
        entries += part[1]
        words += part[2]
        if (-part[3], part[4]) < (-most, sample):
            most, sample = part[3], part[4]
    return pages, entries, words, most, sample


def _row(key: Any, sums: Any) -> JournalSummary:
    site, step, rule, action = key
    pages, entries, words, _, sample = sums
    return JournalSummary(site or None, step, rule, action, pages, entries, words, sample)
