"""What the lines of a block become: the elements that carry them, or paragraphs of their text."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any, Final

from lxml import etree

from mainextract_beam.line_layout import PRESERVED, Atom, Line, Reading
from mainextract_beam.names import NOT_TEXT, local_name
from mainextract_beam.page import Page
from mainextract_beam.text import normalize
from mainextract_beam.xmlsafe import add_text, set_tail, set_text

# Line breaks of the source in one text beyond which they are taken for its form rather than for wrapping.
_MANY: Final = 4
_BLANK_LINE: Final = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*")
_NEWLINES: Final = re.compile(r"(\r\n|\r|\n)")


def cut_elements(page: Page, reading: Reading, first: Line, last: Line, *, apart: bool = False) -> tuple[list[Any], list[Any]]:
    """The element that carries lines, less what it holds before the first and after the last.

    Args:
        page: the tree; where the library owns it, it is cut in place.
        reading: its text.
        first: the first line.
        last: the last line.
        apart: whether the elements are to be free to change.

    Returns:
        The elements (one, or, where the scanned root itself is not content, those below it), and for each the element of the
        tree that it stands for.
    """
    atoms = reading.atoms
    start, end = atoms[first.first], atoms[last.last]
    source = _common(holder_of(start), holder_of(end))
    whole = (
        first.start == 0
        and last.end == len(end[0])
        and not (first.first > 0 and _is_inside(holder_of(atoms[first.first - 1]), source))
        and not (last.last + 1 < len(atoms) and _is_inside(holder_of(atoms[last.last + 1]), source))
    )
    below = source is page.root and not page.whole
    if whole and not below and not apart and local_name(source) != "html":
        return [source], [source]
    steps, end_steps = _steps(source, start[1]), _steps(source, end[1])
    copy = source if page.owned else deepcopy(source)
    nodes = _followed(copy, steps), _followed(copy, end_steps)
    _drop_after(copy, nodes[1], end[2], last.end)
    _drop_before(copy, nodes[0], start[2], first.start)
    copy.tail = None
    if below:
        sources = {index: child for index, child in enumerate(source) if isinstance(child.tag, str)}
        skipped = steps[0]
        origins = [sources[index + skipped] for index, child in enumerate(copy) if isinstance(child.tag, str)]
        return [child for child in copy if isinstance(child.tag, str)], origins
    if local_name(source) == "html":  # no region of its own: what it holds is
        for child in list(copy):
            if local_name(child) == "head":
                copy.remove(child)
        copy.tag = copy.tag[: -len("html")] + "div"
    return [copy], [source]


def write_paragraphs(
    page: Page, reading: Reading, first: Line, last: Line, *, source: bool, images: bool
) -> tuple[list[Any], list[Any]]:
    """The text of lines as paragraphs, blank lines parting them and lines inside them kept; with the images among them if asked.

    Returns:
        A ``div`` of ``p`` elements, and the element of the tree that carries the lines.
    """
    carrier = _common(holder_of(reading.atoms[first.first]), holder_of(reading.atoms[last.last]))
    namespace = carrier.tag[1:].partition("}")[0] if carrier.tag[0] == "{" else ""
    writer = _Writer(f"{{{namespace}}}" if namespace else "", {carrier.prefix: namespace} if namespace else None)
    between: dict[int, list[Any]] = {}
    if images:
        for index, image in reading.images:
            if first.first < index <= last.last:
                between.setdefault(index, []).append(image)
    for index in range(first.first, last.last + 1):
        text, _, _, kept, boundaries, breaks, newlines, spaced = reading.atoms[index]
        if index > first.first:
            lines = newlines if source or kept else 0
            if boundaries or breaks > 1 or lines > 1:
                writer.end_paragraph()
            elif breaks or lines:
                writer.end_line()
            elif spaced:
                writer.add(" ")
            for image in between.get(index, ()):
                writer.image(image)
        text = text[first.start if index == first.first else 0 : last.end if index == last.last else len(text)]
        if source or kept:
            blank = False
            for number, piece in enumerate(_NEWLINES.split(text)):
                if number % 2:
                    writer.end_paragraph() if blank else writer.end_line()
                    blank = True
                elif normalize(piece):
                    writer.add(piece)
                    blank = False
                elif not blank:
                    writer.add(" ")
        else:
            writer.add(text)
    writer.end_paragraph()
    return [writer.top], [carrier]


def state_line_breaks(top: Any) -> None:
    """Puts a ``br`` where line breaks of the source alone part the paragraphs of a text: at blank lines, else at each of many."""
    for node in list(top.iter()):
        name = local_name(node)
        if name is None or name in NOT_TEXT or name in PRESERVED:
            texts: tuple[bool, ...] = (True,)
        else:
            texts = (False, True)
        for tail in texts:
            text = node.tail if tail else node.text
            if not text or (tail and (node is top or local_name(node.getparent()) in PRESERVED | NOT_TEXT)):
                continue
            pieces = _BLANK_LINE.split(text.strip())
            if len(pieces) == 1:
                pieces = re.split(r"\r\n|\r|\n", text.strip())
                if len(pieces) <= _MANY:
                    continue
            _set_pieces(node, tail, [text[: len(text) - len(text.lstrip())] + pieces[0], *pieces[1:]])


def _set_pieces(node: Any, tail: bool, pieces: list[str]) -> None:
    parent = node.getparent() if tail else node
    index = parent.index(node) + 1 if tail else 0
    name = f"{parent.tag[: parent.tag.find('}') + 1]}br"
    if tail:
        set_tail(node, pieces[0])
    else:
        set_text(node, pieces[0])
    for piece in pieces[:0:-1]:
        br = parent.makeelement(name, nsmap=parent.nsmap)
        parent.insert(index, br)
        set_tail(br, f"\n{piece}")


class _Writer:
    """Builds paragraphs: text, line breaks and images."""

    def __init__(self, namespace: str, nsmap: dict[str | None, str] | None) -> None:
        self._namespace = namespace
        self.top = etree.Element(f"{namespace}div", nsmap=nsmap)
        self._lines: list[list[Any]] = []
        self._line: list[Any] = []

    def add(self, text: str) -> None:
        self._line.append(text)

    def image(self, image: Any) -> None:
        copy = etree.Element(f"{self._namespace}img", nsmap=self.top.nsmap)
        for name, value in image.attrib.items():
            copy.set(name, value)
        self._line.append(copy)

    def end_line(self) -> None:
        pieces: list[Any] = []
        for piece in self._line:
            if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
                pieces[-1] += piece
            else:
                pieces.append(piece)
        pieces = [_normalize_inner(piece) if isinstance(piece, str) else piece for piece in pieces]
        if pieces and isinstance(pieces[0], str):
            pieces[0] = pieces[0].lstrip(" ")
        if pieces and isinstance(pieces[-1], str):
            pieces[-1] = pieces[-1].rstrip(" ")
        pieces = [piece for piece in pieces if not isinstance(piece, str) or piece]
        if pieces:
            self._lines.append(pieces)
        self._line = []

    def end_paragraph(self) -> None:
        self.end_line()
        if not self._lines:
            return
        paragraph = etree.SubElement(self.top, f"{self._namespace}p")
        for number, line in enumerate(self._lines):
            if number:
                etree.SubElement(paragraph, f"{self._namespace}br")
            for piece in line:
                if not isinstance(piece, str):
                    paragraph.append(piece)
                else:
                    add_text(paragraph, piece)
        self._lines = []


def _normalize_inner(text: str) -> str:
    """Whitespace normalised, but a space at an end kept."""
    return normalize(f"|{text}|")[1:-1]


def holder_of(atom: Atom) -> Any:
    """The element whose text, or part of it, an atom is."""
    owner = atom[1]
    return owner if not atom[2] and isinstance(owner.tag, str) else owner.getparent()


def _common(one: Any, other: Any) -> Any:
    """The innermost element that holds both."""
    chain = {one, *one.iterancestors()}
    while other not in chain:
        other = other.getparent()
    return other


def _is_inside(element: Any, container: Any) -> bool:
    return element is container or any(ancestor is container for ancestor in element.iterancestors())


def _steps(top: Any, node: Any) -> list[int]:
    """The way from an element down to one that it holds: the index of each child on it."""
    steps = []
    while node is not top:
        parent = node.getparent()
        steps.append(parent.index(node))
        node = parent
    return steps[::-1]


def _followed(top: Any, steps: list[int]) -> Any:
    for step in steps:
        top = top[step]
    return top


def _drop_after(top: Any, node: Any, tail: bool, end: int) -> None:
    """Drops what follows an offset in the text of a node, or in the text that follows it."""
    if tail:
        set_tail(node, node.tail[:end])
    else:
        # Entity nodes have no text to cut.
        if isinstance(node.tag, str):
            set_text(node, node.text[:end])
            del node[:]
        if node is not top:
            node.tail = None
    while node is not top:
        parent = node.getparent()
        del parent[parent.index(node) + 1 :]
        node = parent
        if node is not top:
            node.tail = None


def _drop_before(top: Any, node: Any, tail: bool, start: int) -> None:
    """Drops what precedes an offset in the text of a node, or in the text that follows it."""
    if tail:
        parent = node.getparent()
        text = node.tail[start:]
        del parent[: parent.index(node) + 1]
        set_text(parent, text)
        node = parent
    elif isinstance(node.tag, str):
        set_text(node, node.text[start:])
    while node is not top:
        parent = node.getparent()
        del parent[: parent.index(node)]
        parent.text = None
        node = parent
