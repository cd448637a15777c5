"""A document as Markdown: CommonMark, with GitHub's tables, task lists and strikethrough, footnotes, and formulas in dollar signs.

What is written is what a CommonMark parser reads back: every character of the text that would be markup is escaped, and
no HTML is passed through.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import quote

from mainextract_beam.document import Document
from mainextract_beam.render.blocks import (
    BREAK,
    CODE,
    EMPHASIS,
    IMAGE,
    MATH,
    NOTE,
    STRONG,
    STRUCK,
    TEXT,
    Block,
    Code,
    Inline,
    Item,
    List,
    Math,
    Paragraph,
    Quote,
    Rule,
    Table,
    blocks_of,
)
from mainextract_beam.render.safe import safe_roots

RULE: Final = "___"  # of the three ways to write one, the one that no list can begin with


def to_markdown(document: Document) -> str:
    """The document as Markdown, each paragraph in one line; notes come last.

    Made of a sanitised copy, in every method: no link runs a script. Empty where the content is of nothing Markdown has.
    """
    content = blocks_of(safe_roots(document), notes=True)
    lines = _lines(content.blocks)
    for note in content.notes:
        if lines:
            lines.append("")
        lines += _indented(f"[^{note.label}]: ", _lines(note.blocks), 4)
    return "\n".join(lines) + "\n" if lines else ""


# Blocks. What they are nested in is bounded by blocks.MAX_DEPTH.


def _lines(blocks: Sequence[Block], tight: bool = False) -> list[str]:
    lines: list[str] = []
    before: Block | None = None
    changed = False
    for block in blocks:
        if before is not None and not tight:
            lines.append("")
        # A list right after one of its kind would go on with it, were its markers the same.
        alike = isinstance(block, List) and isinstance(before, List) and block.ordered == before.ordered
        changed = alike and not changed
        lines += _block(block, changed)
        before = block
    return lines


def _block(block: Block, changed: bool) -> list[str]:
    if isinstance(block, Paragraph):
        return _paragraph(block)
    if isinstance(block, List):
        return _list(block, changed)
    if isinstance(block, Quote):
        return [f"> {line}" if line else ">" for line in _lines(block.blocks)]
    if isinstance(block, Code):
        fence = "`" * (_longest_run(block.text) + 1 if "```" in block.text else 3)
        return [fence + block.language, *block.text.split("\n"), fence]
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Math):
        return [f"$${block.tex}$$"]
    assert isinstance(block, Rule)
    return [RULE]


def _paragraph(block: Paragraph) -> list[str]:
    lines = _inline(block.inlines).split("\n")
    if not block.level:
        return [f"{_line_start(line)}\\" for line in lines[:-1]] + [_line_start(lines[-1])]
    line = " ".join(lines)
    if line.endswith("#"):
        line = f"{line[:-1]}\\#"
    return [f"{'#' * block.level} {line}"]


def _list(block: List, changed: bool) -> list[str]:
    tight = all(_is_tight(item) for item in block.items)
    lines: list[str] = []
    for item in block.items:
        if block.ordered:
            marker = f"{item.number}{')' if changed else '.'} "
        else:
            marker = "* " if changed else "- "
        if lines and not tight:
            lines.append("")
        content = _lines(item.blocks, tight)
        if item.done is not None and isinstance(item.blocks[0], Paragraph) and not item.blocks[0].level:
            content[0] = f"[{'x' if item.done else ' '}] {content[0]}"
        lines += _indented(marker, content, len(marker))
    return lines


def _is_tight(item: Item) -> bool:
    """Whether no blank line is needed in an item: one paragraph, and lists that may follow it at once."""
    first, *rest = item.blocks
    if not isinstance(first, Paragraph) or first.level:
        return False
    return all(isinstance(each, List) and (not each.ordered or each.items[0].number == 1) for each in rest)


def _indented(marker: str, lines: Sequence[str], width: int) -> list[str]:
    indent = " " * width
    return [marker + lines[0], *(indent + line if line else "" for line in lines[1:])]


def _table(table: Table) -> list[str]:
    width = max(map(len, table.rows))
    rows = [[_inline(cell, in_table=True) for cell in row] for row in table.rows]
    head = rows.pop(0) if table.headed else []
    head += [""] * (width - len(head))
    return [_row(head), "|" + " --- |" * width, *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


# Text. A line break is written as a line feed here and by the paragraph as Markdown has it.

_ESCAPED: Final = re.compile(r"[\\`*\[\]<~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,40};)|(?<=\])\(")
_LINE_START: Final = re.compile(r"#{1,6}(?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|[-+](?=[\s:|-]|$)|[>=|]|:(?=-)")
_RUN: Final = re.compile("`+")
_ENTITY: Final = re.compile(r"&(?=#?\w{1,40};)")
_URL_ESCAPED: Final = re.compile(r"[\\()\[\]]")
_URL_ENCODED: Final = re.compile("[\\x00-\\x20\x7f-\xa0`<>|\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ud800-\udfff]")


def _line_start(line: str) -> str:
    """A line that begins no block."""
    match = _LINE_START.match(line)
    if match is None:
        return line
    mark = match[0]
    return f"{mark}\\{line[len(mark) :]}" if mark[0].isdigit() else f"\\{line}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _RUN.findall(text)), default=0)


def _inline(inlines: Sequence[Inline], in_table: bool = False) -> str:
    """A row of pieces as Markdown: links outermost, styles inside them."""
    groups = [(href, list(pieces)) for href, pieces in groupby(inlines, lambda piece: piece.href)]
    out: list[str] = []
    for index, (href, pieces) in enumerate(groups):
        if href is not None:
            text = _styled(pieces, in_table, "[", "]")
            # Else it could be read as the label of a note.
            mark = "\\" if text[0] == "^" else ""
            written = f"[{mark}{text}]({_url(href)})"
        else:
            # Two groups without a link never meet.
            written = _styled(pieces, in_table, ")" if index else "", "[" if index + 1 < len(groups) else "")
        out.append(written)
    return _row_of(out)


def _row_of(parts: list[str]) -> str:
    """Parts one after the other, with a mark escaped, or a space set, where two would be read as one."""
    for index in range(1, len(parts)):
        before, after = parts[index - 1], parts[index]
        if after[0] == "[" and before[-1] in "!^":
            parts[index - 1] = f"{before[:-1]}\\{before[-1]}"
        elif after[0] in ":(" and before[-1] == "]" and before[-2:] != "\\]":
            parts[index] = f"\\{after}"
        elif after[0] == "$" and before[-1] == "$" and before[-2:] != "\\$":
            parts[index] = f" {after}"
    return "".join(parts)


def _styled(pieces: Sequence[Inline], in_table: bool, before: str, after: str) -> str:
    """Pieces of one link, or of none, between the marks ``before`` and ``after``."""
    if not any(piece.style & STRUCK for piece in pieces):
        return _emphasised(pieces, in_table, before, after)
    runs = _struck_runs(pieces, before, after)
    out: list[str] = []
    for index, (struck, run) in enumerate(runs):
        # Runs alternate, so that marks stand beside every other one.
        left = "~" if struck or index else before
        right = "~" if struck or index + 1 < len(runs) else after
        text = _emphasised(run, in_table, left, right)
        out.append(f"~~{text}~~" if struck else text)
    return "".join(out)


def _struck_runs(pieces: Sequence[Inline], before: str, after: str) -> list[tuple[bool, list[Inline]]]:
    """Runs of pieces, in turn struck through and not; what marks cannot stand around is not."""
    runs: list[tuple[bool, list[Inline]]] = []
    end = 0
    for struck, group in groupby(pieces, lambda piece: bool(piece.style & STRUCK)):
        run = list(group)
        start, end = end, end + len(run)
        if struck:
            left = _edge(pieces[start - 1], -1) if start else _class(before)
            right = _edge(pieces[end], 0) if end < len(pieces) else _class(after)
            struck = _may_be_struck(left, run[0], 0) and _may_be_struck(right, run[-1], -1)
        if runs and runs[-1][0] == struck:
            runs[-1][1].extend(run)
        else:
            runs.append((struck, run))
    return runs


def _edge(piece: Inline, at: int) -> int:
    """The class of the first or last character of a piece, as it is written."""
    if piece.kind == TEXT:
        return _class(piece.text[at])
    return _SPACE if piece.kind == BREAK else _PUNCTUATION


def _may_be_struck(outer: int, piece: Inline, at: int) -> bool:
    # Other marks, or an escape, are punctuation too.
    is_bare = piece.kind == TEXT and piece.style == STRUCK
    inner = _edge(piece, at)
    return (is_bare and inner == _WORD) or (inner != _SPACE and outer in (_SPACE, _PUNCTUATION))


def _emphasised(pieces: Sequence[Inline], in_table: bool, before: str, after: str) -> str:
    """Pieces of which all or none are struck through."""
    if not any(piece.style & ~STRUCK for piece in pieces):
        return _row_of([_text(p.text, in_table) if p.kind == TEXT else _atom(p, in_table) for p in pieces])
    units: list[str] = []
    styles: list[int] = []
    for is_text, group in groupby(pieces, lambda piece: piece.kind == TEXT):
        run = list(group)
        begin = len(styles)
        styles += [piece.style & ~STRUCK for piece in run for _ in range(len(piece.text) if is_text else 1)]
        if is_text:
            units += _characters("".join(piece.text for piece in run), styles[begin:], in_table)
        else:
            units += [_atom(piece, in_table) for piece in run]
    _with_marks(units, styles, before, after)
    return _row_of(units)


def _text(text: str, in_table: bool) -> str:
    escaped = _ESCAPED.sub(r"\\\g<0>", text)
    return escaped.replace("|", r"\|") if in_table else escaped


def _characters(text: str, styles: Sequence[int], in_table: bool) -> list[str]:
    """The characters of a text, each as it is written."""
    escaped = {match.start() for match in _ESCAPED.finditer(text)}
    last = len(text) - 1
    for index, each in enumerate(text):
        # An underline is no mark inside a word, but where a word is in two styles marks come between.
        parted = each == "_" and (styles[max(index - 1, 0)] != styles[index] or styles[min(index + 1, last)] != styles[index])
        if parted or (in_table and each == "|"):
            escaped.add(index)
    return [f"\\{each}" if index in escaped else each for index, each in enumerate(text)]


def _atom(piece: Inline, in_table: bool) -> str:
    """A piece that styles go around."""
    text = piece.text
    if piece.kind == CODE:
        fence = "`" * (_longest_run(text) + 1) if "`" in text else "`"
        pad = " " if text[0] == "`" or text[-1] == "`" else ""
        code = text.replace("|", r"\|") if in_table else text
        return f"{fence}{pad}{code}{pad}{fence}"
    if piece.kind == IMAGE:
        return f"![{_text(text, in_table)}]({_url(piece.source)})"
    if piece.kind == MATH:
        tex = text.replace(r"\|", r" \Vert ").replace("|", r" \vert ") if in_table else text
        return f"${tex}$"
    return f"[^{text}]" if piece.kind == NOTE else "\n"


def _url(url: str) -> str:
    url = _URL_ENCODED.sub(lambda match: quote(match[0]), url)
    return _ENTITY.sub("&amp;", _URL_ESCAPED.sub(r"\\\g<0>", url))


# Emphasis. Marks are read as emphasis only beside certain characters (CommonMark, 6.2, left- and right-flanking). Where the
# characters at an end do not allow it, the end moves inwards; where styles meet or cross, one of them is given up.

_SPACE, _PUNCTUATION, _SYMBOL, _WORD = range(4)
_MARKS: Final = {STRONG: "**", EMPHASIS: "*", STRONG | EMPHASIS: "***"}


@lru_cache(4096)
def _class(character: str) -> int:
    """What a character is to the rules of emphasis; older versions of them know no symbols but ASCII's as punctuation."""
    if not character or character.isspace():
        return _SPACE
    category = unicodedata.category(character)
    if category[0] == "P" or (category[0] == "S" and character.isascii()):
        return _PUNCTUATION
    return _SYMBOL if category[0] == "S" else _WORD


class _Row(NamedTuple):
    """Units of text between two marks."""

    units: Sequence[str]
    before: str
    after: str

    def outer(self, start: int) -> int:
        """The class of the character before a unit."""
        return _class(self.units[start - 1][-1] if start else self.before)

    def first(self, start: int) -> int:
        return _class(self.units[start][0])

    def last(self, end: int) -> int:
        return _class(self.units[end - 1][-1])

    def beyond(self, end: int) -> int:
        """The class of the character after the last of the units up to ``end``."""
        return _class(self.units[end][0] if end < len(self.units) else self.after)

    def shrunk(self, start: int, end: int) -> tuple[int, int]:
        """The longest part of a span that marks can stand around."""
        while start < end and not _may_stand(self.outer(start), self.first(start)):
            start += 1
        while start < end and not _may_stand(self.beyond(end), self.last(end)):
            end -= 1
        return start, end

    def is_clear(self, start: int, end: int) -> bool:
        """Whether marks around a span can be read as its beginning and its end only."""
        return _is_clear(self.outer(start), self.first(start)) and _is_clear(self.beyond(end), self.last(end))


def _may_stand(outer: int, inner: int) -> bool:
    return inner == _WORD or (inner != _SPACE and outer in (_SPACE, _PUNCTUATION))


def _is_clear(outer: int, inner: int) -> bool:
    return outer == _SPACE or (outer == _PUNCTUATION and inner == _WORD)


def _with_marks(units: list[str], styles: list[int], before: str, after: str) -> None:
    """Puts marks of emphasis around the units that have a style."""
    row = _Row(tuple(units), before, after)
    spans: list[tuple[int, int, int]] = []
    start, count = 0, len(units)
    while start < count:
        if not styles[start]:
            start += 1
            continue
        end, style = start, styles[start]
        while end < count and style & styles[end]:
            style &= styles[end]
            end += 1
        first, last = row.shrunk(start, end)
        if first < last:
            spans.append((first, last, style))
            if style != STRONG | EMPHASIS:
                spans += _inner(row, styles, first, last, (STRONG | EMPHASIS) - style)
        # A style that begins right here would have its marks run into those of the last one.
        start = end
        given_up = styles[end] if end < count else 0
        while start < count and given_up and styles[start] == given_up:
            start += 1
    for first, last, style in reversed(spans):
        units[first] = _MARKS[style] + units[first]
        units[last - 1] += _MARKS[style]


def _inner(row: _Row, styles: Sequence[int], start: int, end: int, style: int) -> list[tuple[int, int, int]]:
    """The spans inside a span that have the other style as well; none where a mark could be taken for another."""
    found = []
    position = start
    while position < end:
        stop = position
        while stop < end and styles[stop] & style:
            stop += 1
        if stop == position:
            position += 1
            continue
        first, last = row.shrunk(position, stop)
        if first < last:
            found.append((first, last, style))
        position = stop
    whole = [(start, end, style), *found]
    return found if all(row.is_clear(first, last) for first, last, _ in whole) else []
