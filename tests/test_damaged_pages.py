"""Pages with odd bytes put in anywhere: every method gives well-formed XML, and none fails."""

from __future__ import annotations

import random
from xml.parsers import expat

import pytest

from mainextract_beam import extract, extract_page, parse_html
from mainextract_beam.methods import METHODS
from tests.page_pairs import PAIRS

ODD = [
    *(
        b"<",
        b">",
        b'"',
        b"'",
        b"<!--",
        b"-->",
        b"--",
        b"<?x y?>",
        b"&#0;",
        b"&#1;",
        b"&#xD800;",
        b"&#xFFFE;",
        b"&x;",
        b"<![CDATA[ x ]]>",
    ),
    *(b"\x00", b"\x01", b"\x0c", b"\xff", b"\xef\xbf\xbf", "\x85\u2028\ufeff".encode(), b"\r\n\r\n\x02", b"<br>\x03<br>"),
    *(
        b'<svg xmlns="x" xlink:href="y" xmlns:q="z">',
        b'<a:b c:d="e" xml:lang="de&#1;" xmlns:a="u">',
        b'<use xlink:href="a" href="b"/>',
    ),
    *(
        b' @click="x" :y="z" {a}="b" 1x="2" \x05="3" ',
        b"<pre>\n\n\x01",
        b"<wbr>\x01<source>",
        b'<html lang="a&#1;b">',
        b'<p xmlns="">',
    ),
    *(b"</p>", b"<table>", b"<math>", b"<script>", b"</script>", b"<template>", b"<noscript>"),
]


def damaged(page: bytes, seed: int) -> bytes:
    """The page with odd bytes put in, cut out and changed at some places."""
    choice = random.Random(seed)
    data = bytearray(page)
    for _ in range(choice.randint(1, 12)):
        at = choice.randrange(len(data))
        kind = choice.random()
        if kind < 0.7:
            data[at:at] = choice.choice(ODD)
        elif kind < 0.85:
            del data[at : at + choice.randint(1, 30)]
        else:
            data[at] = choice.randrange(256)
    return bytes(data)


PAGES = [pair.page for pair in PAIRS][::3]


@pytest.mark.parametrize("method", METHODS)
def test_well_formed(method: str) -> None:
    for seed, page in enumerate(PAGES):
        data = damaged(page, seed)
        content_type = ("text/html", "application/xhtml+xml")[seed % 2]
        document = extract_page(data, method=method, content_type=content_type, metadata=False)
        assert document == extract(parse_html(data, content_type=content_type), method=method, metadata=False)
        if document is not None and document.is_page:
            expat.ParserCreate(namespace_separator=" ").Parse(document.to_xml(), True)


@pytest.mark.parametrize("piece", ["<pre>\n\x01a</pre>", "a<wbr>\x01b", "</body></html>\x01c<p>\x02d"])
def test_parsing_what_is_mended(piece: str) -> None:
    tree = parse_html(f"<main>{piece}")
    assert "".join(tree.getroot().itertext()).strip("\n")


def test_language_with_a_forbidden_character() -> None:
    document = extract_page('<html lang="a&#1;b"><main>text</main></html>')
    assert document is not None
    assert document.to_xml() == '<html lang="a\ufffdb"><body><main>text</main></body></html>'.encode()


@pytest.mark.parametrize("place", ["{}first", "last{}", "in {} it"])
def test_lines_with_a_forbidden_character(place: str) -> None:
    line = "A sentence that is long enough to be a line of text, " * 3
    lines = [line, place.format("\x01") + line, line + place.format("\x02"), line]
    document = extract_page(f"<div>menu\n<pre>{chr(10).join(lines)}</pre> end</div>", method="lines", layout="source")
    assert document is not None
    assert document.text().count("\ufffd") == 2
