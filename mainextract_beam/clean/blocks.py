"""Cutting a page into text blocks, in one pass, with where each stands.

A block is the text between two block-level boundaries: inline markup does not cut, a chain of `br` does. What is kept
of each element on the way (its parent, the blocks it spans, its kind, its names) is enough to describe a block by
itself, by what holds it and by what stands beside it, without looking at the tree again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.text import normalize
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._blocks")

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
_COUNTED: Final = frozenset({"a", "b", "strong"})
# What the walk in C is told of a tag, as bits; the level of a heading and the kind, counted from one, stand above them.
_FLOWS, _SILENT, _LINK, _BOLD, _PICTURE, _NEW_LINE = (1 << bit for bit in range(6))
_OWN: Final = {"a": _LINK, "b": _BOLD, "strong": _BOLD, "img": _PICTURE, "br": _NEW_LINE}
_FLAGS: Final = {
    tag: _FLOWS * (tag in INLINE)
    | _SILENT * (tag in SILENT)
    | _OWN.get(tag, 0)
    | HEADINGS.get(tag, 0) << 8
    | (KIND_OF_TAG.get(tag, -1) + 1) << 12
    for tag in (*SILENT, *INLINE, *KIND_OF_TAG)
}


_NOTHING: Final = ("", "")


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

    def nodes(self, block: int) -> list[tuple[Element, bool]]:
        """The text nodes of a block: (element, is it the element's tail?)."""
        return self.flat[self.node_start[block] : self.node_start[block + 1]]


def cut(root: Element) -> Cut:
    """Cut the tree below (and at) an element into blocks.

    Linear in the size of the tree, whatever its depth; the tree is only read. Tags are taken as they are: lower-case
    names without namespaces. Of inline elements only those are described that hold block-level ones.
    """
    if compiled is not None:
        walked = Walked(*compiled.walk(root, _FLAGS))
    else:
        walked = walk(root)
    elements = walked.elements
    parent, start, images_at = _columns(walked.places, 3)
    ended, blocks_then, images_then = _columns(walked.ends, 3)
    end, images_end = np.empty_like(parent), np.empty_like(parent)
    end[ended] = blocks_then
    images_end[ended] = images_then
    owner, linked, links, bold, level, block_images, first_node = _columns(walked.rows, 7)
    kind = _columns(walked.kinds, 1)[0].astype(np.int8)
    for index, role in walked.roles:
        kind[index] = KIND_OF_ROLE.get(role.lower(), kind[index])
    hidden = np.zeros(len(elements), dtype=np.bool_)
    hidden[_columns(walked.hidden, 1)[0]] = True
    for index, style in walked.styles:
        if _HIDDEN.search(style):
            hidden[index] = True
    siblings = _columns(walked.siblings, 1)[0]
    flat = walked.flat
    return Cut(
        elements=elements,
        parent=parent,
        start=start,
        end=end,
        kind=kind,
        hidden=hidden,
        tag_code=_columns(walked.codes, 1)[0],
        tags=walked.tags,
        names=walked.names,
        twins=np.bincount(siblings)[siblings].astype(np.int32),
        owner=owner,
        texts=walked.texts,
        flat=flat,
        node_start=np.append(first_node, len(flat)).astype(np.int32),
        inner=walked.inner,
        linked=linked,
        links=links,
        bold=bold,
        level=level,
        images=images_at,
        images_end=images_end,
        block_images=block_images,
    )


def _columns(values: Sequence[int] | bytes, width: int) -> Ints:
    """Numbers that follow each other row by row, or the bytes of such, as columns."""
    found = np.frombuffer(values, dtype=np.int32) if isinstance(values, bytes) else np.array(values, dtype=np.int32)
    return np.ascontiguousarray(found.reshape(-1, width).T)


class Walked(NamedTuple):
    """What one walk over a tree finds; numbers are the bytes of 32-bit integers where it was made in C."""

    elements: list[Element]
    tags: list[str]
    names: list[str]  # class, id and role
    kinds: Sequence[int] | bytes  # index into KINDS by tag, -1 for none
    codes: Sequence[int] | bytes  # a number per tag and class
    siblings: Sequence[int] | bytes  # a number per parent, tag and class
    roles: list[tuple[int, str]]  # (index of the element, its role)
    styles: list[tuple[int, str]]
    hidden: Sequence[int] | bytes  # indices of the elements hidden by an attribute of their own
    places: Sequence[int] | bytes  # per element three: parent, first block, images before
    ends: Sequence[int] | bytes  # per element three, as they end: index, block after it, images before its end
    texts: list[str]
    # per block seven: owner, characters and number of links, characters in bold, heading level, images, where its nodes begin
    rows: Sequence[int] | bytes
    inner: list[tuple[str, str]]  # per block: tag and class of the inline element its text begins in
    flat: list[tuple[Element, bool]]  # the text nodes of all blocks


def walk(root: Element) -> Walked:
    """The walk over a tree that `cut` makes arrays of."""
    elements: list[Element] = []
    tags: list[str] = []
    places: list[int] = []
    ends: list[int] = []
    texts: list[str] = []
    rows: list[int] = []
    inner: list[tuple[str, str]] = []
    flat: list[tuple[Element, bool]] = []

    pieces: list[str] = []
    begun = _NOTHING  # tag and class of the inline element they begin in
    first_node = 0
    link_chars = link_count = bold_chars = breaks = images = 0
    in_link = in_bold = level = 0
    silent: Element | None = None  # the element whose text does not count, while within it

    # The open elements, innermost last: each with its tag and its index, or -1 where it is not described (yet).
    stack: list[tuple[Element, str, int]] = []
    owners: list[int] = []  # the indices on the stack

    # A list, not a lazy walk: every proxy stays alive, so that parents compare by identity and cost the same each.
    for element in [*root.iter(), None]:
        above = None if element is None or element is root else element.getparent()
        while stack:
            top, tag, index = stack[-1]
            if top is above:
                break
            # `top` ends here
            stack.pop()
            if silent is not None:
                if top is not silent:
                    continue
                silent = None
            elif index >= 0:
                if pieces:
                    text = normalize("".join(pieces))
                    pieces = []
                    if text:
                        texts.append(text)
                        inner.append(begun)
                        rows += (owners[-1], link_chars, link_count, bold_chars, level, images, first_node)
                        first_node = len(flat)
                        link_chars = link_count = bold_chars = 0
                owners.pop()
                ends += (index, len(texts), images)
                if tag in HEADINGS:
                    level = 0
            if tag in _COUNTED:
                if tag == "a":
                    in_link -= 1
                else:
                    in_bold -= 1
            after = top.tail
            if after and stack:
                if after.isspace():
                    if pieces:
                        pieces.append(" ")
                else:
                    if not pieces:
                        begun = _NOTHING
                    pieces.append(after)
                    flat.append((top, True))
                    breaks = 0
                    if in_link:
                        link_chars += len(after)
                    if in_bold:
                        bold_chars += len(after)
        if element is None:
            break
        tag = element.tag
        if silent is not None:
            stack.append((element, "", -1))
            continue
        if tag in INLINE and elements:
            stack.append((element, tag, -1))
            if tag == "a":
                in_link += 1
                link_count += 1
            elif tag in _COUNTED:
                in_bold += 1
            elif tag == "img":
                images += 1
            elif tag == "br":
                breaks += 1
                if breaks > 1 and pieces:
                    text = normalize("".join(pieces))
                    pieces = []
                    if text:
                        texts.append(text)
                        inner.append(begun)
                        rows += (owners[-1], link_chars, link_count, bold_chars, level, images, first_node)
                        first_node = len(flat)
                        link_chars = link_count = bold_chars = 0
                elif pieces:
                    pieces.append(" ")
        elif tag in SILENT or not isinstance(tag, str):
            silent = element
            stack.append((element, "", -1))
            continue
        else:
            if pieces:
                text = normalize("".join(pieces))
                pieces = []
                if text:
                    texts.append(text)
                    inner.append(begun)
                    rows += (owners[-1], link_chars, link_count, bold_chars, level, images, first_node)
                    first_node = len(flat)
                    link_chars = link_count = bold_chars = 0
            breaks = 0
            # inline elements that turn out to hold block-level ones are described now
            at = len(stack)
            while at and stack[at - 1][2] < 0:
                at -= 1
            for k in range(at, len(stack)):
                inline, name, _ = stack[k]
                stack[k] = (inline, name, len(elements))
                places += (owners[-1], len(texts), images)
                owners.append(len(elements))
                elements.append(inline)
                tags.append(name)
            places += (owners[-1] if owners else -1, len(texts), images)
            owners.append(len(elements))
            stack.append((element, tag, len(elements)))
            elements.append(element)
            tags.append(tag)
            if tag in HEADINGS:
                level = HEADINGS[tag]
        text = element.text
        if text:
            if text.isspace():
                if pieces:
                    pieces.append(" ")
            else:
                if not pieces:
                    begun = (tag, element.get("class") or "") if stack[-1][2] < 0 else _NOTHING
                pieces.append(text)
                flat.append((element, False))
                breaks = 0
                if in_link:
                    link_chars += len(text)
                if in_bold:
                    bold_chars += len(text)

    classes = [element.get("class") or "" for element in elements]
    kinds = [KIND_OF_TAG.get(tag, -1) for tag in tags]
    codes = numbered(zip(tags, classes, strict=True))
    siblings = numbered(zip(places[::3], codes, strict=True))
    names, roles, styles, hidden = _named(elements, classes)
    return Walked(
        elements, tags, names, kinds, codes, siblings, roles, styles, hidden, places, ends, texts, rows, inner, flat
    )


def numbered(keys: Iterable[object]) -> list[int]:
    """The number of each key; they are numbered as they are first met."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def _named(
    elements: list[Element], classes: list[str]
) -> tuple[list[str], list[tuple[int, str]], list[tuple[int, str]], list[int]]:
    """Class, id and role of each element in one string; the roles, the styles, and which elements are hidden by an attribute."""
    names = classes.copy()
    roles: list[tuple[int, str]] = []
    styles: list[tuple[int, str]] = []
    hidden: list[int] = []
    for i, element in enumerate(elements):
        keys = element.keys()
        if not keys or _TELLING.isdisjoint(keys):
            continue
        identity = element.get("id")
        if identity:
            names[i] = f"{names[i]} {identity}"
        role = element.get("role")
        if role:
            roles.append((i, role))
            names[i] = f"{names[i]} {role}"
        style = element.get("style")
        if style is not None:
            styles.append((i, style))
        if element.get("hidden") is not None or element.get("aria-hidden") == "true":
            hidden.append(i)
    return names, roles, styles, hidden
