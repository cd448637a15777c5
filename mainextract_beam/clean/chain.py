"""Running the ordered chain on one page, holding what is left against what there was."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

from mainextract_beam.clean.budget import text_length
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.order import JUDGING, PARTS, STEPS
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.working import working_tree
from mainextract_beam.page import Content, Page
from mainextract_beam.text import block_text, word_count

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
        skip: names of steps, or of parts of steps, to leave out.
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
    whole = sum(map(text_length, work.roots))
    _run(work, [name for name in STEPS if name not in work.skip])
    if not any(text_length(content) for content in work.roots):
        return None
    kept = sum(map(text_length, work.roots))
    return Content(
        work.roots,
        work.rule,
        metadata=_metadata(work, kept, whole),
        journal=tuple(work.journal.entries) if journal else None,
        page=Page(root, owned=True, lower_case=True, url=page.url),
        sanitized=True,
        debug=debug,
    )


def check(selector: str | None = None, skip: Collection[str] = (), journal: bool = False, debug: bool = False) -> None:
    """Checks options before any page is read.

    Raises:
        ValueError: an unknown step in ``skip``, or a selector that is no CSS; the message names the valid ones.
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
        if name not in valid:
            raise ValueError(f"unknown step {name!r} in skip; steps and parts are {', '.join(valid)}")
    return frozenset(names)


def _run(page: CleanPage, names: Iterable[str]) -> None:
    """Runs the steps in order; where the judging ones take nearly all, the mildest of them alone is taken."""
    names = list(names)
    judging = [name for name in names if name in JUDGING]
    for name in names:
        if judging and name == judging[0]:
            _judge(page, judging)
        if name not in JUDGING:
            STEPS[name](page)


def _judge(page: CleanPage, names: list[str]) -> None:
    """Runs the judging steps; where they take too much, what they were given is put back and the hidden step alone runs."""
    before = sum(map(text_length, page.roots))
    spare = [deepcopy(root) for root in page.roots] if before >= _SMALLEST and len(names) > 1 else []
    started = len(page.journal.entries)
    for name in names:
        STEPS[name](page)
    after = sum(map(text_length, page.roots))
    if not spare or after >= LOWEST_SHARE * before:
        return
    entries = page.journal.entries
    entries[started:] = [replace(entry, accepted=False) for entry in entries[started:]]
    for index, (root, copy) in enumerate(zip(page.roots, spare, strict=True)):
        _put_back(root, copy)
        if page.journal.keep:
            page.journal.record(
                root,
                "fallback",
                step=names[-1],
                rule="coverage",
                reason=f"{after} of {before} characters were left, less than {LOWEST_SHARE:.0%}; the removals are undone",
            )
        page.roots[index] = root


def _put_back(root: Any, copy: Any) -> None:
    """Gives a root the content of its copy."""
    for child in list(root):
        root.remove(child)
    root.text = copy.text
    root.extend(list(copy))


def _metadata(page: CleanPage, kept: int, whole: int) -> dict[str, Any]:
    return {"coverage": round(kept / whole, 3) if whole else 0.0, "words": word_count(block_text(page.roots))}
