"""The work on one page, from its bytes to bytes: parse, extract, serialise. No Beam here: helper processes run this."""

from __future__ import annotations

import itertools
import time
import traceback
from collections.abc import Mapping
from typing import Any, NamedTuple

from mainextract_beam.methods import extract
from mainextract_beam.parse import parse_html


class Extracted(NamedTuple):
    """What came of a page: fields of an `ExtractedPage`, None where the page holds no content."""

    fields: dict[str, Any] | None
    microseconds: dict[str, int]


class Failed(NamedTuple):
    """An error, as text: what stage it struck in, its class, its message and its traceback."""

    stage: str
    exception: str
    message: str
    traceback: str | None


def work_on_page(
    content: bytes,
    *,
    url: str,
    charset: str | None,
    content_type: str | None,
    method: str,
    options: Mapping[str, Any],
    max_elements: int | None,
) -> Extracted | Failed:
    """Extracts the main content of one page; an error is a value, whatever raised it.

    Args:
        content: The page's bytes.
        url: Its URL.
        charset: Encoding label stated by HTTP.
        content_type: Media type stated by HTTP.
        method: The extraction method.
        options: The method's options.
        max_elements: Elements beyond which the page is refused. None: no limit.
    """
    stage = "parse"
    clock = [time.perf_counter()]
    try:
        tree = parse_html(content, url=url, encoding=charset, content_type=content_type)
        if max_elements is not None and content.count(b"<") + _IMPLIED > max_elements:
            elements = int(tree.xpath("count(//*)"))
            if elements > max_elements:
                return Failed(stage, "TooManyElements", f"the page has {elements} elements, over {max_elements}", None)
        clock.append(time.perf_counter())
        stage = "extract"
        document = extract(tree, method=method, url=url, **options)
        clock.append(time.perf_counter())
        stage = "render"
        fields = None
        if document is not None:
            fields = {
                "title": document.title,
                "base": document.base,
                "rule": document.rule,
                "method": method,
                "xml": document.to_xml(),
                "text": document.text(),
            }
        clock.append(time.perf_counter())
    except BaseException as error:  # a panic in Rust is no Exception
        return Failed(stage, type(error).__name__, _line(error), _storable(traceback.format_exc()))
    spent = [int((after - before) * 1e6) for before, after in itertools.pairwise(clock)]
    return Extracted(fields, dict(zip(("parse", "extract", "render"), spent, strict=True)))


_IMPLIED = 8
"""Elements a parser may add to those a page opens: html, head, body, and a paragraph around bare text."""


def _line(error: BaseException) -> str:
    return _storable(" ".join(str(error).split())) or type(error).__name__


def _storable(text: str) -> str:
    return text.encode(errors="replace").decode()  # no row, and no file, takes a lone surrogate
