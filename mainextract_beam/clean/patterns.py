"""Step 9: what reads like clutter leaves: lines that say so as a whole, and structures that do in any language.

Every rule judges one line, or one list behind one heading. None takes what follows it as well, past a paragraph of
prose. Words are in `pattern_words`; whatever can be told by links, forms and repetition is told by them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from lxml import etree

from mainextract_beam.clean.budget import Budget, prose_length
from mainextract_beam.clean.edit import Edits
from mainextract_beam.clean.figures import is_credit
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.pattern_words import ABOUT_AUTHOR, COOKIES, DATE_WORDS, LINES, READ_TIME, RELATED
from mainextract_beam.clean.protect import is_protected
from mainextract_beam.clean.walk import text_of
from mainextract_beam.metadata.dates import STATED, iso_date, may_state_date
from mainextract_beam.text import cjk_share
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._patterns")

NAME: Final = "patterns"

LONGEST_LINE: Final = 120
"""Characters of a line that a rule for lines may take."""

PROSE: Final = 80
"""Characters outside links that make a block with a sentence end one of prose; in scripts without spaces a third."""

RUN: Final = 3
REPEATED: Final = 250
"""Blocks in a row, and characters in them, that are taken for a copy where they are stated again in the same order."""

TWICE: Final = 20
"""Characters of a block that is taken for a copy where it directly follows itself."""

TEXT: Final = 400
"""Characters of prose that make a text a list can lead away from."""

LONGEST_LIST: Final = 400
"""Characters of a list that leads away in the midst of a text."""

LONGEST_NOTICE: Final = 1_000
BESIDE_NOTICE: Final = 150
"""Characters of a notice about cookies, and of the buttons and links in its box."""

LONGEST_AUTHOR: Final = 1_000
"""Characters of what an article says of its author."""

NEWSLETTER: Final = 600
"""Characters of the largest box around a field for an address."""

_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS: Final = """p div li h1 h2 h3 h4 h5 h6 td th dd dt blockquote figcaption address section article header footer aside
    main ul ol dl table form details summary center time button label span a pre figure nav hr hgroup""".split()
_BLOCK: Final = frozenset(_BLOCKS) - {"span", "a", "time", "button", "label"}
_LEAVES: Final = tuple(tag for tag in _BLOCKS if tag in _BLOCK and tag not in ("ul", "ol", "dl", "table", "pre", "hr"))
# What _patterns.pyx knows of a tag, as bits: see there.
_FLAGS: Final = {tag: (tag in _LEAVES) + 2 * (tag in _BLOCK) + 4 * (tag == "a") for tag in _BLOCKS}
_CELLS: Final = frozenset({"td", "th", "dt", "caption", "figcaption", "summary"})

_SHOWN: Final = ("img", "picture", "video", "audio", "iframe", "table", "pre", "math", "svg", "object", "embed", "canvas")
_PICTURES: Final = ("img", "picture", "video", "svg")
_TITLE: Final = re.compile(r"^(?:[^\W\d_]{1,5}\.\s*){1,3}")
_HOST: Final = re.compile(r"(?:[A-Za-z][\w+.-]*:)?//(?:[^/?#@]*@)?([^/?#:]*)")
_SCHEME: Final = re.compile(r"[A-Za-z][\w+.-]*:")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_ENDS: Final = ".!?؟।…。！？"
_END: Final = re.compile(r"[.!?。！？؟।…](?:[\"'”’»)\]]|\s|$)|[。！？]")
_READ_TIME: Final = re.compile(READ_TIME, re.IGNORECASE)
_CLOCK: Final = re.compile(r"\d{1,2}[:.h]\d{2}(?::\d{2})?")
_COOKIES: Final = re.compile(COOKIES, re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[^\W\d_]")
_COUNT: Final = re.compile(r"\W*\d[\d.,  ]*\s*[kKmMкт万]?\s*[^\W\d]\D{0,40}|[^\d%$€£]{1,40}\(?\d[\d.,]*[kKmM]?\)?\W*")
_NUMBER: Final = re.compile(r"\d[\d.,]*\s?[kKmM万]?\b")
_COPYRIGHT: Final = re.compile(r"^(?:©|\(c\)\s|copyright\b)", re.IGNORECASE)

_SHARE_LINK: Final = re.compile(
    r"""(?i)facebook\.com/(?:sharer|share|dialog)|(?:twitter|x)\.com/(?:intent|share)|linkedin\.com/(?:share|cws|sharing)
    |pinterest\.[a-z.]+/pin/create|(?:wa\.me|api\.whatsapp\.com|web\.whatsapp\.com)/(?:send|\?text)|whatsapp://send|t(?:elegram)?\.me/share
    |reddit\.com/submit|vk\.com/share|(?:connect\.)?ok\.ru/(?:offer|dk)|service\.weibo\.com/share|line\.me/r/|lineit|b\.hatena\.ne\.jp/(?:add|entry)
    |tumblr\.com/(?:share|widgets/share)|getpocket\.com/(?:edit|save)|share\.flipboard|news\.ycombinator\.com/submitlink|bsky\.app/intent
    |mailto:\?|sms:\?|addtoany\.com|addthis\.com|xing\.com/(?:spi|social|app)|qzone\.qq\.com|douban\.com/share|fb-messenger://|threads\.net/intent""",
    re.VERBOSE,
)
# What every such address holds one of, far faster to look for.
_SHARE_HINTS: Final = (
    *("shar", "intent", "create", "send", "mailto:?", "submit", "sms:", "add", "line.me", "lineit", "save", "edit"),
    *("whatsapp", "dialog", "xing.com", "qzone", "fb-messenger", "offer", "/dk", "spi"),
)
_TAG_LINK: Final = re.compile(
    r"(?i)/(?:tags?|categor(?:y|ies|ia|ias|ie)|kategorien?|cat|topics?|thema|themen|etiquetas?|tema|temas|label|labels|schlagwort|mot-cle"
    r"|sujet|rubrique|tema|keyword|keywords)/"
)


def normal(text: str) -> str:
    """A line as the tables have it: words in lower case, without digits and punctuation."""
    if compiled is not None:
        line: str = compiled.normal(text)
        return line
    return _normal(text)


def _normal(text: str) -> str:
    return " ".join(_LETTERS.findall(text.casefold()))


def _table(words: dict[str, dict[str, str]]) -> dict[str, str]:
    return {normal(line): rule for rule, by in words.items() for lines in by.values() for line in lines.split("|")}


_LINES: Final = _table(LINES)
_RELATED: Final = frozenset(normal(line) for lines in RELATED.values() for line in lines.split("|"))
_ABOUT_AUTHOR: Final = frozenset(normal(line) for lines in ABOUT_AUTHOR.values() for line in lines.split("|"))
_RELATED_STARTS: Final = tuple(
    sorted(line + " " for line in _RELATED if line in {"more from", "latest from", "mehr aus", "más en", "mais em"})
)


class _Block(NamedTuple):
    """A block that holds no block: a line or a paragraph of the page."""

    element: etree._Element
    text: str
    linked: int  # characters inside links
    prose: bool
    weight: int  # characters of prose, those of scripts without spaces three times


def patterns(page: CleanPage) -> None:
    """Removes what reads like clutter from the content roots."""
    budget = Budget(page.roots)
    for root in page.roots:
        blocks = [block for block in _blocks(root) if not page.marks.is_inside(block.element)]
        if not blocks:
            continue
        proses = [index for index, block in enumerate(blocks) if block.prose]
        first = proses[0] if proses else len(blocks)
        last = proses[-1] if proses else -1
        with Edits(page, NAME) as edits:
            run = _Run(page, root, edits, budget)
            _clutter(run, blocks, first, last)
            _repeated(run, blocks)
            _related(run, blocks)
            _newsletters(run)
            _tags(run, blocks)
            if page.kind.get("page_type") == "article":
                _authors(run, blocks)
                _leading_away(run, blocks)
                _headless(run, blocks)


class _Run:
    """The removals planned on one content root, each asked of the protected predicate and the budget."""

    __slots__ = ("budget", "edits", "gone", "page", "root")

    def __init__(self, page: CleanPage, root: etree._Element, edits: Edits, budget: Budget) -> None:
        self.page = page
        self.root = root
        self.edits = edits
        self.budget = budget
        self.gone: set[etree._Element] = set()

    def remove(self, element: etree._Element, rule: str, reason: str | None = None, *, guarded: bool = True) -> bool:
        """Plans a removal; False where it may not be."""
        if element is self.root or element in self.gone:
            return False
        if (element.tag in _CELLS and rule != "credit") or (guarded and is_protected(self.page, element)):
            return False
        prose = prose_length(element)
        if not self.budget.take(prose):
            self.page.journal.record(element, "remove", step=NAME, rule=rule, reason="too much of the prose", accepted=False)
            return False
        self.gone.update(element.iter(etree.Element))
        self.edits.remove(element, rule=rule, reason=reason)
        return True


def _blocks(root: etree._Element) -> Iterator[_Block]:
    for element, text, linked in lines(root):
        prose = _is_prose(text, linked)
        yield _Block(element, text, linked, prose, _weight(text) if prose else 0)


def lines(root: etree._Element) -> list[tuple[etree._Element, str, int]]:
    """The blocks at and below an element that hold text and no block, each with its text and the characters of it inside links."""
    if compiled is not None:
        found: list[tuple[etree._Element, str, int]] = compiled.lines(root, _FLAGS, text_of)
        return found
    return _lines(root)


def _lines(root: etree._Element) -> list[tuple[etree._Element, str, int]]:
    found = []
    for element in [root, *root.iterdescendants(*_LEAVES)]:
        for child in element:
            if child.tag in _BLOCK:
                # Text beside blocks is a paragraph all the same, but no line of its own.
                text = ""
                break
        else:
            text = text_of(element)
        if text:
            found.append((element, text, sum([len(text_of(link)) for link in element.iter("a")]) if len(element) else 0))
    return found


def _is_prose(text: str, linked: int) -> bool:
    own = len(text) - linked
    if own < PROSE // 3 or linked * 2 > len(text):
        return False
    if own < PROSE:
        return cjk_share(text) > 0.3 and _END.search(text) is not None
    return text[-1] in _ENDS or _END.search(text) is not None


def _clutter(run: _Run, blocks: list[_Block], first: int, last: int) -> None:
    """Lines that are clutter as a whole."""
    page = run.page
    title = normal(page.facts.title or "")
    byline = _Byline(page)
    title_seen = False
    for index, block in enumerate(blocks):
        element, text = block.element, block.text
        if len(text) <= LONGEST_NOTICE and element not in run.gone and _names_cookies(text):
            box = _notice_box(run, element, len(text))
            if box is not None and run.remove(box, "cookies"):
                continue
        if len(text) > 4 * LONGEST_LINE or block.prose:
            continue
        is_heading = element.tag in _HEADINGS
        may_be_title = title and not title_seen and index <= first and (is_heading or index < first)
        if may_be_title and normal(text) == title:
            title_seen = run.remove(element, "title-repeated") or title_seen
            continue
        if len(text) > LONGEST_LINE:
            continue
        if not is_heading and is_credit(text) and _is_of_picture(element):
            run.remove(element, "credit")
            continue
        if block.linked and not is_heading and _leads_on(element, text):
            run.remove(element, "related", reason="a link")
            continue
        line = normal(text)
        digits = _DIGIT.search(text) is not None
        counted = digits and _COUNT.fullmatch(text) is not None
        rule = _LINES.get(normal(_NUMBER.sub(" ", text)) if counted else line)
        if rule is not None:
            if (counted or not digits) and _may_take_line(blocks, index, rule, is_heading):
                run.remove(element, rule, reason=line)
            continue
        if not line and block.linked == 0 and not (digits and byline.is_date(text)):
            continue
        if _COPYRIGHT.match(text) and index > last:
            run.remove(element, "copyright")
        elif _is_share_row(element, block):
            run.remove(element, "share", reason="links")
        elif not digits:
            if not is_heading and (index < first or index > last) and byline.is_author(text):
                run.remove(element, "byline")
        elif _READ_TIME.fullmatch(text.strip(" .·|•()")):
            run.remove(element, "read-time")
        elif not is_heading and (index < first or index > last or byline.is_certain(text)):
            kind = byline.kind(text)
            if kind:
                run.remove(element, kind)


def _is_of_picture(element: etree._Element) -> bool:
    """Whether a line stands in a figure, or right behind a picture."""
    if next(element.iterancestors("figure"), None) is not None:
        return True
    holder: etree._Element | None = element
    for _ in range(3):
        if holder is None:
            return False
        before = holder.getprevious()
        if before is not None:
            return before.tag in _PICTURES or (next(before.iter(*_PICTURES), None) is not None and not text_of(before))
        holder = holder.getparent()
    return False


def _leads_on(element: etree._Element, text: str) -> bool:
    """Whether a line is a word that leads away, a colon, and the link."""
    lead, colon, rest = text.replace("：", ":").partition(":")
    if not colon or len(lead) > 40 or not rest.strip():
        return False
    line = normal(lead)
    if line not in _RELATED and _LINES.get(line) != "read-more":
        return False
    linked = sum(len(text_of(link)) for link in element.iter("a"))
    return linked * 10 >= len(rest.strip()) * 9


def _may_take_line(blocks: list[_Block], index: int, rule: str, is_heading: bool) -> bool:
    """Whether a line that is clutter by its words is no part of a text: a heading with prose below, an item of a list."""
    element = blocks[index].element
    if is_heading:
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        return following is None or not (following.prose or following.element.tag in ("li", "dd", "td", "th"))
    if element.tag in ("li", "dd"):
        # An item may name what the line says; a link or button says it of the page.
        return blocks[index].linked * 10 >= len(blocks[index].text) * 9 or element.find(".//button") is not None
    if element.tag in _CELLS:
        return False
    parent = element.getparent()
    return not (rule in ("navigation", "read-more") and parent is not None and parent.tag in ("td", "th", "figure", "blockquote"))


def _names_cookies(text: str) -> bool:
    folded = text.casefold()
    return ("cookie" in folded or "クッキー" in folded or "куки" in folded) and _COOKIES.search(text) is not None


class _Byline:
    """Lines that hold nothing but names, dates and reading times that are metadata."""

    __slots__ = ("_dates", "_names", "_site")

    def __init__(self, page: CleanPage) -> None:
        self._names = {word for name in page.facts.authors for word in normal(name).split()}
        self._site = normal(page.facts.site or "").split()
        self._dates = [date[:10] for date in (page.facts.published, page.facts.modified) if date]

    def kind(self, text: str) -> str | None:
        """``byline``, ``date`` or None."""
        folded = text.casefold()
        if not may_state_date(text) and not any(map(folded.__contains__, self._names)):
            return None
        if not _DIGIT.search(text):
            words = normal(text).split()
            known = sum(word in self._names for word in words)
            left = [word for word in words if word not in self._names and word not in DATE_WORDS and word not in self._site]
            return "byline" if known and not left and known >= min(2, len(self._names)) else None
        rest = _READ_TIME.sub(" ", text)
        rest, dates = STATED.subn(" ", rest)
        rest = _CLOCK.sub(" ", rest)
        words = normal(rest).split()
        known = sum(word in self._names for word in words)
        left = [word for word in words if word not in self._names and word not in DATE_WORDS and word not in self._site]
        if left or not (dates or known):
            return None
        if known:
            return "byline" if known >= min(2, len(self._names)) or dates else None
        return "date"

    def is_author(self, text: str) -> bool:
        """Whether a line without digits states the author and no more."""
        return bool(self._names) and self.kind(text) == "byline"

    def is_date(self, text: str) -> bool:
        """Whether a line is a date of the page, in digits."""
        date = iso_date(text.strip())
        return date is not None and date[:10] in self._dates

    def is_certain(self, text: str) -> bool:
        """Whether a line in the midst of prose states the author and a date."""
        if not self._names or not ("20" in text or "19" in text):
            return False
        return self.kind(text) == "byline" and STATED.search(text) is not None


def _is_share_row(element: etree._Element, block: _Block) -> bool:
    """Whether a line, or what it holds of links, does nothing but hand the page on."""
    if not block.linked or len(block.text) - block.linked > 30:
        return False
    links = list(element.iter("a"))
    shares = sum(1 for link in links if _is_share_link(link.get("href") or ""))
    return shares > 0 and shares * 2 >= len(links)


def _is_share_link(href: str) -> bool:
    return any(map(href.__contains__, _SHARE_HINTS)) and _SHARE_LINK.search(href[:2_000]) is not None


def _notice_box(run: _Run, element: etree._Element, length: int) -> etree._Element | None:
    """The box of a notice: the nearest holder of its text that has a button and little else; None where there is none."""
    holder: etree._Element | None = element
    for _ in range(4):
        if holder is None or holder is run.root or len(text_of(holder)) > length + BESIDE_NOTICE:
            return None
        if next(holder.iter("button", "input"), None) is not None or any(
            link.get("role") == "button" for link in holder.iter("a", "div", "span")
        ):
            return holder
        holder = holder.getparent()
    return None


def _repeated(run: _Run, blocks: list[_Block]) -> None:
    """Runs of blocks that are stated again verbatim, and a block stated twice in a row.

    A line that comes back alone is often meant: a refrain, a note to each of several items. Three blocks in the same
    order are a second copy, for screens of another size.
    """
    places: dict[tuple[str, ...], int] = {}
    texts = [block.text for block in blocks]
    again = {text for text, times in Counter(texts).items() if times > 1}
    copies: set[int] = set()
    for index, text in enumerate(texts):
        if text not in again:
            continue
        if index and text == texts[index - 1] and _weight(text) >= TWICE:
            copies.add(index)
        if index + RUN > len(blocks):
            continue
        window = tuple(texts[index : index + RUN])
        first = places.setdefault(window, index)
        if first + RUN <= index and sum(map(_weight, window)) >= REPEATED and len(set(window)) == RUN:
            copies.update(range(index, index + RUN))
    for index in sorted(copies):
        element = blocks[index].element
        if element.tag not in ("td", "th", "pre", "dd", "dt") and not _is_quoted(element):
            run.remove(element, "repeated")


def _weight(text: str) -> int:
    """Characters of a text, those of scripts without spaces three times."""
    return len(text) + round(2 * cjk_share(text) * len(text))


def _is_quoted(element: etree._Element) -> bool:
    holder: etree._Element | None = element
    for _ in range(4):
        if holder is None:
            return False
        if holder.tag in ("blockquote", "q", "table"):
            return True
        holder = holder.getparent()
    return False


def _related(run: _Run, blocks: list[_Block]) -> None:
    """Lists of links behind a heading that says they lead away."""
    prose = 0
    last = _last_prose(blocks)
    for index, block in enumerate(blocks):
        element, text = block.element, block.text
        prose += block.weight
        # A page made of lists has headings like these for its own; behind a text they lead away.
        if prose < TEXT or len(text) > LONGEST_LINE or element in run.gone or element.tag in ("li", "td", "th", "dd"):
            continue
        line = normal(text)
        if line not in _RELATED and not (line.startswith(_RELATED_STARTS) and len(line.split()) <= 5):
            continue
        if element.tag not in _HEADINGS and block.linked * 2 > len(text):
            continue
        _take_list(run, element, line, LONGEST_LIST if index < last else None)


def _take_list(run: _Run, heading: etree._Element, line: str, longest: int | None) -> None:
    """Removes the list behind a heading: what holds both, or what follows up to the next heading or paragraph of prose.

    ``longest`` is the most characters it may hold: in the midst of a text lists that lead away are short.
    """
    holder, best = heading, None
    for _ in range(4):
        parent = holder.getparent()
        if parent is None or parent is run.root or parent.tag in ("body", "main", "article") or _text_before(holder):
            break
        holder = parent
        if _is_list(holder, heading):
            best = holder
        elif best is not None:
            break
    if best is not None and longest is not None and len(text_of(best)) > longest:
        return
    if best is not None and run.remove(best, "related", reason=line):
        return
    holder = heading
    for _ in range(2):
        following = _list_after(holder)
        if following:
            if longest is not None and sum(len(text_of(element)) for element in following) > longest:
                return
            if all(run.remove(element, "related", reason=line) for element in following):
                run.remove(heading, "related", reason=line)
            return
        parent = holder.getparent()
        if parent is None or parent is run.root or text_of(parent) != text_of(heading):
            return
        holder = parent


def _authors(run: _Run, blocks: list[_Block]) -> None:
    """What an article says of its author behind its text: paragraphs that begin with the name, or stand behind a heading."""
    names = [name for name in map(normal, run.page.facts.authors) if " " in name or cjk_share(name) > 0.5]
    texts = sum([block.weight for block in blocks])
    before, taken = 0, -2
    for index, block in enumerate(blocks):
        is_late = before >= max(TEXT, 3 * (texts - before))
        before += block.weight
        if not is_late or block.element in run.gone or len(block.text) > LONGEST_AUTHOR:
            continue
        if block.prose:
            title = _TITLE.match(block.text)
            begin = normal(block.text[title.end() :] if title else block.text)
            named = any(begin.startswith(name) for name in names)
            goes_on = taken == index - 1 and any(normal(block.text).startswith(name.split()[0] + " ") for name in names)
            if (named or goes_on) and run.remove(_small_box(run, block.element), "author"):
                taken = index
        elif (line := normal(block.text)) in _ABOUT_AUTHOR:
            box = _small_box(run, block.element, LONGEST_AUTHOR)
            if len(text_of(box)) > len(block.text):
                run.remove(box, "author", reason=line)


def _small_box(run: _Run, element: etree._Element, most: int = 0) -> etree._Element:
    """The outermost holder of an element that has little text beside it."""
    most = most or len(text_of(element)) + BESIDE_NOTICE
    holder = element
    for _ in range(4):
        parent = holder.getparent()
        if parent is None or parent is run.root or parent.tag in ("body", "main", "article") or len(text_of(parent)) > most:
            break
        holder = parent
    return holder


def _leading_away(run: _Run, blocks: list[_Block]) -> None:
    """Lists of links to other pages of the site behind the text of an article, whatever their heading says."""
    last = _last_prose(blocks)
    if sum([block.weight for block in blocks[: last + 1]]) < TEXT:
        return
    heading: etree._Element | None = None
    for block in blocks[last + 1 :]:
        element = block.element
        if element in run.gone:
            continue
        if element.tag in _HEADINGS and not block.linked:
            heading = element
            following = _list_after(element)
            if following and all(_leads_away(run, each) for each in following):
                if all(run.remove(each, "related", reason="links of the site") for each in following):
                    run.remove(element, "related", reason="links of the site")
                heading = None
            continue
        holder = next((each for each in (element, *element.iterancestors()) if each.tag in ("ul", "ol") or each is run.root), None)
        if heading is None and holder is not None and holder is not run.root and _leads_away(run, holder, RUN):
            run.remove(holder, "related", reason="links of the site")


def _headless(run: _Run, blocks: list[_Block]) -> None:
    """The last heading of an article where nothing is behind it any more: what it headed led away."""
    left = [block.element for block in blocks[-2:] if block.element not in run.gone]
    if len(left) < 2 or left[1].tag not in _HEADINGS or left[0].tag in _HEADINGS or run.root is not run.page.roots[-1]:
        return
    holder: etree._Element | None = left[1]
    while holder is not None and holder is not run.root:
        if any(next(sibling.iter(*_SHOWN), None) is not None for sibling in holder.itersiblings(etree.Element)):
            return
        if any(_WORD.search(each.tail or "") for each in (holder, *holder.itersiblings())):
            return
        holder = holder.getparent()
    run.remove(left[1], "related", reason="heads nothing")


def _leads_away(run: _Run, element: etree._Element, least: int = 1) -> bool:
    """Whether an element is made of links to other pages of the site."""
    links = list(element.iter("a"))
    if len(links) < least or sum(len(text_of(link)) for link in links) * 10 < len(text_of(element)) * 7:
        return False
    host = _host(run.page.url or "")
    own = sum(1 for link in links if _is_own(link.get("href") or "#", host))
    return own * 10 >= len(links) * 9


def _is_own(href: str, host: str) -> bool:
    if href.startswith("#"):
        return False
    there = _host(href)
    return there == host if there else not _SCHEME.match(href)


def _host(url: str) -> str:
    match = _HOST.match(url)
    return match[1].lower().removeprefix("www.") if match else ""


def _text_before(element: etree._Element) -> bool:
    """Whether the parent holds text before the element."""
    parent = element.getparent()
    if parent is None:
        return False
    if (parent.text or "").strip():
        return True
    return any(
        (sibling.tail or "").strip() or text_of(sibling)
        for sibling in element.itersiblings(preceding=True)
        if isinstance(sibling.tag, str)
    )


def _list_after(heading: etree._Element) -> list[etree._Element]:
    taken: list[etree._Element] = []
    for sibling in heading.itersiblings():
        if not isinstance(sibling.tag, str):
            continue
        if sibling.tag in _HEADINGS and sibling.tag <= str(heading.tag):
            break
        if not text_of(sibling):
            continue
        if not _is_list(sibling, None) or _is_in_text(sibling):
            break
        taken.append(sibling)
    return taken


def _is_in_text(element: etree._Element) -> bool:
    """Whether words stand right before an element or right behind it: a link in a sentence that is in no paragraph of its own."""
    before = element.getprevious()
    around = (element.tail, None if before is None else before.tail)
    return any(_WORD.search(text or "") for text in around)


def _is_list(element: etree._Element, heading: etree._Element | None) -> bool:
    """Whether an element holds links and their captions and no prose: each link leads elsewhere, none is in a sentence."""
    links = [link for link in element.iter("a") if not (link.get("href") or "#").startswith("#")]
    if not links:
        return False
    text = len(text_of(element)) - (len(text_of(heading)) if heading is not None else 0)
    linked = sum(len(text_of(link)) for link in links)
    if linked * 2 >= text:
        return True
    # Cards: as many links as blocks of a few words.
    if next((True for block in _blocks(element) if block.prose and not _in_link(block.element)), False):
        return len(links) >= 3 and linked * 4 >= text and max((len(b.text) for b in _blocks(element)), default=0) <= 250
    return linked * 5 >= text or len(links) * 60 >= text


def _last_prose(blocks: list[_Block]) -> int:
    """Where the last block of prose that is no link stands; -1 where there is none."""
    places = range(len(blocks) - 1, -1, -1)
    return next((index for index in places if blocks[index].prose and not _in_link(blocks[index].element)), -1)


def _in_link(element: etree._Element) -> bool:
    holder: etree._Element | None = element
    for _ in range(4):
        if holder is None:
            return False
        if holder.tag == "a":
            return True
        holder = holder.getparent()
    return False


def _newsletters(run: _Run) -> None:
    """Boxes around a field for an address."""
    for field in run.root.iter("input"):
        kind = (field.get("type") or "").lower()
        name = f"{field.get('name') or ''} {field.get('id') or ''} {field.get('placeholder') or ''}".lower()
        if kind != "email" and not (kind in ("", "text") and "mail" in name):
            continue
        box: etree._Element | None = None
        holder = field.getparent()
        for _ in range(8):
            if holder is None or holder is run.root or holder.tag in ("body", "main", "article"):
                break
            text = text_of(holder)
            if len(text) > NEWSLETTER or sum(1 for block in _blocks(holder) if block.prose) > 2:
                break
            box = holder
            holder = holder.getparent()
        if box is not None:
            run.remove(box, "newsletter", reason="field for an address")


def _tags(run: _Run, blocks: list[_Block]) -> None:
    """Rows and lists of links to tags and categories."""
    lists = [*run.root.iter("ul", "ol"), *(block.element for block in blocks if block.linked and not block.prose)]
    for element in lists:
        if element in run.gone:
            continue
        links = list(islice(element.iter("a"), 41))
        if not 1 <= len(links) <= 40 or (len(links) < 10 and not _is_tag(links[0])):
            continue
        tags = sum(map(_is_tag, links))
        if tags * 10 < len(links) * 9 or (tags < 2 and "tag" not in (links[0].get("rel") or "")):
            continue
        text = text_of(element)
        linked = sum(len(text_of(link)) for link in links)
        if len(text) - linked <= 30 + 3 * len(links) and linked <= 40 * len(links):
            run.remove(element, "tags", reason="links")


def _is_tag(link: etree._Element) -> bool:
    return "tag" in (link.get("rel") or "").split() or _TAG_LINK.search(link.get("href") or "") is not None
