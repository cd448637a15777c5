"""Metadata: each field from each place, in the order of the table, and hostile values as mere values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from mainextract_beam.metadata.dates import EARLIEST, date_in, date_in_url, iso_date
from mainextract_beam.metadata.names import people, person, without_site
from mainextract_beam.metadata.precedence import PRECEDENCE
from mainextract_beam.metadata.read import read_metadata

URL = "https://www.example.com/2024/a-page"
TEXT = "<p>A sentence of the text that everyone who opens this page can read.</p>"


def read(head: str = "", body: str = TEXT, *, url: str | None = URL, lang: str = "en") -> dict[str, Any]:
    return read_metadata(html.document_fromstring(f'<html lang="{lang}"><head>{head}</head><body>{body}</body></html>'), url)


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("A plain title | Example", "A plain title"),
        ("A plain title - Example News Today", "A plain title"),
        ("Example: A plain title", "A plain title"),
        ("A plain title – The Example", "A plain title"),
        ("Example » A plain title", "A plain title"),
        ("A title of some length | Other Site", "A title of some length"),
        ("State-of-the-art methods", "State-of-the-art methods"),
        ("One thing: another thing", "One thing: another thing"),
        ("Before - after", "Before - after"),
        ("Example", "Example"),
        ("普通的标题_Example", "普通的标题"),
    ],
)
def test_title_without_the_site(title: str, expected: str) -> None:
    assert without_site(title, "Example", URL) == expected


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("<title>A plain title | Example</title>", "<h1>A plain title</h1>", "A plain title"),
        ("<title>A plain title of it | Example</title>", "<h1>Example</h1>", "A plain title of it"),
        (
            '<title>x</title><meta property="og:title" content="A plain title">',
            "<h1>Quite another</h1>",
            "A plain title",
        ),
        (
            "<title>A plain title</title>",
            "<h1>News</h1><h1>A <em>plain</em> title<a href='#x'>#</a></h1>",
            "A plain title",
        ),
        ("", "<h1>A plain<br>title</h1>", "A plain title"),
        ('<meta property="og:title" content="{{ title }}"><title>A plain title</title>', "", "A plain title"),
        ("<title>A plain title</title>", "<svg><title>Logo</title></svg>", "A plain title"),
        (ld('{"@type":"NewsArticle","headline":"A plain title"}'), "", "A plain title"),
        ('<meta name="citation_title" content="A plain title">', "", "A plain title"),
    ],
)
def test_title(head: str, body: str, expected: str) -> None:
    assert read(head, body)["title"] == expected


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (ld('{"@type":"Article","author":{"@type":"Person","name":"Ada Example"}}'), ""),
        (ld('{"@type":"BlogPosting","author":[{"name":"Ada Example"}]}'), ""),
        (
            ld('{"@context":"https://schema.org","@graph":[{"@type":"WebPage"},{"@type":"Article","author":"Ada Example"}]}'),
            "",
        ),
        (ld('{"@type":"QAPage","mainEntity":{"@type":"Question","author":{"name":"Ada Example"}}}'), ""),
        (ld('// <![CDATA[\n{"@type":"Article","author":"Ada Example"}\n// ]]>'), ""),
        (ld('/* <![CDATA[ */ {"@type":"Article","author":"Ada Example"} /* ]]> */;'), ""),
        (ld('<!--{"@type":"Article","author":"Ada Example","text":"<!-- a --> b ]]>"}-->\n'), ""),
        (ld('{"@type":"Article","author":"Ada Example"}' + " " * 100_000 + "-->"), ""),
        ('<script type="APPLICATION/LD+JSON">{"@type":"Article","author":"Ada Example"}</script>', ""),
        (ld("{broken") + '<meta name="author" content="Ada Example">', ""),
        ('<meta name="author" content="By Ada Example">', ""),
        (
            '<meta property="article:author" content="https://example.com/ada"><meta name="byl" content="By Ada Example">',
            "",
        ),
        ('<meta name="DC.creator" content="Ada Example">', ""),
        ('<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ada Example">', ""),
        ("", '<h1>T</h1><p class="byline">By <a href="/author/ada">Ada Example</a> | March 5, 2024</p>'),
        ("", '<h1>T</h1><a rel="author" href="/ada">Ada Example</a>'),
        ("", '<h1>T</h1><span itemprop="author">Ada Example</span>'),
        ("", "<h1>T</h1><p>By Ada Example</p>"),
        ("", "<h1>T</h1><div><span>Written by</span> <span>Ada Example</span></div>"),
        ("", "<h1>T</h1><p>Von Ada Example</p>"),
        ("", "<h1>T</h1><p>Автор: Ada Example</p>"),
        ("", "<h1>T</h1><p>作者：Ada Example</p>"),
        ("", '<h1>T</h1><div><a href="/users/ada">Ada Example</a></div>'),
        (
            '<meta name="author" content="Example"><meta property="og:site_name" content="Example">',
            "<h1>T</h1><p>By Ada Example</p>",
        ),
    ],
)
def test_authors(head: str, body: str) -> None:
    assert read(head, body + TEXT)["authors"] == ("Ada Example",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Example and Bob Sample", ("Ada Example", "Bob Sample")),
        ("Ada Example, Bob Sample", ("Ada Example", "Bob Sample")),
        ("Ada Example und Bob Sample", ("Ada Example", "Bob Sample")),
        ("Ada Example, MD, PhD", ("Ada Example, MD, PhD",)),
        ("By ADA EXAMPLE", ("ADA EXAMPLE",)),
        ("作者：王小明", ("王小明",)),
        ("admin", ()),
        ("ada@example.com", ()),
        ("https://example.com/ada", ()),
        ("", ()),
    ],
)
def test_people(text: str, expected: tuple[str, ...]) -> None:
    assert people([text]) == expected


def test_person_without_what_follows() -> None:
    assert person("By Ada Example | March 5, 2024") == "Ada Example"
    assert person("Ada Example Updated 5 March 2024") == "Ada Example"


def test_no_author_where_none_is_stated() -> None:
    assert "authors" not in read("", "<h1>T</h1><p>By sea and by land they came, and nobody knew.</p>" + TEXT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-05", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("2024-03", "2024-03"),
        ("2024-03-05T10:20:30Z", "2024-03-05T10:20:30+00:00"),
        ("2024-03-05T10:20:30.5+0100", "2024-03-05T10:20:30.500000+01:00"),
        ("2024-03-05 10:20", "2024-03-05T10:20:00"),
        ("2024-03-05T99:99:99", "2024-03-05"),
        ("March 5, 2024", "2024-03-05"),
        ("5th of March 2024", "2024-03-05"),
        ("Tue, 05 Mar 2024 10:20:30 GMT", "2024-03-05T10:20:30+00:00"),
        ("5. März 2024", "2024-03-05"),
        ("5 mars 2024", "2024-03-05"),
        ("1er août 2024", "2024-08-01"),
        ("5 de marzo de 2024", "2024-03-05"),
        ("5 de março de 2024", "2024-03-05"),
        ("5 dicembre 2024", "2024-12-05"),
        ("5 марта 2024 г.", "2024-03-05"),
        ("2024年3月5日", "2024-03-05"),
        ("2024年3月5日 10:20", "2024-03-05T10:20:00"),
        ("2024/3/5", "2024-03-05"),
        ("2024. 3. 5.", "2024-03-05"),
        ("3/4/2024", "2024-03-04"),
        ("2024-13-45", None),
        ("1024-03-05", None),
        ("yesterday", None),
        ("5", None),
        ("12:30", None),
        ("", None),
        ("x" * 10_000 + "2024", None),
    ],
)
def test_iso_date(text: str, expected: str | None) -> None:
    assert iso_date(text) == expected


def test_order_of_day_and_month() -> None:
    assert iso_date("3/4/2024", day_first=True) == "2024-04-03"
    assert iso_date("2024年3月4日", day_first=True) == iso_date("2024/3/4", day_first=True) == "2024-03-04"
    assert iso_date("2024/3/4 10:20 pm", day_first=True) == "2024-03-04T22:20:00"
    date = '<meta name="date" content="3/4/2024">'
    assert read(date, lang="de")["published"] == "2024-04-03"
    assert read(date, lang="en-US")["published"] == "2024-03-04"


def test_dates_in_texts_and_urls() -> None:
    assert date_in("Published on March 5, 2024 by someone") == "2024-03-05"
    assert date_in("Room 12, 2024 places") is None
    assert date_in_url("https://example.com/2024/03/05/title") == "2024-03-05"
    assert date_in_url("https://example.com/2024/title") is None
    assert date_in_url(f"https://example.com/{EARLIEST + 1}/13/05/") is None


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (ld('{"@type":"Article","datePublished":"2024-03-05"}'), ""),
        ('<meta property="article:published_time" content="2024-03-05">', ""),
        ('<meta itemprop="datePublished" content="2024-03-05">', ""),
        ('<meta name="citation_publication_date" content="2024-03-05">', ""),
        ('<meta name="DC.date.issued" content="2024-03-05">', ""),
        ("", '<div itemscope><time itemprop="datePublished" datetime="2024-03-05">last week</time></div>'),
        ("", '<h1>T</h1><time datetime="2024-03-05">last week</time>'),
        (
            "",
            '<h1>T</h1><time class="updated" datetime="2024-06-01">x</time><span class="post-date">March 5, 2024</span>',
        ),
        ("", "<h1>T</h1><p>5 mars 2024</p>"),
        ("", "<h1>T</h1><p class=author>Ada Example<br>5 mars 2024</p>"),
        ("", "<p>A line<br>5 mars 2024</p>"),
        ("", "<div><p>A line</p><span><!-- -->5 mars 2024</span></div>"),
        ("", "<fieldset><legend>T</legend> 5 mars 2024 <p>A line</p></fieldset>"),
        (
            "",
            '<div itemscope><time itemprop="dateCreated" datetime="2024-03-05">x</time><div itemprop="suggestedAnswer" itemscope>'
            '<span itemprop="author" itemscope><time itemprop="datePublished" datetime="2025-01-01">y</time></span></div></div>',
        ),
        ('<meta property="article:modified_time" content="2024-03-05">', ""),
    ],
)
def test_published(head: str, body: str) -> None:
    assert read(head, body + TEXT, lang="fr")["published"] == "2024-03-05"


def test_modified() -> None:
    head = '<meta property="article:published_time" content="2024-03-05"><meta name="lastmod" content="2024-06-01">'
    assert {name: read(head)[name] for name in ("published", "modified")} == {
        "published": "2024-03-05",
        "modified": "2024-06-01",
    }


def test_the_rest() -> None:
    head = (
        '<base href="https://www.example.com/base/"><link rel="canonical" href="/page"><link rel="license" href="/licence">'
        '<meta property="og:site_name" content="Example &amp; Co"><meta name="description" content="What  it is">'
        '<meta property="og:image" content="a.png"><meta name="keywords" content="One, two; one , 三，四">'
    )
    found = read(head, lang="pt_br")
    assert {name: found[name] for name in found if name not in ("title", "authors")} == {
        "site_name": "Example & Co",
        "description": "What it is",
        "language": "pt-BR",
        "canonical_url": "https://www.example.com/page",
        "image": "https://www.example.com/base/a.png",
        "licence": "https://www.example.com/licence",
        "keywords": ("One", "two", "三", "四"),
    }


def test_what_is_not_stated_is_left_out() -> None:
    assert read_metadata(html.document_fromstring("<html><body><p>x</p></body></html>")) == {}


def _stating(place: str, value: str) -> str:
    kind, _, name = place.partition(":")
    return {
        "meta": f'<meta name="{name}" content="{value}">',
        "json-ld": ld(f'{{"@type":"Article","{name}":"{value}"}}'),
        "itemprop": f'<meta itemprop="{name}" content="{value}">',
        "link": f'<link rel="{name}" href="{value}">',
        "site": ld(f'{{"@type":"WebSite","{name}":"{value}"}}'),
    }.get(kind, "")


_VALUES = {"published": "2001-02-03", "modified": "2001-02-03", "language": "fi", "authors": "Ada Example"}
_KEYS = {"site": "site_name", "canonical": "canonical_url"}


_PLACES = [(field, place) for field, places in PRECEDENCE.items() for place in places if _stating(place, "x")]


@pytest.mark.parametrize(("field", "place"), [pair for pair in _PLACES if pair[1] != "meta:twitter:data1"])
def test_every_place_is_read(field: str, place: str) -> None:
    value = _VALUES.get(field, "https://example.com/a" if field in ("canonical", "image", "licence") else "Some value")
    head = _stating(place, value)
    found = read_metadata(html.document_fromstring(f"<html><head>{head}</head><body>{TEXT}</body></html>"))
    expected: Any = (value,) if field in ("authors", "keywords") else value
    assert found[_KEYS.get(field, field)] == expected


@pytest.mark.parametrize("field", ["site", "description", "image", "modified"])
def test_the_order_of_the_table_decides(field: str) -> None:
    values = {"modified": "2001-02-{:02}", "image": "https://example.com/{}"}
    places = [place for place in PRECEDENCE[field] if place.partition(":")[0] in ("meta", "json-ld", "itemprop", "link", "site")]
    stated = [(place, values.get(field, "value {}").format(index + 1)) for index, place in enumerate(places)]
    for index in range(len(stated)):
        head = "".join(_stating(*pair) for pair in reversed(stated[index:]))
        assert read(head)[_KEYS.get(field, field)] == stated[index][1]


def test_the_table_of_the_docs_is_the_table_of_the_code() -> None:
    text = (Path(__file__).resolve().parent.parent / "docs" / "metadata.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ((?:`[^`]+` ?)+)\|$", text, re.M)
    assert {name: tuple(re.findall(r"`([^`]+)`", places)) for name, places in rows} == {
        _KEYS.get(field, field): places for field, places in PRECEDENCE.items()
    }


def test_hostile_values_stay_values() -> None:
    quote = "a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
    head = f'<meta name="description" content="{quote}"><meta property="og:image" content="javascript:alert(1)">'
    found = read(head)
    assert found["description"] == 'a"><script>alert(1)</script>'
    assert "image" not in found
    assert read('<link rel="canonical" href="java\tscript:alert(1)">').get("canonical_url") is None


def test_hostile_structured_data() -> None:
    nested = "[" * 100_000
    assert "title" not in read(ld(nested) + ld('{"@graph":[[[{"@type":["Article",1,null],"headline":{"a":[]},"author":{}}]]]}'))
    deep = '{"@type":"Article","author":' * 50 + '"Ada Example"' + "}" * 50
    read(ld(deep))
    read("<meta name='date' content='" + "9" * 100_000 + "'>")
