"""The Apache Beam layer: elements, sources, transforms and sinks.

It moves pages and documents and holds no extraction rule.
"""

from __future__ import annotations

import logging


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Whether a record of the root logger is any other than the one that Beam, without its Google extra, logs when imported."""
    return not str(record.msg).startswith("apitools not found, and bigquery client libraries are not available")


# Beam imports its BigQuery client unasked and warns through the root logger itself, which leaves no other place to stop it.
logging.getLogger().addFilter(_is_worth_telling)
