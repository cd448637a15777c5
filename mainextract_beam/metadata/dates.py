"""Dates as pages state them, made ISO 8601: parsed by dateutil, in the languages whose months are known here."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from dateutil import parser as dateutil_parser
from dateutil.tz import tzoffset

EARLIEST: Final = 1900
LATEST: Final = 2100
"""Years outside these are no dates of pages."""

_LONGEST: Final = 80

MONTHS: Final[list[tuple[str, ...]]] = [
    tuple(month.split())
    for month in (
        "january jan januar jänner janvier janv enero ene janeiro gennaio gen январь января янв",
        "february feb februar février fevrier févr fév febrero fevereiro fev febbraio февраль февраля фев",
        "march mar märz maerz mrz mars marzo março marco март марта мар",
        "april apr avril avr abril abr aprile апрель апреля апр",
        "may mai mayo maio maggio mag май мая",
        "june jun juni juin junio junho giugno giu июнь июня июн",
        "july jul juli juillet juil julio julho luglio lug июль июля июл",
        "august aug août aout agosto ago август августа авг",
        "september sep sept septembre septiembre setiembre setembro set settembre сентябрь сентября сен сент",
        "october oct oktober okt octobre octubre outubro out ottobre ott октябрь октября окт",
        "november nov novembre noviembre novembro ноябрь ноября ноя нояб",
        "december dec dezember dez décembre decembre déc diciembre dic dezembro dicembre декабрь декабря дек",
    )
]
"""Names of months in English, German, French, Spanish, Portuguese, Italian and Russian."""

_NAMES: Final = sorted({name for names in MONTHS for name in names}, key=len, reverse=True)
_MONTH: Final = "|".join(_NAMES)

STATED: Final = re.compile(
    rf"""(?<![\w/.-])(?:
      (?:19|20)\d\d\s?[-/.年]\s?\d{{1,2}}\s?[-/.月]\s?\d{{1,2}}(?:\s?日)?(?![\d-])
    | \d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+|of\s+)?(?:{_MONTH})\.?,?\s+(?:de\s+|del\s+)?(?:19|20)\d\d
    | (?:{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d
    | \d{{1,2}}[/.]\d{{1,2}}[/.](?:19|20)\d\d
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""A date stated in a text, day included."""

_CJK: Final = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})?\s*日?")
_ISO: Final = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T ]+(\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?)\s*(Z|[+-]\d\d:?(?:\d\d)?)?)?", re.I)
_YEAR_FIRST: Final = re.compile(r"((?:19|20)\d\d)\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})\b\.?")
_YEAR_MONTH: Final = re.compile(r"(\d{4})-(\d\d)")
_FILLERS: Final = re.compile(r"\b(?:de|del|of|le|el|den|am|às|alle|в|г)\b\.?|(?<=\d)(?:er|º|ª)\b|г\.", re.IGNORECASE)
_TIME: Final = re.compile(r"\d\s*(?:[ap]\.?m\b|:\d\d|h\d\d)", re.IGNORECASE)


# The parser looks months up in its class; it knows English ones only.
_Names: Final[Any] = type("_Names", (dateutil_parser.parserinfo,), {"MONTHS": MONTHS})
_NAMES_MONTH_FIRST: Final = _Names()
_NAMES_DAY_FIRST: Final = _Names(dayfirst=True)


@lru_cache(maxsize=1024)
def iso_date(text: str | None, *, day_first: bool = False) -> str | None:
    """A stated date as ISO 8601: as exact as it is stated, with its zone where one is stated.

    Args:
        text: the date as the page has it.
        day_first: whether ``3/4/2024`` is the third of April, as it is in most languages.

    Returns:
        ``2024-03-04``, ``2024-03-04T10:20:30+01:00``, ``2024-03``, or None for what is no date.
    """
    if not text:
        return None
    text = text.strip()
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    match = _ISO.match(text)
    if match:
        return _of_iso(match)
    match = _YEAR_MONTH.fullmatch(text)
    if match:
        return text if 1 <= int(match[2]) <= 12 and EARLIEST <= int(match[1]) <= LATEST else None
    text = _CJK.sub(lambda found: f"{found[1]}-{int(found[2]):02}-{int(found[3] or 1):02}", text)
    # The year first is followed by the month, in every language; what follows the day may be a time.
    match = _YEAR_FIRST.match(text)
    if match:
        text = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}{text[match.end() :]}"
        match = _ISO.fullmatch(text)
        if match:
            return _of_iso(match)
        day_first = False
    text = _FILLERS.sub(" ", text)
    if not re.search(r"(?:19|20)\d\d", text):
        return None
    names = _NAMES_DAY_FIRST if day_first else _NAMES_MONTH_FIRST
    try:
        found: datetime = dateutil_parser.parse(text, names, default=datetime(1, 1, 1), tzinfos=_zone)
    except (ValueError, OverflowError, TypeError, AttributeError):
        return None
    if not EARLIEST <= found.year <= LATEST:
        return None
    return found.isoformat() if _TIME.search(text) else found.date().isoformat()


def _zone(name: str | None, seconds: int | None) -> tzoffset | None:
    """The zone a date states by its offset; a name alone (``PST``) means different offsets in different places."""
    return None if seconds is None else tzoffset(name, seconds)


def _of_iso(match: re.Match[str]) -> str | None:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    try:
        date = datetime(year, month, day)
    except ValueError:
        return None
    if not EARLIEST <= year <= LATEST:
        return None
    if match[4] is None:
        return date.date().isoformat()
    clock, zone = match[4].replace(",", "."), (match[5] or "").upper()
    try:
        found: datetime = dateutil_parser.isoparse(f"{date.date().isoformat()}T{clock}{zone}")
    except ValueError:
        return date.date().isoformat()
    return found.isoformat()


CENTURIES: Final = ("20", "19")
"""Every match of STATED holds one of them."""


def may_state_date(text: str) -> bool:
    """Whether a text holds what every match of STATED does: far faster to tell."""
    return CENTURIES[0] in text or CENTURIES[1] in text


def date_in(text: str, *, day_first: bool = False) -> str | None:
    """The first date stated in a text, None where there is none."""
    match = STATED.search(text) if may_state_date(text) else None
    return iso_date(match[0], day_first=day_first) if match else None


def date_in_url(url: str | None) -> str | None:
    """The date in the path of a URL, as in ``/2024/03/04/``."""
    match = _URL_DATE.search(url) if url else None
    return iso_date(f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}") if match else None


_URL_DATE: Final = re.compile(r"/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|$)")
