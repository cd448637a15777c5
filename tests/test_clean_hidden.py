"""Step 6: what no reader sees leaves; what is shown on demand, or is the page's only copy, stays."""

from __future__ import annotations

import pytest
from lxml import etree, html

from mainextract_beam.clean.hidden import hidden
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage

LONG = "A sentence of the text that everyone who opens this page can read without doing anything. " * 8
ASIDE = "Some words that stand for a box nobody sees."


def cleaned(body: str, *, head: str = "", keep: bool = False) -> CleanPage:
    root = html.document_fromstring(f"<html><head>{head}</head><body>{body}</body></html>")
    page = CleanPage(root, journal=Journal(keep=keep))
    page.journal.open(root)
    hidden(page)
    return page


def inner(page: CleanPage) -> str:
    body = page.roots[0]
    return (body.text or "") + "".join(etree.tostring(child, encoding="unicode") for child in body)


def result(body: str, *, head: str = "") -> str:
    return inner(cleaned(f"<p>{LONG}</p>{body}", head=head)).removeprefix(f"<p>{LONG}</p>")


@pytest.mark.parametrize(
    "hiding",
    [
        "hidden",
        'hidden="hidden"',
        'style="display:none"',
        'style="color: red; display : none"',
        'style="display: none !important"',
        'style="DISPLAY:NONE"',
        'style="display:none!important; display:block"',
        'style="visibility: hidden"',
        'style="visibility:collapse"',
    ],
)
def test_hidden_elements_leave(hiding: str) -> None:
    assert result(f"<div {hiding}>{ASIDE}</div>b<p>c</p>") == "b<p>c</p>"


@pytest.mark.parametrize(
    "shown",
    [
        'hidden="until-found"',
        'style="display:none; display:block"',
        'style="display:block!important; display:none"',
        'style="text-display:none"',
        'style="background:url(display:none.png)"',
        'style="opacity:0.5"',
        'style="border-width:1px;max-width:20px"',
    ],
)
def test_shown_elements_stay(shown: str) -> None:
    body = f"<div {shown}>{ASIDE}</div>"
    assert "<div" in result(body)
    assert ASIDE in result(body)


def test_hidden_siblings_leave_and_the_text_between_them_stays() -> None:
    assert result("a<i hidden>b</i>c<i hidden>d</i>e<i hidden>f</i>g") == "aceg"


def test_rule_of_a_plain_class_or_id() -> None:
    head = "<style>/* .c{} */ .a, #b { color: red; display: none } .c p { display: none } p.d { display: none }</style>"
    body = '<p class="x a">1</p><p id="b">2</p><div class="c"><p>3</p></div><p class="d">4</p><p class="ab">5</p>'
    assert result(body, head=head) == '<div class="c"><p>3</p></div><p class="d">4</p><p class="ab">5</p>'


@pytest.mark.parametrize(
    "sheet",
    [
        "@media print { .a { display: none } }",
        "@media (max-width: 600px) { .b { color: red } .a { display: none } }",
        ".a { display: none } @media (min-width: 600px) { .a { display: block } }",
        ".a { display: none } .a { display: flex }",
        ".a { display: none; display: grid }",
        ".a:empty { display: none }",
    ],
)
def test_rules_that_do_not_hide_on_every_screen(sheet: str) -> None:
    assert result('<p class="a">1</p>', head=f"<style>{sheet}</style>") == '<p class="a">1</p>'


def test_sheets_for_other_media_hide_nothing() -> None:
    assert result('<p class="a">1</p>', head='<style media="print">.a{display:none}</style>') == '<p class="a">1</p>'


@pytest.mark.parametrize(
    "body",
    [
        f'<div role="tabpanel" hidden>{ASIDE}</div>',
        f'<button aria-controls="more">More</button><p>b</p><div id="more" style="display:none">{ASIDE}</div>',
        f'<h3>Is it so?</h3><div style="display:none">{ASIDE}</div>',
        f'<div class="q">Is it so?</div><div class="x7" style="visibility:hidden">{ASIDE}</div>' * 2,
        f'<div class="q"><span role="button">Is it so?</span></div><div style="display:none">{ASIDE}</div>',
        f'<p><a href="#b">Is it so?</a></p><div id="b" style="display:none">{ASIDE}</div>',
        f'<div class="box-toggle">Is it so?</div><div style="display:none">{ASIDE}</div>',
        f'<p aria-expanded="false">Is it so?</p><div style="display:none">{ASIDE}</div>',
        f'<h3>Is it so?</h3><div style="display:none">{ASIDE}</div><h3>Is it not?</h3><div>{ASIDE}</div>',
        f'<div class="accordion__body" style="display: none;">{ASIDE}</div>',
        f'<div class="tab-pane"><div hidden>{ASIDE}</div></div>',
        f"<dl><dt>Is it so?</dt><dd hidden>{ASIDE}</dd></dl>",
    ],
)
def test_what_a_control_opens_is_content(body: str) -> None:
    assert result(body) == inner(cleaned_of(body))


@pytest.mark.parametrize(
    "body",
    [
        f'<div>Short.</div><div style="display:none">{ASIDE}</div>',
        f'<p>Short.</p><div style="display:none">{ASIDE}</div><p>c</p>',
        f'<span>Short.</span><span style="display:none">{ASIDE}</span>',
        f'<a href="/other">Short.</a><div id="b" style="display:none">{ASIDE}</div>',
        f'<a href="#other">Short.</a><div id="b" style="display:none">{ASIDE}</div>',
        f'<h3>Of something else</h3><div style="display:none">{ASIDE}</div><p>What it heads.</p>',
        f'<div class="q">Short.</div><div style="display:none">{ASIDE}</div><div class="q">Short.</div><div>b</div>',
    ],
)
def test_what_stands_before_hidden_text_does_not_open_it(body: str) -> None:
    assert ASIDE not in result(body)


def cleaned_of(body: str) -> CleanPage:
    return CleanPage(html.document_fromstring(f"<html><body>{body}</body></html>"))


@pytest.mark.parametrize(
    "body",
    [
        f'<h3>Sign in</h3><div class="login-modal" style="display:none">{ASIDE}</div>',
        f'<button aria-controls="m">Menu</button><nav id="m" hidden>{ASIDE}</nav>',
        f'<div role="dialog" aria-modal="true" hidden>{ASIDE}</div>',
        f'<div class="cookie-toggle" hidden>{ASIDE}</div>',
        f'<button aria-controls="m">More</button><div id="m" hidden><a href="/1">{ASIDE}</a></div>',
    ],
)
def test_hidden_popups_and_menus_leave_even_where_a_control_opens_them(body: str) -> None:
    assert ASIDE not in result(body)


def test_closed_dialogs_leave_and_open_ones_stay() -> None:
    assert result(f"<dialog>{ASIDE}</dialog><dialog open>b</dialog>") == '<dialog open="">b</dialog>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<span aria-hidden="true">→</span>a', "a"),
        ('<span class="icon" aria-hidden="true">star</span>a', "a"),
        ('<i aria-hidden="true">arrow_forward</i>a', "a"),
        ('<p><span aria-hidden="true">24 units</span><span>24 units</span></p>', "<p><span>24 units</span></p>"),
        ('<p><span aria-hidden="true">24 units</span></p>', '<p><span aria-hidden="true">24 units</span></p>'),
        (f'<div aria-hidden="true">{ASIDE}</div>', f'<div aria-hidden="true">{ASIDE}</div>'),
        ('<svg aria-hidden="true" width="600" height="600"/>', '<svg aria-hidden="true" width="600" height="600"/>'),
        (f'<div style="opacity:0">{ASIDE}</div>', f'<div style="opacity:0">{ASIDE}</div>'),
        (f'<div style="opacity:0" class="popup">{ASIDE}</div>', ""),
    ],
)
def test_what_readers_see_all_the_same(body: str, expected: str) -> None:
    assert result(body) == expected


def test_the_only_copy_of_the_content_stays() -> None:
    page = cleaned(f'<div style="display:none">{LONG}</div><p>a</p>', keep=True)
    assert LONG in inner(page)
    assert [(entry.rule, entry.accepted, entry.reason) for entry in page.journal.entries] == [("display", False, "only copy")]


def test_a_text_hidden_paragraph_by_paragraph_stays() -> None:
    shown = "{} words a reader is asked to pay for"
    pairs = (f'<p>{shown.format(n)}</p><p style="display:none">{n} {ASIDE}</p>' for n in range(9))
    assert inner(cleaned("".join(pairs))).count(ASIDE) == 9


def test_protected_elements_stay() -> None:
    math = "<math><mi>x</mi></math>"
    assert result(f"<span hidden>{math}</span>") == f'<span hidden="">{math}</span>'
    root = html.document_fromstring(f'<p>{LONG}</p><ol><li id="n" style="display:none">note</li></ol>')
    page = CleanPage(root)
    page.marks.protect(root.get_element_by_id("n"), "note")
    hidden(page)
    assert "note" in inner(page)


@pytest.mark.parametrize(
    "media",
    [
        '<img src="a.png" width="1" height="1">',
        '<img src="a.png" width="16">',
        '<img src="a.png" style="height: 20px; float: left">',
        '<svg width="24" height="24"><path d="M0"></path></svg>',
        '<svg style="width:1.5em;height:1.5em"></svg>',
        "<img>",
        '<img src="">',
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    ],
)
def test_small_media_leave(media: str) -> None:
    assert result(f"a{media}b") == "ab"


@pytest.mark.parametrize(
    "media",
    [
        '<img src="a.png">',
        '<img src="a.png" width="600" height="400">',
        '<img src="a.png" width="100%" height="auto">',
        '<img src="a.png" style="border-width:1px;max-width:20px">',
        '<img src="a.png" style="width:0;height:0;min-width:100%">',
        '<img src="a.png" width="16" style="width:600px">',
        '<img src="x.png" alt="\\frac{1}{2}" width="20" height="20">',
        '<img src="x.png" class="latex" width="20" height="20">',
        '<svg viewbox="0 0 24 24" width="600" height="600"></svg>',
        '<svg viewbox="0 0 24 24"></svg>',
    ],
)
def test_large_media_stay(media: str) -> None:
    assert result(f"a{media}b") != "ab"


def test_size_is_judged_per_use() -> None:
    expected = '<img src="a.png" width="600" height="400"/>'
    assert result('<img src="a.png" width="16" height="16"><img src="a.png" width="600" height="400">') == expected


def test_keeping_a_journal_changes_nothing() -> None:
    body = f'<p>{LONG}</p><p hidden>b</p><img width="1"><div style="display:none">c</div>'
    kept = cleaned(body, keep=True)
    assert inner(kept) == inner(cleaned(body))
    assert [(entry.rule, entry.reason) for entry in kept.journal.entries] == [
        ("small-media", "no source"),
        ("hidden", None),
        ("display", None),
    ]


def test_hostile_numbers_of_hidden_elements() -> None:
    body = "<div aria-hidden=true>" * 200 + "x" + "</div>" * 200 + "<i aria-hidden=true>y</i>" * 20_000
    assert inner(cleaned(body)).count("y") == 20_000
