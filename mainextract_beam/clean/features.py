"""The numbers that describe a text block: itself, its place, what holds it, and what stands beside it.

All are free of language: lengths are in characters, with a CJK character counting for as much as it says in a script
with spaces; sentence ends, commas and separators are those of many scripts. What the names of elements say is looked
up in a table of learned evidence (see model.py).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.clean.blocks import KIND_OF_TAG, KINDS, Cut, Floats, Ints

# A CJK character says about as much as this many characters of a script with spaces, and as this many words.
CJK_CHARACTERS: Final = 2.5
CJK_WORDS: Final = 0.6
LONG: Final = 80  # characters from which on a block is called long
UPPER, DIGIT, WORD, CJK, STOP, DOT, COMMA, SEPARATOR, SPACE, OTHER = (1 << i for i in range(10))
_STOPS: Final = "!?。！？؟…।॥։።᙮᠃〽．｡¿¡"
_COMMAS: Final = ",;:、，；：،؛､;"
_SEPARATORS: Final = "|»›•·/‹«→>←▸►▶▼▾–—©®™*"
LEVELS: Final = 6
_QUERY: Final = re.compile(r"[?#].*", re.DOTALL)


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
    joined = "\n".join(texts) + "\n"
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _classes()[np.minimum(codes, 0xFFFF)]
    breaks = np.flatnonzero(codes == 10)
    begins = np.empty_like(breaks)
    begins[0] = 0
    begins[1:] = breaks[:-1] + 1

    def total(flags: NDArray[np.bool_]) -> Floats:
        sums = np.cumsum(flags, dtype=np.int32)
        out = sums[breaks].astype(np.float32)
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
    chars = (breaks - begins).astype(np.float32)
    cjk_chars = total(cjk)
    # the last character, looking through up to two closing quotes or brackets
    last = breaks - 1
    for _ in range(2):
        plain = (kinds[last] & (OTHER | SPACE)) != 0
        closing = plain & ((kinds[last] & (STOP | DOT | COMMA | SEPARATOR)) == 0) & (last > begins)
        last = last - closing
    final = kinds[last]
    ends = np.where((final & (STOP | DOT)) != 0, 1.0, np.where((final & COMMA) != 0, 0.5, 0.0)).astype(np.float32)
    return TextCounts(
        size=chars + np.float32(CJK_CHARACTERS - 1) * cjk_chars,
        words=total(starts) + np.float32(CJK_WORDS) * cjk_chars,
        chars=chars,
        upper=total((kinds & UPPER) != 0),
        digits=total((kinds & DIGIT) != 0),
        stops=total(stop),
        commas=total((kinds & COMMA) != 0),
        separators=total((kinds & SEPARATOR) != 0),
        cjk=cjk_chars,
        ends=ends,
        first_upper=((kinds[begins] & (UPPER | CJK)) != 0).astype(np.float32),
    )


def _span(sums: Floats, start: Ints, end: Ints) -> Floats:
    """Sums over spans of blocks, from sums with a leading zero."""
    return sums[end] - sums[start]


def _sums(values: Floats) -> Floats:
    out = np.zeros(len(values) + 1, dtype=np.float64)
    np.cumsum(values, dtype=np.float64, out=out[1:])
    return out.astype(np.float32)


def _share(part: Floats, whole: Floats) -> Floats:
    return part / np.maximum(whole, np.float32(1e-6))


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
    """The numbers of a page's blocks, and what the choice of roots needs again."""

    matrix: Floats  # blocks x features
    names: list[str]
    counts: TextCounts
    wider: Ints


def describe(cut: Cut, evidence: Callable[[str], tuple[float, float, float]], title: str, hints: Floats) -> Described:
    """Describe every block of a page.

    Args:
        cut: the page's blocks; at least one.
        evidence: lowest, highest and summed evidence of the tokens in an element's class, id and role.
        title: the page's title, "" where there is none.
        hints: numbers about the page as a whole, the same for all its blocks.

    Returns:
        One row per block, one column per feature, with the columns' names.
    """
    n = len(cut.texts)
    counts = count_text(cut.texts)
    size, words = counts.size, counts.words
    columns: list[Floats] = []
    labels: list[str] = []

    def add(name: str, values: NDArray[np.generic]) -> None:
        labels.append(name)
        columns.append(values.astype(np.float32, copy=False))

    owner = cut.owner
    linked = np.minimum(_share(cut.linked.astype(np.float32), counts.chars), 1)
    link_size = linked * size
    long = (size >= LONG).astype(np.float32)
    prose = size * (1 - linked) * long
    total = np.float32(size.sum())

    # ---- the block itself
    log_size = np.log1p(size)
    stop_rate = _share(counts.stops, words)
    add("size", log_size)
    add("words", np.log1p(words))
    add("word_length", _share(counts.chars, words))
    add("linked", linked)
    add("links", np.minimum(cut.links, 50))
    add("bold", _share(cut.bold.astype(np.float32), counts.chars))
    add("stops", np.minimum(counts.stops, 20))
    add("stop_rate", stop_rate)
    add("commas", np.minimum(counts.commas, 30))
    add("digits", _share(counts.digits, counts.chars))
    add("upper", _share(counts.upper, counts.chars))
    add("separators", _share(counts.separators, counts.chars))
    add("ends", counts.ends)
    add("first_upper", counts.first_upper)
    seen: dict[str, int] = {}
    before = []
    for text in cut.texts:
        count = seen.get(text, 0)
        before.append(count)
        seen[text] = count + 1
    add("same_text", np.array([seen[text] for text in cut.texts], dtype=np.float32))
    add("same_before", np.array(before, dtype=np.float32))
    wanted = set(title.lower().split()) if title else set()
    overlap = np.zeros(n, dtype=np.float32)
    if wanted:
        for i, text in enumerate(cut.texts):
            if len(text) < 300:
                own = set(text.lower().split())
                overlap[i] = len(own & wanted) / (len(own) + len(wanted) - len(own & wanted))
    add("title_overlap", overlap)
    add("level", cut.level)
    add("nodes", np.minimum(np.diff(cut.node_start), 50))
    images_before = np.zeros(n, dtype=np.float32)
    images_before[1:] = np.diff(cut.block_images)
    images_before[0] = cut.block_images[0]
    add("images_before", np.minimum(images_before, 10))

    # ---- where it stands
    size_sums, words_sums, link_sums, long_sums, prose_sums = map(_sums, (size, words, link_size, long, prose))
    stop_sums = _sums(counts.stops)
    index = np.arange(n, dtype=np.float32)
    add("index", index / n)
    add("index_log", np.log1p(index))
    add("index_end", np.log1p(n - 1 - index))
    add("text_before", size_sums[:-1] / total)
    add("prose_before", prose_sums[:-1] / np.maximum(prose_sums[-1], 1))
    is_h1 = cut.level == 1
    heads = np.flatnonzero(is_h1)
    add("after_h1", np.clip(index - (heads[0] if len(heads) else -1), -100, 200) if len(heads) else np.full(n, -200))
    titled = int(np.argmax(overlap)) if wanted and overlap.max() > 0.3 else -1
    add("after_title", np.clip(index - titled, -100, 200) if titled >= 0 else np.full(n, -200))
    in_heading = cut.level > 0
    last_head = np.maximum.accumulate(np.where(in_heading, np.arange(n), -1))
    add("after_heading", np.where(last_head >= 0, np.minimum(index - last_head, 100), 200))
    add("heading_level", np.where(last_head >= 0, cut.level[last_head], 0))
    next_head = np.minimum.accumulate(np.where(in_heading, np.arange(n), n)[::-1])[::-1]
    add("before_heading", np.where(next_head < n, np.minimum(next_head - index, 100), 200))

    # ---- ancestors of a kind: how far up (in elements), and how much of the page's text they hold
    chain = [owner]
    depth = np.zeros(n, dtype=np.float32)
    above = owner
    while True:
        above = np.where(above > 0, cut.parent[above], -1)
        if not (above >= 0).any() or len(chain) >= 250:
            break
        chain.append(above)
        depth += above >= 0
    add("depth", depth)
    kinds = len(KINDS)
    distance = np.full((n, kinds + 1), 99, dtype=np.float32)
    nearest = np.zeros((n, kinds + 1), dtype=np.int32)
    rows = np.arange(n)
    is_hidden = KINDS.index("hidden")
    hidden_any = bool(cut.hidden.any())
    for k in range(len(chain) - 1, -1, -1):
        at = chain[k]
        kind = np.where(at >= 0, cut.kind[at], kinds)
        distance[rows, kind] = k
        nearest[rows, kind] = at
        if hidden_any:
            hidden = (at >= 0) & cut.hidden[at]
            distance[hidden, is_hidden] = k
    for k, kind_name in enumerate(KINDS):
        add("in_" + kind_name, distance[:, k])
    for kind_name in ("nav", "header", "footer", "aside", "form", "main", "article", "section", "list", "table", "a"):
        k = KINDS.index(kind_name)
        held = nearest[:, k]
        share = (size_sums[cut.end[held]] - size_sums[cut.start[held]]) / total
        add("share_" + kind_name, np.where(distance[:, k] < 99, share, -1))

    # ---- what the names say
    found = [evidence(name) if name else (0.0, 0.0, 0.0) for name in cut.names]
    low, high, summed = np.array(found, dtype=np.float32).reshape(-1, 3).T
    low_above, high_above, sum_above = low[owner].copy(), high[owner].copy(), summed[owner].copy()
    low_far, high_far = np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.float32)
    for k, at in enumerate(chain[1:], 1):
        there = at >= 0
        low_above = np.where(there, np.minimum(low_above, low[at]), low_above)
        high_above = np.where(there, np.maximum(high_above, high[at]), high_above)
        sum_above = np.where(there, sum_above + summed[at], sum_above)
        if k >= 4:
            low_far = np.where(there, np.minimum(low_far, low[at]), low_far)
            high_far = np.where(there, np.maximum(high_far, high[at]), high_far)
    inner = [evidence(name) if name else (0.0, 0.0, 0.0) for _, name in cut.inner]
    inner_low, inner_high, _ = np.array(inner, dtype=np.float32).reshape(-1, 3).T
    add("inner_kind", np.array([KIND_OF_TAG.get(tag, -1) if tag else -2 for tag, _ in cut.inner]))
    add("inner_low", inner_low)
    add("inner_high", inner_high)
    add("name_low", low_above)
    add("name_high", high_above)
    add("name_sum", sum_above)
    add("name_low_far", low_far)
    add("name_high_far", high_far)
    for k in range(4):
        at = chain[k] if k < len(chain) else np.full(n, -1)
        add(f"name_sum{k}", np.where(at >= 0, summed[at], 0))

    # ---- containers: each spans more blocks than the one before
    up = wider(cut)
    repeated = cut.twins.astype(np.float32)
    # what an element's widest form of the same span is called: the twins of the outermost element with that span
    container = owner
    for k in range(LEVELS):
        begin, finish = cut.start[container], cut.end[container]
        held_size = _span(size_sums, begin, finish)
        held = (finish - begin).astype(np.float32)
        add(f"c{k}_share", held_size / total)
        add(f"c{k}_linked", _share(_span(link_sums, begin, finish), held_size))
        add(f"c{k}_blocks", np.log1p(held))
        add(f"c{k}_long", _span(long_sums, begin, finish))
        add(f"c{k}_mean", held_size / held)
        add(f"c{k}_prose", _share(_span(prose_sums, begin, finish), held_size))
        add(f"c{k}_stops", _share(_span(stop_sums, begin, finish), _span(words_sums, begin, finish)))
        add(f"c{k}_at", (index - begin) / held)
        add(f"c{k}_images", np.minimum((cut.images_end[container] - cut.images[container]) / held, 5))
        add(f"c{k}_twins", np.minimum(repeated[container], 50))
        add(f"c{k}_low", low[container])
        add(f"c{k}_high", high[container])
        container = up[container]
    tag_counts = np.bincount(cut.tag_code[owner], minlength=int(cut.tag_code.max()) + 1)
    add("same_tag", np.log1p(tag_counts[cut.tag_code[owner]]))

    # ---- neighbours
    for step in (-3, -2, -1, 1, 2, 3):
        at = np.clip(np.arange(n) + step, 0, n - 1)
        inside = (np.arange(n) + step >= 0) & (np.arange(n) + step < n)
        add(f"n{step}_size", np.where(inside, log_size[at], 0))
        add(f"n{step}_linked", np.where(inside, linked[at], 1))
        if abs(step) <= 2:
            add(f"n{step}_ends", np.where(inside, counts.ends[at], 0))
            add(f"n{step}_level", np.where(inside, cut.level[at], 0))
    for reach in (3, 6, 15):
        begin = np.maximum(np.arange(n) - reach, 0)
        finish = np.minimum(np.arange(n) + reach + 1, n)
        held_size = _span(size_sums, begin, finish)
        add(f"w{reach}_mean", held_size / (finish - begin))
        add(f"w{reach}_linked", _share(_span(link_sums, begin, finish), held_size))
        add(f"w{reach}_prose", _share(_span(prose_sums, begin, finish), held_size))

    # ---- the tightest containers that hold most of the page's prose
    add_regions(cut, prose_sums, size_sums, index, add)

    # ---- the page
    for name, value in (
        ("page_size", np.log1p(total)),
        ("page_blocks", np.log1p(n)),
        ("page_linked", link_sums[-1] / total),
        ("page_prose", prose_sums[-1] / total),
        ("page_long", np.log1p(long_sums[-1])),
        ("page_max", log_size.max()),
        ("page_mean", total / n),
        ("page_stops", _share(stop_sums[-1:], words_sums[-1:])[0]),
        ("page_h1", min(len(heads), 5)),
        ("page_headings", np.log1p(in_heading.sum())),
        ("page_articles", min(int((cut.kind == KINDS.index("article")).sum()), 30)),
        ("page_main", float((cut.kind == KINDS.index("main")).any())),
        ("page_images", np.log1p(cut.images_end[0])),
        ("page_tables", min(int((cut.kind == KINDS.index("table")).sum()), 30)),
        ("page_cjk", float(counts.cjk.sum()) / float(counts.chars.sum())),
    ):
        add(name, np.full(n, value, dtype=np.float32))
    for i, hint in enumerate(hints):
        add(f"hint{i}", np.full(n, hint, dtype=np.float32))
    return Described(np.stack(columns, axis=1), labels, counts, up)


def add_regions(
    cut: Cut,
    prose_sums: Floats,
    size_sums: Floats,
    index: Floats,
    add: Callable[[str, NDArray[np.generic]], None],
) -> None:
    """Where each block stands towards the page's densest regions."""
    n = len(index)
    held = _span(prose_sums, cut.start, cut.end)
    width = _span(size_sums, cut.start, cut.end)
    whole = max(float(prose_sums[-1]), 1.0)
    for share in (0.4, 0.65, 0.9):
        fit = held >= share * whole
        best = int(np.argmin(np.where(fit, width, np.inf))) if fit.any() else 0
        begin, finish = int(cut.start[best]), int(cut.end[best])
        inside = (index >= begin) & (index < finish)
        name = f"r{int(share * 100)}"
        place = np.where(inside, (index - begin) / max(finish - begin, 1), np.where(index < begin, -1, 2))
        add(name + "_place", place)
        add(name + "_purity", np.full(n, held[best] / max(float(width[best]), 1.0)))
        add(name + "_share", np.full(n, width[best] / max(float(size_sums[-1]), 1.0)))
    # paragraph scoring: each long block gives its prose to its container, half to the next, a third to the one above
    scores = np.zeros(len(cut.elements), dtype=np.float32)
    prose = np.diff(prose_sums)
    at = cut.owner
    first = cut.parent[at]
    for k in range(4):
        there = first >= 0
        np.add.at(scores, first[there], prose[there] / (k + 1))
        first = np.where(there, cut.parent[np.maximum(first, 0)], -1)
    best = int(np.argmax(scores))
    begin, finish = int(cut.start[best]), int(cut.end[best])
    inside = (index >= begin) & (index < finish)
    add("para_place", np.where(inside, (index - begin) / max(finish - begin, 1), np.where(index < begin, -1, 2)))
    add("para_away", np.where(inside, 0, np.where(index < begin, begin - index, index - finish + 1)))
    add("para_share", np.full(n, (size_sums[finish] - size_sums[begin]) / max(float(size_sums[-1]), 1.0)))
