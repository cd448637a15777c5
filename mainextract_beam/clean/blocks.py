"""Cutting a page into text blocks, in one pass, with where each stands.

A block is the text between two block-level boundaries: inline markup does not cut, a chain of `br` does. What is kept
of each element on the way (its parent, the blocks it spans, its kind, its names) is enough to describe a block by
itself, by what holds it and by what stands beside it, without looking at the tree again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.clean.name_tokens import NameTokens, tokens_of
from mainextract_beam.text import normalize

Element = Any  # lxml's elements
Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

# Elements whose text is never part of a document's text.
SILENT: Final = frozenset(
    "head script style noscript template iframe embed object applet canvas svg audio video select textarea input "
    "datalist option map area frameset frame noframes".split()
)
# Elements that do not end a line of text; every other element does.
INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math nobr q rb rp rt rtc "
    "ruby s samp small span strike strong sub sup time tt u var wbr picture source annotation semantics mrow mi mo mn "
    "msup msub mfrac msqrt mtext mspace mover munder munderover msubsup mtable mtr mtd mstyle".split()
)
# Kinds of ancestors that say something about the text they hold; a role of the same meaning counts as the element.
KINDS: Final = (
    "nav header footer aside form main article section list item table cell figure figcaption button label dialog a "
    "quote pre term details heading p hidden address menu bold title meta"
).split()
_KIND: Final = {name: i for i, name in enumerate(KINDS)}
KIND_OF_TAG: Final[dict[str, int]] = {
    tag: _KIND[kind]
    for kind, tags in {
        "nav": "nav",
        "header": "header hgroup",
        "footer": "footer",
        "aside": "aside",
        "form": "form fieldset search",
        "main": "main",
        "article": "article",
        "section": "section",
        "list": "ul ol",
        "item": "li",
        "table": "table",
        "cell": "td th",
        "figure": "figure picture",
        "figcaption": "figcaption caption",
        "button": "button summary",
        "label": "label legend",
        "dialog": "dialog",
        "a": "a",
        "quote": "blockquote",
        "pre": "pre code",
        "term": "dl dt dd",
        "details": "details",
        "heading": "h1 h2 h3 h4 h5 h6",
        "p": "p",
        "address": "address",
        "menu": "menu menuitem toolbar",
        "bold": "b strong",
        "meta": "time",
    }.items()
    for tag in tags.split()
}
KIND_OF_ROLE: Final[dict[str, int]] = {
    role: _KIND[kind]
    for kind, roles in {
        "nav": "navigation directory",
        "header": "banner",
        "footer": "contentinfo",
        "aside": "complementary",
        "form": "search form searchbox",
        "main": "main",
        "article": "article",
        "section": "region",
        "list": "list feed",
        "item": "listitem",
        "figure": "figure",
        "button": "button tab",
        "dialog": "dialog alertdialog alert tooltip",
        "heading": "heading",
        "menu": "menu menubar menuitem toolbar tablist listbox combobox",
    }.items()
    for role in roles.split()
}
_HIDDEN: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
HEADINGS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_TELLING: Final = frozenset({"id", "role", "style", "hidden", "aria-hidden"})
# What an element is to the cut: the inline kinds, those passed over with all they hold, and blocks, headings by level above them.
_PLAIN, _LINK, _BOLD, _IMAGE, _BREAK, _SILENT, _BLOCK = range(7)
_WALKED: Final[dict[str, int]] = {
    **dict.fromkeys(INLINE, _PLAIN),
    **dict.fromkeys(SILENT, _SILENT),
    "a": _LINK,
    "b": _BOLD,
    "strong": _BOLD,
    "img": _IMAGE,
    "br": _BREAK,
    **{name: _BLOCK + level for name, level in HEADINGS.items()},
}


@dataclass
class Cut:
    """The blocks of a page and the elements around them, as parallel lists (elements in document order).

    An element is referred to by its index; 0 is the element the cut started from.
    """

    elements: list[Element]
    parent: Ints
    start: Ints  # the first block at or after the element's beginning
    end: Ints  # the first block after its end
    kind: NDArray[np.int8]  # index into KINDS, -1 for none
    hidden: NDArray[np.bool_]
    tag_code: Ints  # a small number per tag and class list on this page
    tags: list[str]
    names: list[str]  # class, id and role as stated, "" where there are none
    twins: Ints  # siblings with the same tag and class, itself included
    owner: Ints  # per block: the innermost block-level element
    texts: list[str]  # per block: its text, whitespace collapsed
    flat: list[tuple[Element, bool]] = field(repr=False)  # the text nodes of all blocks: (element, is it the tail?)
    node_start: Ints  # per block and one more: where its text nodes begin in `flat`
    inner: list[tuple[str, str]]  # per block: tag and class of the inline element its text begins in
    linked: Ints  # per block: characters within links
    links: Ints  # per block: links that begin in it
    bold: Ints  # per block: characters within b or strong
    level: Ints  # per block: level of the heading it is in, else 0
    images: Ints  # per element: images before its beginning
    images_end: Ints  # per element: images before its end
    block_images: Ints  # per block: images before the end of the block

    @cached_property
    def name_tokens(self) -> NameTokens:
        """The tokens of all names of its elements."""
        return tokens_of(self.names)

    def nodes(self, block: int) -> list[tuple[Element, bool]]:
        """The text nodes of a block: (element, is it the element's tail?)."""
        return self.flat[self.node_start[block] : self.node_start[block + 1]]


def cut(root: Element) -> Cut:
    """Cut the tree below (and at) an element into blocks.

    Linear in the size of the tree, whatever its depth; the tree is only read. Tags are taken as they are: lower-case
    names without namespaces. Of inline elements only those are described that hold block-level ones.
    """
    elements: list[Element] = []
    tags: list[str] = []
    places: list[int] = []  # per element five: parent, first block, block after it, images before it, and before its end
    texts: list[str] = []
    # per block seven: owner, characters and number of links, characters in bold, heading level, images, where its nodes begin
    rows: list[int] = []
    flat: list[tuple[Element, bool]] = []  # the text nodes of all blocks

    pieces: list[str] = []
    first_node = 0
    link_chars = link_count = bold_chars = breaks = images = 0
    in_link = in_bold = level = 0

    # The open elements, each with its kind and the one above it; `top` is the innermost.
    stack: list[tuple[Element, int, Element]] = []
    top: Element = None
    owner = -1  # the index of the innermost open element that is described
    waiting: list[tuple[Element, str]] = []  # the innermost ones that are inline and not described (yet), with their tags

    def add(text: str, element: Element, is_tail: bool) -> None:
        nonlocal breaks, link_chars, bold_chars
        pieces.append(text)
        flat.append((element, is_tail))
        breaks = 0
        if in_link:
            link_chars += len(text)
        if in_bold:
            bold_chars += len(text)

    def end_block() -> None:
        nonlocal first_node, link_chars, link_count, bold_chars
        text = normalize("".join(pieces))
        pieces.clear()
        if text:
            texts.append(text)
            rows.extend((owner, link_chars, link_count, bold_chars, level, images, first_node))
            first_node = len(flat)
            link_chars = link_count = bold_chars = 0

    # A list, not a lazy walk: every proxy stays alive, so that parents compare by identity and cost the same each.
    nodes = list(root.iter())
    above = [node.getparent() for node in nodes]
    above[0] = None
    walk = zip([*nodes, None], [*above, None], [*above[1:], None, None], strict=True)
    for element, parent, following in walk:
        while top is not parent:
            ended, kind, top = stack.pop()
            if waiting:
                waiting.pop()
            else:
                if pieces:
                    end_block()
                at = 5 * owner
                places[at + 2], places[at + 4] = len(texts), images
                owner = places[at]
                if kind > _BLOCK:
                    level = 0
            if kind == _LINK:
                in_link -= 1
            elif kind == _BOLD:
                in_bold -= 1
            if top is not None and (text := ended.tail):
                if not text.isspace():
                    add(text, ended, True)
                elif pieces:
                    pieces.append(" ")
        if element is None:
            break
        tag = element.tag
        kind = _WALKED.get(tag, _BLOCK) if isinstance(tag, str) else _SILENT
        if kind == _SILENT:
            if following is element:
                for _ in element.iterdescendants():
                    next(walk)
            if top is not None and (text := element.tail):
                if not text.isspace():
                    add(text, element, True)
                elif pieces:
                    pieces.append(" ")
            continue
        if kind < _SILENT and top is not None:
            if kind == _LINK:
                in_link += 1
                link_count += 1
            elif kind == _BOLD:
                in_bold += 1
            elif kind == _IMAGE:
                images += 1
            elif kind == _BREAK:
                breaks += 1
                if breaks > 1 and pieces:
                    end_block()
                elif pieces:
                    pieces.append(" ")
            if following is element:
                waiting.append((element, tag))
            else:
                if text := element.text:
                    if not text.isspace():
                        add(text, element, False)
                    elif pieces:
                        pieces.append(" ")
                if kind == _LINK:
                    in_link -= 1
                elif kind == _BOLD:
                    in_bold -= 1
                if text := element.tail:
                    if not text.isspace():
                        add(text, element, True)
                    elif pieces:
                        pieces.append(" ")
                continue
        else:
            if pieces:
                end_block()
            breaks = 0
            # Inline elements that turn out to hold a block-level one are described with it.
            if waiting:
                for inner, name in waiting:
                    places += (owner, len(texts), 0, images, 0)
                    owner = len(elements)
                    elements.append(inner)
                    tags.append(name)
                waiting.clear()
            places += (owner, len(texts), 0, images, 0)
            owner = len(elements)
            elements.append(element)
            tags.append(tag)
            if kind > _BLOCK:
                level = kind - _BLOCK
        stack.append((element, kind, top))
        top = element
        if text := element.text:
            if not text.isspace():
                add(text, element, False)
            elif pieces:
                pieces.append(" ")

    parent_of, start, end, images_at, images_end = _columns(places, 5)
    table = _columns(rows, 7)
    kinds = [KIND_OF_TAG.get(tag, -1) for tag in tags]
    classes, names, hidden = _names(elements, kinds)
    code_of: dict[tuple[str, str], int] = {}
    codes = [code_of.setdefault(key, len(code_of)) for key in zip(tags, classes, strict=True)]
    tag_code = np.array(codes, dtype=np.int32)
    _, twin_of, twin_counts = np.unique(
        (parent_of.astype(np.int64) + 1) * (len(code_of) + 1) + tag_code, return_inverse=True, return_counts=True
    )
    return Cut(
        elements=elements,
        parent=parent_of,
        start=start,
        end=end,
        kind=np.array(kinds, dtype=np.int8),
        hidden=hidden,
        tag_code=tag_code,
        tags=tags,
        names=names,
        twins=twin_counts[twin_of].astype(np.int32),
        owner=table[0],
        texts=texts,
        flat=flat,
        node_start=np.append(table[6], len(flat)).astype(np.int32),
        inner=[_inner(*flat[node], elements[at]) for node, at in zip(rows[6::7], rows[::7], strict=True)],
        linked=table[1],
        links=table[2],
        bold=table[3],
        level=table[4],
        images=images_at,
        images_end=images_end,
        block_images=table[5],
    )


def _columns(numbers: list[int], width: int) -> Ints:
    """Numbers stated row by row, as one array per column."""
    return np.ascontiguousarray(np.array(numbers, dtype=np.int32).reshape(-1, width).T)


def _names(elements: list[Element], kinds: list[int]) -> tuple[list[str], list[str], NDArray[np.bool_]]:
    """The class of each element; its class, id and role in one string; and which are hidden. Roles are noted in `kinds`."""
    classes = [""] * len(elements)
    names = classes.copy()
    hidden = np.zeros(len(elements), dtype=np.bool_)
    for i, element in enumerate(elements):
        attributes = element.items()
        if not attributes:
            continue
        name = ""
        identity = role = None
        for key, value in attributes:
            if key == "class":
                classes[i] = name = value
            elif key in _TELLING:
                if key == "id":
                    identity = value
                elif key == "role":
                    role = value
                elif key == "hidden" or (key == "aria-hidden" and value == "true") or (key == "style" and _HIDDEN.search(value)):
                    hidden[i] = True
        if identity:
            name = f"{name} {identity}"
        if role:
            kinds[i] = KIND_OF_ROLE.get(role.lower(), kinds[i])
            name = f"{name} {role}"
        names[i] = name
    return classes, names, hidden


def _inner(element: Element, is_tail: bool, owner: Element) -> tuple[str, str]:
    """The tag and the class of the inline element a block's text begins in; empty where it is the owner's own text."""
    if element is owner or is_tail:
        return "", ""
    return element.tag, element.get("class") or ""
