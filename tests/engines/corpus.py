"""A small crawl for the engines: several WARC files, so that every worker has some, with pages that fail among them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

FILES = 6
PAGES_PER_FILE = 40
MAX_ELEMENTS = 1000

# What each file gives: one page over MAX_ELEMENTS, one without content, the rest documents.
DOCUMENTS = FILES * (PAGES_PER_FILE - 2)
# One page of each file, and the cut-off record of the last file.
FAILURES = FILES + 1


def url(page: int) -> str:
    """The address of a page, by its number, counted through all files."""
    return f"https://www.example.com/pages/{page:04}.html"


def number(address: str) -> int:
    """The number of the page of this address."""
    return int(address[-9:-5])


def is_in_the_middle(address: str) -> bool:
    """Whether a page is the one in the middle of its file."""
    return number(address) % PAGES_PER_FILE == PAGES_PER_FILE // 2


def write_crawl(folder: Path) -> str:
    """Writes the files to `folder` and returns the pattern that names them."""
    for file in range(FILES):
        with (folder / f"crawl-{file}.warc.gz").open("wb") as stream:
            writer = WARCWriter(stream, gzip=True)
            for page in range(file * PAGES_PER_FILE, (file + 1) * PAGES_PER_FILE):
                _write(writer, url(page), _page(page))
    # A crawl that was interrupted: the last record of the last file is not whole.
    with (folder / f"crawl-{FILES - 1}.warc.gz").open("ab") as stream:
        whole = BytesIO()
        _write(WARCWriter(whole, gzip=True), url(9999), _page(9999))
        stream.write(whole.getvalue()[:-200])
    return f"{folder}/*.warc.gz"


def _write(writer: WARCWriter, address: str, body: bytes) -> None:
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
    record = writer.create_warc_record(
        address,
        "response",
        payload=BytesIO(body),
        http_headers=headers,
        warc_headers_dict={"WARC-Date": "2026-05-01T12:00:00Z", "WARC-Record-ID": f"<urn:test:{number(address):04}>"},
    )
    writer.write_record(record)


def _page(page: int) -> bytes:
    place = page % PAGES_PER_FILE
    if place == 7:
        return b"<!DOCTYPE html><title>Many</title><main>" + b"<b>x</b> " * (MAX_ELEMENTS + 1) + b"</main>"
    if place == 11:
        return b"<!DOCTYPE html><title>Nothing</title><body></body>"
    paragraphs = "".join(
        f"<p>Paragraph {part} of page {page} says in a few plain words what the page is about, häufig auch anders.</p>"
        for part in range(3 + page % 17)
    )
    tag = ("main", "article", "div")[page % 3]
    return (
        f"<!DOCTYPE html><html lang=en><title>Page {page}</title><nav><a href=/>Home</a> <a href=/all>All</a></nav>"
        f"<{tag}><h1>Page {page}</h1>{paragraphs}</{tag}><footer>Example Ltd</footer></html>"
    ).encode()
