"""Markdown read back by a CommonMark parser, as the blocks that the package writes it from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

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
    Content,
    Inline,
    Item,
    List,
    Math,
    Note,
    Paragraph,
    Quote,
    Rule,
    Table,
)

PARSER = MarkdownIt("commonmark", {"maxNesting": 60}).enable(["table", "strikethrough"]).use(footnote_plugin).use(dollarmath_plugin)
HTML = ("html_block", "html_inline")


def read(markdown: str) -> Content:
    """The blocks and notes that a CommonMark parser sees; HTML and line breaks that mean nothing are errors."""
    blocks: list[Block] = []
    notes: list[Note] = []
    places: list[Any] = [blocks]
    row: list[Any] = []
    for token in PARSER.parse(markdown):
        kind = token.type
        assert kind not in HTML, token.content
        place = places[-1]
        if kind == "fence":
            place.append(Code(token.content.removesuffix("\n"), token.info))
        elif kind == "hr":
            place.append(Rule())
        elif kind == "math_block":
            place.append(Math(token.content.strip()))
        elif kind in ("paragraph_open", "heading_open"):
            place.append(Paragraph([], int(token.tag[1]) if token.tag[0] == "h" else 0))
        elif kind == "inline" and row:
            row[-1][-1] = list(inlines(token))
        elif kind == "inline":
            place[-1].inlines = list(inlines(token))
        elif kind in ("bullet_list_open", "ordered_list_open"):
            start = int(token.attrs.get("start", 1))
            place.append(List(kind == "ordered_list_open", next=start))
            places.append(place[-1])
        elif kind == "list_item_open":
            place.items.append(Item(place.next))
            place.next += 1
            places.append(place.items[-1].blocks)
        elif kind == "blockquote_open":
            place.append(Quote())
            places.append(place[-1].blocks)
        elif kind == "footnote_open":
            notes.append(Note(token.meta["label"]))
            places.append(notes[-1].blocks)
        elif kind == "table_open":
            place.append(Table([], True))
        elif kind == "tr_open":
            row = place[-1].rows
            row.append([])
        elif kind in ("td_open", "th_open"):
            row[-1].append([])
        elif kind == "table_close":
            row = []
        elif kind in ("bullet_list_close", "ordered_list_close", "list_item_close", "blockquote_close", "footnote_close"):
            places.pop()
        else:
            assert kind.endswith("_close") or kind in (
                "thead_open", "tbody_open", "footnote_block_open", "footnote_anchor",
            ), kind  # fmt: skip
    return Content(blocks, notes)


def inlines(token: Token) -> Iterator[Inline]:
    """The pieces of a paragraph."""
    strong = emphasis = struck = 0
    href: str | None = None
    for child in token.children or ():
        style = (STRONG if strong else 0) | (EMPHASIS if emphasis else 0) | (STRUCK if struck else 0)
        kind = child.type
        assert kind not in HTML, child.content
        if kind == "text" and not child.content:
            continue
        if kind == "text":
            yield Inline(TEXT, child.content, style, href)
        elif kind == "code_inline":
            yield Inline(CODE, child.content, style, href)
        elif kind == "math_inline":
            yield Inline(MATH, child.content, style, href)
        elif kind == "image":
            alt = "".join(each.content for each in child.children or ())
            yield Inline(IMAGE, alt, style, href, str(child.attrs["src"]))
        elif kind == "footnote_ref":
            yield Inline(NOTE, child.meta["label"])
        elif kind == "hardbreak":
            yield Inline(BREAK, "")
        elif kind == "link_open":
            href = str(child.attrs["href"])
        elif kind == "link_close":
            href = None
        elif kind in ("strong_open", "strong_close"):
            strong += child.nesting
        elif kind in ("em_open", "em_close"):
            emphasis += child.nesting
        elif kind in ("s_open", "s_close"):
            struck += child.nesting
        else:
            raise AssertionError(f"{kind}: {child.content!r}")


def plain(content: Content) -> Content:
    """Content in the form that what Markdown states is compared in, without styles."""
    return Content(
        [_plain(block) for block in content.blocks],
        [replace(each, blocks=list(map(_plain, each.blocks))) for each in content.notes],
    )


def _plain(block: Block) -> Block:
    if isinstance(block, Paragraph):
        return replace(block, inlines=_bare(block.inlines))
    if isinstance(block, Quote):
        return Quote(list(map(_plain, block.blocks)))
    if isinstance(block, List):
        first = block.items[0].number if block.ordered else 1
        return List(block.ordered, [_plain_item(first + index, item) for index, item in enumerate(block.items)])
    if isinstance(block, Table):
        rows = block.rows if block.headed else [[], *block.rows]
        bare = [[_bare(cell) for cell in row] for row in rows]
        for row in bare:
            while row and not row[-1]:
                row.pop()
        return Table(bare, True)
    return block


def _plain_item(number: int, item: Item) -> Item:
    blocks = list(map(_plain, item.blocks))
    first = blocks[0] if blocks else None
    if item.done is not None and isinstance(first, Paragraph) and not first.level:
        blocks[0] = Paragraph(_bare([Inline(TEXT, "[x] " if item.done else "[ ] "), *first.inlines]))
    return Item(number, None, blocks)


def _bare(row: list[Inline]) -> list[Inline]:
    out: list[Inline] = []
    for each in row:
        href = None if each.href is None else PARSER.normalizeLink(each.href)
        bare = Inline(each.kind, each.text, 0, href, PARSER.normalizeLink(each.source))
        if out and bare.kind == TEXT == out[-1].kind and bare.href == out[-1].href:
            out[-1] = bare._replace(text=out[-1].text + bare.text)
        else:
            out.append(bare)
    return out


def styled(content: Content) -> list[tuple[str, int]]:
    """Every character of the content and every piece that is not text, each with its style."""
    found: list[tuple[str, int]] = []
    for paragraph in paragraphs(content):
        for piece in paragraph:
            found += [(each, piece.style) for each in (piece.text if piece.kind == TEXT else [f"{piece.kind} {piece.text}"])]
    return found


def paragraphs(content: Content) -> Iterator[list[Inline]]:
    """The rows of pieces of all paragraphs, headings and cells, notes last."""
    stack: list[Any] = [*reversed([*content.blocks, *content.notes])]
    while stack:
        block = stack.pop()
        if isinstance(block, Paragraph):
            yield block.inlines
        elif isinstance(block, Table):
            yield from (cell for row in block.rows for cell in row)
        elif isinstance(block, List):
            stack += reversed(block.items)
        elif isinstance(block, Code):
            yield [Inline(TEXT, block.text)]
        elif isinstance(block, Math):
            yield [Inline(TEXT, block.tex)]
        elif isinstance(block, (Quote, Item, Note)):
            stack += reversed(block.blocks)
