"""Step 8: names of clutter, on token edges, weaker inside the content, overruled by good names."""

from __future__ import annotations

import pytest
from lxml import etree, html

from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.name_words import NAMES
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.selectors import judge, selectors

TEXT = "A sentence of the text that everyone who opens this page can read without doing anything. "
PROSE = TEXT * 3
LONG = TEXT * 30


def cleaned(body: str, *, inside: bool = True, skip: str = "", keep: bool = False) -> CleanPage:
    body = f"<main>{body}</main>" if inside else f"<div>{body}</div>"
    root = html.document_fromstring(f"<html><body>{body}</body></html>")
    page = CleanPage(root, journal=Journal(keep=keep), skip=frozenset({skip}))
    if inside:
        page.roots = [root.find("body/main")]
    page.journal.open(root)
    selectors(page)
    return page


def inner(page: CleanPage) -> str:
    holder = next(page.root.iter("main", "div"))
    return (holder.text or "") + "".join(etree.tostring(child, encoding="unicode") for child in holder)


def result(body: str, *, inside: bool = True, skip: str = "") -> str:
    return inner(cleaned(f"<p>{LONG}</p>{body}", inside=inside, skip=skip)).removeprefix(f"<p>{LONG}</p>")


@pytest.mark.parametrize(
    "element",
    [
        '<div class="share-buttons"><a href="/1">Send</a></div>',
        '<div class="post__share-buttons--top">Send</div>',
        '<ul class="breadcrumbs"><li>Start</li></ul>',
        '<div id="newsletter">Get a letter</div>',
        '<div class="js-newsletterSignup">Get a letter</div>',
        '<section class="related_posts"><h2>Related</h2><a href="/1">one</a></section>',
        '<div class="td-related-posts-2">one</div>',
        '<div class="entry-meta">by someone</div>',
        '<div data-testid="author-card">by someone</div>',
        '<div role="navigation">one two</div>',
        '<nav><a href="/1">one</a></nav>',
        "<footer>one</footer>",
        "<form><input></form>",
        "<aside>one</aside>",
        "<select><option>one</option></select>",
        '<div class="kommentare">eins</div>',
        '<div class="articulos-relacionados">uno</div>',
        '<div class="visually-hidden">read on</div>',
        f'<div class="comments-area">{PROSE}</div>',
        f'<div class="sidebar">{PROSE}</div>',
    ],
)
def test_clutter_leaves_the_content(element: str) -> None:
    assert result(f"a{element}b") == "ab"


@pytest.mark.parametrize(
    "element",
    [
        # token edges
        '<div class="sharepoint">one</div>',
        '<div class="uncorrelated-posts">one</div>',
        '<div class="shadow">one</div>',
        '<div class="header-files-list">one</div>',
        '<div class="thread">one</div>',
        # states, values and looks
        '<div class="has-sidebar">one</div>',
        '<div class="tag-newsletter category-related-posts">one</div>',
        '<div class="align-left">one</div>',
        # known false positives
        f'<p class="author">{PROSE}</p>',
        '<p>It came out on <span class="date">the fifth of May</span> last year.</p>',
        '<p>As <a class="author" href="/author/x">one of them</a> said.</p>',
        '<p class="card-text">one</p>',
        '<p class="disclaimer">one</p>',
        '<div class="takeaways"><p>one</p></div>',
        '<div class="tabs-content"><p>one</p></div>',
        f'<div class="dropdown"><p>{PROSE}</p></div>',
        '<div class="cover-letter">one</div>',
        '<aside class="note"><p>one</p></aside>',
        '<aside role="note"><p>one</p></aside>',
        f"<form><p>{PROSE}</p></form>",
        '<ul><li><label><input type="checkbox"> one</label></li></ul>',
        '<p><a href="#content">one</a> <a href="/author/name">two</a></p>',
        '<img src="/author/a.png" alt="advertisement of the time"/>',
        '<h2 id="comments">Comments on the text</h2>',
        '<h1 class="page-title">Another title</h1>',
        '<div class="hero"><p>one</p></div>',
        '<section id="related-work"><h2>Related work</h2><p>one</p></section>',
        '<section id="footer"><h2>Footer</h2><p>one</p></section>',
        '<section id="sharing"><h2>Sharing</h2><p>one</p></section>',
        '<table><tr><td class="author">one</td><td class="date">two</td></tr></table>',
        '<table class="links"><tr><td><a href="/1">one</a></td></tr></table>',
        '<div class="entry-header"><h2>One</h2></div>',
        '<pre><span class="comment"># one</span></pre>',
        '<p><code><span class="nav">one</span></code></p>',
        "<blockquote><p>one</p><footer>someone</footer></blockquote>",
        '<div class="hidden lg:flex">one</div>',
        '<div class="d-none d-md-block">one</div>',
        '<article class="post tag-ads related">one</article>',
        f'<div id="menu"><p>{PROSE}</p></div>',
        '<div class="note footer">one</div>',
        '<div class="article-body author">one</div>',
    ],
)
def test_content_stays(element: str) -> None:
    page = cleaned(f"<p>{LONG}</p>{element}", keep=True)
    assert [entry.sample for entry in page.journal.entries] == []


def test_a_name_counts_for_less_inside_the_content() -> None:
    body = f'<div class="banner">one</div><div class="subscribe"><p>{PROSE}</p></div>'
    assert result(body, inside=False) == ""
    assert "one" in result(body)
    assert PROSE in result(body)


def test_content_that_a_whole_page_marks_is_inside() -> None:
    body = '<article><div class="banner">one</div></article><div class="banner">two</div>'
    assert result(body, inside=False) == '<article><div class="banner">one</div></article>'


def test_exact_and_partial_are_switched_apart() -> None:
    body = '<div class="newsletter">one</div><div class="xy-newsletter-z">two</div>'
    assert result(body) == ""
    assert result(body, skip="selectors-exact") == '<div class="newsletter">one</div>'
    assert result(body, skip="selectors-partial") == '<div class="xy-newsletter-z">two</div>'


def test_the_journal_tells_them_apart() -> None:
    body = f'<p>{LONG}</p><div class="newsletter">one</div><div class="xy-newsletter-z">two</div><nav>three</nav>'
    entries = cleaned(body, keep=True).journal.entries
    assert [(entry.step, entry.rule, entry.selector, entry.sample) for entry in entries] == [
        ("selectors", "exact", ".newsletter", "one"),
        ("selectors", "partial", ".newsletter", "two"),
        ("selectors", "exact", "nav", "three"),
    ]


def test_keeping_a_journal_changes_nothing() -> None:
    body = f'<p>{LONG}</p><div class="newsletter">one</div>a<nav>three</nav>b'
    assert inner(cleaned(body, keep=True)) == inner(cleaned(body))


def test_neighbours_that_all_leave_keep_the_text_between_them() -> None:
    body = '<span class="ad">1</span>a<span class="ad">2</span>b<span class="ad">3</span>c'
    assert result(body) == "abc"


def test_a_page_of_comments_is_about_them() -> None:
    body = f"<p>{TEXT}</p>" + "".join(f'<div class="comments">{n} {PROSE}</div>' for n in range(9))
    page = cleaned(body, keep=True)
    assert inner(page).count(PROSE) == 9
    assert {(entry.accepted, entry.reason) for entry in page.journal.entries} == {(False, "too much of the prose")}


def test_a_long_article_loses_its_comments_even_if_they_are_longer() -> None:
    comments = f'<div id="comments">{TEXT * 50}</div>'
    assert result(comments) == ""


def test_no_single_removal_takes_much_of_the_prose() -> None:
    body = f'<p>{PROSE}</p><div class="sidebar"><p>{PROSE}</p></div>'
    assert PROSE in inner(cleaned(f'<div class="sidebar"><p>{PROSE}</p></div><p>{PROSE}</p>'))
    assert inner(cleaned(body)) == body


def test_protected_elements_stay() -> None:
    root = html.document_fromstring(f'<main><p>{LONG}</p><div class="newsletter"><table><tr><td>1</table></div></main>')
    page = CleanPage(root)
    table = next(root.iter("table"))
    page.marks.protect(table, "table")
    selectors(page)
    assert table.getparent() is not None
    assert table.getparent().getparent() is not None


@pytest.mark.parametrize(
    ("name", "exact", "partial", "good"),
    [
        ("related-posts", 3, 2, 0),
        ("relatedPosts", 3, 2, 0),
        ("block_related_posts_2", 3, 2, 0),
        ("share-price", 0, 1, 0),
        ("article-body", 0, 0, -2),
        ("article-body__share", 0, 1, -1),
        ("has-share", 0, 0, 0),
        ("x" * 100 + "-share", 0, 0, 0),
        ("комментарии", 0, 0, 0),
        ("", 0, 0, 0),
    ],
)
def test_judge(name: str, exact: int, partial: int, good: int) -> None:
    verdict = judge(name)
    assert (verdict.exact, verdict.partial, verdict.good) == (exact, partial, good)


def test_every_entry_can_match() -> None:
    for entry, weight in NAMES.items():
        verdict = judge(entry.replace(" ", "-"))
        assert (verdict.exact, verdict.good) == ((weight, 0) if weight > 0 else (0, weight)), entry


def test_hostile_names() -> None:
    body = f'<div class="{"a-" * 200_000}">x</div>' + '<div class="share x">' * 300 + "y" + "</div>" * 300
    assert "x" in result(body)
