"""The numbers that describe a text block: itself, its place, what holds it, and what stands beside it.

All are free of language: lengths are in characters, with a CJK character counting for as much as it says in a script
with spaces; sentence ends, commas and separators are those of many scripts. What the names of elements say is looked
up in a table of learned evidence (see model.py).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.clean.blocks import KIND_OF_TAG, KINDS, Cut, Floats, Ints
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._features")

# A CJK character says about as much as this many characters of a script with spaces, and as this many words.
CJK_CHARACTERS: Final = 2.5
CJK_WORDS: Final = 0.6
LONG: Final = 80  # characters from which on a block is called long
UPPER, DIGIT, WORD, CJK, STOP, DOT, COMMA, SEPARATOR, SPACE, OTHER = (1 << i for i in range(10))
_STOPS: Final = "!?。！？؟…।॥։።᙮᠃〽．｡¿¡"
_COMMAS: Final = ",;:、，；：،؛､;"
_SEPARATORS: Final = "|»›•·/‹«→>←▸►▶▼▾–—©®™*"
LEVELS: Final = 6
_COUNTED: Final = 11  # numbers of a text


@functools.cache
def _classes() -> NDArray[np.uint16]:
    """What kind of character each code point below U+10000 is; everything above counts as 0xFFFF's row."""
    table = np.zeros(0x10000, dtype=np.uint16)
    for code in range(0x10000):
        character = chr(code)
        value = 0
        if character.isalnum() or character == "_":
            value |= WORD
            if character.isdigit():
                value |= DIGIT
            elif character.isupper():
                value |= UPPER
        elif character.isspace():
            value |= SPACE
        else:
            value |= OTHER
        if (
            0x3040 <= code <= 0x30FF
            or 0x3400 <= code <= 0x4DBF
            or 0x4E00 <= code <= 0x9FFF
            or 0xF900 <= code <= 0xFAFF
            or 0x0E00 <= code <= 0x0E7F
        ):
            value |= CJK
        table[code] = value
    for characters, kind in ((_STOPS, STOP), (_COMMAS, COMMA), (_SEPARATORS, SEPARATOR), (".", DOT)):
        for character in characters:
            table[ord(character)] |= kind
    table[0xFFFF] = OTHER
    return table


@dataclass
class TextCounts:
    """Per block: what its characters are."""

    size: Floats  # characters, CJK ones counted more
    words: Floats
    chars: Floats
    upper: Floats
    digits: Floats
    stops: Floats
    commas: Floats
    separators: Floats
    cjk: Floats
    ends: Floats  # 1 where the last character (quotes and brackets aside) ends a sentence, 0.5 for a colon or comma
    first_upper: Floats


def count_text(texts: list[str]) -> TextCounts:
    """Count the kinds of characters of each text; the texts are not empty and hold no newline."""
    if compiled is not None:
        counted = np.zeros((len(texts), _COUNTED), dtype=np.int32)
        compiled.count_text(texts, _classes(), counted)
    else:
        counted = _counted(texts)
    chars, cjk, starts, upper, digits, stops, commas, separators, stopped, paused, first_upper = counted.T.astype(np.float32)
    return TextCounts(
        size=chars + np.float32(CJK_CHARACTERS - 1) * cjk,
        words=starts + np.float32(CJK_WORDS) * cjk,
        chars=chars,
        upper=upper,
        digits=digits,
        stops=stops,
        commas=commas,
        separators=separators,
        cjk=cjk,
        ends=np.maximum(stopped, paused / 2),
        first_upper=first_upper,
    )


def _counted(texts: list[str]) -> Ints:
    """Texts x what is counted: characters, CJK ones, words of others, capitals, digits, ends of sentences, commas, separators;

    whether it ends in the end of a sentence, whether in a comma or colon; whether it begins in a capital or a CJK character.
    """
    joined = "\n".join(texts) + "\n"
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _classes()[np.minimum(codes, 0xFFFF)]
    breaks = np.flatnonzero(codes == 10)
    begins = np.empty_like(breaks)
    begins[0] = 0
    begins[1:] = breaks[:-1] + 1

    def total(flags: NDArray[np.bool_]) -> Ints:
        sums = flags.cumsum(dtype=np.int32)
        out = sums[breaks]
        out[1:] -= sums[breaks[:-1]]
        return out

    word = (kinds & WORD) != 0
    cjk = (kinds & CJK) != 0
    spaced = word & ~cjk
    starts = spaced.copy()
    starts[1:] &= ~spaced[:-1]
    after_dot = np.ones(len(kinds), dtype=bool)
    after_dot[:-1] = (kinds[1:] & WORD) == 0
    after_dot[1:] &= (kinds[:-1] & DIGIT) == 0
    stop = ((kinds & STOP) != 0) | (((kinds & DOT) != 0) & after_dot)
    # the last character, looking through up to two closing quotes or brackets
    last = breaks - 1
    for _ in range(2):
        plain = (kinds[last] & (OTHER | SPACE)) != 0
        closing = plain & ((kinds[last] & (STOP | DOT | COMMA | SEPARATOR)) == 0) & (last > begins)
        last = last - closing
    final = kinds[last]
    counted = (
        breaks - begins,
        total(cjk),
        total(starts),
        total((kinds & UPPER) != 0),
        total((kinds & DIGIT) != 0),
        total(stop),
        total((kinds & COMMA) != 0),
        total((kinds & SEPARATOR) != 0),
        (final & (STOP | DOT)) != 0,
        (final & COMMA) != 0,
        (kinds[begins] & (UPPER | CJK)) != 0,
    )
    return np.array(counted, dtype=np.int32).T


def _shifted(rows: Floats, step: int, outside: Floats) -> Floats:
    """For each block the values of the block so many further on; those outside where there is none."""
    n = rows.shape[1]
    out = np.repeat(outside[:, None], n, axis=1)
    if abs(step) < n:
        if step < 0:
            out[:, -step:] = rows[:, :step]
        else:
            out[:, :-step] = rows[:, step:]
    return out


def _span(sums: Floats, start: Ints, end: Ints) -> Floats:
    """Sums over spans of blocks, from sums with a leading zero."""
    return sums[end] - sums[start]


def _sums(rows: Floats) -> Floats:
    """Running sums of each row with a leading zero, so that the sum over blocks a to b is sums[b] - sums[a]."""
    out = np.zeros((len(rows), rows.shape[1] + 1), dtype=np.float64)
    np.cumsum(rows, axis=1, dtype=np.float64, out=out[:, 1:])
    return out.astype(np.float32)


_TINY: Final = np.float32(1e-6)


def _share(part: Floats, whole: Floats) -> Floats:
    return (part / np.maximum(whole, _TINY)).astype(np.float32, copy=False)


def wider(cut: Cut) -> Ints:
    """Per element: the nearest element above that spans more blocks than it does; the first element for itself."""
    parent, start, end = cut.parent, cut.start, cut.end
    up = np.maximum(parent, 0)
    same = (start[up] == start) & (end[up] == end)
    same[0] = False
    out = up
    # pointer doubling: each round halves what is left of every chain of elements with the same span
    while same.any():
        out = np.where(same, out[out], out)
        same = same & same[up]
        up = up[up]
    return out


@dataclass
class Described:
    """The numbers of a page's blocks."""

    matrix: Floats  # blocks x features
    names: list[str]
    counts: TextCounts


@dataclass
class _Ancestry:
    """What the ancestors of each element say together; the last entry stands for what is above the first element."""

    parent: Ints
    depth: Floats
    low: Floats
    high: Floats
    total: NDArray[np.float64]


def _ancestry(parent: Ints, found: Floats) -> _Ancestry:
    """Sum up evidence over each element and all above it, by pointer doubling."""
    n = len(parent)
    above = np.append(np.where(parent < 0, n, parent), n).astype(np.int32)
    low, high = np.zeros((2, n + 1), dtype=np.float32)
    total = np.zeros(n + 1)  # in double precision sums of so few half-precision numbers are exact in any order
    low[:n], high[:n], total[:n] = found.T
    depth = np.ones(n + 1, dtype=np.float32)
    depth[n] = 0
    up = above
    while (up < n).any():
        low = np.minimum(low, low[up])
        high = np.maximum(high, high[up])
        total = total + total[up]
        depth = depth + depth[up]
        up = up[up]
    return _Ancestry(above, depth, low, high, total)


# Kinds of ancestors whose distance is told, and those whose share of the page's text is.
_NEAR: Final = (
    "nav header footer aside form main article section list item table cell figure figcaption button dialog quote pre "
    "term details heading p hidden label"
).split()
_HOLDING: Final = "nav header footer aside form main article section list table a".split()
_FAR: Final = 99.0
_CLIMB: Final = 40  # levels climbed to look for ancestors of a kind
_NEAR_KINDS: Final = np.array([KINDS.index(name) for name in _NEAR], dtype=np.int32)
_HOLDING_KINDS: Final = np.array([KINDS.index(name) for name in _HOLDING], dtype=np.int32)
_OF_LEVEL: Final = "share linked blocks long mean prose stops images twins low high".split()
# What is said of a block's ancestors, row by row, and what of it is not told as saying nothing new.
_ANCESTRY: Final = (
    "depth",
    *("in_" + name for name in _NEAR),
    *("share_" + name for name in _HOLDING),
    *("inner_low", "inner_high", "name_low", "name_high", "name_sum", "name_low_far", "name_high_far"),
    *(f"name_sum{k}" for k in range(4)),
    *(f"c{k}_{name}" for k in range(LEVELS) for name in _OF_LEVEL),
)
_UNTOLD: Final = frozenset({"c0_images", *(f"c{k}_prose" for k in (0, 3, 5))})
_TOLD: Final = tuple(name for name in _ANCESTRY if name not in _UNTOLD)
_TOLD_ROWS: Final = np.array([_ANCESTRY.index(name) for name in _TOLD])
_INNER: Final = _ANCESTRY.index("inner_low")
_BLOCKS: Final = [_ANCESTRY.index(f"c{k}_blocks") for k in range(LEVELS)]
# Where the block stands towards the tightest containers that hold so much of the page's prose, and to the best paragraphs.
_SHARES: Final = np.array([0.4, 0.65, 0.9])
_SCORED: Final = 4  # elements above a block that its prose counts for
_REGIONS: Final = (
    *(f"r{int(share * 100)}_{said}" for share in _SHARES.tolist() for said in ("place", "purity", "share")),
    *("para_place", "para_away", "para_share"),
)

# Blocks so far on, with what is said where there is none, and windows so wide to each side.
_STEPS: Final = np.array([-2, -1, 1], dtype=np.int32)
_OUTSIDE: Final = np.array([0, 0, 1, 0], dtype=np.float32)
_REACHES: Final = np.array([3, 6, 15], dtype=np.int32)
_NEIGHBOURS: Final = (
    *(f"n{step}_{said}" for step in _STEPS.tolist() for said in ("size", "level", "linked", "ends")),
    *(f"w{reach}_{said}" for reach in _REACHES.tolist() for said in ("mean", "linked", "prose")),
)

Add = Callable[["str | tuple[str, ...]", "NDArray[np.generic] | float"], None]
"""Takes a feature by its name, or several in rows."""
Evidence = Callable[[list[str]], Floats]
"""What the names of elements say; see `BlockModel.evidence`."""


def describe(cut: Cut, evidence: Evidence, title: str, hints: Floats) -> Described:
    """Describe every block of a page.

    Args:
        cut: the page's blocks; at least one.
        evidence: lowest, highest and summed evidence of the tokens in each of the elements' class, id and role.
        title: the page's title, "" where there is none.
        hints: numbers about the page as a whole, the same for all its blocks.

    Returns:
        One row per block, one column per feature, with the columns' names.
    """
    columns: list[tuple[int, int, NDArray[np.generic] | float]] = []  # the first, how many, their values
    labels: list[str] = []

    def add(name: str | tuple[str, ...], values: NDArray[np.generic] | float) -> None:
        names = (name,) if isinstance(name, str) else name
        columns.append((len(labels), len(names), values))
        labels.extend(names)

    counts = count_text(cut.texts)
    page = _page(cut, counts)
    _add_block(cut, page, title, add)
    _add_place(cut, page, add)
    _add_ancestors(cut, page, evidence, add)
    _add_neighbours(cut, page, add)
    _add_regions(cut, page, add)
    _add_page(cut, page, hints, add)
    matrix = np.empty((len(labels), page.n), dtype=np.float32)
    for first, many, values in columns:
        matrix[first : first + many] = values
    return Described(matrix.T, labels, counts)


@dataclass
class _Page:
    """Numbers of all blocks that several groups of features use; sums have a leading zero."""

    n: int
    counts: TextCounts
    index: Floats
    linked: Floats
    log_size: Floats
    total: float
    overlap: Floats
    size_sums: Floats
    word_sums: Floats
    link_sums: Floats
    long_sums: Floats
    prose_sums: Floats
    stop_sums: Floats


def _page(cut: Cut, counts: TextCounts) -> _Page:
    n = len(cut.texts)
    size = counts.size
    linked = np.minimum(_share(cut.linked.astype(np.float32), counts.chars), 1)
    long = (size >= LONG).astype(np.float32)
    summed = _sums(np.stack((size, counts.words, linked * size, long, size * (1 - linked) * long, counts.stops)))
    return _Page(
        n,
        counts,
        np.arange(n, dtype=np.float32),
        linked,
        np.log1p(size),
        float(size.sum()),
        np.zeros(n, dtype=np.float32),
        *summed,
    )


def _title_overlap(texts: list[str], title: str) -> Floats:
    """How much each block says the same as the page's title, 0..1: words shared, or for a text the title holds its share."""
    out = np.zeros(len(texts), dtype=np.float32)
    stated = title.lower()
    wanted = set(stated.split())
    if not wanted:
        return out
    longest = 3 * len(title) + 20
    if compiled is not None:
        may = compiled.may_overlap(texts, stated, wanted, longest)
    else:
        may = [i for i, text in enumerate(texts) if len(text) <= longest]
    for i in may:
        lower = texts[i].lower()
        words = lower.split()
        if not wanted.isdisjoint(words):
            own = set(words)
            shared = len(own & wanted)
            out[i] = shared / (len(own) + len(wanted) - shared)
        if len(lower) * 3 > len(stated) and lower in stated:
            out[i] = max(out[i], len(lower) / len(stated))
    return out


def _add_block(cut: Cut, page: _Page, title: str, add: Add) -> None:
    """The block itself."""
    counts = page.counts
    add("size", page.log_size)
    add("words", np.log1p(counts.words))
    add("linked", page.linked)
    add("links", np.minimum(cut.links, 50))
    add("bold", _share(cut.bold.astype(np.float32), counts.chars))
    add("stops", np.minimum(counts.stops, 20))
    add("stop_rate", _share(counts.stops, counts.words))
    add("commas", np.minimum(counts.commas, 30))
    add("digits", _share(counts.digits, counts.chars))
    add("upper", _share(counts.upper, counts.chars))
    add("separators", _share(counts.separators, counts.chars))
    add("ends", counts.ends)
    add(("same_text", "same_before"), _repeated(cut.texts))
    page.overlap = _title_overlap(cut.texts, title)
    add("title_overlap", page.overlap)
    add("level", cut.level)
    add("nodes", np.minimum(cut.node_start[1:] - cut.node_start[:-1], 50))
    add("images_before", np.minimum(np.diff(cut.block_images, prepend=0), 10))
    kinds = [KIND_OF_TAG.get(tag, -1) if tag else -2 for tag, _ in cut.inner]
    add("inner_kind", np.array(kinds, dtype=np.float32))


def _repeated(texts: list[str]) -> Floats:
    """How many blocks are of the same text as each, and how many of them before it."""
    out = np.empty((2, len(texts)), dtype=np.float32)
    if compiled is not None:
        compiled.repeated(texts, out)
        return out
    seen: dict[str, int] = {}
    before = []
    for text in texts:
        count = seen.get(text, 0)
        before.append(count)
        seen[text] = count + 1
    out[:] = [seen[text] for text in texts], before
    return out


def _add_place(cut: Cut, page: _Page, add: Add) -> None:
    """Where the block stands."""
    n, index = page.n, page.index
    at = np.arange(n)
    add("index", index / n)
    add("index_log", np.log1p(index))
    add("index_end", np.log1p(n - 1 - index))
    add("text_before", page.size_sums[:-1] / page.total)
    add("prose_before", page.prose_sums[:-1] / max(float(page.prose_sums[-1]), 1))
    heads = np.flatnonzero(cut.level == 1)
    add("after_h1", np.clip(index - heads[0], -100, 200) if len(heads) else -200)
    titled = int(np.argmax(page.overlap))
    add("after_title", np.clip(index - titled, -100, 200) if page.overlap[titled] > 0.3 else -200)
    in_heading = cut.level > 0
    last = np.maximum.accumulate(np.where(in_heading, at, -1))
    add("after_heading", np.where(last >= 0, np.minimum(index - last, 100), 200))
    add("heading_level", np.where(last >= 0, cut.level[last], 0))
    following = np.minimum.accumulate(np.where(in_heading, at, n)[::-1])[::-1]
    add("before_heading", np.where(following < n, np.minimum(following - index, 100), 200))


def _add_ancestors(cut: Cut, page: _Page, evidence: Evidence, add: Add) -> None:
    """What holds the block: kinds of ancestors, what their names say, and containers of growing width."""
    rows = np.empty((len(_ANCESTRY), page.n), dtype=np.float32)
    _set_ancestors(cut, page, evidence(cut.names), rows)
    rows[_INNER : _INNER + 2] = evidence([name for _, name in cut.inner])[:, :2].T
    rows[_BLOCKS] = np.log1p(rows[_BLOCKS])
    add(_TOLD, rows[_TOLD_ROWS])
    tags = cut.tag_code[cut.owner]
    add("same_tag", np.log1p(np.bincount(tags)[tags]))


def _set_ancestors(cut: Cut, page: _Page, found: Floats, out: Floats) -> None:
    """Fills the rows of _ANCESTRY but for what the names of inline elements say; numbers of blocks as they are.

    Args:
        cut: the page's blocks.
        page: their numbers.
        found: lowest, highest and summed evidence of each element's names.
        out: takes the rows.
    """
    if compiled is not None:
        compiled.set_ancestors(
            cut.parent,
            cut.start,
            cut.end,
            cut.kind,
            cut.hidden.view(np.uint8),
            cut.images,
            cut.images_end,
            cut.twins,
            found,
            cut.owner,
            page.size_sums,
            page.word_sums,
            page.link_sums,
            page.long_sums,
            page.prose_sums,
            page.stop_sums,
            page.total,
            _NEAR_KINDS,
            _HOLDING_KINDS,
            len(KINDS),
            KINDS.index("hidden"),
            _CLIMB,
            LEVELS,
            out,
        )
        return
    n, owner = page.n, cut.owner
    all_above = _ancestry(cut.parent, found)
    parent = all_above.parent
    # ancestors of a kind: how far up (in elements), and how much of the page's text they hold
    kinds = len(KINDS)
    distance = np.full((kinds + 1, n), _FAR, dtype=np.float32)
    nearest = np.zeros((kinds + 1, n), dtype=np.int32)
    kind_of = np.append(np.where(cut.kind < 0, kinds, cut.kind), kinds)
    hidden = np.append(cut.hidden, False) if cut.hidden.any() else None
    chain = [owner]
    while len(chain) < _CLIMB and int(chain[-1].min()) < len(cut.elements):
        chain.append(parent[chain[-1]])
    # from the farthest to the nearest, as of several values set in one place the last one stays
    chain.reverse()
    holders = np.array(chain)
    steps = np.broadcast_to(np.arange(len(chain) - 1, -1, -1, dtype=np.float32)[:, None], holders.shape)
    at_kind = (kind_of[holders], np.broadcast_to(np.arange(n), holders.shape))
    distance[at_kind] = steps
    nearest[at_kind] = holders
    if hidden is not None:
        for k, at in zip(range(len(chain) - 1, -1, -1), chain, strict=True):
            distance[KINDS.index("hidden"), hidden[at]] = k
    held = nearest[_HOLDING_KINDS]
    spans = _span(page.size_sums, cut.start[held], cut.end[held])
    fourth = parent[parent[parent[parent[owner]]]]
    summed = np.append(found[:, 2], 0)
    out[0] = all_above.depth[owner]
    out[1 : 1 + len(_NEAR)] = distance[_NEAR_KINDS]
    out[1 + len(_NEAR) : _INNER] = np.where(distance[_HOLDING_KINDS] < _FAR, spans / page.total, -1)
    row = _INNER + 2
    out[row : row + 3] = all_above.low[owner], all_above.high[owner], all_above.total[owner]
    out[row + 3 : row + 5] = all_above.low[fourth], all_above.high[fourth]
    above = owner
    for k in range(4):
        out[row + 5 + k] = summed[above]
        above = parent[above]
    row += 9
    # containers: each spans more blocks than the one before
    above, up = owner, wider(cut)
    for _ in range(LEVELS):
        begin, finish = cut.start[above], cut.end[above]
        size = _span(page.size_sums, begin, finish)
        blocks = (finish - begin).astype(np.float32)
        of_level = (
            size / page.total,
            _share(_span(page.link_sums, begin, finish), size),
            blocks,
            _span(page.long_sums, begin, finish),
            size / blocks,
            _share(_span(page.prose_sums, begin, finish), size),
            _share(_span(page.stop_sums, begin, finish), _span(page.word_sums, begin, finish)),
            np.minimum((cut.images_end[above] - cut.images[above]) / blocks, 5),
            np.minimum(cut.twins[above], 50),
            found[above, 0],
            found[above, 1],
        )
        for values in of_level:
            out[row] = values
            row += 1
        above = up[above]


def _add_neighbours(cut: Cut, page: _Page, add: Add) -> None:
    """The blocks before and after, and windows around the block."""
    rows = np.stack((page.log_size, cut.level, page.linked, page.counts.ends)).astype(np.float32, copy=False)
    out = np.empty((len(_NEIGHBOURS), page.n), dtype=np.float32)
    _set_neighbours(page, rows, out)
    add(_NEIGHBOURS, out)


def _set_neighbours(page: _Page, rows: Floats, out: Floats) -> None:
    """Fills the rows of _NEIGHBOURS from those that say what is told of a neighbour."""
    sums = page.size_sums, page.link_sums, page.prose_sums
    if compiled is not None:
        compiled.set_neighbours(rows, _OUTSIDE, _STEPS, _REACHES, *sums, out)
        return
    at = np.arange(page.n)
    row = 0
    for step in _STEPS.tolist():
        out[row : row + len(rows)] = _shifted(rows, step, _OUTSIDE)
        row += len(rows)
    for reach in _REACHES.tolist():
        begin, finish = np.maximum(at - reach, 0), np.minimum(at + reach + 1, page.n)
        size, links, prose = (_span(summed, begin, finish) for summed in sums)
        out[row : row + 3] = size / (finish - begin), _share(links, size), _share(prose, size)
        row += 3


def _add_regions(cut: Cut, page: _Page, add: Add) -> None:
    """Where the block stands towards the page's densest regions."""
    rows = np.empty((len(_REGIONS), page.n), dtype=np.float32)
    _set_regions(cut, page, rows)
    add(_REGIONS, rows)


def _set_regions(cut: Cut, page: _Page, out: Floats) -> None:
    """Fills the rows of _REGIONS."""
    if compiled is not None:
        spans = (cut.parent, cut.start, cut.end, cut.owner)
        compiled.set_regions(*spans, page.size_sums, page.prose_sums, page.total, _SHARES, _SCORED, out)
        return
    index = page.index
    held = _span(page.prose_sums, cut.start, cut.end)
    width = _span(page.size_sums, cut.start, cut.end)
    whole = max(float(page.prose_sums[-1]), 1.0)

    def place(begin: int, finish: int) -> Floats:
        inside = (index >= begin) & (index < finish)
        return np.where(inside, (index - begin) / max(finish - begin, 1), np.where(index < begin, -1, 2))

    row = 0
    # the tightest containers that hold most of the page's prose
    for share in _SHARES.tolist():
        fit = held >= share * whole
        best = int(np.argmin(np.where(fit, width, np.inf))) if fit.any() else 0
        out[row] = place(int(cut.start[best]), int(cut.end[best]))
        out[row + 1] = float(held[best]) / max(float(width[best]), 1.0)
        out[row + 2] = float(width[best]) / page.total
        row += 3
    # paragraph scoring: each long block gives its prose to its container, half to the next, a third to the one above
    scores = np.zeros(len(cut.elements) + 1, dtype=np.float32)
    prose = np.diff(page.prose_sums)
    giving = np.flatnonzero(prose > 0)
    at = cut.owner[giving]
    for k in range(_SCORED):
        at = np.where(at > 0, cut.parent[at], -1)
        scores += np.bincount(at % len(scores), weights=prose[giving] / (k + 1), minlength=len(scores))
    best = int(np.argmax(scores[:-1]))
    begin, finish = int(cut.start[best]), int(cut.end[best])
    out[row] = place(begin, finish)
    out[row + 1] = np.maximum(np.maximum(begin - index, index - finish + 1), 0)
    out[row + 2] = float(page.size_sums[finish] - page.size_sums[begin]) / page.total


def _add_page(cut: Cut, page: _Page, hints: Floats, add: Add) -> None:
    """The page as a whole."""
    kinds = np.bincount(cut.kind[cut.kind >= 0], minlength=len(KINDS))
    chars = float(page.counts.chars.sum())
    add("page_size", math.log1p(page.total))
    add("page_blocks", math.log1p(page.n))
    add("page_linked", float(page.link_sums[-1]) / page.total)
    add("page_prose", float(page.prose_sums[-1]) / page.total)
    add("page_long", math.log1p(float(page.long_sums[-1])))
    add("page_max", float(page.log_size.max()))
    add("page_mean", page.total / page.n)
    add("page_stops", float(page.stop_sums[-1]) / max(float(page.word_sums[-1]), 1.0))
    add("page_h1", float(min(int((cut.level == 1).sum()), 5)))
    add("page_headings", math.log1p(float((cut.level > 0).sum())))
    add("page_articles", float(min(int(kinds[KINDS.index("article")]), 30)))
    add("page_main", float(kinds[KINDS.index("main")] > 0))
    add("page_images", math.log1p(float(cut.images_end[0])))
    add("page_tables", float(min(int(kinds[KINDS.index("table")]), 30)))
    add("page_cjk", float(page.counts.cjk.sum()) / max(chars, 1.0))
    for i, hint in enumerate(hints.tolist()):
        add(f"hint{i}", hint)
