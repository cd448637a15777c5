"""The `lines` method: the heaviest block of consecutive dense lines of a page's text, whatever its markup."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mainextract_beam.line_cut import cut_elements, holder_of, state_line_breaks, write_paragraphs
from mainextract_beam.line_layout import Line, Reading, block_lines, read_text, source_lines, width
from mainextract_beam.page import Content, Page
from mainextract_beam.text import WHITESPACE

LAYOUTS: Final = ("auto", "source", "block")
KEEPS: Final = ("tags", "images", "text")

# Block layout. Figures chosen on one half of the articles of a benchmark, confirmed on the other; all lie in a flat optimum.
# A boundary beyond the two that part neighbours (one ends, one starts) weighs this share of a line.
_BOUNDARY_SHARE: Final = 1 / 8
# The element that carries a block holds at least this share of its text; what the block has outside it is dropped.
_CARRIED: Final = 0.7
# Inside that element the block grows over lines of at least this share of the density.
_GROWTH_SHARE: Final = 1 / 4
# `auto` looks at the source's lines where the lines a reader sees are so few and long that the source's own must carry the form.
_RUNNING_TEXT: Final = 4  # source lines per seen line
# ... and takes them where their block holds this share of the text of both.
_AGREEMENT: Final = 0.9


class LineBlock(NamedTuple):
    """A run of lines."""

    first: int  # index of its first line
    last: int  # index of its last line
    lines: int  # lines that hold text
    characters: int  # characters in them, surrounding whitespace not counted


class LineBlocks(NamedTuple):
    """The blocks of a text."""

    blocks: list[LineBlock]  # every block that qualifies, in order
    chosen: LineBlock | None  # the one with most characters; see `rule`

    @property
    def rule(self) -> str | None:
        """``lines``; ``lines-short`` where none qualifies and the heaviest run of lines was chosen; None where there is none."""
        if self.chosen is None:
            return None
        return "lines" if self.blocks else "lines-short"


def line_blocks(lines: Iterable[str], threshold: int = 5, gap: int = 3, density: int = 45) -> LineBlocks:
    """The blocks of consecutive lines of a text, and the heaviest one.

    A block qualifies with at least ``threshold`` lines that are not empty and ``density * threshold`` characters; where the
    whole text is a single line, its characters alone decide. Chosen is the block with most characters, of equals the first;
    where none qualifies, the run of lines with most characters, if it has ``density * threshold`` of them.

    Args:
        lines: the lines; one of whitespace is empty.
        threshold: how many lines make a block.
        gap: how many empty lines in a row a block may span.
        density: characters per line of content.

    Raises:
        ValueError: a parameter below 1.
    """
    check_options(threshold=threshold, gap=gap, density=density)
    return _blocks([len(line.strip(WHITESPACE)) for line in lines], threshold, gap, density)


def check_options(
    *,
    threshold: int = 5,
    gap: int = 3,
    density: int = 45,
    layout: str = "auto",
    keep: str = "tags",
    sanitize: bool = False,
) -> None:
    """Raises a ValueError that names what is wrong and what is valid."""
    for name, value in (("threshold", threshold), ("gap", gap), ("density", density)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 1:
            raise ValueError(f"{name} is a number of at least 1, got {value!r}")
    if layout not in LAYOUTS:
        raise ValueError(f"unknown layout {layout!r}; layouts are {', '.join(LAYOUTS)}")
    if keep not in KEEPS:
        raise ValueError(f"unknown keep {keep!r}; valid are {', '.join(KEEPS)}")


def _blocks(lengths: Sequence[int], threshold: int, gap: int, density: int, *, others: bool = False) -> LineBlocks:
    """The blocks of lines of those lengths; ``others`` says that the text has lines that count as empty here."""
    runs: list[LineBlock] = []
    first = last = -1
    lines = characters = 0
    for index, length in enumerate(lengths):
        if not length:
            continue
        if lines and index - last - 1 > gap:
            runs.append(LineBlock(first, last, lines, characters))
            lines = characters = 0
        if not lines:
            first = index
        last = index
        lines += 1
        characters += length
    if lines:
        runs.append(LineBlock(first, last, lines, characters))
    heavy = [run for run in runs if run.characters >= density * threshold]
    single = len(runs) == 1 and runs[0].lines == 1 and not others
    blocks = [run for run in heavy if run.lines >= threshold or single]
    # max gives the first of equals.
    return LineBlocks(blocks, max(blocks or heavy, key=lambda run: run.characters, default=None))


@dataclass(slots=True)
class LineView:
    """A page's text as lines, and the blocks found in it.

    Attributes:
        layout: ``source`` or ``block``.
        texts: every line; ``""`` for an empty one.
        counted: per line, whether it counts as text: in block layout, lines outside every dense stretch count as empty.
        blocks: the blocks of those lines.
        lines: the lines that hold text, and where they stand in the tree.
        numbers: the index in ``texts`` of each of them.
        reading: the text nodes they are made of.
    """

    layout: str
    texts: list[str]
    counted: list[bool]
    blocks: LineBlocks
    lines: list[Line]
    numbers: list[int]
    reading: Reading

    @property
    def chosen_lines(self) -> list[Line]:
        """The lines that the chosen block spans."""
        block = self.blocks.chosen
        if block is None:
            return []
        return self.lines[bisect_left(self.numbers, block.first) : bisect_right(self.numbers, block.last)]

    @property
    def share(self) -> float:
        """Share of the page's characters that the chosen block holds."""
        total = sum(len(line.text) for line in self.lines)
        return sum(len(line.text) for line in self.chosen_lines) / total if total else 0.0


def find_lines(
    page: Page,
    *,
    threshold: int = 5,
    gap: int = 3,
    density: int = 45,
    layout: str = "auto",
    keep: str = "tags",
    sanitize: bool = False,
) -> Content | None:
    """The content of a page by text density over its lines.

    Args:
        page: the tree.
        threshold: how many lines that are not empty make a block.
        gap: how many empty lines in a row a block may span.
        density: characters per line of content.
        layout: ``source``, the source's own line breaks; ``block``, a line per block-level element; ``auto``, the one that fits.
        keep: ``tags``, the elements that carry the block; ``text``, its lines as paragraphs; ``images``, those with their images.
        sanitize: make the document safe to show; without it markup is handed on as it stands, scripts included.

    Returns:
        The content, found by rule ``lines`` or ``lines-short``, with ``coverage``, the share of the page's characters that it
        holds (below a half the method fails by nature), and ``layout`` as metadata; None where no run of lines is heavy enough.

    Raises:
        ValueError: a number below 1, an unknown layout or keep.
    """
    check_options(threshold=threshold, gap=gap, density=density, layout=layout, keep=keep)
    view = view_lines(page, threshold=threshold, gap=gap, density=density, layout=layout)
    rule = view.blocks.rule
    if rule is None:
        return None
    metadata = {"coverage": round(view.share, 4), "layout": view.layout}
    chosen = view.chosen_lines
    if keep == "tags":
        stated = view.layout == "source"
        elements, origins = cut_elements(page, view.reading, chosen[0], chosen[-1], apart=stated)
        if stated:
            for element in elements:
                state_line_breaks(element)
    else:
        elements, origins = write_paragraphs(
            page, view.reading, chosen[0], chosen[-1], source=view.layout == "source", images=keep == "images"
        )
    return Content(elements, rule, origins=origins, metadata=metadata, sanitized=sanitize)


def view_lines(page: Page, *, threshold: int = 5, gap: int = 3, density: int = 45, layout: str = "auto") -> LineView:
    """The lines of a page and the blocks in them; arguments as find_lines."""
    reading = read_text(page.root, whole=page.whole, newlines=layout == "source")
    if layout == "source":
        return _source_view(reading, threshold, gap, density)
    seen = _block_view(reading, threshold, gap, density)
    if layout == "auto" and _is_running_text(seen):
        stated = _source_view(read_text(page.root, whole=page.whole), threshold, gap, density)
        if _is_plausible(stated, seen, density):
            return stated
    return seen


def _source_view(reading: Reading, threshold: int, gap: int, density: int) -> LineView:
    lines = source_lines(reading)
    numbers, size = _numbered([line.blank for line in lines])
    texts = [""] * size
    for line, number in zip(lines, numbers, strict=True):
        texts[number] = line.text
    blocks = _blocks([len(text) for text in texts], threshold, gap, density)
    return LineView("source", texts, [bool(text) for text in texts], blocks, lines, numbers, reading)


def _block_view(reading: Reading, threshold: int, gap: int, density: int) -> LineView:
    """Lines as a reader sees them; those outside every dense stretch count as empty, and stretches stand apart by structure."""
    lines = block_lines(reading)
    stretch = [-1] * len(lines)
    for number, (first, last) in enumerate(dense_stretches(lines, density)):
        stretch[first : last + 1] = [number] * (last - first + 1)
    before = -1
    blanks = []
    for line, this in zip(lines, stretch, strict=True):
        blanks.append(line.blank if this == before and this >= 0 else max(line.blank, line.boundaries - 1))
        before = this
    numbers, size = _numbered(blanks)
    texts = [""] * size
    lengths = [0] * size
    for line, number, this in zip(lines, numbers, stretch, strict=True):
        texts[number] = line.text
        if this >= 0:
            lengths[number] = len(line.text)
    blocks = _blocks(lengths, threshold, gap, density, others=-1 in stretch)
    counted = [length > 0 for length in lengths]
    view = LineView("block", texts, counted, blocks, lines, numbers, reading)
    if blocks.chosen is not None:
        _settle(view, density)
    return view


def _numbered(blanks: Sequence[int]) -> tuple[list[int], int]:
    """Line numbers, given how many empty lines stand before each, and how many lines there are."""
    numbers = []
    number = -1
    for blank in blanks:
        number += blank + 1
        numbers.append(number)
    return numbers, number + 1


def _gains(lines: Sequence[Line], density: float) -> list[tuple[float, float]]:
    """Per line, what it gains beyond the density, in columns, and what is lost on the way to it from the line before."""
    boundary = density * _BOUNDARY_SHARE
    return [(width(line.text) - density, max(0, line.boundaries - 2) * boundary) for line in lines]


def dense_stretches(lines: Sequence[Line], density: float) -> list[tuple[int, int]]:
    """The stretches of lines in which text is dense: all maximal scoring subsequences (W. Ruzzo, M. Tompa, 1999), in linear time.

    A line scores its width less the density, so a stretch holds on average more than ``density`` columns per line; block-level
    boundaries beyond those between neighbours count as shares of an empty line.

    Returns:
        (index of the first line, index of the last) of each, in order.
    """
    found: list[tuple[int, int, float, float]] = []  # first, last, score before, score after
    total = 0.0
    for index, (gain, loss) in enumerate(_gains(lines, density)):
        total -= loss
        before = total
        total += gain
        if gain <= 0:
            continue
        first = index
        # A stretch joins the last one that starts lower, where it ends higher than that one.
        while True:
            at = len(found) - 1
            while at >= 0 and found[at][2] >= before:
                at -= 1
            if at < 0 or found[at][3] >= total:
                break
            first, before = found[at][0], found[at][2]
            del found[at:]
        found.append((first, index, before, total))
    return [(first, last) for first, last, _, _ in found]


def _settle(view: LineView, density: float) -> None:
    """Fits the chosen block to the element that carries it: drops what lies outside, grows over lesser lines inside."""
    block = view.blocks.chosen
    assert block is not None
    lines, numbers = view.lines, view.numbers
    first, last = numbers.index(block.first), numbers.index(block.last)
    low, high = carried_lines(view.reading, lines, first, last)
    first, last = max(first, low), min(last, high)
    gains = _gains(lines[low : high + 1], density * _GROWTH_SHARE)
    first, last = low + _grown(gains, first - low, -1), low + _grown(gains, last - low, 1)
    size = characters = 0
    for line, number in zip(lines[first : last + 1], numbers[first : last + 1], strict=True):
        view.counted[number] = True
        size += 1
        characters += len(line.text)
    settled = LineBlock(numbers[first], numbers[last], size, characters)
    others = [
        other if other is not block else settled
        for other in view.blocks.blocks
        if other is block or other.last < settled.first or other.first > settled.last
    ]
    view.blocks = LineBlocks(others, settled)


def _grown(gains: Sequence[tuple[float, float]], edge: int, step: int) -> int:
    """How far a block grows from its edge: to where the gain is greatest."""
    best = total = 0.0
    reached = edge
    index = edge + step
    while 0 <= index < len(gains):
        gain, loss = gains[index]
        if step < 0:
            loss = gains[index + 1][1]
        total += gain - loss
        if total > best:
            best, reached = total, index
        index += step
    return reached


def carried_lines(reading: Reading, lines: Sequence[Line], first: int, last: int) -> tuple[int, int]:
    """The lines of the innermost element that holds most of the text of some lines: (index of its first, index of its last)."""
    holders = [holder_of(reading.atoms[line.first]) for line in lines[first : last + 1]]
    inside: dict[Any, bool] = {_carrier(holders, [len(line.text) for line in lines[first : last + 1]]): True}

    def holds(index: int) -> bool:
        node = holder_of(reading.atoms[lines[index].first])
        passed = []
        while node is not None and node not in inside:
            passed.append(node)
            node = node.getparent()
        answer = node is not None and inside[node]
        inside.update(dict.fromkeys(passed, answer))
        return answer

    # What an element holds is consecutive.
    low, high = first, last
    while not holds(low):
        low += 1
    while not holds(high):
        high -= 1
    while low > 0 and holds(low - 1):
        low -= 1
    while high + 1 < len(lines) and holds(high + 1):
        high += 1
    return low, high


def _carrier(holders: Sequence[Any], sizes: Sequence[int]) -> Any:
    """The innermost element that holds at least _CARRIED of what stands in some elements, in linear time."""
    weights: dict[Any, int] = {}
    parents: dict[Any, Any] = {}
    children: dict[Any, int] = {}
    for holder, size in zip(holders, sizes, strict=True):
        weights[holder] = weights.get(holder, 0) + size
        node = holder
        while node is not None and node not in parents:
            parent = parents[node] = node.getparent()
            if parent is not None:
                children[parent] = children.get(parent, 0) + 1
            node = parent
    enough = _CARRIED * sum(sizes)
    # From the leaves up: each element is done once all it holds is, so the first to hold enough is the innermost.
    ready = [node for node in parents if node not in children]
    while True:
        node = ready.pop()
        if weights.get(node, 0) >= enough:
            return node
        parent = parents[node]
        weights[parent] = weights.get(parent, 0) + weights.get(node, 0)
        children[parent] -= 1
        if not children[parent]:
            ready.append(parent)


def _is_running_text(view: LineView) -> bool:
    """Whether most of the chosen text stands in lines that the source breaks into many: its own line breaks may be its form."""
    chosen = view.chosen_lines or view.lines
    total = inside = 0
    for line in chosen:
        breaks = sum(atom.text.strip().count("\n") for atom in view.reading.atoms[line.first : line.last + 1])
        total += len(line.text)
        if breaks >= _RUNNING_TEXT:
            inside += len(line.text)
    return inside * 2 > total


def _is_plausible(stated: LineView, seen: LineView, density: float) -> bool:
    """Whether the source's lines form a block of content: dense lines, and the text that a reader sees as the page's."""
    block = stated.blocks.chosen
    if block is None or not stated.blocks.blocks or block.characters < density * block.lines:
        return False
    if seen.blocks.chosen is None:
        return True
    ours, theirs = stated.chosen_lines, seen.chosen_lines
    start, end = max(ours[0].first, theirs[0].first), min(ours[-1].last, theirs[-1].last)
    atoms = stated.reading.atoms
    shared = sum(len(atom.text) for atom in atoms[start : end + 1])
    most = max(sum(len(atom.text) for atom in atoms[each[0].first : each[-1].last + 1]) for each in (ours, theirs))
    return shared >= _AGREEMENT * most


find_lines.check = check_options  # type: ignore[attr-defined]
