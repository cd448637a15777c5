"""The `lines` method: the heaviest block of consecutive dense lines of a page's text, whatever its markup."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from mainextract_beam.line_cut import cut_elements, holder_of, state_line_breaks, write_paragraphs
from mainextract_beam.line_layout import Line, Reading, block_lines, read_text, source_lines, width
from mainextract_beam.page import Content, Page
from mainextract_beam.text import WHITESPACE

LAYOUTS: Final = ("auto", "source", "block")
KEEPS: Final = ("tags", "images", "text")

# Block layout. Figures from grids over a benchmark's articles and a second news set, seen in full: none of those pages is held out.
# Neighbouring values score within 0.01 F1.
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
    lengths = [len(line.strip(WHITESPACE)) for line in lines]
    full = [index for index, length in enumerate(lengths) if length]
    return _blocks(full, [lengths[index] for index in full], threshold, gap, density)


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


def _blocks(
    numbers: Sequence[int], lengths: Sequence[int], threshold: int, gap: int, density: int, *, others: bool = False
) -> LineBlocks:
    """The blocks of the lines of those numbers and lengths; ``others`` says that the text has more, which count as empty here."""
    runs: list[LineBlock] = []
    start = 0
    for end in range(1, len(numbers) + 1):
        if end == len(numbers) or numbers[end] - numbers[end - 1] - 1 > gap:
            runs.append(LineBlock(numbers[start], numbers[end - 1], end - start, sum(lengths[start:end])))
            start = end
    heavy = [run for run in runs if run.characters >= density * threshold]
    single = len(numbers) == 1 and not others
    blocks = [run for run in heavy if run.lines >= threshold or single]
    # max gives the first of equals.
    return LineBlocks(blocks, max(blocks or heavy, key=lambda run: run.characters, default=None))


@dataclass(slots=True)
class LineView:
    """A page's text as lines, and the blocks found in it.

    Attributes:
        layout: ``source`` or ``block``.
        lines: the lines that hold text, and where they stand in the tree.
        sizes: the characters of each.
        numbers: the number of each, counting empty lines too, from 0.
        counted: whether each counts as text: in block layout, lines outside every dense stretch count as empty.
        blocks: the blocks of those lines.
        reading: the text nodes they are made of.
    """

    layout: str
    lines: list[Line]
    sizes: list[int]
    numbers: list[int]
    counted: list[bool]
    blocks: LineBlocks
    reading: Reading

    @property
    def _span(self) -> slice:
        """Indices of the lines that the chosen block spans."""
        block = self.blocks.chosen
        if block is None:
            return slice(0)
        return slice(bisect_left(self.numbers, block.first), bisect_right(self.numbers, block.last))

    @property
    def chosen_lines(self) -> list[Line]:
        """The lines that the chosen block spans."""
        return self.lines[self._span]

    @property
    def coverage(self) -> float:
        """Share of the page's characters that the chosen block holds."""
        total = sum(self.sizes)
        return sum(self.sizes[self._span]) / total if total else 0.0


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
    metadata = {"coverage": round(view.coverage, 4), "layout": view.layout}
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
    numbers = _numbered([line.blank for line in lines])
    sizes = [len(line.text) for line in lines]
    blocks = _blocks(numbers, sizes, threshold, gap, density)
    return LineView("source", lines, sizes, numbers, [True] * len(lines), blocks, reading)


def _block_view(reading: Reading, threshold: int, gap: int, density: int) -> LineView:
    """Lines as a reader sees them; those outside every dense stretch count as empty, and stretches stand apart by structure."""
    lines = block_lines(reading)
    sizes = [len(line.text) for line in lines]
    widths = [size if line.text.isascii() else width(line.text) for line, size in zip(lines, sizes, strict=True)]
    # Empty lines: as many as block-level boundaries, but between the lines of a stretch as a reader sees them.
    blanks = [line.boundaries - 1 if line.boundaries > line.blank else line.blank for line in lines]
    counted = [False] * len(lines)
    dense: list[int] = []
    for first, last in dense_stretches(lines, density, widths):
        dense += range(first, last + 1)
        counted[first : last + 1] = [True] * (last + 1 - first)
        blanks[first + 1 : last + 1] = [line.blank for line in lines[first + 1 : last + 1]]
    numbers = _numbered(blanks)
    others = len(dense) < len(lines)
    blocks = _blocks([numbers[index] for index in dense], [sizes[index] for index in dense], threshold, gap, density, others=others)
    view = LineView("block", lines, sizes, numbers, counted, blocks, reading)
    if blocks.chosen is not None:
        _settle(view, blocks.chosen, density, widths)
    return view


def _numbered(blanks: Sequence[int]) -> list[int]:
    """Line numbers, given how many empty lines stand before each."""
    return [index + before for index, before in enumerate(accumulate(blanks))]


def dense_stretches(lines: Sequence[Line], density: float, widths: Sequence[int]) -> list[tuple[int, int]]:
    """The stretches of lines in which text is dense: all maximal scoring subsequences (W. Ruzzo, M. Tompa, 1999), in linear time.

    A line scores its width less the density, so a stretch holds on average more than ``density`` columns per line; block-level
    boundaries beyond those between neighbours count as shares of an empty line.

    Returns:
        (index of the first line, index of the last) of each, in order.
    """
    found: list[tuple[int, int, float, float]] = []  # first, last, score before, score after
    boundary = density * _BOUNDARY_SHARE
    total = 0.0
    for index, (columns, line) in enumerate(zip(widths, lines, strict=True)):
        boundaries = line.boundaries
        if boundaries > 2:
            total -= (boundaries - 2) * boundary
        before = total
        total += columns - density
        if columns <= density:
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


def _settle(view: LineView, block: LineBlock, density: float, widths: Sequence[int]) -> None:
    """Fits a chosen block to the element that carries it: drops what lies outside, grows over lesser lines inside."""
    lines, numbers = view.lines, view.numbers
    first, last = bisect_left(numbers, block.first), bisect_left(numbers, block.last)
    low, high = carried_lines(view.reading, lines, view.sizes, first, last)
    density *= _GROWTH_SHARE
    first = _grown(lines, widths, density, max(first, low), low, -1)
    last = _grown(lines, widths, density, min(last, high), high, 1)
    view.counted[first : last + 1] = [True] * (last + 1 - first)
    settled = LineBlock(numbers[first], numbers[last], last + 1 - first, sum(view.sizes[first : last + 1]))
    others = [
        settled if other is block else other
        for other in view.blocks.blocks
        if other is block or other.last < settled.first or other.first > settled.last
    ]
    view.blocks = LineBlocks(others, settled)


def _grown(lines: Sequence[Line], widths: Sequence[int], density: float, edge: int, limit: int, step: int) -> int:
    """How far a block grows from its edge towards a limit: to where the gain is greatest."""
    boundary = density * _BOUNDARY_SHARE
    best = total = 0.0
    reached = edge
    for index in range(edge + step, limit + step, step):
        between = lines[index if step > 0 else index + 1].boundaries
        total += widths[index] - density - max(0, between - 2) * boundary
        if total > best:
            best, reached = total, index
    return reached


def carried_lines(reading: Reading, lines: Sequence[Line], sizes: Sequence[int], first: int, last: int) -> tuple[int, int]:
    """The lines of the innermost element that holds most of the text of some lines: (index of its first, index of its last)."""
    sizes = sizes[first : last + 1]
    sums = list(accumulate(sizes))
    # Whatever holds most of a text holds its middle, so it is among the elements around the line in the middle.
    middle = first + bisect_left(sums, sums[-1] / 2)
    around = [holder_of(reading.atoms[lines[middle].first])]
    around += around[0].iterancestors()
    depths = {node: depth for depth, node in enumerate(reversed(around))}

    def depth_of(index: int) -> int:
        """Depth of the innermost of those elements that holds a line."""
        holder = node = holder_of(reading.atoms[lines[index].first])
        depth = depths.get(node)
        while depth is None:
            node = node.getparent()
            depth = depths.get(node)
        while holder is not node:
            depths[holder] = depth
            holder = holder.getparent()
        return depth

    held = [0] * len(around)
    for index, size in enumerate(sizes, first):
        held[depth_of(index)] += size
    carrier = len(around) - 1
    total = held[carrier]
    while total < _CARRIED * sums[-1]:
        carrier -= 1
        total += held[carrier]
    # What an element holds is consecutive.
    low = bisect_left(range(middle), True, key=lambda index: depth_of(index) >= carrier)
    high = bisect_left(range(middle + 1, len(lines)), True, key=lambda index: depth_of(index) < carrier) + middle
    return low, high


def _is_running_text(view: LineView) -> bool:
    """Whether most of the chosen text stands in lines that the source breaks into many: its own line breaks may be its form."""
    chosen = view.chosen_lines or view.lines
    if not chosen:
        return False
    breaks = [atom[0].count("\n") for atom in view.reading.atoms[chosen[0].first : chosen[-1].last + 1]]
    if sum(breaks) < _RUNNING_TEXT:
        return False
    start = chosen[0].first
    total = inside = 0
    for line in chosen:
        total += len(line.text)
        if sum(breaks[line.first - start : line.last + 1 - start]) >= _RUNNING_TEXT:
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
    shared = sum(len(atom[0]) for atom in atoms[start : end + 1])
    most = max(sum(len(atom[0]) for atom in atoms[each[0].first : each[-1].last + 1]) for each in (ours, theirs))
    return shared >= _AGREEMENT * most


find_lines.check = check_options  # type: ignore[attr-defined]
