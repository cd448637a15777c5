"""Step 5: callouts."""

from __future__ import annotations

import pytest

from mainextract_beam.clean.callouts import LONGEST, callouts
from mainextract_beam.clean.protect import is_protected
from tests.clean_steps import after, page_of, protected, written


def note(body: str, kind: str = "note", title: str | None = None, more: str = "") -> str:
    head = f'<p class="callout-title">{title}</p>' if title else ""
    return f'<aside role="note" data-callout="{kind}"{more}>{head}{body}</aside>'


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param(
            '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title"><svg></svg>Warning</p>'
            "<p>T</p></div>",
            note("<p>T</p>", "warning", "Warning"),
            id="GitHub",
        ),
        pytest.param("<blockquote><p>[!TIP]<br>T</p></blockquote>", note("<p>T</p>", "tip", "Tip"), id="marker and br"),
        pytest.param("<blockquote><p>[!NOTE]\nT <b>b</b></p></blockquote>", note("<p>T <b>b</b></p>", "note", "Note"), id="marker"),
        pytest.param(
            "<blockquote><p>[!danger]- Mind <em>the</em> gap\nT</p><p>U</p></blockquote>",
            note("<p>T</p><p>U</p>", "danger", "Mind <em>the</em> gap"),
            id="marker, folded, with a title",
        ),
        pytest.param(
            "<blockquote><p>[!INFO]</p><ul><li>T</li></ul></blockquote>",
            note("<ul><li>T</li></ul>", "info", "Info"),
            id="marker alone",
        ),
        pytest.param(
            '<div data-callout="example" class="callout is-collapsed"><div class="callout-title"><div class="callout-icon">'
            '<svg></svg></div><div class="callout-title-inner">Try</div></div><div class="callout-content" '
            'style="display: none;"><p>T</p></div></div>',
            note("<p>T</p>", "example", "Try"),
            id="Obsidian, folded",
        ),
        pytest.param(
            '<div class="theme-admonition theme-admonition-note alert alert--secondary"><div class="admonitionHeading_x">'
            '<span class="admonitionIcon_x"><svg></svg></span>note</div><div class="admonitionContent_x"><p>T</p></div></div>',
            note("<p>T</p>", "note", "note"),
            id="Docusaurus",
        ),
        pytest.param(
            '<div class="admonition admonition-tip alert alert--success"><div class="admonition-heading"><h5><span '
            'class="admonition-icon"><svg></svg></span>tip</h5></div><div class="admonition-content"><p>T</p></div></div>',
            note("<p>T</p>", "tip", "tip"),
            id="Docusaurus 1",
        ),
        pytest.param(
            '<aside aria-label="Note" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" '
            'aria-hidden="true"><svg></svg>Careful</p><div class="starlight-aside__content"><p>T</p></div></aside>',
            note("<p>T</p>", "caution", "Careful"),
            id="Starlight",
        ),
        pytest.param(
            '<div class="danger custom-block"><p class="custom-block-title">STOP</p><p>T</p></div>',
            note("<p>T</p>", "danger", "STOP"),
            id="VitePress",
        ),
        pytest.param(
            '<div class="admonition seealso"><p class="admonition-title">See also</p><p>T</p></div>',
            note("<p>T</p>", "seealso", "See also"),
            id="Sphinx",
        ),
        pytest.param(
            '<details class="warning"><summary>Open me</summary><p>T</p></details>',
            note("<p>T</p>", "warning", "Open me"),
            id="MkDocs, folded",
        ),
        pytest.param(
            '<div class="alert alert-info" role="alert"><h4 class="alert-heading">Well</h4><p>T</p></div>',
            note("<p>T</p>", "info", "Well"),
            id="Bootstrap",
        ),
        pytest.param('<div class="alert alert-danger">T <b>b</b></div>', note("T <b>b</b>", "danger"), id="Bootstrap, bare text"),
        pytest.param(
            '<div class="notecard warning" id="w"><p><strong>Warning:</strong> T</p></div>',
            note("<p><strong>Warning:</strong> T</p>", "warning", more=' id="w"'),
            id="MDN",
        ),
        pytest.param(
            '<div class="callout callout-style-default callout-important callout-titled"><div class="callout-header">'
            '<div class="callout-icon-container"><i class="callout-icon"></i></div><div class="callout-title-container">Mind</div>'
            '</div><div class="callout-body-container callout-body"><p>T</p></div></div>',
            note("<p>T</p>", "important", "Mind"),
            id="Quarto",
        ),
        pytest.param(
            '<div class="admonitionblock tip"><table><tr><td class="icon"><i class="fa icon-tip" title="Tip"></i></td>'
            '<td class="content">T <b>b</b></td></tr></table></div>',
            note("T <b>b</b>", "tip"),
            id="Asciidoctor, icon",
        ),
        pytest.param(
            '<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div></td>'
            '<td class="content"><p>T</p></td></tr></table></div>',
            note("<p>T</p>", "note", "Note"),
            id="Asciidoctor, text",
        ),
        pytest.param('<div role="note"><p>T</p></div>', note("<p>T</p>"), id="role"),
        pytest.param('<p role="note">T</p>', note("<p>T</p>"), id="role of a paragraph"),
        pytest.param('<aside class="note"><p>T</p></aside>', note("<p>T</p>"), id="aside"),
        pytest.param('<aside class="my-callout"><p>T</p></aside>', note("<p>T</p>"), id="aside named so"),
        pytest.param(
            '<div class="admonition note"><p>T</p><div class="admonition tip"><p>U</p></div></div>',
            note(f'<p>T</p>{note("<p>U</p>", "tip")}'),
            id="callout in a callout",
        ),
        pytest.param(
            '<div class="admonition note"><p class="admonition-title">Use <code>x</code></p><p>T</p></div>',
            note("<p>T</p>", "note", "Use <code>x</code>"),
            id="markup in the title",
        ),
    ],
)  # fmt: skip
def test_callouts(markup: str, expected: str) -> None:
    assert after(callouts, markup) == expected


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param('<div class="alert">We use cookies</div>', id="message of no type"),
        pytest.param('<div class="alert alert-info alert-dismissible">Sale!</div>', id="message to dismiss"),
        pytest.param('<div class="alert alert-info"><button class="close">x</button>Sale!</div>', id="button to close"),
        pytest.param('<div class="callout">Buy now</div>', id="box of no type"),
        pytest.param('<aside class="info"><a href="/a">Another story</a></aside>', id="aside of links"),
        pytest.param('<div class="note">by me</div>', id="plain div"),
        pytest.param("<blockquote><p>Said he [!NOTE]</p></blockquote>", id="marker in the text"),
        pytest.param("<blockquote><p>Said he</p></blockquote>", id="quote"),
        pytest.param("<details><summary>More</summary><p>T</p></details>", id="details"),
        pytest.param(f'<div class="admonition note">{"long " * (LONGEST // 5 + 1)}</div>', id="a part of the page"),
    ],
)
def test_no_callouts(markup: str) -> None:
    page = page_of(markup)
    before = written(page)
    callouts(page)
    assert written(page) == before
    assert protected(page) == []


def test_callouts_are_protected_and_journalled() -> None:
    page = page_of('<div class="admonition note"><p>T</p></div><p>U</p>', keep=True)
    callouts(page)
    assert protected(page) == [("aside", "callout")]
    assert [is_protected(page, element) for element in page.roots[0]] == [True, False]
    assert [(entry.rule, entry.reason, entry.path) for entry in page.journal.entries] == [("callout", "note", "/html/body/div")]


def test_callouts_without_number() -> None:
    assert after(callouts, '<div class="admonition tip">T</div>' * 5_000) == note("T", "tip") * 5_000
    assert after(callouts, '<div class="admonition tip">' * 200 + "T") == (
        '<aside role="note" data-callout="tip">' * 200 + "T" + "</aside>" * 200
    )
