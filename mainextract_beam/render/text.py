"""A document as text to read: list markers, rows of tables, code as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from mainextract_beam.document import Document
from mainextract_beam.render.blocks import BREAK, IMAGE, Block, Code, Inline, List, Math, Paragraph, Quote, Table, blocks_of


def to_text(document: Document) -> str:
    """The document as text: a line per paragraph, list item or row of a table, a blank line between blocks.

    Items have their marker, nested ones are indented; the cells of a row are parted by a tab. ``Document.text`` is the
    plainer form that words are counted in.
    """
    lines = _lines(blocks_of(document.roots).blocks)
    return "\n".join(lines) + "\n" if lines else ""


def _lines(blocks: Sequence[Block], tight: bool = False) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        written = _block(block)
        if written:
            if lines and not tight:
                lines.append("")
            lines += written
    return lines


def _block(block: Block) -> list[str]:
    if isinstance(block, Paragraph):
        text = _text(block.inlines).strip()
        return text.split("\n") if text else []
    if isinstance(block, List):
        return _list(block)
    if isinstance(block, Quote):
        return _lines(block.blocks)
    if isinstance(block, Code):
        return block.text.split("\n")
    if isinstance(block, Table):
        return ["\t".join(map(_text, row)) for row in block.rows]
    return [block.tex] if isinstance(block, Math) else []


def _list(block: List) -> list[str]:
    tight = all(sum(not isinstance(each, List) for each in item.blocks) < 2 for item in block.items)
    lines: list[str] = []
    for item in block.items:
        content = _lines(item.blocks, tight)
        if not content:
            continue
        marker = f"{item.number}. " if block.ordered else "- "
        if item.done is not None:
            marker += "[x] " if item.done else "[ ] "
        indent = " " * len(marker)
        if lines and not tight:
            lines.append("")
        lines += [marker + content[0], *(indent + line if line else "" for line in content[1:])]
    return lines


def _text(inlines: Sequence[Inline]) -> str:
    return "".join("\n" if piece.kind == BREAK else "" if piece.kind == IMAGE else piece.text for piece in inlines)
