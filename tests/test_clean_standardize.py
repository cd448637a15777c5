"""Step 4: headings, tables, figures, lists, and the step as a whole."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam.clean.figures import standardize_figures
from mainextract_beam.clean.headings import standardize_headings
from mainextract_beam.clean.lists import standardize_lists
from mainextract_beam.clean.protect import is_protected
from mainextract_beam.clean.standardize import standardize
from mainextract_beam.clean.tables import mark_tables
from tests.clean_steps import after, page_of, protected, written


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param('<h2 id="a">On <em>big</em> <code>x</code> <a href="/b">links</a></h2>', None, id="markup, id and links stay"),
        pytest.param('<h2 id="a">Title <a href="#a">#</a></h2>', '<h2 id="a">Title </h2>', id="self-link"),
        pytest.param('<h2>Title<a id="a" href="#a" class="x">¶</a></h2>', '<h2 id="a">Title</h2>', id="its id moves"),
        pytest.param('<h2 id="b">Title<a name="a"></a></h2>', '<h2 id="b">Title<a id="a"/></h2>', id="two targets stay two"),
        pytest.param('<h2><a id="a"></a>Title</h2>', '<h2 id="a">Title</h2>', id="anchor before the title"),
        pytest.param('<h2>Title<a class="headerlink" href="/p#a"><i class="icon"></i></a></h2>', "<h2>Title</h2>", id="icon"),
        pytest.param('<h2>Title<a href="https://example.com/p#a">#</a></h2>', "<h2>Title</h2>", id="full URL of this page"),
        pytest.param('<h2>In C<a href="/sharp">#</a></h2>', None, id="sign that leads elsewhere"),
        pytest.param('<h2><a href="#a">Title</a></h2>', None, id="the title is the link"),
        pytest.param('<h2><a href="/a">One</a> and <a href="/b">two</a></h2>', None, id="two links"),
        pytest.param('<h2 id="a"><a href="#a"><img src="/a.png"/></a></h2>', None, id="picture in the link"),
        pytest.param('<div role="heading" aria-level="3">T</div>', '<h3 role="heading" aria-level="3">T</h3>', id="ARIA"),
        pytest.param('<div role="heading" aria-level="9">T</div>', None, id="no such level"),
        pytest.param('<div role="heading"><p>a</p><p>b</p></div>', None, id="more than a heading"),
    ],
)
def test_headings(markup: str, expected: str | None) -> None:
    assert after(standardize_headings, markup, url="https://example.com/p") == (markup if expected is None else expected)


def test_self_links_without_number() -> None:
    links = '<a href="#a">#</a>x' * 20_000
    assert after(standardize_headings, f"<h2>{links}</h2>") == f"<h2>{'x' * 20_000}</h2>"


ROWS = "<tr><td>1</td><td>2</td></tr>"


@pytest.mark.parametrize(
    ("markup", "is_data"),
    [
        pytest.param(f"<table><caption>c</caption>{ROWS}</table>", True, id="caption"),
        pytest.param("<table><tr><th>a</th><td>1</td></tr></table>", True, id="header cell"),
        pytest.param(f"<table><thead><tr><td>a</td><td>b</td></tr></thead>{ROWS}</table>", True, id="head"),
        pytest.param(f'<table role="table">{ROWS}</table>', True, id="role"),
        pytest.param(f"<table>{ROWS * 10}</table>", True, id="many rows"),
        pytest.param(f"<table>{('<tr>' + '<td>a</td>' * 5 + '</tr>') * 2}</table>", True, id="many columns"),
        pytest.param(f"<table>{ROWS * 2}</table>", True, id="small and even"),
        pytest.param(
            f"<table>{'<tr><td><a href=/a>a</a></td><td><a href=/b>b</a></td></tr>' * 6}</table>", True, id="links"
        ),
        pytest.param(
            "<table><thead><tr><td>a</td><td></td></tr></thead><tr><td>\xa0</td><td>x</td></tr></table>", True, id="empty cells"
        ),
        pytest.param(f'<table role="presentation">{ROWS * 10}</table>', False, id="role of none"),
        pytest.param(f"<table>{'<tr><td>1</td></tr>' * 12}</table>", False, id="one column"),
        pytest.param("<table><tr><td>1</td><td>2</td></tr></table>", False, id="one row"),
        pytest.param(
            f"<table><tr><td>{'long text ' * 50}</td><td>menu</td></tr><tr><td>a</td><td>b</td></tr></table>", False, id="prose"
        ),
        pytest.param(
            "<table><tr><td><h1>a</h1><p>b</p></td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>", False, id="blocks"
        ),
    ],
)  # fmt: skip
def test_data_tables(markup: str, is_data: bool) -> None:
    page = page_of(markup)
    mark_tables(page)
    assert protected(page) == ([("table", "table")] if is_data else [])
    assert written(page) == written(page_of(markup))


def test_data_table_in_a_layout_table() -> None:
    page = page_of(f"<table><tr><th>menu</th><td><table><caption>c</caption>{ROWS}</table></td></tr></table>")
    mark_tables(page)
    outer, inner = page.root.iter("table")
    assert page.marks.kind(outer) is None
    assert page.marks.kind(inner) == "table"
    assert is_protected(page, outer)


IMG = '<img src="/a.jpg"/>'


@pytest.mark.parametrize(
    ("markup", "expected", "marked"),
    [
        pytest.param(f"<figure>{IMG}<figcaption>c</figcaption></figure>", None, True, id="figure"),
        pytest.param("<figure><pre>x</pre><figcaption>c</figcaption></figure>", None, True, id="listing"),
        pytest.param(
            f'<div class="wp-caption">{IMG}<p class="wp-caption-text">A <b>c</b></p></div>',
            f'<figure class="wp-caption">{IMG}<figcaption class="wp-caption-text">A <b>c</b></figcaption></figure>',
            True,
            id="caption by class",
        ),
        pytest.param(
            f'<div><a href="/a">{IMG}</a><div><div class="thumbcaption">c</div></div></div>',
            f'<figure><a href="/a">{IMG}</a><div/><figcaption class="thumbcaption">c</figcaption></figure>',
            True,
            id="caption in a wrapper",
        ),
        pytest.param(
            f'<figure>{IMG}<p class="caption">c</p></figure>',
            f'<figure>{IMG}<figcaption class="caption">c</figcaption></figure>',
            True,
            id="caption by class in a figure",
        ),
        pytest.param(f"<figure>{IMG}</figure>", None, False, id="no caption"),
        pytest.param(f"<figure>{IMG}<figcaption> </figcaption></figure>", None, False, id="blank caption"),
        pytest.param("<figure><p>prose</p><figcaption>c</figcaption></figure>", None, False, id="nothing to caption"),
        pytest.param(f'<figure>{IMG}<figcaption><a href="/b">Another story</a></figcaption></figure>', None, False, id="card"),
        pytest.param(f'<div>{IMG}<p class="text">c</p></div>', None, False, id="paragraph"),
        pytest.param(
            f'<div>{IMG}<p>prose that stands there too, and is longer than a credit</p><p class="caption">c</p></div>',
            None,
            False,
            id="more text",
        ),
        pytest.param('<div><p class="caption">c</p></div>', None, False, id="caption of nothing"),
    ],
)
def test_figures(markup: str, expected: str | None, marked: bool) -> None:
    page = page_of(markup)
    standardize_figures(page)
    assert written(page) == (markup if expected is None else expected)
    assert protected(page) == ([("figure", "figure")] if marked else [])


@pytest.mark.parametrize(
    ("markup", "expected", "marked"),
    [
        pytest.param(
            '<ul><li><input type="checkbox" checked> done</li><li><label><input type="checkbox"> open</label> it</li></ul>',
            '<ul><li data-task="done"> done</li><li data-task="open"> open it</li></ul>',
            ["list"],
            id="tasks",
        ),
        pytest.param(
            '<ul><li><p><input type="checkbox"> open</p></li></ul>',
            '<ul><li data-task="open"><p> open</p></li></ul>',
            ["list"],
            id="in a paragraph",
        ),
        pytest.param('<p><input type="checkbox"/> open</p>', None, [], id="no list"),
        pytest.param('<ul><li>Choose <input type="checkbox"/></li></ul>', None, [], id="after text"),
        pytest.param('<ul><li><input type="radio"/> a</li></ul>', None, [], id="no checkbox"),
        pytest.param('<ul><li><input type="checkbox"/></li></ul>', None, [], id="box alone"),
        pytest.param("<dl><dt>a</dt><dd>b</dd></dl>", None, ["list"], id="definitions"),
        pytest.param('<dl><dt><a href="/a">a</a></dt><dd><a href="/b">b</a></dd></dl>', None, [], id="menu"),
        pytest.param("<dl><dt>a</dt></dl>", None, [], id="no definition"),
    ],
)
def test_lists(markup: str, expected: str | None, marked: list[str]) -> None:
    page = page_of(markup)
    standardize_lists(page)
    assert written(page) == (markup if expected is None else expected)
    assert [kind for _, kind in protected(page)] == marked


def test_only_the_content_roots_are_marked() -> None:
    page = page_of(
        f"<nav><pre><code>x</code></pre></nav><main><figure>{IMG}<figcaption>c</figcaption></figure></main>", root=".//main"
    )
    standardize(page)
    assert protected(page) == [("figure", "figure")]


def test_what_stands_in_code_is_nothing_else() -> None:
    markup = '<pre><code>$x^2$ <span class="katex">y</span>\n<span class="caption">z</span><sup>1</sup></code></pre>'
    assert after(standardize, markup) == "<pre><code>$x^2$ y\nz1</code></pre>"


PIECES = st.sampled_from(
    [
        "<p>{}</p>", "<h2>{}<a href='#a'>#</a></h2>", "<ul><li>{}</li></ul>", "<pre><code>{}\n</code></pre>", "<b>{}</b>",
        "<figure><img src='/a.jpg'><figcaption>{}</figcaption></figure>", "<dl><dt>{}</dt><dd>x</dd></dl>",
        "<table><tr><th>{}</th><td>2</td></tr></table>", "<p>w <sup><a href='#n1'>{}</a></sup></p>", "<p id='n1'>{}</p>",
        "<div class='caption'>{}</div>", "<span class='sidenote'>{}</span>", "<aside>{}</aside>", "{}", "<br>",
        "<p><a id='n1'></a>{}<br><a id='n2'></a>u</p>", "<p>v <sup><a href='#n2'>2</a></sup></p>",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(PIECES, PIECES, st.sampled_from(["1", "2", "word", "two words", "z", ""])), max_size=8))
def test_no_word_is_lost_or_fused(pieces: list[tuple[str, str, str]]) -> None:
    markup = " ".join(outer.format(inner.format(text)) for outer, inner, text in pieces)
    page = page_of(markup)
    before = Counter(" ".join(page.root.itertext()).split())
    standardize(page)
    left = Counter(" ".join(page.root.itertext()).split())
    assert all(left[word] >= count for word, count in before.items() if word.isalpha())
    # The result is a tree: every element has one place.
    elements = list(page.root.iter(etree.Element))
    assert len(elements) == len(set(elements))
