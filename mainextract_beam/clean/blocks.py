"""Cutting a page into text blocks, in one pass, with where each stands.

A block is the text between two block-level boundaries: inline markup does not cut, a chain of `br` does. What is kept
of each element on the way (its parent, the blocks it spans, its kind, its names) is enough to describe a block by
itself, by what holds it and by what stands beside it, without looking at the tree again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from lxml.etree import _Element as Element
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

# Elements whose text is never part of a document's text.
SILENT: Final = frozenset(
    "head script style noscript template iframe embed object applet canvas svg audio video select textarea input "
    "datalist option map area frameset frame noframes".split()
)
# Elements that do not end a line of text; every other element does.
INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math nobr q rb rp rt rtc "
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
_TOKEN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAMES_HELD: Final = 20_000


def name_tokens(names: str) -> list[str]:
    """Split class names and ids into lower-case words: at separators, at digits and at camel-case humps."""
    return [token for token in (t.lower() for t in _TOKEN.findall(names)) if 2 <= len(token) <= 20]


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
    nodes: list[list[tuple[Element, bool]]] = field(repr=False)  # per block: (element, is it the tail?)
    linked: Ints  # per block: characters within links
    links: Ints  # per block: links that begin in it
    bold: Ints  # per block: characters within b or strong
    level: Ints  # per block: level of the heading it is in, else 0
    images: Ints  # per element: images before its beginning
    images_end: Ints  # per element: images before its end
    block_images: Ints  # per block: images before the end of the block


def cut(root: Element) -> Cut:
    """Cut the tree below (and at) an element into blocks.

    Linear in the size of the tree, whatever its depth; the tree is only read. Tags are taken as they are: lower-case
    names without namespaces.
    """
    elements: list[Element] = []
    parents: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    kinds: list[int] = []
    hiddens: list[bool] = []
    codes: list[int] = []
    tags: list[str] = []
    names: list[str] = []
    owners: list[int] = []
    texts: list[str] = []
    nodes: list[list[tuple[Element, bool]]] = []
    linked: list[int] = []
    links: list[int] = []
    bolds: list[int] = []
    levels: list[int] = []
    images_at: list[int] = []
    images_to: list[int] = []
    block_images: list[int] = []
    code_of: dict[tuple[str, str], int] = {}
    twin_of: dict[tuple[int, int], int] = {}
    twin_keys: list[tuple[int, int]] = []

    pieces: list[str] = []
    piece_nodes: list[tuple[Element, bool]] = []
    link_chars = link_count = bold_chars = breaks = images = 0
    in_link = in_bold = in_heading = 0

    # The elements that are open: (element, its index, inline?, what it added to in_link, in_bold, in_heading).
    stack: list[tuple[Element, int, bool, int, int, int]] = []
    blocks: list[int] = []  # indices of the open block-level elements
    silent: Element | None = None  # the outermost open element whose text does not count

    def flush() -> None:
        nonlocal link_chars, link_count, bold_chars, breaks
        if pieces:
            text = " ".join("".join(pieces).split())
            if text:
                owners.append(blocks[-1])
                texts.append(text)
                nodes.append(piece_nodes.copy())
                linked.append(min(link_chars, len(text)))
                links.append(link_count)
                bolds.append(min(bold_chars, len(text)))
                levels.append(in_heading)
                block_images.append(images)
            pieces.clear()
            piece_nodes.clear()
            link_chars = link_count = bold_chars = 0
        breaks = 0

    def close(until: Element | None) -> None:
        """Close the open elements up to the one given, taking up the tail of each."""
        nonlocal in_link, in_bold, in_heading, silent, link_chars, bold_chars, breaks
        while stack:
            element, index, inline, link, bold, heading = stack[-1]
            if element is until:
                return
            stack.pop()
            if element is silent:
                silent = None
            if index >= 0:
                if not inline:
                    flush()
                    blocks.pop()
                ends[index] = len(texts)
                images_to[index] = images
                in_link -= link
                in_bold -= bold
                if heading:
                    in_heading = 0
            if silent is None and stack:
                tail = element.tail
                if tail:
                    pieces.append(tail)
                    if not tail.isspace():
                        piece_nodes.append((element, True))
                        breaks = 0
                        if in_link:
                            link_chars += len(tail)
                        if in_bold:
                            bold_chars += len(tail)

    for element in list(root.iter()):
        if element is root:
            parent = -1
        else:
            held_by = element.getparent()
            close(held_by)
            parent = -1
            for entry in reversed(stack):
                if entry[1] >= 0:
                    parent = entry[1]
                    break
        tag = element.tag
        if silent is not None:
            stack.append((element, -1, True, 0, 0, 0))
            continue
        if not isinstance(tag, str) or tag in SILENT:
            silent = element
            stack.append((element, -1, True, 0, 0, 0))
            continue
        if tag == "br":
            breaks += 1
            pieces.append("\n")
            if breaks > 1:
                flush()
                breaks = 1
            stack.append((element, -1, True, 0, 0, 0))
            continue
        inline = tag in INLINE
        if tag == "img":
            images += 1
        if not inline:
            flush()
        index = len(elements)
        css = element.get("class") or ""
        code = code_of.setdefault((tag, css), len(code_of))
        key = (parent, code)
        twin_of[key] = twin_of.get(key, 0) + 1
        twin_keys.append(key)
        kind = KIND_OF_TAG.get(tag, -1)
        role = element.get("role")
        if role:
            kind = KIND_OF_ROLE.get(role.lower(), kind)
        style = element.get("style")
        hidden = (
            (style is not None and _HIDDEN.search(style) is not None)
            or element.get("hidden") is not None
            or element.get("aria-hidden") == "true"
        )
        identity = element.get("id")
        name = f"{css} {identity}" if identity else css
        if role:
            name = f"{name} {role}"
        elements.append(element)
        parents.append(parent)
        starts.append(len(texts))
        ends.append(0)
        kinds.append(kind)
        hiddens.append(hidden)
        codes.append(code)
        tags.append(tag)
        names.append(name)
        images_at.append(images)
        images_to.append(images)
        link = tag == "a"
        bold = tag in ("b", "strong")
        heading = HEADINGS.get(tag, 0)
        if link:
            in_link += 1
            link_count += 1
        if bold:
            in_bold += 1
        if heading:
            in_heading = heading
        if not inline:
            blocks.append(index)
        elif not blocks:
            blocks.append(index)
        stack.append((element, index, inline, int(link), int(bold), heading))
        text = element.text
        if text:
            pieces.append(text)
            if not text.isspace():
                piece_nodes.append((element, False))
                breaks = 0
                if in_link:
                    link_chars += len(text)
                if in_bold:
                    bold_chars += len(text)
    close(None)
    flush()

    def ints(values: list[int]) -> Ints:
        return np.array(values, dtype=np.int32)

    return Cut(
        elements=elements,
        parent=ints(parents),
        start=ints(starts),
        end=ints(ends),
        kind=np.array(kinds, dtype=np.int8),
        hidden=np.array(hiddens, dtype=np.bool_),
        tag_code=ints(codes),
        tags=tags,
        names=names,
        twins=ints([twin_of[key] for key in twin_keys]),
        owner=ints(owners),
        texts=texts,
        nodes=nodes,
        linked=ints(linked),
        links=ints(links),
        bold=ints(bolds),
        level=ints(levels),
        images=ints(images_at),
        images_end=ints(images_to),
        block_images=ints(block_images),
    )
