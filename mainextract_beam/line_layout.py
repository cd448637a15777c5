"""How a page's text falls into lines: the source's own line breaks, or a line per block-level element.

Both layouts are made of one reading of the tree (`read_text`): its text nodes in document order, what stands between them, and its
images. Which lines are content is the concern of lines.py.
"""

from __future__ import annotations

import re
import string
from typing import Any, Final, NamedTuple, TypeAlias

from lxml import etree

from mainextract_beam.names import BLOCK, HTML_NAMESPACES, NOT_TEXT, local_name
from mainextract_beam.text import WHITESPACE, entity_text, normalize
from mainextract_beam.walks import compiled

# Elements whose text no reader sees among the lines of a page, beside those that hold no text at all.
_UNSEEN: Final = NOT_TEXT | frozenset("head title textarea select datalist iframe object noembed noframes svg".split())
# Elements that keep the line breaks of their text (HTML Standard, Rendering, 15.3.3).
PRESERVED: Final = frozenset({"pre", "listing", "xmp", "plaintext"})

_INLINE, _BLOCK, _UNSEEN_KIND, _BREAK, _PRE, _IMAGE, _ENTITY, _UNKNOWN = range(8)

# Waits for the start of a block-level element that holds no text of its own there.
_START: Final = object()
# What most texts start with: no whitespace of any kind.
_LETTERS: Final = frozenset(string.ascii_letters + string.digits)

_NEWLINE: Final = re.compile(r"\r\n|\r|\n")
# East Asian wide characters (UAX #11).
_WIDE: Final = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6"
    "\U0001f300-\U0001faff\U00020000-\U0003fffd]+"
)


Atom: TypeAlias = tuple[str, Any, bool, bool, int, int, int, bool]
"""A text node that holds more than whitespace; a plain tuple, since a page has hundreds:

- its text
- its owner: the element it is the text of or, where the next is true, the one it follows
- whether it follows its owner
- whether it keeps its own line breaks (`pre`)
- block-level boundaries (starts and ends) between the atom before it and this one
- line breaks (`br`, `hr`) there
- the source's line breaks there, in text that is only whitespace
- whether such text stands there
"""


class Reading(NamedTuple):
    """The text of a tree in document order."""

    atoms: list[Atom]
    images: list[tuple[int, Any]]  # (index of the atom that follows, the `img`)


class Line(NamedTuple):
    """A line that holds text, and where it starts and ends."""

    text: str  # whitespace normalised
    blank: int  # empty lines before it
    boundaries: int  # block-level boundaries before it
    first: int  # index of its first atom
    start: int  # offset in that atom's text
    last: int  # index of its last atom
    end: int  # offset in that atom's text, exclusive


def width(text: str) -> int:
    """Columns a text takes: East Asian wide characters take two."""
    if text.isascii():
        return len(text)
    return len(text) + sum(map(len, _WIDE.findall(text)))


class _Kinds(dict[Any, int]):
    """Kind of an element by its tag, as lxml spells it."""

    def __missing__(self, tag: Any) -> int:
        if not isinstance(tag, str):
            kind = _ENTITY if tag is etree.Entity else _UNSEEN_KIND
        elif tag[0] == "{" and tag[1:].partition("}")[0] not in HTML_NAMESPACES:
            kind = _UNKNOWN  # the prefix, which no tag shows, decides
        else:
            kind = _kind_of_name(tag.rpartition("}")[2].lower())
        self[tag] = kind
        return kind


def _kind_of_name(name: str | None) -> int:
    if name in _UNSEEN:
        return _UNSEEN_KIND
    if name in PRESERVED:
        return _PRE
    if name == "hr" or name == "br":
        return _BREAK
    if name == "img":
        return _IMAGE
    return _BLOCK if name in BLOCK else _INLINE


_KINDS: Final = {name: _kind_of_name(name) for name in (*BLOCK, *_UNSEEN, *PRESERVED, "br", "hr", "img", "a", "span")}


def read_text(top: Any, *, whole: bool = True, newlines: bool = True) -> Reading:
    """The text that an element holds, read in one pass without recursion.

    Args:
        top: the element. The text that follows it is not its own.
        whole: whether the text that it holds directly counts.
        newlines: whether the source's line breaks between texts are wanted outside ``pre`` too.
    """
    kinds = _Kinds(_KINDS)
    if compiled is not None:
        return Reading(*compiled.read_text(top, whole, newlines, kinds, *_ASKED))
    return _read_text(top, whole, newlines, kinds)


def _kind_of_element(element: Any) -> int:
    return _kind_of_name(local_name(element))


def _is_unseen(text: str) -> bool:
    return text.isspace() or not text.strip(WHITESPACE)


_ASKED: Final = (_kind_of_element, entity_text, _is_unseen)
"""What the walk in C asks where it cannot say itself."""


def _read_text(top: Any, whole: bool, newlines: bool, kinds: _Kinds) -> Reading:
    atoms: list[Atom] = []
    images: list[tuple[int, Any]] = []
    boundaries = breaks = lines = kept = 0
    spaced = False
    nodes = list(top.iter())
    parents = [node.getparent() for node in nodes]
    parents[0] = None
    # Whoever is passed over with all that they hold.
    passed: set[Any] = set()
    # The open elements: (element, its kind, the text that follows it, its parent).
    stack: list[tuple[Any, int, str | None, Any]] = []
    push, pop, found = stack.append, stack.pop, atoms.append
    above: Any = None
    for node, parent in zip([*nodes, None], [*parents, None], strict=True):
        if parent in passed:
            passed.add(node)
            continue
        while above is not parent:
            ended, kind, text, above = pop()
            if kind == _BLOCK:
                boundaries += 1
            elif kind == _PRE:
                boundaries += 1
                kept -= 1
            if text:
                if (
                    text.isspace()
                    or (text[0] not in _LETTERS and not text.strip(WHITESPACE))
                    or not (whole or above is not top)
                ):
                    spaced = True
                    if newlines or kept:
                        lines += text.count("\n")
                else:
                    found((text, ended, True, kept > 0, boundaries, breaks, lines, spaced))
                    boundaries = breaks = lines = 0
                    spaced = False
        if node is None:
            break
        kind = kinds[node.tag]
        if kind == _UNKNOWN:
            kind = _kind_of_element(node)
        push((node, kind, node.tail if stack else None, above))
        above = node
        if kind:
            if kind == _BLOCK:
                boundaries += 1
            elif kind == _PRE:
                boundaries += 1
                kept += 1
            elif kind != _ENTITY:
                passed.add(node)
                if kind == _BREAK:
                    breaks += 1
                elif kind == _IMAGE:
                    images.append((len(atoms), node))
                continue
        text = node.text if kind != _ENTITY else entity_text(node.name)
        if text:
            if text.isspace() or (text[0] not in _LETTERS and not text.strip(WHITESPACE)) or not (whole or node is not top):
                spaced = True
                if newlines or kept:
                    lines += text.count("\n")
            else:
                found((text, node, False, kept > 0, boundaries, breaks, lines, spaced))
                boundaries = breaks = lines = 0
                spaced = False
    return Reading(atoms, images)


def block_lines(reading: Reading) -> list[Line]:
    """A line per block-level element, as a reader sees it; `br`, `hr` and the line breaks of `pre` end one too."""
    if compiled is not None:
        found: list[Line] = compiled.block_lines(reading.atoms, Line, _kept_lines)
        return found
    return _block_lines(reading.atoms)


def _block_lines(atoms: list[Atom]) -> list[Line]:
    lines: list[Line] = []
    line: str | None = None  # the one under way, or its parts
    parts: list[str] | None = None
    blank = before = first = after_kept = 0
    for index, (text, _, _, kept, boundaries, breaks, _, spaced) in enumerate(atoms):
        if line is not None:
            if not (boundaries or breaks or kept):
                if parts is None:
                    parts = [line]
                if spaced:
                    parts.append(" ")
                parts.append(text)
                continue
            lines.append(_line(line, parts, blank, before, first, index - 1, atoms))
            line = parts = None
        if not kept:
            line, first, before = text, index, boundaries
            blank = 1 if boundaries or breaks > 1 else 0
        elif index >= after_kept:
            after_kept = _kept_lines(atoms, index, lines)
    if line is not None:
        lines.append(_line(line, parts, blank, before, first, len(atoms) - 1, atoms))
    return lines


def _line(line: str, parts: list[str] | None, blank: int, boundaries: int, first: int, last: int, atoms: list[Atom]) -> Line:
    """The line of whole atoms."""
    text = normalize(line if parts is None else "".join(parts))
    # A page has hundreds, and the class's own constructor costs twice as much.
    return tuple.__new__(Line, (text, blank, boundaries, first, 0, last, len(atoms[last][0])))


def _kept_lines(atoms: list[Atom], index: int, lines: list[Line]) -> int:
    """Adds the lines of a run of text that keeps its line breaks; gives the index of the atom after it."""
    build = _Builder(lines)
    while index < len(atoms):
        text, _, _, kept, boundaries, breaks, newlines, spaced = atoms[index]
        if not kept:
            break
        if boundaries or breaks:
            build.end()
            build.boundaries += boundaries
            if boundaries or breaks > 1:
                build.blank = 1
        elif newlines:
            build.end()
            build.blank = max(build.blank, newlines - 1)
        elif spaced:
            build.parts.append(" ")
        build.split(index, text)
        index += 1
    build.end()
    return index


def source_lines(reading: Reading) -> list[Line]:
    """A line per line of the source's text; line breaks inside tags, comments, scripts and styles are none.

    Where a block-level boundary stands inside a line, its text has a line break there.
    """
    build = _Builder([])
    for index, (text, _, _, _, boundaries, breaks, newlines, spaced) in enumerate(reading.atoms):
        if newlines:
            ended = build.end()
            build.blank += newlines - 1 if ended else newlines
        build.boundaries += boundaries
        if boundaries or breaks:
            build.parts.append("\0")
        elif spaced:
            build.parts.append(" ")
        build.split(index, text)
    build.end()
    return build.lines


class _Builder:
    """Gathers pieces of text into lines."""

    __slots__ = ("blank", "boundaries", "lines", "parts", "span")

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.parts: list[str] = []
        self.span: list[int] = []
        self.blank = 0
        self.boundaries = 0

    def add(self, index: int, start: int, end: int, text: str) -> None:
        if not self.span:
            self.span = [index, start, index, end]
        else:
            self.span[2:] = index, end
        self.parts.append(text)

    def split(self, index: int, text: str) -> None:
        begin = 0
        for match in _NEWLINE.finditer(text):
            if normalize(text[begin : match.start()]):
                self.add(index, begin, match.start(), text[begin : match.start()])
            if not self.end():
                self.blank += 1
            begin = match.end()
        if normalize(text[begin:]):
            self.add(index, begin, len(text), text[begin:])
        elif begin < len(text):
            self.parts.append(" ")

    def end(self) -> bool:
        """Ends the line; whether it held text."""
        if not self.span:
            self.parts.clear()
            return False
        text = "".join(self.parts)
        if "\0" in text:
            text = "\n".join(filter(None, map(normalize, text.split("\0"))))
        else:
            text = normalize(text)
        self.lines.append(Line(text, self.blank, self.boundaries, *self.span))
        self.parts.clear()
        self.span = []
        self.blank = self.boundaries = 0
        return True
