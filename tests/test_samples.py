"""The bundled pages: that the archives hold them byte for byte, and what extraction makes of each."""

from __future__ import annotations

import importlib.util
import re
import sys
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

from mainextract_beam import extract_page

SAMPLES = Path(__file__).parent.parent / "samples"


def load_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("samples_build", SAMPLES / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


build = load_build()


def records(data: bytes) -> list[tuple[Any, ...]]:
    """Every record with its encodings undone: compressors may differ, what they hold may not."""
    found = []
    for record in ArchiveIterator(BytesIO(data)):
        headers = record.rec_headers
        status = record.http_headers.get_statuscode() if record.http_headers else None
        found.append(
            (
                record.rec_type,
                headers.get_header("WARC-Target-URI"),
                headers.get_header("WARC-Record-ID"),
                headers.get_header("WARC-Date"),
                status,
                record.content_stream().read(),
            )
        )
    return found


def test_building_twice_gives_the_same_bytes() -> None:
    assert build.warc() == build.warc()


def test_committed_warc_file_is_what_the_builder_makes() -> None:
    assert records((SAMPLES / "pages.warc.gz").read_bytes()) == records(build.warc())


def test_committed_parquet_file_is_what_the_builder_makes() -> None:
    assert pq.read_table(SAMPLES / "pages.parquet").equals(build.table())


def test_warc_file_holds_every_page_and_what_a_crawl_holds_beside_pages() -> None:
    found = records(build.warc())
    kinds = [kind for kind, *_ in found]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "metadata": 14, "request": 14, "response": 14, "revisit": 1, "warcinfo": 1,
    }  # fmt: skip
    responses = {url: (status, payload) for kind, url, _, _, status, payload in found if kind == "response"}
    for sample in build.SAMPLES:
        assert responses[sample.url] == ("200", sample.content)
    assert sorted(status for status, _ in responses.values()) == ["200"] * 12 + ["301", "404"]


def test_every_page_file_is_in_the_archive() -> None:
    assert {sample.file for sample in build.SAMPLES} == {path.name for path in (SAMPLES / "pages").iterdir()}


def test_pages_name_no_real_site() -> None:
    known = re.compile(rb"^((\w+\.)*example\.(com|net|org)|schema\.org|www\.w3\.org)$")
    for path in (SAMPLES / "pages").iterdir():
        hosts = re.findall(rb"https?://([\w.-]+)", path.read_bytes())
        assert [host for host in hosts if not known.match(host)] == [], path.name


# What `regions` finds: page -> rule, a text that is content, a text that is not.
EXPECTED = {
    "news-article.html": ("main", "Under the plan the main hall", "Most read"),
    "blog-post.html": ("article", "No line is dropped", "3 thoughts on"),
    "forum-thread.html": ("article", "Turned the ring by one hole", "Similar threads"),
    "documentation.html": ("role", "tidelog sweep --dry-run", "Installation"),
    "listing.html": ("main", "A former corn mill for two families", "Letters from the lakes"),
    "product.html": ("density", "0.9 l to the brim, 0.8 l usable", "Free delivery"),
    "service.html": ("main", "Both systems run for one month", "Careers"),
    "article-gbk.html": ("density", "长凳下周就会装上", "网友评论"),
    "sundial.xhtml": ("role", "Der Polstab schließt", "In diesem Kapitel"),
}
# The pages that state a base of their own.
STATED_BASES = {"sundial.xhtml": "https://wissen.example.org/astronomie/"}


@pytest.mark.parametrize("sample", build.SAMPLES, ids=lambda sample: str(sample.file))
def test_regions_finds_the_content_of_each_page(sample: Any) -> None:
    document = extract_page(sample.content, url=sample.url, content_type=sample.content_type)
    if sample.file == "app-shell.html":
        assert document is None
        return
    rule, content, boilerplate = EXPECTED[sample.file]
    assert document is not None
    assert (document.rule, document.base) == (rule, STATED_BASES.get(sample.file, sample.url))
    assert content in document.text()
    assert boilerplate not in document.text()
