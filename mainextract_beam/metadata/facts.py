"""What the cleaning chain needs to know of a page before its first step: title, authors, dates, site, description."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from mainextract_beam.clean.page import Facts
from mainextract_beam.clean.pattern_words import DATE_WORDS
from mainextract_beam.metadata.dates import CENTURIES, STATED, date_in, date_in_url, iso_date
from mainextract_beam.metadata.names import BY, domain_name, letters, people, person, without_site
from mainextract_beam.metadata.sources import NO_LINE, Sources, plain
from mainextract_beam.metadata.survey import holding
from mainextract_beam.text import normalize

_PROFILE: Final = re.compile(
    r"/(?:authors?|users?|u|members?|profiles?|people|contributors?|by|team|bio)[/=?]|[?&]author=|@\w", re.IGNORECASE
)
_MOST_PLACES: Final = 40
_LONGEST_LINE: Final = 120
_PLACEHOLDER: Final = re.compile(r"[{}]|^#\w|^\W*$")
_US: Final = re.compile(r"(?i)en[-_]us|en$")


def gather(root: etree._Element, url: str | None = None) -> Facts:
    """What the page says about itself; each fact from the first place that states it, in the order of docs/metadata.md.

    Args:
        root: top of the parsed page, names plain and lower-case.
        url: the page's URL.
    """
    return facts_of(Sources(root, url))


def facts_of(sources: Sources) -> Facts:
    """The facts of sources that may have been read already."""
    site = site_name(sources)
    return Facts(
        title=title(sources, site),
        authors=authors(sources, site),
        published=published(sources),
        modified=modified(sources),
        site=site,
        description=next(sources.read("description"), None),
    )


def site_name(sources: Sources) -> str | None:
    """The name of the site."""
    for value in sources.read("site"):
        if len(value.split()) <= 6 and not _PLACEHOLDER.search(value) and "://" not in value:
            return value
    return None


def title(sources: Sources, site: str | None) -> str | None:
    """The title without the site's name: the heading that agrees with what the page calls itself, else that."""
    stated = {text: _words(text) for text in dict.fromkeys(sources.read("title")) if not _PLACEHOLDER.search(text)}
    site_letters = {letters(name) for name in (site, domain_name(sources.url)) if name}
    best, best_agreement = "", 0.0
    for heading in sources.headings:
        if letters(heading) in site_letters and len(stated) > 0:
            continue
        words = _words(heading)
        agreement = max((_agreement(words, others) for others in stated.values()), default=1.0)
        if agreement > best_agreement + 0.1:
            best, best_agreement = heading, agreement
    if best_agreement >= 0.5:
        return best
    for text in stated:
        own = without_site(text, site, sources.url)
        if letters(own) not in site_letters:
            return own
    return best or next(iter(stated), None)


def _agreement(mine: set[str], its: set[str]) -> float:
    """Share of the words of a heading and of a text that the other has too, the larger share."""
    if not mine or not its:
        return 0.0
    common = len(mine & its)
    return common / len(mine) if len(mine) > 1 or mine == its else common / len(its)


_WORD: Final = re.compile(r"[぀-ヿ㐀-鿿]|[^\W_]+")


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def authors(sources: Sources, site: str | None) -> tuple[str, ...]:
    """The authors, in the order they are stated."""
    visible: tuple[str, ...] | None = None
    for place in sources.places("authors"):
        if place == "visible:byline":
            return _byline(sources) if visible is None else visible
        if place == "meta:twitter:data1" and not _is_author_label(sources):
            continue
        for value in sources.values(place):
            found = people(_names_of(value))
            if not found:
                continue
            if place == "meta:author" and site and letters(found[0]) == letters(site):
                # Often the publisher; a byline names who wrote it.
                visible = _byline(sources)
                if visible:
                    return visible
            return found
    return ()


def _is_author_label(sources: Sources) -> bool:
    label = sources.first_meta("twitter:label1")
    return bool(label and BY.match(label))


def _names_of(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    names = [plain(item, "name") if not isinstance(item, str) else plain(item) for item in items[:20]]
    return [name for name in names if name]


def _byline(sources: Sources) -> tuple[str, ...]:
    """The names that a visible byline states: of an element that bears a name of bylines, else of a line near the headline."""
    for element in sources.marked[0][:_MOST_PLACES]:
        found = _names_in(element)
        if found:
            return found
    profile: tuple[str, ...] = ()
    after = False
    for node, text in _near_headline(sources):
        if len(text) <= _LONGEST_LINE and BY.match(text):
            rest = BY.sub("", text).strip()
            found = people([rest]) if rest else ()
            # Scripts without capitals have none at the beginning either.
            if found and all(_is_name(name) and not name[:1].islower() for name in found):
                return found
            after = not rest
        elif after or (not profile and node.tag == "a" and _PROFILE.search(node.get("href") or "")):
            found = people([text])
            if found and all(_is_name(name) for name in found):
                if after:
                    return found
                profile = found
            after = False
    return profile


def _names_in(element: etree._Element) -> tuple[str, ...]:
    text = _spaced(element)
    if not text or len(text) > _LONGEST_LINE:
        return ()
    links = [(_PROFILE.search(link.get("href") or ""), _spaced(link)) for link in element.iter("a")]
    inner = [text for is_profile, text in links if is_profile] or [text for _, text in links if len(text) > 3]
    named = list(dict.fromkeys(name for name in map(person, inner[:4]) if name and _is_name(name)))
    found = people(named if named and BY.match(text) else named[:1] if named else [text])
    return found if all(_is_name(name) for name in found) else ()


def _spaced(element: etree._Element) -> str:
    pieces = [normalize(piece) for piece in element.itertext(etree.Element)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) > 1 and len(set(pieces)) == 1:
        return pieces[0]
    return " ".join(pieces)


def _near_headline(sources: Sources) -> Iterator[tuple[etree._Element, str]]:
    """The pieces of text after the headline, then those just before it, each with the element that holds it."""
    headline = sources.headline
    if headline is None:
        return
    yield from sources.after_headline
    for sibling in list(headline.itersiblings(preceding=True))[:6]:
        if isinstance(sibling.tag, str) and sibling.tag not in NO_LINE:
            yield sibling, _spaced(sibling)[:_LONGEST_LINE]


def _is_name(text: str) -> bool:
    words = text.split()
    if len(words) > 6 or text.endswith((":", "?", "!")) or STATED.search(text) or iso_date(f"{text} 2020"):
        return False
    return any(map(str.isalpha, text)) and not any(word.lower() in _NOT_NAMES for word in words)


_NOT_NAMES: Final = frozenset(
    "sign log login register subscribe share read view more follow comments comment posts home menu search ago reply".split()
)


def published(sources: Sources) -> str | None:
    """When the page was published."""
    day_first = not _US.match(_language(sources))
    for place in sources.places("published"):
        found: str | None
        if place == "visible:date":
            found = _visible_date(sources, day_first)
        elif place == "url:date":
            found = date_in_url(sources.url)
        elif place == "field:modified":
            found = modified(sources)
        else:
            found = _first_of(sources, place, day_first)
        if found:
            return found
    return None


def _first_of(sources: Sources, place: str, day_first: bool) -> str | None:
    dates = (iso_date(plain(value), day_first=day_first) for value in sources.values(place))
    return next((date for date in dates if date), None)


def _language(sources: Sources) -> str:
    return sources.root.get("lang") or sources.first_meta("content-language", "og:locale", "language") or "en"


def _visible_date(sources: Sources, day_first: bool) -> str | None:
    """A date a reader sees: of an element named so, else of a short line near the headline."""
    second: str | None = None
    for element in sources.marked[1][:_MOST_PLACES]:
        text = _spaced(element)
        if len(text) > _LONGEST_LINE:
            continue
        stamp = element.get("datetime") or element.get("content") or element.get("title")
        found = (iso_date(stamp, day_first=day_first) if stamp else None) or date_in(text, day_first=day_first)
        if found:
            marks = f"{element.get('class')} {element.get('itemprop')} {text}".lower()
            if "updat" in marks or "modif" in marks:
                second = second or found
                continue
            return found
    for _, text in _near_headline(sources):
        if len(text) <= _LONGEST_LINE and (found := date_in(text, day_first=day_first)):
            return found
    return second or _first_date(sources, day_first)


def _is_article(sources: Sources) -> bool:
    kind = sources.first_meta("og:type") or ""
    return bool(sources.articles) or "article" in kind.lower() or next(sources.root.iter("article"), None) is not None


def _first_date(sources: Sources, day_first: bool) -> str | None:
    """The first date in the page's text: of a line that says nothing else, on articles of any short line."""
    any_line = _is_article(sources)
    for element, is_tail, text in holding(sources.root, CENTURIES, _LONGEST_LINE):
        if element.tag in (_BEFORE_DATES if is_tail else _DATE_LINES) and len(text) >= 8 and _YEAR.search(text):
            text = normalize(text)
            found = date_in(text, day_first=day_first)
            if found and (any_line or _says_no_more(text)):
                return found
    return None


def _says_no_more(text: str) -> bool:
    rest = STATED.sub(" ", text)
    return len(text) <= 60 and all(word in DATE_WORDS for word in _LETTERS.findall(rest.casefold()))


_DATE_LINES: Final = frozenset({"p", "span", "div", "li", "small", "strong", "em", "a", "td", "dd", "b"})
_BEFORE_DATES: Final = _DATE_LINES | {"br", "legend", "img", etree.Comment}
"""What a date may follow as text of the element around both."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def modified(sources: Sources) -> str | None:
    """When the page was last changed."""
    day_first = not _US.match(_language(sources))
    dates = (_first_of(sources, place, day_first) for place in sources.places("modified"))
    return next((date for date in dates if date), None)
