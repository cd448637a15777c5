"""What a run counts: Beam metrics in the namespace `mainextract`, and the table and JSON made of them.

Every page a source looks at ends in exactly one of: a document, a page without content, a failure, a skip. The table
says so, and says it too where the sum does not come out.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from apache_beam.metrics import Metrics
from apache_beam.metrics.metric import MetricsFilter

NAMESPACE = "mainextract"

PAGES = "pages"
"""Pages that reached extraction."""
DOCUMENTS = "documents"
WITHOUT_CONTENT = "without-content"
BYTES_IN = "bytes-in"
"""Bytes of the pages that reached extraction."""
BYTES_OUT = "bytes-out"
"""Bytes of their documents as XML."""
SKIPPED = "skipped/"
"""Prefix of the counters of what a source passed over, by reason."""
FAILURES = "failures/"
"""Prefix of the counters of failures, by the name of the exception or of the damage."""
RULE = "rule/"
"""Prefix of the counters of documents, by how their content was found."""
MICROSECONDS = "microseconds/"
"""Prefix of the counters of the time pages spent in a stage: parse, extract, render."""


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

    Keys: `read` (documents + without_content + failures + skipped), `documents`, `without_content`, `failures` and
    `skipped` (by reason), `rules`, `bytes_in`, `bytes_out`, `milliseconds` (by stage), and `unaccounted`, which is 0
    where every page that reached extraction came to something.
    """
    failures = _by(totals, FAILURES)
    skipped = _by(totals, SKIPPED)
    documents, empty = totals.get(DOCUMENTS, 0), totals.get(WITHOUT_CONTENT, 0)
    return {
        "read": documents + empty + sum(failures.values()) + sum(skipped.values()),
        "documents": documents,
        "without_content": empty,
        "failures": failures,
        "skipped": skipped,
        "rules": _by(totals, RULE),
        "bytes_in": totals.get(BYTES_IN, 0),
        "bytes_out": totals.get(BYTES_OUT, 0),
        "milliseconds": {stage: round(spent / 1000) for stage, spent in _by(totals, MICROSECONDS).items()},
    }


def _by(totals: Mapping[str, int], prefix: str) -> dict[str, int]:
    found = {name[len(prefix) :]: value for name, value in totals.items() if name.startswith(prefix)}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def table(numbers: Mapping[str, Any]) -> str:
    """Returns a report as lines of text: one number to a line, what they add up to first."""
    rows: list[tuple[str, int]] = [("pages read", numbers["read"]), ("  documents", numbers["documents"])]
    rows += [(f"    by rule {rule}", number) for rule, number in numbers["rules"].items()]
    rows.append(("  without content", numbers["without_content"]))
    for name in ("failures", "skipped"):
        rows.append((f"  {name}", sum(numbers[name].values())))
        rows += [(f"    {reason}", number) for reason, number in numbers[name].items()]
    rows += [("bytes in", numbers["bytes_in"]), ("bytes out, as XML", numbers["bytes_out"])]
    rows += [(f"milliseconds, {stage}", spent) for stage, spent in numbers["milliseconds"].items()]
    width = max(len(label) for label, _ in rows)
    digits = max(len(f"{number:,}") for _, number in rows)
    return "\n".join(f"{label:<{width}}  {number:>{digits},}" for label, number in rows)
