"""Step 7: what detection judged not to be content leaves, within a budget, each loss with its entry in the journal."""

from __future__ import annotations

from mainextract_beam.clean.page import CleanPage, Drop
from mainextract_beam.clean.scoring import scoring
from tests.clean_steps import page_of, written

SENTENCE = "A sentence of the text that everyone who opens this page can read. "


def scored(markup: str, *dropped: str, texts: str | None = None) -> CleanPage:
    """The page after the step, the elements of some ids dropped, and the text nodes of one element."""
    page = page_of(markup, keep=True)
    page.rule = "model"
    page.drops = [Drop(element, [], "links") for element in page.root.iter() if element.get("id") in dropped]
    for element in page.root.iter():
        if texts is not None and element.get("id") == texts:
            page.drops.append(Drop(None, [(element, False), *((child, True) for child in element)], "short"))
    scoring(page)
    return page


def told(page: CleanPage) -> list[tuple[str, str, str | None, str, bool]]:
    return [(entry.rule, entry.tag, entry.reason, entry.sample, entry.accepted) for entry in page.journal.entries]


def test_what_was_judged_to_be_no_content_leaves() -> None:
    page = scored(f"<p>{SENTENCE * 3}</p><p id='x'>Share</p>", "x")
    assert written(page) == f"<p>{SENTENCE * 3}</p>"
    assert told(page) == [("model", "p", "links", "Share", True)]


def test_texts_that_leave_without_their_element_are_told() -> None:
    page = scored(f"<div id='x'>By Ada Example <p>{SENTENCE * 3}</p> Share this</div>", texts="x")
    assert written(page) == f'<div id="x"> <p>{SENTENCE * 3}</p> </div>'
    assert told(page) == [("model", "div", "short", "By Ada Example Share this", True)]
    assert page.journal.entries[0].words == 5


def test_no_removal_takes_most_of_the_prose() -> None:
    markup = f"<p>{SENTENCE}</p><div id='x'><p>{SENTENCE * 3}</p></div>"
    page = scored(markup, "x")
    assert written(page) == markup.replace("'", '"')
    assert told(page) == [("model", "div", "too much of the prose", (SENTENCE * 3)[:200], False)]


def test_no_text_that_is_most_of_the_prose_leaves() -> None:
    markup = f'<div id="x">{SENTENCE * 3}<p>{SENTENCE}</p></div>'
    page = scored(markup, texts="x")
    assert written(page) == markup
    assert [entry[-1] for entry in told(page)] == [False]


def test_links_are_no_prose() -> None:
    page = scored(f"<p>{SENTENCE}</p><div id='x'><a href='/a'>{SENTENCE * 3}</a></div>", "x")
    assert written(page) == f"<p>{SENTENCE}</p>"


def test_text_after_a_protected_element_leaves_and_text_in_one_stays() -> None:
    page = page_of(f"<p>{SENTENCE * 3}</p><div>before<pre>code<b>x</b>more</pre>after</div>", keep=True)
    pre, bold = next(page.root.iter("pre")), next(page.root.iter("b"))
    page.marks.protect(pre, "code")
    page.drops = [Drop(None, [(pre, True), (bold, True), (pre, False)], "")]
    scoring(page)
    assert "<div>before<pre>code<b>x</b>more</pre> </div>" in written(page)


def test_its_rule_can_be_off() -> None:
    page = page_of(f"<div>Share <p>{SENTENCE}</p></div>")
    page.rule, page.skip = "model", frozenset({"scoring:model"})
    page.drops = [Drop(None, [(next(page.root.iter("div")), False)], "")]
    scoring(page)
    assert written(page) == f"<div>Share <p>{SENTENCE}</p></div>"


def test_a_page_of_links_has_its_content_in_them() -> None:
    cards = f"<p><a href='/a'>{SENTENCE}</a></p>" * 20
    page = scored(f"<p>{SENTENCE}</p><div id='x'>{SENTENCE * 4}</div><main>{cards}</main>", "x")
    assert "<div" not in written(page)


def test_lines_leave_however_little_is_left() -> None:
    page = scored("<p>One line.</p><p id='x'>Another line of it.</p><p id='y'>The third line.</p>", "x", "y")
    assert written(page) == "<p>One line.</p>"


def test_text_inside_a_link_is_no_prose() -> None:
    page = scored(f"<p>{SENTENCE}</p><a href='/a'><b>x</b><span id='x'>{SENTENCE * 20}</span></a>", "x")
    assert "span" not in written(page)
