"""A document as blocks of inline pieces: what Markdown and text are written from.

The tree of a page nests at will; here paragraphs, headings, lists, tables and the rest stand one after the other, inside
quotes and list items only, and what a paragraph holds is a flat row of pieces, each with its style and its link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, NamedTuple

from lxml.etree import Element, Entity

from mainextract_beam.names import BLOCK, NOT_TEXT, local_name
from mainextract_beam.render.tex import tex_of
from mainextract_beam.sanitize import safe_url
from mainextract_beam.srcset import parse_srcset
from mainextract_beam.text import WHITESPACE, entity_text, is_blank, normalize

STRONG: Final = 1
EMPHASIS: Final = 2
STRUCK: Final = 4

TEXT, CODE, IMAGE, MATH, NOTE, BREAK = "text", "code", "image", "math", "note", "break"


class Inline(NamedTuple):
    """A piece of a paragraph.

    Attributes:
        kind: what it is.
        text: its text; of an image the alternative text, of math TeX, of a reference to a note the note's label.
        style: STRONG, EMPHASIS, STRUCK (through), several or none.
        href: where it links to, None where it does not.
        source: the URL of an image.
    """

    kind: str
    text: str
    style: int = 0
    href: str | None = None
    source: str = ""


@dataclass(slots=True)
class Paragraph:
    """A paragraph; a heading where ``level`` is 1 to 6."""

    inlines: list[Inline]
    level: int = 0


@dataclass(slots=True)
class Code:
    """A block of text to be kept as it stands."""

    text: str
    language: str = ""


@dataclass(slots=True)
class Math:
    """A formula set apart, as TeX."""

    tex: str


@dataclass(slots=True)
class Rule:
    """A thematic break."""


@dataclass(slots=True)
class Table:
    """Rows of cells; ``headed`` where the first one names the columns."""

    rows: list[list[list[Inline]]] = field(default_factory=list)
    headed: bool = False


@dataclass(slots=True)
class Quote:
    """A quotation, or what stands beside the text."""

    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """An item of a list; ``done`` says of a task whether it is, and is None for any other item."""

    number: int = 0
    done: bool | None = None
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class List:
    """A list, its items never empty.

    ``next`` is the number of the next item while it is read; ``defines`` says that its items explain the terms before it.
    """

    ordered: bool = False
    items: list[Item] = field(default_factory=list)
    next: int = field(default=1, compare=False, repr=False)
    defines: bool = field(default=False, compare=False, repr=False)


@dataclass(slots=True)
class Note:
    """A note that the text refers to by its label."""

    label: str
    blocks: list[Block] = field(default_factory=list)


Block = Paragraph | Code | Math | Rule | Table | Quote | List
_Container = Quote | Item | List | Note


class Content(NamedTuple):
    """The blocks of a document, and the notes that they refer to."""

    blocks: list[Block]
    notes: list[Note]


MAX_DEPTH: Final = 16
"""Quotes, lists and items inside each other; what lies deeper goes on at that depth, as readers of Markdown have limits."""

MAX_COLUMNS: Final = 64
"""Columns that cells spanning several may fill with empty ones."""

LAYOUT_PARAGRAPHS: Final = 3
"""Paragraphs one cell of a table of data holds at the most."""

_STYLES: Final = {"b": STRONG, "strong": STRONG, "dt": STRONG, "em": EMPHASIS, "i": EMPHASIS} | dict.fromkeys(
    ("del", "s", "strike"), STRUCK
)
_CODE: Final = frozenset({"code", "kbd", "samp", "tt"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_NOTES: Final = frozenset({"li", "p", "div", "aside", "section", "dd", "footer"})
_NO_NOTES: Final = frozenset({"table", "pre", "math", "svg"})
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
# A cell that holds one of these cannot be written in one line.
_NO_CELL: Final = frozenset({"table", "pre", "blockquote", "dl", "hr", *_LISTS, *_HEADINGS})
_ROWS: Final = ("table", "thead", "tbody", "tfoot")
# The parts of a table, and what each may stand in.
_TABLE_PARTS: Final = {
    "td": ("tr",),
    "th": ("tr",),
    "tr": _ROWS,
    **dict.fromkeys(("thead", "tbody", "tfoot", "caption", "colgroup"), ("table",)),
    "col": ("table", "colgroup"),
}
_LAYOUT_ROLES: Final = frozenset({"presentation", "none"})
_SVG_TEXT: Final = frozenset({"title", "desc", "text"})
_LANGUAGE: Final = re.compile(r"(?:^|\s)language-([\w+#.-]+)")
_SPACES: Final = re.compile(f"[{re.escape(WHITESPACE)}\x85]+")
_LABEL: Final = re.compile(r"\w{1,16}", re.ASCII)
_SMALL: Final = re.compile(r"\s*([0-9()+=−-]{1,8}|[ni])\s*")
_RAISED: Final = str.maketrans("0123456789()+=−-ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁼⁻⁻ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789()+=−-", "₀₁₂₃₄₅₆₇₈₉₍₎₊₌₋₋")


def blocks_of(roots: Iterable[Any], *, notes: bool = False) -> Content:
    """The blocks of elements; iterative over depth, linear in their size.

    Args:
        roots: the elements, in document order.
        notes: whether notes and the references to them are told from other links.
    """
    roots = list(roots)
    builder = _Builder(_labels(roots) if notes else {})
    for root in roots:
        builder.walk(root)
        builder.flush()
    return Content(builder.blocks, builder.notes)


def _labels(roots: Sequence[Any]) -> dict[Any, str]:
    """The labels of the notes that something refers to, by their element."""
    found: dict[str, Any] = {}
    references: list[tuple[str, str]] = []
    for root in roots:
        for element in root.iter(Element):
            role = element.get("role")
            if role == "doc-footnote" and element.get("id") and _can_be_note(element):
                found.setdefault(element.get("id"), element)
            elif role == "doc-noteref" and element.get("href", "").startswith("#"):
                references.append((element.get("href")[1:], normalize("".join(element.itertext())).strip("[]()")))
    labels: dict[Any, str] = {}
    taken: set[str] = set()
    for name, stated in references:
        note = found.get(name)
        if note is None or note in labels:
            continue
        label = stated
        if not _LABEL.fullmatch(label) or label.casefold() in taken:
            number = len(labels) + 1
            while str(number) in taken:
                number += 1
            label = str(number)
        taken.add(label.casefold())
        labels[note] = label
    return labels


def _can_be_note(element: Any) -> bool:
    """Whether an element is one that becomes a block of its own."""
    return local_name(element) in _NOTES and not any(local_name(each) in _NO_NOTES for each in element.iterancestors())


class _Builder:
    """Gathers blocks while a tree is walked."""

    def __init__(self, labels: dict[Any, str]) -> None:
        self.blocks: list[Block] = []
        self.notes: list[Note] = []
        self._labels = labels
        self._by_name = {f"#{note.get('id')}": label for note, label in labels.items()}
        self._containers: list[_Container] = []
        self._inlines: list[Inline] = []
        self._styles = {STRONG: 0, EMPHASIS: 0, STRUCK: 0}
        self._code = 0
        self._links: list[str | None] = []
        self._heading = 0
        self._table: _Rows | None = None
        # What is to be undone when an element ends, a row to each that is open.
        self._open: list[list[Any]] = []

    def walk(self, root: Any) -> None:
        """Takes up an element."""
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            if node is None:
                self._leave(stack.pop())
                continue
            if isinstance(node, str):
                self._text(node)
                continue
            if node is not root and node.tail:
                stack.append(node.tail)
            name = local_name(node)
            if name is None:
                if node.tag is Entity:
                    self._text(entity_text(node.name))
            elif name not in NOT_TEXT and name != "head" and self._enter(node, name):
                stack.append(name)
                stack.append(None)
                stack.extend(reversed(node))
                if node.text:
                    stack.append(node.text)

    # Elements

    def _enter(self, element: Any, name: str) -> bool:
        """Begins an element; False where it is done with already."""
        if name in ("br", "wbr"):
            if name == "br":
                self._inlines.append(Inline(BREAK, ""))
            return False
        if name == "img":
            self._image(element)
            return False
        if name == "math":
            self._math(element)
            return False
        role = element.get("role")
        if role is not None and self._labels and name == "a":
            if role == "doc-backlink" and any(isinstance(each, Note) for each in self._containers):
                return False
            if role == "doc-noteref" and (label := self._by_name.get(element.get("href"))):
                self._inlines.append(Inline(NOTE, label))
                return False
        undo: list[Any] = []
        if name in BLOCK or name in ("td", "th"):
            self.flush()
            if name == "pre":
                self._pre(element)
                return False
            if name == "hr":
                self._add(Rule())
                return False
            self._enter_block(element, name, undo)
        elif name in ("sup", "sub") and not len(element) and self._raise(element, name):
            return False
        elif name in ("video", "audio"):
            self._media(element, name)
        elif name in _SVG_TEXT:
            self._text(" ")
        if style := _STYLES.get(name):
            self._styles[style] += 1
        elif name in _CODE:
            self._code += 1
        elif name == "a":
            self._links.append(_url(element.get("href")))
        self._open.append(undo)
        return True

    def _leave(self, name: str) -> None:
        """Ends an element."""
        is_block = name in BLOCK or name in ("td", "th")
        if is_block:
            self.flush()
        if style := _STYLES.get(name):
            self._styles[style] -= 1
        elif name in _CODE:
            self._code -= 1
        elif name == "a":
            self._links.pop()
        elif name in _SVG_TEXT:
            self._text(" ")
        for undo in reversed(self._open.pop()):
            undo()

    def _enter_block(self, element: Any, name: str, undo: list[Any]) -> None:
        if name in _HEADINGS and self._table is None:
            outer, self._heading = self._heading, _HEADINGS[name]
            undo.append(lambda: setattr(self, "_heading", outer))
        elif name == "table":
            outer_table = self._table
            self._table = _Rows() if outer_table is None and _is_data(element) else None
            table = self._table
            undo.append(lambda: self._end_table(table, outer_table))
        elif self._table is not None:
            self._table.enter(element, name)
            if name in ("td", "th"):
                undo.append(self._table.leave_cell)
        elif element in self._labels:
            note = Note(self._labels[element])
            self.notes.append(note)
            self._push(note, undo)
        elif name == "li":
            self._enter_item(element, undo)
        elif name == "dd" and len(self._containers) < MAX_DEPTH - 1:
            self._enter_definition(undo)
        elif name in _LISTS and len(self._containers) < MAX_DEPTH - 1:
            new = List(name == "ol", next=_number(element.get("start")) or 1)
            self._add(new)
            self._push(new, undo)
        elif (name == "blockquote" or (name == "aside" and element.get("data-callout"))) and len(self._containers) < MAX_DEPTH:
            quote = Quote()
            self._add(quote)
            self._push(quote, undo)

    def _enter_item(self, element: Any, undo: list[Any]) -> None:
        if self._containers and isinstance(listed := self._containers[-1], List):
            item = _new_item(listed, _number(element.get("value")))
            task = element.get("data-task")
            item.done = None if task is None else task == "done"
            self._push(item, undo)

    def _enter_definition(self, undo: list[Any]) -> None:
        """What explains a term: an item of a list, that of the explanation right before it."""
        siblings = self._siblings()
        last = siblings[-1] if siblings else None
        if not isinstance(last, List) or not last.defines:
            last = List(defines=True)
            self._add(last)
        self._push(last, undo)
        self._push(_new_item(last), undo)

    def _push(self, container: _Container, undo: list[Any]) -> None:
        self._containers.append(container)
        undo.append(self._pop)

    def _pop(self) -> None:
        container = self._containers.pop()
        if isinstance(container, Note) and container.blocks and _is_brackets(container.blocks[0]):
            # They stood around the link back.
            del container.blocks[0]
        if container.items if isinstance(container, List) else container.blocks:
            return
        if isinstance(container, Note):
            # What is referred to has to be there.
            container.blocks.append(Paragraph([Inline(TEXT, container.label)]))
        elif isinstance(container, Item):
            self._drop_empty_item()
        else:
            self._siblings().pop()
            self._drop_empty_item()

    def _drop_empty_item(self) -> None:
        top = self._containers[-1] if self._containers else None
        if isinstance(top, List) and top.items and not top.items[-1].blocks:
            top.items.pop()

    def _siblings(self) -> list[Block]:
        """Where a block goes that comes next."""
        if not self._containers:
            return self.blocks
        top = self._containers[-1]
        if isinstance(top, List):
            return (top.items[-1] if top.items else _new_item(top)).blocks
        return top.blocks

    def _add(self, block: Block) -> None:
        self._siblings().append(block)

    def _end_table(self, table: _Rows | None, outer: _Rows | None) -> None:
        self._table = outer
        if table is not None and (found := table.table()) is not None:
            self._add(found)

    # Pieces

    def _style(self) -> int:
        return sum(style for style, depth in self._styles.items() if depth)

    def _link(self) -> str | None:
        return self._links[-1] if self._links else None

    def _text(self, text: str) -> None:
        self._inlines.append(Inline(CODE if self._code else TEXT, text, self._style(), self._link()))

    def _raise(self, element: Any, name: str) -> bool:
        """Numbers set higher or lower as the characters for them, so that ``10<sup>6</sup>`` is not 106."""
        match = _SMALL.fullmatch(element.text or "")
        before = self._inlines[-1] if self._inlines else None
        if match is None or before is None or before.kind != TEXT or self._code or not before.text[-1:].strip():
            return False
        if name == "sub" and match[1] in "ni":
            return False
        self._text(match[0].translate(_RAISED if name == "sup" else _LOWERED))
        return True

    def _image(self, element: Any) -> None:
        source = _url(element.get("src"), image=True)
        if source is None:
            candidates = parse_srcset(element.get("srcset") or "")
            source = _url(candidates[0][0], image=True) if candidates else None
        if source is not None:
            self._inlines.append(Inline(IMAGE, normalize(element.get("alt")), self._style(), self._link(), source))

    def _media(self, element: Any, name: str) -> None:
        """A film or a sound: a link to it."""
        source = _url(element.get("src"))
        if source is None:
            source = next((url for child in element.iter("source") if (url := _url(child.get("src")))), None)
        if source is not None:
            text = normalize(element.get("title") or element.get("aria-label")) or source
            self._inlines += [Inline(TEXT, " "), Inline(TEXT, text, 0, source), Inline(TEXT, " ")]

    def _math(self, element: Any) -> None:
        tex = tex_of(element)
        if tex is None:
            self._text(_raw_text(element))
        elif element.get("display") == "block" and self._table is None and not self._heading and not self._link():
            self.flush()
            self._add(Math(tex))
        else:
            self._inlines.append(Inline(MATH, tex, self._style(), self._link()))

    def _pre(self, element: Any) -> None:
        text = _pre_text(element)
        if text.strip(WHITESPACE):
            named = next((match for each in element.iter(Element) if (match := _LANGUAGE.search(each.get("class") or ""))), None)
            self._add(Code(text, named[1] if named else ""))
        for image in element.iter(Element):
            if local_name(image) == "img":
                self._image(image)
        self.flush()

    def flush(self) -> None:
        """Ends the paragraph."""
        if not self._inlines:
            return
        inlines, self._inlines = self._inlines, []
        if self._table is not None and self._table.in_cell:
            self._table.add(inlines)
            return
        if self._heading:
            # A heading is bold as it is.
            inlines = [Inline(TEXT, " ") if each.kind == BREAK else each._replace(style=each.style & ~STRONG) for each in inlines]
        for paragraph in settle(inlines):
            self._add(Paragraph(paragraph, self._heading))


def _is_brackets(block: Block) -> bool:
    return isinstance(block, Paragraph) and all(piece.kind == TEXT and not piece.text.strip("[]() .") for piece in block.inlines)


def _new_item(listed: List, number: int | None = None) -> Item:
    item = Item(listed.next if number is None else number)
    listed.next = item.number + 1
    listed.items.append(item)
    return item


class _Rows:
    """A table while it is read."""

    def __init__(self) -> None:
        self.in_cell = False
        self._rows: list[list[list[Inline]]] = []
        self._kinds: list[set[str]] = []
        self._cell: list[Inline] = []
        self._rowspans: dict[int, int] = {}
        self._span = 1

    def enter(self, element: Any, name: str) -> None:
        if name == "tr":
            self._begin_row()
        elif name in ("td", "th"):
            if not self._rows:
                self._begin_row()
            self._fill()
            self.in_cell = True
            self._cell = []
            self._kinds[-1].add(name)
            self._span = max(1, min(_number(element.get("colspan")) or 1, MAX_COLUMNS))
            down = _number(element.get("rowspan")) or 1
            column = len(self._rows[-1])
            if down > 1 and column + self._span <= MAX_COLUMNS:
                for each in range(column, column + self._span):
                    self._rowspans[each] = down

    def add(self, inlines: list[Inline]) -> None:
        if self._cell:
            self._cell.append(Inline(TEXT, " "))
        self._cell += [Inline(TEXT, " ") if each.kind == BREAK else each for each in inlines]

    def leave_cell(self) -> None:
        self.in_cell = False
        settled = settle(self._cell)
        row = self._rows[-1]
        row.append(settled[0] if settled else [])
        if len(row) + self._span <= MAX_COLUMNS:
            row += [[] for _ in range(self._span - 1)]

    def table(self) -> Table | None:
        """The table, without its empty rows; None where there is none."""
        self._fill()
        headed = bool(self._kinds) and self._kinds[0] == {"th"}
        rows = []
        for index, row in enumerate(self._rows):
            if any(row):
                while not row[-1]:
                    row.pop()
                rows.append(row)
            elif index == 0:
                headed = False
        return Table(rows, headed) if rows else None

    def _begin_row(self) -> None:
        self._fill()
        self._rows.append([])
        self._kinds.append(set())
        self._rowspans = {column: rows - 1 for column, rows in self._rowspans.items() if rows > 1}

    def _fill(self) -> None:
        """Fills the places that cells of rows above reach down to."""
        if self._rows and self._rowspans:
            row = self._rows[-1]
            while len(row) in self._rowspans:
                row.append([])


def settle(inlines: Iterable[Inline]) -> list[list[Inline]]:
    """The paragraphs of a row of pieces: white space settled, alike neighbours joined, parted by breaks in a row."""
    paragraphs: list[list[Inline]] = []
    out: list[Inline] = []
    breaks = 0
    space: Inline | None = None
    for piece in _spaced(inlines):
        if piece.kind == BREAK:
            breaks += 1
            continue
        if piece.kind == TEXT and piece.text == " ":
            space = piece if space is None else _common(space, piece)
            continue
        if breaks and out:
            if breaks == 1:
                out.append(Inline(BREAK, ""))
            else:
                paragraphs.append(out)
                out = []
        elif space is not None and out:
            # A space at the edge of a link, or of bold text, is outside.
            out.append(_common(_common(space, out[-1]), piece))
        breaks, space = 0, None
        out.append(piece)
    if out:
        paragraphs.append(out)
    return [list(_joined(paragraph)) for paragraph in paragraphs]


def _common(space: Inline, other: Inline) -> Inline:
    return space._replace(style=space.style & other.style, href=space.href if space.href == other.href else None)


def _joined(pieces: Iterable[Inline]) -> Iterator[Inline]:
    """The pieces, texts of the same style and link in a row as one."""
    for (kind, style, href), group in groupby(pieces, lambda piece: (piece.kind, piece.style, piece.href)):
        if kind == TEXT:
            yield Inline(TEXT, "".join(piece.text for piece in group), style, href)
        else:
            yield from group


def _spaced(inlines: Iterable[Inline]) -> Iterator[Inline]:
    """The pieces with each run of white space one space, those at the ends of a piece as pieces of their own."""
    for piece in _joined_code(inlines):
        if piece.kind not in (TEXT, CODE):
            yield piece
            continue
        text = _SPACES.sub(" ", piece.text)
        bare = text.strip(" ")
        if not bare:
            if text:
                yield piece._replace(kind=TEXT, text=" ")
            continue
        if text[0] == " ":
            yield piece._replace(kind=TEXT, text=" ")
        yield piece._replace(text=bare)
        if text[-1] == " ":
            yield piece._replace(kind=TEXT, text=" ")


def _joined_code(inlines: Iterable[Inline]) -> Iterator[Inline]:
    held: list[Inline] = []
    for piece in inlines:
        if held and (piece.kind != CODE or piece.href != held[0].href):
            yield _one(held)
            held = []
        if piece.kind == CODE:
            held.append(piece)
        else:
            yield piece
    if held:
        yield _one(held)


def _one(pieces: list[Inline]) -> Inline:
    style = STRONG | EMPHASIS | STRUCK
    for piece in pieces:
        style &= piece.style
    return pieces[0]._replace(text="".join(piece.text for piece in pieces), style=style)


def _number(value: str | None) -> int | None:
    """A whole number of 0 to 99,999,999, as attributes state them; Markdown reads nine digits, and counts on from it."""
    stripped = (value or "").strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) <= 8 else None


def _url(value: str | None, *, image: bool = False) -> str | None:
    value = (value or "").strip(WHITESPACE)
    return safe_url(value, image=image) if value else None


def _is_data(table: Any) -> bool:
    """Whether a table can be rows of one line each: two columns, nothing beside its cells, none of which holds blocks."""
    if (table.get("role") or "").strip().lower() in _LAYOUT_ROLES:
        return False
    frame = {table: "table"}
    cells = columns = paragraphs = 0
    for element in table.iter(Element):
        name = local_name(element)
        if element is not table:
            if name in _NO_CELL:
                return False
            around = frame.get(element.getparent())
            if name in _TABLE_PARTS:
                if around not in _TABLE_PARTS[name]:
                    return False
                if name not in ("td", "th", "caption"):
                    frame[element] = name
            elif around is not None and name not in NOT_TEXT:
                return False
            if around is not None and not is_blank(element.tail):
                return False
        if element in frame and not is_blank(element.text):
            return False
        if name == "tr":
            cells = 0
        elif name in ("td", "th"):
            cells += 1
            columns = max(columns, cells)
            paragraphs = 0
        elif name == "p":
            paragraphs += 1
            if paragraphs > LAYOUT_PARAGRAPHS:
                return False
    return columns > 1


def _raw_text(element: Any) -> str:
    return " ".join(element.itertext())


class _End(NamedTuple):
    """What parts an element from what is beside it, where none of ``ends`` does."""

    mark: str
    ends: tuple[str, ...]


_LINE_END: Final = _End("\n", ("\n",))
_CELL_END: Final = _End("\t", ("\t", "\n"))


def _pre_text(element: Any) -> str:
    """The text of a ``pre``: line breaks and block-level elements end lines, what else it holds is kept as it stands."""
    out: list[str] = []
    stack: list[Any] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            out.append(node)
            continue
        if isinstance(node, _End):
            if out and not out[-1].endswith(node.ends):
                out.append(node.mark)
            continue
        if node is not element and node.tail:
            stack.append(node.tail)
        name = local_name(node)
        if name is None:
            if node.tag is Entity:
                out.append(entity_text(node.name))
        elif name == "br":
            out.append("\n")
        elif name not in NOT_TEXT:
            end = _CELL_END if name in ("td", "th") else _LINE_END if name in BLOCK and node is not element else None
            if end is not None:
                if out and not out[-1].endswith(end.ends):
                    out.append(end.mark)
                stack.append(end)
            stack.extend(reversed(node))
            if node.text:
                stack.append(node.text)
    text = "".join(out).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    while lines and not lines[0].strip(WHITESPACE):
        del lines[0]
    return "\n".join(lines).rstrip(WHITESPACE)
