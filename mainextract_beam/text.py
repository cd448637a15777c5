"""What text is: whitespace, runs, words, scripts, and the text of elements as a reader sees it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from html.entities import html5
from typing import Any, Final

from lxml.etree import Entity

from mainextract_beam.names import BLOCK, FIGURED, HEADINGS, MEDIA, NOT_TEXT, PARAGRAPH, local_name
from mainextract_beam.walks import compiled

# Neither str.split nor str.isspace draw this line: they know U+0085 and miss controls, U+007F and U+FEFF.
WHITESPACE: Final = (
    "".join(map(chr, range(0x21))) + "\x7f\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)  # fmt: skip
_SPACES: Final = re.compile(f"[{re.escape(WHITESPACE)}]+")
_WORD: Final = re.compile(r"\w+")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_FEW: Final = 24  # different characters beyond ASCII that are faster replaced one by one than searched for
_LETTERS: Final = bytes(code if _WORD.match(chr(code)) else 32 for code in range(128)) + b" " * 128

# Scripts written without spaces between words: counted by characters.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff]"
)


def normalize(text: str | None) -> str:
    """Text with every run of whitespace made one space and its ends trimmed."""
    if not text:
        return ""
    if compiled is None:
        return _normalize(text)
    normal: str = compiled.normalized(text)
    return normal


def _normalize(text: str) -> str:
    # No whitespace but the space itself is printable.
    if "  " not in text and text.isprintable():
        return text.strip(" ")
    # str.split parts at U+0085 too, which is text; whitespace that it does not know is not printable.
    if "\x85" not in text:
        joined = " ".join(text.split())
        if joined.isprintable():
            return joined
    return _SPACES.sub(" ", text).strip(" ")


def run_length(text: str | None) -> int:
    """Characters of a run, the text after normalisation."""
    return len(normalize(text))


def is_blank(text: str | None) -> bool:
    """Whether a text holds nothing but whitespace."""
    return not text or not text.strip(WHITESPACE)


def entity_text(name: str) -> str:
    """The text of an entity reference: the characters HTML names so, else the reference as it stands."""
    return html5.get(f"{name};", f"&{name};")


def word_count(text: str) -> int:
    """Words of a text; in scripts without spaces each character counts as one."""
    if not text.isascii():
        others = set("".join(_NOT_ASCII.findall(text)))
        if len(others) > _FEW or _UNSPACED.search("".join(others)):
            return len(_UNSPACED.findall(text)) + len(_WORD.findall(_UNSPACED.sub(" ", text)))
        for character in others:
            text = text.replace(character, "a" if character.isalnum() else " ")
    return len(text.encode("ascii").translate(_LETTERS).split())


def cjk_share(text: str) -> float:
    """Share of a text's characters that belong to scripts written without spaces, between 0 and 1."""
    if not text or text.isascii():
        return 0.0
    return len(_UNSPACED.findall(text)) / len(text)


def own_words(roots: Sequence[Any]) -> str:
    """The text of elements like `block_text`, without what is said of pictures, unless that is most of it.

    Captions and credits leave with their picture: the text of a ``figure`` that holds media or a caption, no structure of its own
    (a table, code, a quotation, a list, a heading), and no more than a caption's length.
    """
    whole = block_text(roots)
    pictures = {figure for root in roots for figure in list(root.iter("{*}figure")) if _is_picture(figure)}
    if not pictures:
        return whole
    text = block_text(roots, pictures)
    return text if 2 * len(text) >= len(whole) else whole


_STRUCTURE: Final = HEADINGS | {*FIGURED, "ul", "ol", "dl"}
_PICTURES: Final = frozenset({"figcaption", *MEDIA})

LONGEST_CAPTION: Final = 600
"""Characters; what is longer is text beside a picture."""


def _is_picture(figure: Any) -> bool:
    names = {local_name(node) for node in list(figure.iter())}
    return (
        _STRUCTURE.isdisjoint(names)
        and not _PICTURES.isdisjoint(names)
        and len(normalize(block_text([figure]))) <= LONGEST_CAPTION
    )


def block_text(roots: Iterable[Any], without: Container[Any] = ()) -> str:
    """The text of elements as a reader sees it, without that of some elements.

    One line per block-level element, a blank line between paragraphs, table cells separated by a tab, inline elements joined
    without a space, ``pre`` kept as it stands; ``head``, scripts, styles, noscript and templates are left out.
    """
    lines = _Lines()
    for root in roots:
        _write(root, lines, without)
        lines.end(2)
    return lines.text()


_CELL: Final = "\x00"  # no tree holds it, so it can mark the end of a cell until its row is written


class _Lines:
    """Gathers pieces of text into lines."""

    __slots__ = ("_done", "_gap", "_line", "preserve")

    def __init__(self) -> None:
        self._done: list[str] = []
        self._line: list[str] = []
        self._gap = 0
        self.preserve = 0

    def add(self, text: str) -> None:
        if not self.preserve:
            self._line.append(text)
            return
        first, *rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._line.append(first)
        for piece in rest:
            self._append("".join(self._line).rstrip())
            self._line = [piece]

    def cell(self) -> None:
        """Ends a table cell inside a line."""
        cell = "\t" if self.preserve else _CELL
        if self._line and self._line[-1] != cell:
            self._line.append(cell)

    def end(self, gap: int) -> None:
        """Ends the line; ``gap`` 2 asks for a blank line before the next one, 1 for none."""
        if self._line:
            line = "".join(self._line)
            self._line = []
            if self.preserve:
                line = line.rstrip()
            elif _CELL in line:
                line = "\t".join(map(normalize, line.split(_CELL))).strip("\t")
            else:
                line = normalize(line)
            if line:
                self._append(line)
        if self._done and gap > self._gap:
            self._gap = gap

    def text(self) -> str:
        return "\n".join(self._done)

    def _append(self, line: str) -> None:
        if self._gap == 2 and self._done:
            self._done.append("")
        self._done.append(line)
        self._gap = 0


def _write(root: Any, lines: _Lines, without: Container[Any]) -> None:
    """Writes an element's text; iterative, since pages nest deeper than Python recurses."""
    stack: list[tuple[Any, str | None]] = [(root, None)]  # a name marks an element whose children are done
    while stack:
        node, closing = stack.pop()
        if closing is not None:
            _close(closing, lines)
        else:
            name = local_name(node)
            if name is None:
                if node.tag is Entity:
                    lines.add(entity_text(node.name))
            elif name not in NOT_TEXT and name != "head" and node not in without:
                _open(name, lines)
                if node.text:
                    lines.add(node.text)
                stack.append((node, name))
                stack.extend([(child, None) for child in reversed(node)])
                continue
        if node is not root and node.tail:
            lines.add(node.tail)


# Captions inside `svg`, beside the text around them and not part of it.
_APART: Final = ("title", "desc")


def _open(name: str, lines: _Lines) -> None:
    if name in BLOCK:
        lines.end(2 if name in PARAGRAPH else 1)
        if name == "pre":
            lines.preserve += 1
    elif name == "br":
        lines.end(1)
    elif name in ("td", "th"):
        lines.cell()
    elif name in _APART:
        lines.add(" ")


def _close(name: str, lines: _Lines) -> None:
    if name in BLOCK:
        lines.end(2 if name in PARAGRAPH else 1)
        if name == "pre":
            lines.preserve -= 1
    elif name in ("td", "th"):
        lines.cell()
    elif name in _APART:
        lines.add(" ")
