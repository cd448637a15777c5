"""What kind of page this is, by signs each of which can be told: what it states, its URL, its names, its text.

Every sign is a number from 0 (absent) to about 1 (clear), with points for each kind (signs.py); the kind with the most
points is it. No sign reads a language: those of names and URLs look at words that site builders write into code, those
of text at lengths, links, digits and marks of currency.
"""

from __future__ import annotations

import math
import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from mainextract_beam.clean.blocks import KINDS as PLACES
from mainextract_beam.clean.blocks import Floats
from mainextract_beam.clean.choose import Blocks
from mainextract_beam.metadata.name_families import count_families
from mainextract_beam.metadata.signs import BIAS, HOSTS, KINDS, NAMES, PATHS, SIGNS

_POINTS: Final = np.array([sign.points for sign in SIGNS], dtype=np.float32).reshape(len(SIGNS), len(KINDS))
_BIAS: Final = np.array(BIAS, dtype=np.float32)
_REASONS: Final = 3  # told at most
_SHORT: Final = 60  # characters of a block that may state a price or a date and little else
_NEAR: Final = 12  # blocks after the main heading
# What short blocks that hold digits are looked at for.
_MONEY: Final = re.compile(r"[$€£¥￥₹₩₽฿₺₫₪₴]|\d\s?[円元원]")
_MONEY_WORDS: Final = frozenset("kr kr. zł Kč lei Ft Rs Rs. CHF USD EUR GBP".split())
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DAY: Final = re.compile(r"\d[/.]\d{1,2}[/.]\d\d")
_PATHS: Final = {name: frozenset(words.split()) for name, words in PATHS.items()}
_HOSTS: Final = {name: frozenset(words.split()) for name, words in HOSTS.items()}
_TAGS: Final = {f"tags-{name}": PLACES.index(name) + 1 for name in ("p", "form", "button", "details", "item")}
_CODE: Final = PLACES.index("pre") + 1
_TIME: Final = PLACES.index("meta") + 1
_PART: Final = re.compile(r"[\W_]+")
_LANGUAGE: Final = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?")
_OF_PAGE: Final = ("home", "product")
_NAME_SIGNS: Final = {family: f"name-{family}" for family in NAMES}
_NAMED: Final = tuple(float(np.log1p(count) / np.log1p(8)) for count in range(9))


class PageKind(NamedTuple):
    """A page's kind, one of KINDS, and why it is taken for that."""

    kind: str
    reason: str


def page_kind(blocks: Blocks | None, hints: Floats, url: str | None) -> PageKind:
    """The kind of a page.

    Args:
        blocks: its text blocks, judged; None where it has no text.
        hints: see `mainextract_beam.clean.hints.page_hints`.
        url: its URL.

    Returns:
        The kind, and the signs that weigh most for it beside the kind that comes second.
    """
    values = kind_values(blocks, hints, url)
    row = np.array([values[sign.name] for sign in SIGNS], dtype=np.float32)
    points = row @ _POINTS + _BIAS
    best, second = np.argsort(-points, kind="stable")[:2].tolist()
    weighed = row * (_POINTS[:, best] - _POINTS[:, second])
    order = np.argsort(-weighed, kind="stable")[:_REASONS]
    told = [SIGNS[i].reason for i in order.tolist() if weighed[i] > 0]
    return PageKind(KINDS[best], "; ".join(told) or f"nothing speaks for another kind, such as {KINDS[second]}")


def kind_values(blocks: Blocks | None, hints: Floats, url: str | None) -> dict[str, float]:
    """How clear each sign is, by its name; every sign there is, whether or not the table gives it points."""
    values = _stated(hints)
    values.update(_of_url(url))
    if blocks is not None:
        values.update(_of_names(blocks))
        values.update(_of_blocks(blocks))
        values.update(_of_content(blocks))
        values.update(_of_figures(blocks))
    else:
        values.update(dict.fromkeys((sign.name for sign in SIGNS if sign.name not in values), 0.0))
    return values


def _stated(hints: Floats) -> dict[str, float]:
    """What structured data and Open Graph say."""
    names = ("article", "product", "discussion", "list", "reference", "business", "website", "event")
    return {f"says-{name}": value for name, value in zip(names, hints.tolist(), strict=False)}


def _of_url(url: str | None) -> dict[str, float]:
    """The shape of the URL and the words in it."""
    try:
        parts = urlsplit(url or "")
        host, path = parts.hostname or "", parts.path
    except ValueError:
        host, path = "", ""
    steps = [step for step in path.lower().split("/") if step]
    if steps and _LANGUAGE.fullmatch(steps[0]):
        del steps[0]
    last = steps[-1] if steps else ""
    above = set(steps[:-1])
    for step in steps[:-1]:
        above.update(_PART.split(step))
    own = last.partition(".")[0]
    tail = set(_PART.split(last))
    values = {
        "home": float(bool(url) and (not steps or (len(steps) == 1 and own == "index"))),
        "url-words": min(last.count("-"), 8) / 8,
        "url-digits": min(sum(map(str.isdigit, last)), 6) / 6,
        "url-file": float("." in last),
    }
    for name, words in _PATHS.items():
        values[f"path-{name}"] = float(not words.isdisjoint(above))
        values[f"last-{name}"] = float(not words.isdisjoint(tail))
    labels = host.split(".")[:-1]
    for name, words in _HOSTS.items():
        values[f"host-{name}"] = float(any(word in label if len(word) > 4 else word == label for label in labels for word in words))
    return values


def _of_names(blocks: Blocks) -> dict[str, float]:
    """How many different class names and ids hold a stem of each family; those of the page's outermost element apart."""
    names = blocks.cut.names
    values = {_NAME_SIGNS[family]: _NAMED[min(count, 8)] for family, count in count_families(names).items()}
    top = count_families(names[:1])
    values.update({f"page-{family}": float(top[family] > 0) for family in _OF_PAGE})
    return values


def _log(count: float, full: float) -> float:
    """A count as a number from 0 to 1, reaching 1 at `full`, each doubling saying about the same."""
    return min(math.log1p(count) / math.log1p(full), 1.0)


def _of_blocks(blocks: Blocks) -> dict[str, float]:
    """The page as a whole."""
    described = blocks.described
    names, first = described.names, described.matrix[0]
    cut = blocks.cut
    number = len(cut.texts)
    images = float(first[names.index("page_images")])  # a logarithm
    wide = np.flatnonzero(cut.end > cut.start + 2)
    twins, spans = cut.twins[wide], (cut.end - cut.start)[wide]
    kinds = np.bincount(cut.kind + 1, minlength=len(PLACES) + 1).tolist()
    levels = np.bincount(cut.level, minlength=7).tolist()
    values = {
        "page-linked": float(first[names.index("page_linked")]),
        "page-images": min(images / 5, 1.0),
        "image-rate": min(math.expm1(images) / number, 1.0),
        "headings-2": _log(levels[2], 30),
        "headings-3": _log(levels[3], 30),
        "one-region": float(first[names.index("para_share")]),
        "region-purity": float(first[names.index("r65_purity")]),
        "cards": _log(int(twins.max()) if len(twins) else 0, 50),
        "card-area": min(float(spans[twins >= 4].sum()) / number / 4, 1.0),
    }
    for name, kind in _TAGS.items():
        values[name] = _log(kinds[kind], 60)
    inner = [tag for tag, _ in cut.inner]
    values["code"] = _log(kinds[_CODE] + inner.count("code"), 60)
    values["times"] = _log(kinds[_TIME] + inner.count("time"), 30)
    return values


def _of_content(blocks: Blocks) -> dict[str, float]:
    """What was judged to be content."""
    described = blocks.described
    keep = np.flatnonzero(blocks.keep)
    columns = [described.names.index(name) for name in ("linked", "ends")]
    linked, ends = (described.matrix[keep, column] for column in columns)
    words, level = blocks.words[keep], blocks.cut.level[keep]
    kept = max(float(words.sum()), 1.0)
    return {
        "content-linked": float(words @ linked) / kept,
        "content-ends": float(words @ (ends == 1)) / kept,
        "content-heads": _log(int(np.count_nonzero(level)), 40),
        "content-linked-heads": _log(int(np.count_nonzero((level > 1) & (linked > 0.5))), 30),
    }


def _of_figures(blocks: Blocks) -> dict[str, float]:
    """Prices and dates, in short blocks."""
    texts, counts = blocks.texts, blocks.described.counts
    heads = np.flatnonzero(blocks.cut.level == 1)
    main = int(heads[0]) if len(heads) else 0
    prices, dates = [], []
    digits = counts.digits
    for i in np.flatnonzero((digits > 0) & (counts.size <= _SHORT)).tolist():
        text = texts[i]
        if _MONEY.search(text) or not _MONEY_WORDS.isdisjoint(text.split()):
            prices.append(i)
        elif digits[i] >= 4 and (_YEAR.search(text) or _DAY.search(text)):
            dates.append(i)
    priced = sum(1 for i in prices if blocks.keep[i])
    return {
        "prices": _log(len(prices), 40),
        "content-prices": _log(priced, 40),
        "price-near": float(any(0 <= i - main <= _NEAR for i in prices)),
        "price-rate": min(5 * len(prices) / max(len(texts), 1), 1.0),
        "few-prices": float(1 <= len(prices) <= 6),
        "dates": _log(len(dates), 30),
        "date-near": float(any(-3 <= i - main <= 8 for i in dates)),
    }
