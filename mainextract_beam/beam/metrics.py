"""What a run counts: Beam metrics in the namespace `mainextract`, and the table and JSON made of them.

What a source looks at ends in exactly one of: a document, a page without content, a failure, a skip. The report adds
them up, and says so where they are not as many as were read.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from apache_beam.metrics import Metrics
from apache_beam.metrics.metric import MetricsFilter

NAMESPACE = "mainextract"

PAGES = "pages-extracted"
"""Pages that reached extraction, whatever came of them."""
DOCUMENTS = "documents"
WITHOUT_CONTENT = "pages-without-content"
BYTES_IN = "bytes-in"
"""Bytes of the pages that reached extraction."""
BYTES_OUT = "bytes-out"
"""Bytes of their documents as XML."""
FAILURES = "pages-failed-"
"""Prefix of the counters of pages that failed, by the name of the exception."""
RULE = "documents-by-"
"""Prefix of the counters of documents, by how their content was found."""
MICROSECONDS = "microseconds-"
"""Prefix of the counters of the wall time pages spent in a stage."""

READ = "-read"
"""Suffix of the sources' counters of what they looked at: records, rows, files."""
_SKIPPED = "-skipped-"
_UNREADABLE = ("-unreadable-", "-damaged-")
_ROW_GROUPS = "row-groups-damaged"
_OF_SOURCES = ("records", "rows", "files")


@functools.lru_cache(maxsize=4096)
def _counter(name: str) -> Any:
    return Metrics.counter(NAMESPACE, name)


def count(name: str, by: int = 1) -> None:
    """Adds to the counter `name` of the running step."""
    _counter(name).inc(by)


def counts(result: Any) -> dict[str, int]:
    """Returns the counters of a pipeline's result, summed over its steps.

    Committed values where the runner tells them, else attempted ones.
    """
    totals: dict[str, int] = {}
    for counter in result.metrics().query(MetricsFilter().with_namespace(NAMESPACE))["counters"]:
        value = counter.committed if counter.committed is not None else counter.attempted
        totals[counter.key.metric.name] = totals.get(counter.key.metric.name, 0) + int(value or 0)
    return totals


def report(totals: Mapping[str, int]) -> dict[str, Any]:
    """Returns the counters as one JSON-ready report.

    Keys: `read` (what sources looked at: records, rows or files, and damaged stretches of files), which is the sum of
    `documents`, `without_content`, `failures` (by reason), `skipped` (by reason) and `unaccounted`, which is 0;
    `rules` (documents by rule), `bytes_in`, `bytes_out`, `milliseconds` (wall time by stage).
    """
    documents, empty = totals.get(DOCUMENTS, 0), totals.get(WITHOUT_CONTENT, 0)
    unreadable = [f"{kind}{infix}" for kind in _OF_SOURCES for infix in _UNREADABLE]
    failures = _by(totals, FAILURES, *unreadable)
    skipped = _by(totals, *(f"{kind}{_SKIPPED}" for kind in _OF_SOURCES))
    if groups := totals.get(_ROW_GROUPS):
        failures["damaged row groups"] = groups
    damaged = (groups or 0) + sum(_by(totals, *(f"{kind}{_UNREADABLE[1]}" for kind in _OF_SOURCES)).values())
    accounted = documents + empty + sum(failures.values()) + sum(skipped.values())
    stated = [totals[kind + READ] for kind in _OF_SOURCES if kind + READ in totals]
    read = sum(stated) + damaged if stated else totals.get(PAGES, 0)
    return {
        "read": read,
        "documents": documents,
        "without_content": empty,
        "failures": failures,
        "skipped": skipped,
        "unaccounted": read - accounted,
        "rules": _by(totals, RULE),
        "bytes_in": totals.get(BYTES_IN, 0),
        "bytes_out": totals.get(BYTES_OUT, 0),
        "milliseconds": {stage: round(spent / 1000) for stage, spent in _by(totals, MICROSECONDS).items()},
    }


def _by(totals: Mapping[str, int], *prefixes: str) -> dict[str, int]:
    """The counters that begin with one of the prefixes, by the rest of their names, the largest first."""
    found: dict[str, int] = {}
    for name, value in totals.items():
        for prefix in prefixes:
            if name.startswith(prefix):
                rest = name[len(prefix) :]
                found[rest] = found.get(rest, 0) + value
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def table(numbers: Mapping[str, Any]) -> str:
    """Returns a report as lines of text: one number to a line, what they add up to first."""
    rows: list[tuple[str, int]] = [("read", numbers["read"]), ("  documents", numbers["documents"])]
    rows += [(f"    by {rule}", number) for rule, number in numbers["rules"].items()]
    rows.append(("  without content", numbers["without_content"]))
    for name in ("failures", "skipped"):
        rows.append((f"  {name}", sum(numbers[name].values())))
        rows += [(f"    {reason}", number) for reason, number in numbers[name].items()]
    if numbers["unaccounted"]:
        rows.append(("  UNACCOUNTED", numbers["unaccounted"]))
    rows += [("bytes of pages", numbers["bytes_in"]), ("bytes of documents", numbers["bytes_out"])]
    rows += [(f"milliseconds to {stage}", spent) for stage, spent in numbers["milliseconds"].items()]
    width = max(len(label) for label, _ in rows)
    digits = max(len(f"{number:,}") for _, number in rows)
    return "\n".join(f"{label:<{width}}  {number:>{digits},}" for label, number in rows)
