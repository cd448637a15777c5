"""The journal of `clean`: it changes no byte, and its paths lead to the elements of the page it tells of."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import extract_page, parse_html
from mainextract_beam.clean.order import RULES, STEPS
from mainextract_beam.why import explain
from tests.page_pairs import OPTIONS, PAIRS, URL, Pair

every_pair = pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
JOURNALS = {pair.name: extract_page(pair.page, journal=True, **OPTIONS) for pair in PAIRS}

PROSE = "<p>A sentence of some length, with a comma in it, that a reader would read to its end.</p>"
_NAMES = st.sampled_from(["share-buttons", "sidebar", "author", "post", "note", "alert alert-info", "footnotes", "related-posts"])
_TAGS = st.sampled_from(
    "p div span section aside nav ul li b h2 blockquote pre code table tr td figure details template noscript".split()
)
_ATTRIBUTES = st.sampled_from(["", " hidden", " style='display:none'", " id=a", " role=note", " slot=x", " shadowrootmode=open"])
_LEAVES = st.sampled_from(
    [
        "word ",
        PROSE,
        "<br>",
        "<br><br>",
        "<img src=a.png alt=b>",
        "<img width=1>",
        "<!-- c -->",
        "<a href=#a>1</a>",
        "<a href=x>y</a>",
        "<hr>",
    ]
)


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, name, attribute, parts: f"<{tag} class='{name}'{attribute}>{''.join(parts)}</{tag}>",
        _TAGS,
        _NAMES,
        _ATTRIBUTES,
        st.lists(inner, max_size=4),
    )


markup = st.lists(st.recursive(_LEAVES, _element, max_leaves=12), max_size=5).map("".join)


@every_pair
def test_it_changes_no_byte_of_a_pair(pair: Pair) -> None:
    without = extract_page(pair.page, **OPTIONS)
    assert JOURNALS[pair.name].to_xml() == without.to_xml()
    assert JOURNALS[pair.name].metadata == without.metadata
    assert without.journal is None


@given(markup)
@settings(max_examples=150, deadline=None)
def test_it_changes_no_byte_of_any_page(inner: str) -> None:
    page = f"<title>T</title><nav><a href=/>a</a></nav><article><h1>A title</h1>{PROSE}{inner}{PROSE}</article>"
    with_journal, without = extract_page(page, journal=True, **OPTIONS), extract_page(page, **OPTIONS)
    assert (with_journal is None) == (without is None)
    if with_journal is not None:
        assert with_journal.to_xml() == without.to_xml()
        paths_hold(page.encode(), with_journal)


@every_pair
def test_paths_lead_to_the_elements_of_the_page(pair: Pair) -> None:
    paths_hold(pair.page, JOURNALS[pair.name])


def paths_hold(page: bytes, document: Any) -> None:
    source = parse_html(page, url=URL).getroot()
    for entry in document.journal:
        if entry.path is None:
            continue  # made by the chain itself
        found = source.xpath(_any_namespace(entry.path))
        assert len(found) == 1, entry
        renamed = any(other.path == entry.path and other.action == "replace" for other in document.journal)
        if entry.step in ("detect", "hidden", "scoring", "selectors") and not renamed:
            assert entry.tag == etree.QName(found[0]).localname


def _any_namespace(path: str) -> str:
    """The path for trees of XHTML too, whose names have a namespace."""
    steps = []
    for step in path.lstrip("/").split("/"):
        name, bracket, index = step.partition("[")
        steps.append(f"*[local-name()='{name}']{bracket}{index}" if name != "comment()" else step)
    return path[: len(path) - len(path.lstrip("/"))] + "/".join(steps)


@every_pair
def test_it_names_steps_and_rules_that_can_be_switched_off(pair: Pair) -> None:
    for entry in JOURNALS[pair.name].journal:
        assert entry.step in STEPS
        if entry.action in ("remove", "unwrap") and entry.step in RULES and not _is_no_edit(entry):
            assert entry.rule in RULES[entry.step], entry


def _is_no_edit(entry: Any) -> bool:
    """Told of what has moved, or of what made room for it."""
    return entry.step in ("flatten", "deferred") and entry.rule in ("slot-fallback", "fallback", "noscript-page")


def test_the_root_comes_first_and_what_left_is_told() -> None:
    page = f"<div><a href=/>Start</a></div><article><h1>A title</h1>{PROSE * 3}<div class=share-buttons>Send this</div></article>"
    journal = extract_page(page, journal=True, skip=["scoring", "patterns"], **OPTIONS).journal
    assert (journal[0].action, journal[0].path) == ("root", "/html/body/article")
    assert [(e.step, e.rule, e.selector, e.path, e.words, e.sample) for e in journal if e.action == "remove"] == [
        ("selectors", "exact", ".share buttons", "/html/body/article/div", 2, "Send this")
    ]


def test_rejected_removals_are_told_and_marked() -> None:
    long = PROSE.replace("<p>", "<p class=x>") * 2
    page = f"<article><h1>A title</h1>{PROSE * 2}<div style='display:none'>{long}</div></article>"
    journal = extract_page(page, journal=True, skip=["scoring"], **OPTIONS).journal
    assert [(e.step, e.rule, e.accepted) for e in journal if e.step == "hidden"] == [("hidden", "display", False)]


class TestWhy:
    def test_it_names_the_step_and_the_rule(self) -> None:
        page = f"<article><h1>A title</h1>{PROSE * 3}<p hidden>For the printed edition of it.</p></article>"
        answer = explain(page, "printed edition", skip=["scoring"], **OPTIONS)
        assert answer.splitlines()[0] == "Step hidden takes the text in /html/body/article/p[4]."
        assert answer.splitlines()[-1] == "With --skip hidden it is in the document."

    def test_outside_the_root(self) -> None:
        page = f"<div><a href=/a>Elsewhere</a> <a href=/b>Else</a></div><article><h1>A title</h1>{PROSE * 3}</article>"
        answer = explain(page, "Elsewhere", selector="article", **OPTIONS)
        assert answer.splitlines()[:2] == [
            "The text is in /html/body/div/a[1], outside the content root:",
            "  /html/body/article, chosen by rule selector",
        ]

    def test_two_steps_that_would_each_take_it(self) -> None:
        inner = "<div class=sidebar><p hidden>For the printed edition of it.</p></div>"
        page = f"<article><h1>A title</h1>{PROSE * 3}{inner}</article>"
        answer = explain(page, "printed edition", skip=["scoring"], **OPTIONS)
        assert answer.splitlines()[-1] == "With --skip hidden --skip selectors it is in the document."
