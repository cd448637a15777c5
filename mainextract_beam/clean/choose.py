"""From blocks to content: how likely each block is content, which elements hold it, and what inside them leaves.

The blocks kept are those that make the expected word F1 of the page largest; the roots are the elements that hold them
with little else; what inside a root holds nothing that is kept leaves, with the evidence as its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.clean.blocks import Cut, Element, Floats, Ints, cut, numbered
from mainextract_beam.clean.features import Described, describe
from mainextract_beam.clean.hints import COUNT
from mainextract_beam.clean.model import BlockModel, block_model, probability
from mainextract_beam.clean.name_tokens import name_tokens
from mainextract_beam.clean.rules import judge_by_rules, reasons, rule_points, rule_values
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._choose")

# Factors on the threshold that would be best if every probability were exact: for pages that call themselves articles, for
# those of them whose content is clear, and for all others. What stands beside an article is seldom part of it, and on sites
# never seen the model is too sure of it; between 1.1 and 1.4 the development pages do not tell the difference.
ARTICLE_FACTOR: Final = 1.1
CLEAR_ARTICLE_FACTOR: Final = 1.3
_CLEAR: Final = 0.85  # expected F1
# The same for those that are articles by their text as well: both halves of the development articles gain by it.
STRICT_FACTOR: Final = 1.5
_CLEAR_STRICT: Final = 0.8
RULES_SAY: Final = np.float32(0.3)  # weight of the rules beside the trees, in log-odds
TWIN_LEVELS: Final = 4
TWINS_LEAST: Final = 4
_SPREAD: Final = 1_000_003
_PURE: Final = 0.5  # share of a root's words that are kept, below which the root is split
_ROOTS_MOST: Final = 12
_CLIMB: Final = 40  # elements above a block that are looked at for a reason
BLOCKS_MOST: Final = 50_000  # a page of more is left to the regions' rules: its description would take too much memory


@dataclass
class Blocks:
    """A page's text blocks, how each was described and how likely it is content.

    Attributes:
        probabilities: per block, 0..1.
        keep: per block, whether it is content by the choice of largest expected F1.
        expected: that F1, by the model's own estimate.
        rule: what judged them: "model" for the model, "rules" for the rules alone.
    """

    cut: Cut = field(repr=False)
    described: Described = field(repr=False)
    probabilities: Floats = field(repr=False)
    keep: NDArray[np.bool_] = field(repr=False)
    expected: float
    rule: str

    @property
    def texts(self) -> list[str]:
        """The text of each block."""
        return self.cut.texts

    @property
    def words(self) -> Floats:
        """Words of each block, a CJK character counted as part of one."""
        return self.described.counts.words

    def element(self, block: int) -> Element:
        """The innermost block-level element around a block."""
        return self.cut.elements[self.cut.owner[block]]


@dataclass
class Drop:
    """Something inside a root that leaves.

    Attributes:
        element: the element to remove, its tail staying; None where only text nodes leave.
        nodes: the text nodes that leave where no element holds them alone: (element, is it the element's tail?).
        reason: the evidence, for the journal.
        words: how many words leave.
        sample: how their text begins.
    """

    element: Element | None
    nodes: list[tuple[Element, bool]]
    reason: str
    words: int
    sample: str


@dataclass
class Choice:
    """The content of a page: its roots in document order, none holding another, and what leaves inside them."""

    roots: list[Element]
    drops: list[Drop]
    rule: str
    expected: float


def expected_best(probabilities: Floats, words: Floats) -> float:
    """The largest word F1 that a choice of blocks can be expected to reach, by their probabilities of being content.

    The choice that reaches it keeps the blocks of more than half that probability (Lipton et al., 2014): one pass over the
    blocks by falling probability finds it.
    """
    order = np.argsort(-probabilities, kind="stable")
    size = words[order] + np.float32(0.01)
    hits = probabilities[order] * size
    f1 = 2 * np.cumsum(hits, dtype=np.float64) / (np.cumsum(size, dtype=np.float64) + hits.sum() + 1e-9)
    return float(f1.max())


def keep_best(
    probabilities: Floats, words: Floats, hints: Floats | None = None, *, strict: bool = False
) -> tuple[NDArray[np.bool_], float]:
    """Which blocks to keep.

    Args:
        probabilities: per block, of being content.
        words: per block.
        hints: see `page_hints`; None for none.
        strict: whether the page is an article by more than what it says of itself.

    Returns:
        Per block whether it is kept, and the word F1 expected.
    """
    expected = expected_best(probabilities, words)
    factor = 1.0
    if strict and expected >= _CLEAR_STRICT:
        factor = STRICT_FACTOR
    elif hints is not None and hints[0] > 0:
        factor = CLEAR_ARTICLE_FACTOR if expected >= _CLEAR else ARTICLE_FACTOR
    return probabilities >= np.float32(min(max(factor * expected / 2, 0.05), 0.95)), expected


def score_blocks(
    root: Element,
    *,
    title: str = "",
    hints: Floats | None = None,
    model: BlockModel | None = None,
    by_rules: bool = False,
) -> Blocks | None:
    """Cut a tree into blocks and judge each.

    Args:
        root: the page's `body` (or root); only read. Tags are lower-case names without namespaces.
        title: the page's title, "" where there is none.
        hints: see `page_hints`; None for none.
        model: the model to use; None for the one of the package.
        by_rules: judge by the rules alone, without the model's trees.

    Returns:
        The blocks, or None where the tree holds no text, or more blocks than BLOCKS_MOST.
    """
    held = cut(root)
    if not held.texts or len(held.texts) > BLOCKS_MOST:
        return None
    model = block_model() if model is None else model
    described = describe(held, model.evidence, title, np.zeros(COUNT, dtype=np.float32) if hints is None else hints)
    probabilities = judge_by_rules(described) if by_rules else even_out(held, judge(described, model))
    keep, expected = keep_best(probabilities, described.counts.words, hints)
    rule = "rules" if by_rules else "model"
    return Blocks(held, described, probabilities, keep, expected, rule)


def judge(described: Described, model: BlockModel) -> Floats:
    """Each block's likelihood to be content, 0..1, by the model, the rules having a say.

    The rules err less on kinds of pages the trees have seen few of; both together err less than either.

    Raises:
        ValueError: the model was trained on other numbers than those the blocks are described by.
    """
    if tuple(described.names) != model.columns["blocks"]:
        raise ValueError("the block model was trained on other features: train it anew with benchmarks/train_blocks.py")
    learned = model.forests["blocks"].scores(described.matrix)
    return probability((1 - RULES_SAY) * learned + RULES_SAY * rule_points(described))


def even_out(held: Cut, probabilities: Floats) -> Floats:
    """Draws blocks that stand in the same structure towards one judgement: the posts of a thread, the prices of cards.

    Blocks are alike where the elements around them, TWIN_LEVELS of them, bear the same tags and classes, and where their
    text begins in the same kind of inline element. Of TWINS_LEAST and more alike each is judged half by itself and half by
    the mean of all, in log-odds.
    """
    if len(probabilities) < TWINS_LEAST:
        return probabilities
    group = _structures(held)
    count = np.bincount(group)
    if count.max() < TWINS_LEAST:
        return probabilities
    exact = np.clip(probabilities, 1e-4, 1 - 1e-4)
    scores = np.log(exact / (1 - exact))
    means = np.bincount(group, weights=scores) / count
    evened = np.where(count[group] >= TWINS_LEAST, (scores + means[group]) / 2, scores)
    return probability(evened.astype(np.float32))


def _structures(held: Cut) -> Ints:
    """A number per block, from 0 and without gaps, the same for those that stand in the same structure."""
    out = np.empty(len(held.texts), dtype=np.int32)
    if compiled is not None:
        compiled.structures(held.owner, held.parent, held.tag_code, held.inner, TWIN_LEVELS, out)
        return out
    place = np.array(numbered(tag for tag, _ in held.inner), dtype=np.int64)
    # What is above the first element, -1, stands last.
    code, above = np.append(held.tag_code, -1), np.append(held.parent, -1)
    at = held.owner
    for _ in range(TWIN_LEVELS):
        place = place * _SPREAD + code[at]
        at = above[at]
    out[:] = numbered(place.tolist())
    return out


def choose_roots(blocks: Blocks, *, explain: bool = True) -> Choice | None:
    """The elements that hold the blocks kept, and what leaves inside them; None where no block is kept.

    Args:
        blocks: the page's blocks, judged.
        explain: whether to say why each thing leaves, which costs time; nothing else depends on it.
    """
    held = blocks.cut
    keep = blocks.keep
    if not keep.any():
        return None
    words = blocks.words + np.float32(0.01)
    kept = _sums(np.where(keep, words, 0))
    whole = _sums(words)
    counts = _sums(keep.astype(np.float32))
    has: list[float] = (counts[held.end] - counts[held.start]).tolist()  # per element: blocks kept inside
    children = _children(held)
    start = _common(has, children)
    roots: list[int] = []
    queue = [start]
    while queue:
        at = queue.pop()
        begin, end = held.start[at], held.end[at]
        pure = (kept[end] - kept[begin]) / (whole[end] - whole[begin])
        parts = [child for child in children(at) if has[child] > 0]
        own = has[at] - sum(has[child] for child in parts)
        if pure >= _PURE or own > 0 or not parts or len(roots) + len(queue) + len(parts) > _ROOTS_MOST:
            roots.append(at)
        else:
            queue.extend(_common(has, children, part) for part in reversed(parts))
    roots.sort()
    drops: list[Drop] = []
    for at in roots:
        drops += _drops(blocks, at, has, children, explain)
    return Choice([held.elements[at] for at in roots], drops, blocks.rule, blocks.expected)


def _sums(values: Floats) -> NDArray[np.float64]:
    out = np.zeros(len(values) + 1, dtype=np.float64)
    np.cumsum(values, out=out[1:])
    return out


def _children(held: Cut) -> Callable[[int], list[int]]:
    """What tells the children of an element, in document order."""
    order: list[int] = np.argsort(held.parent, kind="stable").tolist()
    ends: list[int] = np.cumsum(np.bincount(held.parent + 1, minlength=len(order) + 1)).tolist()

    def children(at: int) -> list[int]:
        return order[ends[at] : ends[at + 1]]

    return children


def _common(has: list[float], children: Callable[[int], list[int]], at: int = 0) -> int:
    """The innermost element at or below the one given that holds all the blocks kept inside it."""
    while True:
        down = next((child for child in children(at) if has[child] == has[at]), None)
        if down is None:
            return at
        at = down


def _drops(blocks: Blocks, root: int, has: list[float], children: Callable[[int], list[int]], explain: bool) -> list[Drop]:
    held = blocks.cut
    is_filled = (held.end > held.start).tolist()
    out: list[Drop] = []
    stack = [root]
    mixed = []
    while stack:
        at = stack.pop()
        if has[at] == 0:
            if is_filled[at]:
                out.append(_drop(blocks, at, explain))
            continue
        mixed.append(at)
        stack.extend(reversed(children(at)))
    inside = np.zeros(len(held.elements), dtype=bool)
    inside[mixed] = True
    for block in np.flatnonzero(~blocks.keep & inside[held.owner]).tolist():
        out.append(_text_drop(blocks, block, explain))
    return out


def _drop(blocks: Blocks, at: int, explain: bool) -> Drop:
    held = blocks.cut
    begin, end = int(held.start[at]), int(held.end[at])
    span = slice(begin, end)
    if not explain:
        return Drop(held.elements[at], [], "", 0, "")
    reason = _reason(blocks, begin + int(np.argmax(blocks.words[span])))
    sample = " ".join(held.texts[span])[:120] if end - begin < 20 else " ".join(held.texts[begin : begin + 20])[:120]
    return Drop(held.elements[at], [], reason, round(float(blocks.words[span].sum())), sample)


def _text_drop(blocks: Blocks, block: int, explain: bool) -> Drop:
    held = blocks.cut
    if not explain:
        return Drop(None, held.nodes(block), "", 0, "")
    text = held.texts[block]
    return Drop(None, held.nodes(block), _reason(blocks, block), round(float(blocks.words[block])), text[:120])


def _reason(blocks: Blocks, block: int) -> str:
    """What speaks against a block, in words a person can check."""
    values = rule_values(blocks.described, block)[0]
    parts = [f"content with probability {blocks.probabilities[block]:.2f}", *reasons(values)]
    lowest, token = 0.0, ""
    held, tokens = blocks.cut, block_model().tokens
    above = int(held.owner[block])
    climbed = 0
    while above >= 0 and climbed < _CLIMB:
        climbed += 1
        for name in name_tokens(held.names[above]) if held.names[above] else ():
            value = tokens.get(name, 0.0)
            if value < lowest:
                lowest, token = value, name
        above = int(held.parent[above])
    if lowest < -1:
        parts.append(f"named {token!r} ({lowest:+.1f})")
    return "; ".join(parts)


def apply_drops(drops: list[Drop]) -> None:
    """Take what leaves out of the tree; the tail of an element removed stays."""
    for drop in drops:
        if drop.element is not None:
            remove_keeping_tail(drop.element)
            continue
        for element, is_tail in drop.nodes:
            if is_tail:
                element.tail = " "
            else:
                element.text = " "


def remove_keeping_tail(element: Element) -> None:
    """Remove an element and leave the text after it where it stands."""
    parent = element.getparent()
    if parent is None:
        return
    tail = element.tail
    if tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
        element.tail = None
    parent.remove(element)
