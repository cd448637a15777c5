"""How much of each text block belongs to a page's main content: an alignment of the page's words with the truth's."""

from __future__ import annotations

import bisect
import difflib
import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_GRAM = 4
_ROUNDS = 3
_SMALL = 40_000  # cells of a gap that is aligned word by word


def words_of(text: str) -> list[str]:
    r"""The lower-cased ``\w+`` tokens of a text."""
    return _WORD.findall(text.lower())


def _chain(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of pairs that rises in both numbers; pairs come sorted by the first, then falling."""
    tails: list[int] = []
    at: list[int] = []
    back = [-1] * len(pairs)
    for i, (_, b) in enumerate(pairs):
        k = bisect.bisect_left(tails, b)
        back[i] = at[k - 1] if k else -1
        if k == len(tails):
            tails.append(b)
            at.append(i)
        else:
            tails[k] = b
            at[k] = i
    out = []
    i = at[-1] if at else -1
    while i >= 0:
        out.append(pairs[i])
        i = back[i]
    return out[::-1]


def align(page: Sequence[str], truth: Sequence[str]) -> NDArray[np.bool_]:
    """Which words of the page are words of the truth, each word of the truth used once.

    Chains of shared four-word sequences are found first (patience), the gaps between them are aligned word by word;
    what is left on both sides goes another round, for content that stands elsewhere in another order.
    """
    taken = np.zeros(len(page), dtype=bool)
    used = np.zeros(len(truth), dtype=bool)
    for _ in range(_ROUNDS):
        left = [i for i in range(len(page)) if not taken[i]]
        right = [j for j in range(len(truth)) if not used[j]]
        a, b = [page[i] for i in left], [truth[j] for j in right]
        pairs = _round(a, b)
        if not pairs:
            break
        for i, j in pairs:
            taken[left[i]] = True
            used[right[j]] = True
    return taken


def _round(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for j in range(len(b) - _GRAM + 1):
        where[tuple(b[j : j + _GRAM])].append(j)
    candidates = []
    for i in range(len(a) - _GRAM + 1):
        at = where.get(tuple(a[i : i + _GRAM]))
        if at and len(at) <= 4:
            candidates += [(i, j) for j in reversed(at)]
    matched: dict[int, int] = {}
    for i, j in _chain(candidates):
        for k in range(_GRAM):
            matched.setdefault(i + k, j + k)
    if not matched:
        if len(a) * len(b) > _SMALL or len(b) > 200:
            return []
        return _gap(a, b, 0, len(a), 0, len(b))
    chain = _chain(sorted(((i, j) for i, j in matched.items()), key=lambda p: (p[0], -p[1])))
    out = list(chain)
    before = (-1, -1)
    for i, j in [*chain, (len(a), len(b))]:
        ga, gb = i - before[0] - 1, j - before[1] - 1
        if ga and gb and ga * gb <= _SMALL:
            out += _gap(a, b, before[0] + 1, i, before[1] + 1, j)
        before = (i, j)
    return out


def _gap(a: list[str], b: list[str], i0: int, i1: int, j0: int, j1: int) -> list[tuple[int, int]]:
    matcher = difflib.SequenceMatcher(None, a[i0:i1], b[j0:j1], autojunk=False)
    return [(i0 + m.a + k, j0 + m.b + k) for m in matcher.get_matching_blocks() for k in range(m.size)]


def label_blocks(texts: Sequence[str], truth: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Label each block.

    Returns:
        The share of the block's words that the truth holds, and the number of its words (both per block; a block
        without words has label 0 and weight 0).
    """
    words = [words_of(text) for text in texts]
    flat = [word for block in words for word in block]
    taken = align(flat, words_of(truth))
    sizes = np.array([len(block) for block in words], dtype=np.float32)
    ends = np.cumsum(sizes).astype(int)
    sums = np.concatenate([[0], np.cumsum(taken)])
    hits = sums[ends] - sums[ends - sizes.astype(int)]
    return (hits / np.maximum(sizes, 1)).astype(np.float32), sizes
