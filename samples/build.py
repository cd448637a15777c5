"""Builds pages.warc.gz and pages.parquet from the pages beside this file: `python samples/build.py [DIR]`.

The WARC file looks like what a crawler writes (WARC 1.1, one gzip member per record): a warcinfo record, a request,
response and metadata record for each page, and among them what a crawl always holds beside pages: a redirect, a missing
page, an image, a robots.txt and a page seen before (revisit). Some payloads travel gzipped or chunked. The Parquet file
holds the same pages, one row each. Dates and record ids are fixed, so the same pages give the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = Path(__file__).parent
PAGES = HERE / "pages"
CRAWL_START = datetime(2026, 11, 2, 8, 0, 0, tzinfo=timezone.utc)
SECONDS_BETWEEN_FETCHES = 7
USER_AGENT = "ExampleCrawler/1.0 (+https://crawler.example.com/)"


@dataclass(frozen=True)
class Sample:
    """One page of the bundle: its URL, the file that holds its bytes, and how its server sends it."""

    url: str
    file: str
    content_type: str
    gzipped: bool = False
    chunked: bool = False

    @property
    def content(self) -> bytes:
        return (PAGES / self.file).read_bytes()


SAMPLES = (
    Sample("https://news.example.com/2026/03/tram-depot-market", "news-article.html", "text/html; charset=utf-8"),
    Sample(
        "https://blog.example.org/2025/11/importer/",
        "blog-post.html",
        "text/html; charset=UTF-8",
        gzipped=True,
        chunked=True,
    ),
    Sample(
        "https://forum.example.net/threads/chain-skips-under-load.20417/",
        "forum-thread.html",
        "text/html; charset=utf-8",
        gzipped=True,
    ),
    Sample("https://docs.example.com/tidelog/2.4/guide/retention.html", "documentation.html", "text/html"),
    Sample("https://stays.example.com/lakes", "listing.html", "text/html; charset=utf-8", chunked=True),
    Sample("https://shop.example.com/p/trail-kettle-09", "product.html", "text/html; charset=utf-8"),
    Sample("https://ledger.example.com/", "service.html", "text/html; charset=utf-8", gzipped=True),
    Sample("https://zh.example.com/news/local/20260418.html", "article-gbk.html", "text/html"),
    Sample("https://wissen.example.org/astronomie/sonnenuhr.xhtml", "sundial.xhtml", "application/xhtml+xml; charset=utf-8"),
    Sample("https://app.example.com/boards", "app-shell.html", "text/html; charset=utf-8"),
)

NOT_FOUND = b"<!DOCTYPE html><html><head><title>Not found</title></head><body><h1>404</h1><p>No such page.</p></body></html>\n"
PIXEL = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
ROBOTS = b"User-agent: *\nDisallow: /account/\n"


@dataclass(frozen=True)
class Other:
    """What a crawl holds beside pages; it stands after the page of that number."""

    after: int
    url: str
    status: str
    header: tuple[str, str]
    body: bytes


OTHERS = (
    Other(0, "https://news.example.com/robots.txt", "200 OK", ("Content-Type", "text/plain"), ROBOTS),
    Other(1, "https://news.example.com/market", "301 Moved Permanently", ("Location", SAMPLES[0].url), b""),
    Other(4, "https://news.example.com/2026/03/markt", "404 Not Found", ("Content-Type", "text/html"), NOT_FOUND),
    Other(7, "https://news.example.com/img/pixel.gif", "200 OK", ("Content-Type", "image/gif"), PIXEL),
)


def http_body(sample: Sample) -> tuple[bytes, list[tuple[str, str]]]:
    """The body as it goes over the wire, and the headers that say how to undo it."""
    body = sample.content
    headers = [("Content-Type", sample.content_type)]
    if sample.gzipped:
        body = gzip.compress(body, mtime=0)
        headers.append(("Content-Encoding", "gzip"))
    if sample.chunked:
        body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks(body)) + b"0\r\n\r\n"
        headers.append(("Transfer-Encoding", "chunked"))
    else:
        headers.append(("Content-Length", str(len(body))))
    return body, headers


def chunks(data: bytes, size: int = 4096) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def record_id(*parts: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))}>"


def warc_date(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def fetch_date(number: int) -> datetime:
    """When the page of that number was fetched."""
    return CRAWL_START + timedelta(seconds=SECONDS_BETWEEN_FETCHES * (number + 1))


class CrawlFile:
    """Writes the records of one crawl with fixed dates and ids."""

    def __init__(self, out: BytesIO) -> None:
        self._writer = WARCWriter(out, gzip=True, warc_version="WARC/1.1")
        self._info_id = record_id("warcinfo")

    def info(self, fields: dict[str, str]) -> None:
        headers = {"WARC-Record-ID": self._info_id, "WARC-Date": warc_date(CRAWL_START)}
        self._write("warcinfo", "", headers | {"WARC-Filename": "pages.warc.gz"}, fields_body(fields))

    def fetch(
        self,
        url: str,
        moment: datetime,
        status: str,
        headers: list[tuple[str, str]],
        body: bytes,
        payload_type: str | None = None,
    ) -> None:
        """Writes the request, response and metadata records of one fetch."""
        response_id = record_id("response", url)
        common = {"WARC-Date": warc_date(moment), "WARC-Warcinfo-ID": self._info_id}
        beside = common | {"WARC-Concurrent-To": response_id}
        parts = urlsplit(url)
        sent = [("Host", parts.netloc), ("User-Agent", USER_AGENT), ("Accept-Encoding", "gzip")]
        request = StatusAndHeaders(f"GET {parts.path} HTTP/1.1", sent, is_http_request=True)
        response = StatusAndHeaders(status, [*headers, ("Server", "example")], protocol="HTTP/1.1")
        identified = {"WARC-Identified-Payload-Type": payload_type} if payload_type else {}
        about = fields_body({"fetchTimeMs": str(40 + len(body) % 97)})
        self._write("request", url, beside | {"WARC-Record-ID": record_id("request", url)}, b"", request)
        self._write("response", url, common | {"WARC-Record-ID": response_id} | identified, body, response)
        self._write("metadata", url, beside | {"WARC-Record-ID": record_id("metadata", url)}, about)

    def revisit(self, url: str, moment: datetime, first_seen: datetime, payload: bytes) -> None:
        """Writes that `url` was fetched again and held the payload of its first response."""
        digest = "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()
        record = self._writer.create_revisit_record(
            url,
            digest,
            url,
            warc_date(first_seen),
            http_headers=StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"),
            warc_headers_dict={
                "WARC-Record-ID": record_id("revisit", url),
                "WARC-Date": warc_date(moment),
                "WARC-Warcinfo-ID": self._info_id,
            },
        )
        self._writer.write_record(record)

    def _write(self, kind: str, url: str, headers: dict[str, str], body: bytes, http: StatusAndHeaders | None = None) -> None:
        record = self._writer.create_warc_record(
            url, kind, payload=BytesIO(body), length=len(body), http_headers=http, warc_headers_dict=headers
        )
        self._writer.write_record(record)


def fields_body(fields: dict[str, str]) -> bytes:
    """The application/warc-fields form: one `name: value` line each."""
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()


def warc() -> bytes:
    """The crawl as the bytes of a .warc.gz file."""
    out = BytesIO()
    crawl = CrawlFile(out)
    crawl.info({"software": USER_AGENT, "format": "WARC File Format 1.1", "robots": "obey"})
    for number, sample in enumerate(SAMPLES):
        body, headers = http_body(sample)
        # Like real crawlers, some of which identify the payload and some of which do not.
        payload_type = sample.content_type.partition(";")[0] if number % 2 else None
        crawl.fetch(sample.url, fetch_date(number), "200 OK", headers, body, payload_type)
        for other in (other for other in OTHERS if other.after == number):
            headers = [other.header, ("Content-Length", str(len(other.body)))]
            crawl.fetch(other.url, fetch_date(number), other.status, headers, other.body)
    crawl.revisit(SAMPLES[0].url, fetch_date(len(SAMPLES)), fetch_date(0), SAMPLES[0].content)
    return out.getvalue()


def table() -> pa.Table:
    """The same pages as a table: url, html (bytes as crawled, decoded of transfer), content_type, fetch_date."""
    dates = [fetch_date(number) for number in range(len(SAMPLES))]
    return pa.table(
        {
            "url": pa.array([sample.url for sample in SAMPLES], pa.string()),
            "html": pa.array([sample.content for sample in SAMPLES], pa.binary()),
            "content_type": pa.array([sample.content_type for sample in SAMPLES], pa.string()),
            "fetch_date": pa.array(dates, pa.timestamp("ms", tz="UTC")),
        }
    )


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "pages.warc.gz").write_bytes(warc())
    pq.write_table(table(), directory / "pages.parquet", compression="zstd", row_group_size=4)
    for name in ("pages.warc.gz", "pages.parquet"):
        print(f"{directory / name}: {(directory / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
