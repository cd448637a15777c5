"""Which WARC records are pages, and the page a record holds."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timezone
from typing import NamedTuple

from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.warc_headers import read_http_head
from mainextract_beam.beam.warc_payload import TooLargeError, decode_body
from mainextract_beam.beam.warc_records import Record

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
KEPT_HEADERS = ("content-language", "content-location", "content-type", "last-modified", "link", "x-robots-tag")
"""HTTP headers a page keeps."""

_PARTIAL = frozenset({"warc-truncated", "warc-segment-number"})  # header fields of records that lack a part
_PAGE_RECORDS = frozenset({"response", "resource"})
_OTHER_RECORDS = frozenset({"warcinfo", "request", "metadata", "revisit", "conversion", "continuation"})
_UNSPECIFIC_TYPES = frozenset({"unknown/unknown", "application/unknown", "*/*"})  # WHATWG MIME Sniffing, section 7
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"',;]+)""", re.IGNORECASE)
# Tags that tell HTML, from the table in WHATWG MIME Sniffing, section 7.1.
_HTML_START = re.compile(
    rb"(?:<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a|<style|<title|<b|<body|<br|<p)[\s>]|<!--",
    re.IGNORECASE,
)
_XHTML_ROOT = re.compile(rb"<html[\s>]", re.IGNORECASE)
_SNIFFED = 1445  # bytes of the "resource header", section 5.2
_DIGITS_DATE = re.compile(r"\d{14}")


class Skipped(NamedTuple):
    """A record that is no page, and why: `warcinfo`, `request` ..., `status`, `content-type`."""

    reason: str


class Unreadable(NamedTuple):
    """A page that cannot be had: the stage, the kind of trouble and a message."""

    stage: str
    kind: str
    message: str


class Page(NamedTuple):
    """A page, and what was odd about its encoding (see `warc_payload.Payload`)."""

    page: WebPage
    notes: frozenset[str]


def page_of(record: Record, source_file: str, statuses: Collection[int] | None, max_bytes: int) -> Page | Skipped | Unreadable:
    """Reads the page a record holds.

    Pages are `response` and `resource` records of HTML or XHTML, by the identified payload type, else the HTTP content
    type, else a sniff of the content.

    Args:
        record: any record.
        source_file: the file it is from.
        statuses: HTTP status codes of pages wanted, None for all. A record without HTTP head has none and is wanted.
        max_bytes: bytes a page may have.
    """
    headers = record.headers
    kind = headers.get("warc-type", "").lower()
    if kind not in _PAGE_RECORDS:
        return Skipped(kind if kind in _OTHER_RECORDS else "unknown-record-type")
    stated = headers.get("content-type", "")
    head = read_http_head(record.block) if kind == "response" or media_type(stated) == "application/http" else None
    status: int | None = None
    fields: list[tuple[str, str]] = []
    body = record.block
    if head is not None:
        status, fields, body = head.status, head.fields, record.block[head.body :]
        stated = next((value for name, value in reversed(fields) if name == "content-type" and value), "")
    elif media_type(stated) == "application/http":
        stated = ""
    if head is not None and statuses is not None and status not in statuses:
        return Skipped("status")
    content_type = media_type(headers.get("warc-identified-payload-type", "")) or media_type(stated)
    if content_type and content_type not in HTML_TYPES and content_type not in _UNSPECIFIC_TYPES:
        return Skipped("content-type")
    if record.oversize:
        if content_type not in HTML_TYPES and sniff_html(body) is None:
            return Skipped("content-type")
        return Unreadable("read", "too-large", f"the record has {record.length} bytes, more than {max_bytes}")
    try:
        payload = decode_body(
            body,
            [value for name, value in fields if name == "content-encoding"],
            [value for name, value in fields if name == "transfer-encoding"],
            max_bytes,
        )
    except TooLargeError as error:
        return Unreadable("decode", "too-large", str(error))
    if content_type not in HTML_TYPES:
        content_type = sniff_html(payload.content)
        if content_type is None:
            return Skipped("content-type")
    charset = _CHARSET.search(stated)
    page = WebPage(
        url=headers.get("warc-target-uri", "").strip("<> "),
        content=payload.content,
        content_type=content_type,
        charset=charset[1] if charset else None,
        http_status=status,
        fetch_date=utc_date(headers.get("warc-date")),
        record_id=headers.get("warc-record-id", "").strip("<> ") or None,
        digest=headers.get("warc-payload-digest") or None,
        source_file=source_file,
        offset=record.offset,
        headers=_kept(fields),
        truncated=not _PARTIAL.isdisjoint(headers) or "damaged-encoding" in payload.notes,
    )
    return Page(page, payload.notes)


def media_type(value: str) -> str | None:
    """The media type of a Content-Type field in lower case, None where there is none."""
    found = _MEDIA_TYPE.search(value)
    return found[0].lower() if found else None


def sniff_html(content: bytes) -> str | None:
    """Tells by its first bytes whether content without a type is HTML or XHTML, and which; None for neither."""
    sample = content[:_SNIFFED]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        sample = sample[2:].replace(b"\0", b"")
    sample = sample.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\f")
    if sample.startswith(b"<?xml"):
        return "application/xhtml+xml" if _XHTML_ROOT.search(sample) else None
    return "text/html" if _HTML_START.match(sample) else None


def utc_date(value: str | None) -> str | None:
    """A WARC-Date (ISO 8601) or the 14 digits of older archives as ISO 8601 in UTC; anything else as it stands."""
    if not value:
        return None
    try:
        if _DIGITS_DATE.fullmatch(value):
            moment = datetime.strptime(value, "%Y%m%d%H%M%S").replace(tzinfo=timezone.utc)
        else:
            moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return value
    if moment.tzinfo is None:
        return value
    return moment.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _kept(fields: list[tuple[str, str]]) -> dict[str, str]:
    kept: dict[str, str] = {}
    for name, value in fields:
        if name in KEPT_HEADERS:
            kept[name] = f"{kept[name]}, {value}" if name in kept else value
    return kept


def identity(headers: Mapping[str, str]) -> tuple[str | None, str | None]:
    """URL and record id that a record's header fields state."""
    url, record_id = (headers.get(name, "").strip("<> ") for name in ("warc-target-uri", "warc-record-id"))
    return url or None, record_id or None
