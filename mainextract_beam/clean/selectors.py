"""Step 8: what bears a name of clutter leaves.

Names are those in class, id, role and data-testid, and the element's own. They match on token edges, as a whole
("exact") or in part ("partial"); the two can be switched off apart, by the skip names ``selectors-exact`` and
``selectors-partial``. The table of names has two sides, and good names overrule bad ones.

A name's weight must reach what its place asks for: 1 outside the content, 2 inside it, and one more where the element
holds prose. Part of a name weighs one less than the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from lxml import etree

from mainextract_beam.clean.budget import Budget, text_length
from mainextract_beam.clean.edit import Edits
from mainextract_beam.clean.hidden import is_opened
from mainextract_beam.clean.name_words import ELEMENTS, MODIFIERS, NAMES, ROLES, STATES
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.protect import is_protected
from mainextract_beam.clean.walk import text_of
from mainextract_beam.marked import Judged, marked
from mainextract_beam.text import is_blank

NAME: Final = "selectors"
EXACT: Final = "selectors-exact"
PARTIAL: Final = "selectors-partial"

PROSE: Final = 160
"""Characters outside links that make an element one that holds prose, where links are less than half of its text."""

COMMENTS: Final = "comments"
COMMENTS_SHARE: Final = 0.7
"""Share of the remaining prose that all comments together may take, where as much as ARTICLE is left."""

ARTICLE: Final = 1_500
"""Characters of prose that make a text of its own beside its comments."""

_COMMENT_WORDS: Final = (
    "comment",
    "kommentar",
    "coment",
    "commenti",
    "disqus",
    "respond",
    "discussion",
    "replies",
    "reply",
)

_TOKEN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_SPACED: Final = bytes(code if chr(code).islower() else 32 for code in range(128)) + b" " * 128
_FIRST: Final = frozenset(entry.partition(" ")[0] for entry in NAMES)
"""The words that entries begin with."""
_AGAINST: Final = frozenset(entry.partition(" ")[0] for entry, weight in NAMES.items() if weight > 0)
"""The words that entries against what bears them begin with."""
_LONGEST: Final = 4  # words of an entry
_LONGEST_NAME: Final = 80  # characters; longer ones are generated
_LONGEST_NAMES: Final = 1_000

_OPAQUE: Final = frozenset("pre code samp kbd math svg object".split())
"""Elements whose inside is theirs: names in them are not about the page."""

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "hgroup"})
_KEPT: Final = (
    frozenset(
        """html body main td th tr tbody thead tfoot caption col colgroup source track br hr wbr img picture svg math pre code
    li-marker summary dt param area figure figcaption video audio iframe""".split()
    )
    | HEADINGS
)
"""Elements that leave by no name: parts of structures, and media, which other steps judge by what they are."""

_INLINE: Final = frozenset(
    """a abbr b bdi bdo big cite data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u
    var label button""".split()
)
_LINES: Final = frozenset("p li td th dd dt blockquote figcaption caption summary h1 h2 h3 h4 h5 h6".split())
_INVISIBLE: Final = frozenset(
    {
        "hidden",
        "invisible",
        "is hidden",
        "d none",
        "js hidden",
        "no js",
        "hidden xs",
        "visually hidden",
        "visuallyhidden",
    }
    | {"sr only", "screen reader text", "screen reader"}
)
_RESPONSIVE: Final = re.compile(r"(?:^|\s)(?:[\w-]+:(?:block|flex|grid|inline|table|contents)|d-\w\w-(?!none)|visible-)")


# What is said of an element: that its names speak against it, that its inside is its own.
_NAMED: Final = 1
_CLOSED: Final = 2


class Verdict(NamedTuple):
    """What one name says: the weight of the whole name and of its best part, each with the entry that says so."""

    exact: int
    exact_entry: str
    partial: int
    partial_entry: str
    good: int


_NOTHING: Final = Verdict(0, "", 0, "", 0)


def _tokens(names: str) -> list[str]:
    """The words of names in lower case."""
    if names.isascii() and names == names.lower():
        # What holds no capital is parted wherever there is no letter.
        return names.encode("ascii").translate(_SPACED).decode("ascii").split()
    return [token.lower() for token in _TOKEN.findall(names)]


@lru_cache(maxsize=16_384)
def judge(name: str) -> Verdict:
    """Reads one name by the table.

    Args:
        name: one class, an id, or a data-testid.
    """
    if len(name) > _LONGEST_NAME:
        return _NOTHING
    tokens = _tokens(name)
    starts = [start for start, token in enumerate(tokens) if token in _FIRST]
    if not starts:
        return _NOTHING
    entry = " ".join(tokens)
    weight = NAMES.get(entry)
    state = tokens[0] in STATES and len(tokens) > 1
    if weight is None and not state:
        first, last = 0, len(tokens)
        while first < last and weight is None and tokens[first] in MODIFIERS:
            first += 1
            weight = NAMES.get(" ".join(tokens[first:last]))
        while last > first and weight is None and tokens[last - 1] in MODIFIERS:
            last -= 1
            weight = NAMES.get(" ".join(tokens[first:last]))
        if weight is not None:
            entry = " ".join(tokens[first:last])
            weight = weight if weight > 0 else max(weight, -1)
    exact, exact_entry = (weight, entry) if weight is not None and weight > 0 else (0, "")
    good = weight if weight is not None and weight < 0 else 0
    partial, partial_entry = 0, ""
    if len(tokens) > 1 and not state:
        for length in range(min(_LONGEST, len(tokens)), 0, -1):
            for start in starts:
                if start + length > len(tokens):
                    break
                part = " ".join(tokens[start : start + length])
                found = NAMES.get(part, 0)
                if found == -1 or (found < 0 and length > 1):
                    good = min(good, -1)
                elif found - 1 > partial:
                    partial, partial_entry = found - 1, part
    return Verdict(exact, exact_entry, partial, partial_entry, good)


@lru_cache(maxsize=16_384)
def _judge_names(names: str) -> Verdict:
    """The names of one class attribute together: the worst and the best that any of them says."""
    exact, exact_entry, partial, partial_entry, good = _NOTHING
    for name in names[:_LONGEST_NAMES].split():
        verdict = judge(name)
        if verdict.exact > exact:
            exact, exact_entry = verdict.exact, verdict.exact_entry
        if verdict.partial > partial:
            partial, partial_entry = verdict.partial, verdict.partial_entry
        good = min(good, verdict.good)
    return Verdict(exact, exact_entry, partial, partial_entry, good)


class _Match(NamedTuple):
    weight: int
    rule: str
    selector: str


def name_weight(element: etree._Element, *, exact: bool = True, partial: bool = True) -> int:
    """How much the names of an element speak against it: 0 to 3, 0 where good names overrule the bad ones."""
    match = _match(element, exact, partial)
    return match.weight if match else 0


def _match(element: etree._Element, exact: bool, partial: bool) -> _Match | None:
    """What the names of an element say against it, None where they say nothing or good ones overrule them."""
    best, rule, selector, good = 0, "", "", 0
    tag = str(element.tag)
    if exact and tag in ELEMENTS:
        best, rule, selector = ELEMENTS[tag], "exact", tag
    names = element.get("class")
    if names:
        verdict = _judge_names(names)
        good = verdict.good
        if exact and verdict.exact > best:
            best, rule, selector = verdict.exact, "exact", f".{verdict.exact_entry}"
        if partial and verdict.partial > best:
            best, rule, selector = verdict.partial, "partial", f".{verdict.partial_entry}"
    for attribute, sign in (("id", "#"), ("data-testid", "@")):
        if name := element.get(attribute):
            verdict = judge(name)
            if exact and verdict.exact > best:
                best, rule, selector = verdict.exact, "exact", f"{sign}{verdict.exact_entry}"
            if partial and verdict.partial > best and attribute != "id":
                best, rule, selector = verdict.partial, "partial", f"{sign}{verdict.partial_entry}"
            good = min(good, verdict.good)
    role = element.get("role")
    if role and exact:
        for word in role.lower().split():
            weight = ROLES.get(word, 0)
            if weight > best:
                best, rule, selector = weight, "exact", f"role={word}"
            good = min(good, weight)
    if not best or (good == -2 and best < 3) or (good == -1 and rule == "partial" and best < 3):
        return None
    return _Match(best, rule, selector)


def selectors(page: CleanPage) -> None:
    """Removes what bears an exact or a partial name of clutter from the content roots."""
    exact, partial = EXACT not in page.skip, PARTIAL not in page.skip
    if not (exact or partial):
        return
    found: dict[etree._Element, tuple[_Match, int]] = {}
    for root in page.roots:
        _find(page, root, exact, partial, found)
    if not found:
        return
    # What many elements bear is judged together: a page made of "comment"s is about them.
    totals: dict[str, int] = {}
    for match, prose in found.values():
        family = _family(match)
        totals[family] = totals.get(family, 0) + prose
    budget = Budget(page.roots)
    with Edits(page, NAME) as edits:
        for element, (match, prose) in found.items():
            family = _family(match)
            share = None
            if family == COMMENTS and budget.left - totals[family] >= ARTICLE:
                share = COMMENTS_SHARE
            if prose and not (budget.allows(totals[family], share) and budget.take(prose, share)):
                page.journal.record(
                    element,
                    "remove",
                    step=NAME,
                    rule=match.rule,
                    reason="too much of the prose",
                    selector=match.selector,
                    accepted=False,
                )
                continue
            totals[family] -= prose
            edits.remove(element, rule=match.rule, reason=f"weight {match.weight}", selector=match.selector)


def _family(match: _Match) -> str:
    """What is judged together: the elements of one entry, and everything about comments."""
    return COMMENTS if any(word in match.selector for word in _COMMENT_WORDS) else match.selector


def _find(
    page: CleanPage, root: etree._Element, exact: bool, partial: bool, found: dict[etree._Element, tuple[_Match, int]]
) -> None:
    """The outermost elements that names speak against, with the characters of prose each holds."""
    passed: set[etree._Element] = {root}  # with what stands in elements that are looked at no further
    for element, evidence in marked(root, *_evidence(exact, partial)):
        if element in passed:
            continue
        if evidence & _CLOSED:
            passed.update(element.iterdescendants(etree.Element))
            continue
        match = _match(element, exact, partial)
        if match is None or element.tag in _KEPT:
            continue
        if (match.weight == 1 and _is_in_content(element, root)) or not _may_leave(page, element, match):
            continue
        length = text_length(element)
        linked = sum(map(text_length, element.iter("a"))) if length else 0
        prose = max(0, length - linked)
        # Elements are wrapped around text for all kinds of reasons, a form around a whole page.
        if prose >= PROSE and linked * 2 < length:
            needed = 3 if match.selector in ELEMENTS or _is_in_content(element, root) else 2
            if match.weight < needed:
                continue
        found[element] = (match, prose)
        passed.update(element.iterdescendants(etree.Element))


@cache
def _evidence(exact: bool, partial: bool) -> tuple[dict[str, int], dict[str, Judged]]:
    """What `marked` is to find: elements whose names may speak against them, and those whose inside is theirs."""

    def judged(read: Callable[[str], Verdict]) -> Judged:
        def speaks(names: str) -> int:
            if _AGAINST.isdisjoint(_tokens(names)):
                return 0
            verdict = read(names)
            return _NAMED if (exact and verdict.exact) or (partial and verdict.partial) else 0

        return Judged(speaks)

    tags = dict.fromkeys(_OPAQUE, _CLOSED)
    attributes = {"class": judged(_judge_names), "id": judged(judge), "data-testid": judged(judge)}
    if exact:
        tags |= dict.fromkeys(ELEMENTS, _NAMED)
        attributes["role"] = Judged(lambda role: _NAMED if any(ROLES.get(word, 0) > 0 for word in role.lower().split()) else 0)
    return tags, attributes


def _is_in_content(element: etree._Element, root: etree._Element) -> bool:
    """Whether an element stands in what a root that is the whole page marks as content, or in any other root."""
    if root.tag not in ("body", "html"):
        return True
    holder = next(each for each in element.iterancestors("article", "main", root.tag) if each is root or each.tag != root.tag)
    return holder is not root


def _may_leave(page: CleanPage, element: etree._Element, match: _Match) -> bool:
    """Whether nothing else speaks for the element: protection, its place in a sentence, what opens it, its own heading."""
    tag = str(element.tag)
    if tag == "article" and (match.rule == "partial" or match.weight < 3):
        return False
    if is_protected(page, element):
        return False
    if tag in _INLINE and _is_in_sentence(element):
        return False
    entry = match.selector[1:]
    if entry in _INVISIBLE and (_RESPONSIVE.search(element.get("class") or "") or is_opened(element)):
        return False
    if tag == "footer" or tag == "cite":
        parent = element.getparent()
        if parent is not None and parent.tag in ("blockquote", "figure"):
            return False  # the source of a quotation
    if tag == "aside" and match.selector == "aside" and (element.get("class") or element.get("role") == "note"):
        return not _has_paragraph(element)
    if match.selector[0] == "#" and _is_slug(element):
        return False
    # A header holds the headline of what follows as well as what surrounds it; the latter leaves by names of its own.
    return not ("header" in entry and match.weight < 3 and next(element.iter(*HEADINGS), None) is not None)


def _has_paragraph(element: etree._Element) -> bool:
    return next(element.iter("p"), None) is not None


def _is_in_sentence(element: etree._Element) -> bool:
    """Whether an inline element is part of a line of text: its parent holds words of its own."""
    parent = element.getparent()
    if parent is None or parent.tag not in _LINES:
        return False
    texts = [parent.text, *(child.tail for child in parent)]
    return any(not is_blank(text) and any(map(str.isalnum, text or "")) for text in texts)


def _is_slug(element: etree._Element) -> bool:
    """Whether an id repeats the heading an element begins with, as ids of sections do."""
    for heading in element.iter(*HEADINGS):
        words = _TOKEN.findall(text_of(heading).lower())
        name = [token.lower() for token in _TOKEN.findall(element.get("id") or "")]
        return bool(name) and ("".join(name) in "".join(words) or set(name) <= set(words))
    return False
