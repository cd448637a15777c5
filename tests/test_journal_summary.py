"""SummarizeJournal: sums by rule and by site, whatever order pages come in."""

from __future__ import annotations

import json
from typing import Any

import apache_beam as beam
from apache_beam.testing.util import assert_that, equal_to

from mainextract_beam.beam.journal import JournalSummary, SummarizeJournal, add_sums
from mainextract_beam.beam.pages import ExtractedPage


def page(url: str, *entries: dict[str, Any]) -> ExtractedPage:
    return ExtractedPage(url, journal="\n".join(map(json.dumps, entries)))


def entry(rule: str, words: int, sample: str, **fields: Any) -> dict[str, Any]:
    return {"step": "selectors", "rule": rule, "action": "remove", "words": words, "sample": sample} | fields


PAGES = [
    page("https://a.example.com/1", entry("ad", 3, "buy"), entry("ad", 5, "sale"), entry("nav", 1, "menu")),
    page("https://b.example.com/2", entry("ad", 5, "offer"), entry("ad", 9, "rejected", accepted=False)),
    page("https://b.example.com/3"),
    ExtractedPage("https://c.example.com/4"),
]


def test_sums_by_rule_and_by_site() -> None:
    expected = [
        JournalSummary(None, "selectors", "ad", "remove", 2, 3, 13, "offer"),
        JournalSummary(None, "selectors", "nav", "remove", 1, 1, 1, "menu"),
        JournalSummary("a.example.com", "selectors", "ad", "remove", 1, 2, 8, "sale"),
        JournalSummary("a.example.com", "selectors", "nav", "remove", 1, 1, 1, "menu"),
        JournalSummary("b.example.com", "selectors", "ad", "remove", 1, 1, 5, "offer"),
    ]
    with beam.Pipeline("FnApiRunner") as pipeline:
        rows = pipeline | beam.Create(PAGES) | SummarizeJournal()
        assert rows.element_type is JournalSummary
        assert_that(rows, equal_to(expected))


def test_sums_do_not_depend_on_order() -> None:
    parts = [(1, 2, 8, 5, "sale"), (1, 1, 5, 5, "offer"), (1, 0, 0, -1, "")]
    assert add_sums(parts) == add_sums(reversed(parts)) == add_sums([add_sums(parts[:2]), parts[2]])
