"""The work on one page, from its bytes to bytes: parse, extract, render. No Beam here: helper processes run this."""

from __future__ import annotations

import dataclasses
import itertools
import json
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from mainextract_beam.assemble import assemble
from mainextract_beam.document import Document
from mainextract_beam.metadata.page import Stated, page_metadata
from mainextract_beam.methods import GATHERING, bind_method, document_of, mended, parsed_page
from mainextract_beam.page import Page
from mainextract_beam.parse import check_elements, parse_root

STAGES = ("parse", "extract", "render")


class Extracted(NamedTuple):
    """What came of a page: fields of an `ExtractedPage`, None where the page holds no content."""

    fields: dict[str, Any] | None
    microseconds: tuple[int, ...]
    """Wall time of each of `STAGES`."""


class Failed(NamedTuple):
    """An error, as text: the stage it struck in, its class, its message and its traceback."""

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
    text: bool = True,
    metadata: str = "stated",
) -> Extracted | Failed:
    """Extracts the main content of one page, as `extract_page` does; an error is a value, whatever raised it.

    Args:
        content: The page's bytes.
        url: Its URL.
        charset: Encoding label stated by HTTP.
        content_type: Media type stated by HTTP.
        method: The extraction method.
        options: The method's options.
        max_elements: Elements beyond which the page is refused. None: no limit.
        text: Whether the document's text is wanted, too.
        metadata: One of `METADATA`.
    """
    stages = iter(STAGES)
    clock = [time.perf_counter()]
    try:
        stage = next(stages)
        root, bases = parse_root(content, url=url, encoding=charset, content_type=content_type)
        if max_elements is not None and content.count(b"<") + _IMPLIED > max_elements:
            check_elements(root.getroottree(), max_elements)
        clock.append(time.perf_counter())

        stage = next(stages)
        page = Page(root, owned=True, lower_case=bases is not None, url=url, bases=bases)
        stated = Stated(page) if metadata == "stated" and method not in GATHERING else None
        find = bind_method(method, dict(options))
        again = partial(parsed_page, content, url=url, encoding=charset, content_type=content_type)
        try:
            found = find(page)
        except ValueError:  # see methods.document_of
            page = mended(again())
            found = find(page)
        clock.append(time.perf_counter())

        stage = next(stages)
        fields = None
        if found is not None:
            more = partial(_all, again) if metadata == "all" and method not in GATHERING else None
            try:
                document: Document | None = assemble(found.page or page, found, more)
            except ValueError:
                document = document_of(mended(again()), find, more)
            fields = None if document is None else document_fields(document, method, text, stated)
        clock.append(time.perf_counter())
    except BaseException as error:  # a panic in Rust is no Exception
        return Failed(stage, type(error).__name__, _line(error), storable(traceback.format_exc()))
    return Extracted(fields, tuple(round((after - before) * 1e6) for before, after in itertools.pairwise(clock)))


def _all(again: Callable[[], Page], document: Document) -> Mapping[str, Any]:
    """The metadata of a page whose tree its method has taken apart: read from another."""
    return page_metadata(again(), document)


_IMPLIED = 8
"""Elements a parser may add to those a page opens: html, head, body, and a paragraph around bare text."""

METADATA = ("all", "stated", "none")
"""How much metadata is read for methods that do not gather it themselves: all there is; what the page states, and counts,
but not the page's type, whose judgement costs about as much as `clean`; none."""

_FIELDS = (
    "authors", "published", "modified", "site_name", "description", "language", "canonical_url", "image", "licence",
    "keywords", "page_type", "page_type_reason", "word_count", "coverage",
)  # fmt: skip


def document_fields(document: Document, method: str, text: bool = True, stated: Stated | None = None) -> dict[str, Any]:
    """Returns the fields of an `ExtractedPage` that a document, and what its page states, tell."""
    written = document.text() if text or stated is not None else ""
    metadata: Mapping[str, Any] = document.metadata
    if stated is not None:
        metadata = {**stated.beside(written), **metadata}
    known = {name: metadata[name] for name in _FIELDS if metadata.get(name) is not None}
    return {
        "title": metadata.get("title") or document.title,
        "base": document.base,
        "rule": document.rule,
        "method": method,
        "xml": document.to_xml(),
        "text": written if text else "",
        "journal": None if document.journal is None else "\n".join(map(_json, document.journal)),
    } | known


def _json(entry: Any) -> str:
    """An entry of a journal as one line of JSON."""
    fields = dataclasses.asdict(entry) if dataclasses.is_dataclass(entry) and not isinstance(entry, type) else entry
    return json.dumps(fields, ensure_ascii=False)


def _line(error: BaseException) -> str:
    return storable(" ".join(str(error).split())) or type(error).__name__


def storable(text: str) -> str:
    """Returns the text without lone surrogates, which no row and no file takes."""
    return text.encode(errors="replace").decode()
