"""Names of people and sites, as bylines and titles state them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from mainextract_beam.text import cjk_share, normalize

BY: Final = re.compile(
    r"""^(?:(?:(?:written|posted|authored|published|reviewed|edited|created|words|text|story|reporting|article|guest\s+post)\s+)?by\b
    |author\b|authors\b|von\b|autor(?:en|in)?\b|geschrieben\s+von\b|par\b|auteur\b|rédigé\s+par\b|écrit\s+par\b|por\b|escrito\s+por\b
    |publicado\s+por\b|di\b|scritto\s+da\b|autore\b|автор\b|作者|文|撰文|著者|執筆者?|筆者|記者)\s*[:：/|]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a byline begins with, in nine languages."""

_AFTER: Final = re.compile(
    r"""\s*(?:[|•·,]|\s[-–—]\s)?\s*(?:\b(?:published|posted|updated|last\s+updated|reviewed|on\s+\w+\s+\d|in\s+[A-Z]|
    staff\s+writer|contributor|\d+\s*(?:min|minutes?)\b)|\d{1,2}[/.]\d|\d{4}|@|https?:|[|•·(\[<]).*$""",
    re.IGNORECASE | re.VERBOSE,
)
_NO_NAME: Final = frozenset(
    """admin administrator author authors staff editor editors team guest user users username anonymous unknown
    none null undefined webmaster root test by the n/a""".split()
)
_PARTS: Final = re.compile(r"\s*(?:;|\s&\s|\s+(?:and|und|et|y|e|и|with)\s+|、|，)\s*")
_ADDRESS: Final = re.compile(r"^\S+@\S+$")
MOST: Final = 12


def person(text: str | None) -> str | None:
    """A person's name from what states it: without "By", dates and links; None where no name is left."""
    text = normalize(text)
    if not text or len(text) > 200 or text.startswith(("http:", "https:", "//", "@", "{")):
        return None
    if _ADDRESS.search(text):
        return None
    text = BY.sub("", text)
    text = _AFTER.sub("", text).strip(" ,;:|/-–—•·")
    words = text.split()
    if len(words) % 2 == 0 and words[: len(words) // 2] == words[len(words) // 2 :]:
        text = " ".join(words[: len(words) // 2])
    if not text or text.lower() in _NO_NAME or "@" in text or "{" in text or not any(map(str.isalpha, text)):
        return None
    if len(text) > 100 or (len(text.split()) > 12 and "," not in text):
        return None
    return text


def people(values: Iterable[str]) -> tuple[str, ...]:
    """Names in order, each once; a value that joins several with "and" or ";" is taken apart."""
    found: dict[str, str] = {}
    for value in values:
        for part in split_people(value):
            name = person(part)
            if name and name.casefold() not in found:
                found[name.casefold()] = name
    return tuple(list(found.values())[:MOST])


def split_people(value: str) -> list[str]:
    """A value of several names taken apart; commas part names only where every part is one of several words."""
    parts = [part for part in _PARTS.split(value) if part]
    if len(parts) == 1 and value.count(",") >= 1:
        pieces = [piece.strip() for piece in value.split(",")]
        if all(len(piece.split()) > 1 and piece[:1].isupper() for piece in pieces):
            return pieces
    return [inner for part in parts for inner in (split_people(part) if part != value and "," in part else [part])]


SEPARATORS: Final = re.compile(r"\s+[|\-–—·•»«:›/~]+\s+|\s*[|｜»«]\s*|(?<=\S):\s+|\s*[＿_]\s*|\s+—|—\s+")
"""What parts a title from the name of its site."""


def letters(text: str) -> str:
    """The letters and digits of a text, folded: what names are compared by."""
    return "".join(filter(str.isalnum, text.casefold()))


def domain_name(url: str | None) -> str:
    """The telling part of a URL's host: ``example`` of ``www.example.co.uk``."""
    try:
        host = (urlsplit(url or "").hostname or "").split(".")
    except ValueError:
        return ""
    labels = [label for label in host[:-1] if label not in ("www", "co", "com", "org", "net", "ac", "gov", "m", "blog", "en")]
    return max(labels[-2:], key=len, default="")


def without_site(title: str, site: str | None, url: str | None) -> str:
    """A title without the name of its site at either end.

    The name is known from the page, or is the domain's; else a short last part behind a bar or dash is taken for it.
    """
    marks = list(SEPARATORS.finditer(title))
    if not marks:
        return title
    names = {letters(name) for name in (site, domain_name(url)) if name} - {""}
    for _ in range(3):
        marks = list(SEPARATORS.finditer(title))
        if not marks:
            return title
        first, last = marks[0], marks[-1]
        if _is_site(title[last.end() :], names) and title[: last.start()].strip():
            title = title[: last.start()].strip()
        elif _is_site(title[: first.start()], names) and title[first.end() :].strip():
            title = title[first.end() :].strip()
        else:
            break
    else:
        return title
    mark = marks[-1][0].strip()
    head, tail = title[: marks[-1].start()].strip(), title[marks[-1].end() :].strip()
    if mark and mark[0] in "|｜·•»«—" and _length(tail) <= 4 and _length(head) >= _length(tail):
        return head
    if mark and mark[0] in "-–" and _length(tail) <= 3 and _length(head) >= 2 * _length(tail) and tail[:1].isupper():
        return head
    return title


def _length(text: str) -> int:
    return len(text) // 2 if cjk_share(text) > 0.3 else len(text.split())


def _is_site(part: str, names: set[str]) -> bool:
    own = letters(part)
    if not own:
        return False
    for name in names:
        if own == name or own.removeprefix("the") == name.removeprefix("the"):
            return True
        shorter, longer = sorted((own, name), key=len)
        if len(shorter) >= 4 and shorter in longer and len(longer) <= 2.5 * len(shorter):
            return True
    return False
