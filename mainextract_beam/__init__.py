"""Main content of crawled X/HTML pages, one page at a time or a crawl on Apache Beam."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mainextract_beam.document import Document as Document
from mainextract_beam.feeds import aextract_all as aextract_all
from mainextract_beam.feeds import extract_all as extract_all
from mainextract_beam.methods import extract as extract
from mainextract_beam.methods import extract_page as extract_page
from mainextract_beam.parse import PageTooLarge as PageTooLarge
from mainextract_beam.parse import parse_html as parse_html

# Names that load when first used, so that a page in hand never imports Beam.
_LAZY: dict[str, str] = {}

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
