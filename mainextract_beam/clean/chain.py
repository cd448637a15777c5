"""Running the ordered chain on one page, holding what is left against what there was."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from lxml import etree

from mainextract_beam.clean.budget import text_length
from mainextract_beam.clean.detect import NAME, judged
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.order import JUDGING, PARTS, RULES, STEPS
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.undo import Undo
from mainextract_beam.clean.working import working_tree
from mainextract_beam.metadata.facts import facts_of
from mainextract_beam.metadata.kind import page_kind
from mainextract_beam.metadata.read import metadata_of
from mainextract_beam.metadata.sources import Sources
from mainextract_beam.page import Content, Page
from mainextract_beam.text import word_count
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._texts")

# Below this share of the text the chosen roots held, the judging steps are taken to have failed.
LOWEST_SHARE: Final = 0.2
# Roots with less text (characters) than this are too small to tell.
_SMALLEST: Final = 400


def find_clean(
    page: Page,
    *,
    selector: str | None = None,
    skip: Collection[str] = (),
    journal: bool = False,
    debug: bool = False,
) -> Content | None:
    """The main content of a page, cleaned by the ordered chain.

    Args:
        page: the tree.
        selector: CSS selector of the content; every match is a content root. None finds the content.
        skip: names of steps, of parts of steps, or of rules (``STEP:RULE``, as the journal has them) to leave out.
        journal: whether to keep a journal of all that is removed and changed; it changes no byte of the result.
        debug: keep diagnostic attributes (class, id, data-*) and unwrap nothing.

    Returns:
        The content, or None where the page holds none.

    Raises:
        ValueError: ``selector`` is invalid or matches nothing.
    """
    root = working_tree(page)
    work = CleanPage(
        root,
        url=page.url,
        journal=Journal(keep=journal),
        skip=_names(skip),
        debug=debug,
        selector=selector,
    )
    work.journal.open(root)
    sources = Sources(root, page.url)
    work.facts = facts_of(sources)
    stated = metadata_of(sources, work.facts)
    if NAME in work.skip:
        work.whole = sum(map(text_length, work.roots))
    run_steps(work, [name for name in STEPS if name not in work.skip])
    kept = sum(map(text_length, work.roots))
    if not kept:
        return None
    return Content(
        work.roots,
        work.rule,
        metadata={**stated, **_metadata(work, kept)},
        journal=tuple(work.journal.entries) if journal else None,
        page=Page(root, owned=True, lower_case=True, url=page.url),
        sanitized=True,
        debug=debug,
    )


def check(selector: str | None = None, skip: Collection[str] = (), journal: bool = False, debug: bool = False) -> None:
    """Checks options before any page is read.

    Raises:
        ValueError: an unknown step or rule in ``skip``, or a selector that is no CSS; the message names the valid ones.
    """
    from mainextract_beam.clean.detect import compiled_selector

    _names(skip)
    if selector is not None:
        compiled_selector(selector)


find_clean.check = check  # type: ignore[attr-defined]


def _names(skip: Collection[str]) -> frozenset[str]:
    names = (skip,) if isinstance(skip, str) else skip
    valid = (*STEPS, *PARTS)
    for name in names:
        step, colon, rule = name.partition(":")
        if colon and step in RULES:
            if rule not in RULES[step]:
                raise ValueError(f"unknown rule {name!r} in skip; rules of {step} are {', '.join(RULES[step])}")
        elif name not in valid:
            raise ValueError(f"unknown step {name!r} in skip; steps and parts are {', '.join(valid)}, and STEP:RULE names a rule")
    return frozenset(names)


def run_steps(page: CleanPage, names: Iterable[str]) -> None:
    """Runs steps in the order given; where judging ones that follow one another take nearly all, they are undone."""
    for judging, group in groupby(names, key=JUDGING.__contains__):
        if judging:
            _judge(page, list(group))
        else:
            for name in group:
                STEPS[name](page)


def _judge(page: CleanPage, names: list[str]) -> None:
    """Runs judging steps; what they were given is put back where too little of it is left."""
    before = sum(map(text_length, page.roots))
    undo = page.undo = Undo() if before >= _SMALLEST else None
    started = len(page.journal.entries)
    for name in names:
        STEPS[name](page)
    page.undo = None
    after = sum(map(text_length, page.roots))
    if undo is None or after >= LOWEST_SHARE * before:
        return
    undo.put_back()
    entries = page.journal.entries
    entries[started:] = [replace(entry, accepted=False) for entry in entries[started:]]
    reason = f"{after} of {before} characters were left, less than {LOWEST_SHARE:.0%}; the removals are undone"
    for root in page.roots:
        page.journal.record(root, "fallback", step=names[-1], rule="coverage", reason=reason)


def kind_of(root: Any, url: str | None) -> dict[str, str]:
    """What kind of page a working tree is of, and why, as metadata has it; the tree is changed on the way."""
    page = CleanPage(root, url=url)
    run_steps(page, ("flatten", "deferred"))
    blocks, hints = judged(page)
    kind, reason = page_kind(blocks, hints, url)
    return {"page_type": kind, "page_type_reason": reason}


def _metadata(page: CleanPage, kept: int) -> dict[str, Any]:
    words = sum(map(_words, page.roots))
    coverage = round(min(kept / page.whole, 1.0), 3) if page.whole else 0.0
    return {"coverage": coverage, "word_count": words, **page.kind}


def _words(root: etree._Element) -> int:
    """Words of the texts in an element; none goes over the edge of another."""
    words: int | None = None if compiled is None else compiled.words(root)
    return word_count(" ".join(_TEXTS(root))) if words is None else words


_TEXTS: Final = etree.XPath(".//text()", smart_strings=False)
