"""Step 10: what is left becomes clean markup.

Elements that say nothing to a reader are unwrapped, empty ones leave, text that stands beside blocks becomes paragraphs,
and so do passages parted by line breaks; white space is settled and attributes are cut to the allow-list. No word is
lost, and none runs into the next: wherever a block's edge parted two words, an edge or a break still does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Final
from urllib.parse import unquote

from lxml import etree

from mainextract_beam.base import PLAIN_BASES, XML_BASE, resolve, stated_base
from mainextract_beam.clean.edit import Edits, add_text, set_attribute, set_tail, set_text
from mainextract_beam.clean.links import may_state_base, references
from mainextract_beam.clean.media import SETTLED, normalize_media
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.settle import open_nodes, settle
from mainextract_beam.clean.vocabulary import CONTROLS, FLOW, INLINE, KEPT, LAYOUT, OPAQUE
from mainextract_beam.marked import marked
from mainextract_beam.names import BLOCK, HEADINGS, VOID
from mainextract_beam.sanitize import DROPPED, safe_url
from mainextract_beam.text import WHITESPACE, is_blank
from mainextract_beam.walks import load_compiled
from mainextract_beam.xmlsafe import drop_attribute

NAME = "normalize"

compiled: Final = load_compiled("clean._normalize")

_BASES_KEPT = (KEPT | INLINE | {"img"}) - {"section", "article", "p", "figure"}
_CELLS = frozenset({"li", "td", "th", "dd", "dt", "figcaption", "summary", "caption", "h1", "h2", "h3", "h4", "h5", "h6"})
_PARAGRAPHS = frozenset({"section", "article", "aside", "blockquote", "details", "body", "html", "address"})
_PHRASING = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
_EMPTY_KEPT = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "col", "colgroup", "hr", "body", "html", "video", "audio"})

# What an element amounts to in its parent.
_BLOCK, _INLINE, _BREAK, _NOTHING = range(4)


def normalize(page: CleanPage) -> None:
    """Normalises the content roots."""
    held = []
    for root in page.roots:
        etree.strip_tags(root, etree.Comment, etree.PI)
        found = _empty_voids(page, root, marked(root, _SOUGHT, {}))
        holds = reduce(or_, (bits for _, bits in found), 0)
        if holds & (_HIDDEN | _OPPORTUNITY | _BUTTON):
            _drop(page, root, found)
        if holds & _MEDIUM:
            normalize_media(page, root)
        _hand_down_bases(root)
        held.append(holds)
    targets = _targets(page)
    for root, holds in zip(page.roots, held, strict=True):
        if not page.debug:
            _Restructure(page, root, targets, bool(holds & _TABLE)).run()
            _settle_edges(page, root)
        settle(page, root, targets)


def _hand_down_bases(root: etree._Element) -> None:
    """Moves the base an element states to what it holds, where the element may be unwrapped: references resolve later."""
    if not may_state_base(root):
        return
    for element in list(root.iter(etree.Element)):
        base = stated_base(element)
        if base is None or element is root or element.tag in _BASES_KEPT:
            continue
        for name in (XML_BASE, *PLAIN_BASES):
            drop_attribute(element.attrib, name)
        for child in element.iterchildren(etree.Element):
            own = stated_base(child)
            set_attribute(child, XML_BASE, base if own is None else resolve(base, own))


def _targets(page: CleanPage) -> set[str]:
    """The ids that links in the content lead to."""
    found = set()
    for root in page.roots:
        for _, _, href in references(root, {"a": ("href",)}):
            if href.startswith("#"):
                found.add(href[1:])
                found.add(unquote(href[1:]))
    return found


# What is sought in a root, all at once.
_NEVER_SHOWN = DROPPED - {"iframe"}
_VOID, _HIDDEN, _OPPORTUNITY, _BUTTON, _MEDIUM, _TABLE = (1 << bit for bit in range(6))
_SOUGHT = {
    tag: _VOID * (tag in VOID)
    | _HIDDEN * (tag in _NEVER_SHOWN)
    | _OPPORTUNITY * (tag == "wbr")
    | _BUTTON * (tag == "button")
    | _MEDIUM * (tag in SETTLED)
    | _TABLE * (tag in LAYOUT)
    for tag in VOID | _NEVER_SHOWN | {"button"} | SETTLED | LAYOUT
}

_Found = list[tuple[etree._Element, int]]


def _empty_voids(page: CleanPage, root: etree._Element, found: _Found) -> _Found:
    """Takes out of void elements what parsers put into them that do not know them; what is found in the root then."""
    full = [element for element, bits in found if bits & _VOID and element is not root and (len(element) or element.text)]
    if not full:
        return found
    with Edits(page, NAME, root) as edits:
        for element in full:
            if element.tag not in DROPPED:
                element.addprevious(etree.Element(element.tag, dict(element.attrib)))
            edits.unwrap(element, rule="void")
    return marked(root, _SOUGHT, {})


def _drop(page: CleanPage, root: etree._Element, found: _Found) -> None:
    """Takes out what no reader sees as content: scripts, styles, controls."""
    with Edits(page, NAME, root) as edits:
        for element, bits in found:
            if bits & _HIDDEN and element is not root:
                if element.tag in CONTROLS and element.tail and not element.tail[0].isspace():
                    set_tail(element, " " + element.tail)
                edits.remove(element, rule="not-content")
        for element, bits in found:
            if bits & _OPPORTUNITY:
                edits.remove(element, rule="break-opportunity")
            elif bits & _BUTTON:
                # Whether a button is clutter is for the steps before; here it is text like any other.
                _set_apart(element)


def _set_apart(button: etree._Element) -> None:
    """Parts what a button says from the words beside it."""
    before, parent = button.getprevious(), button.getparent()
    text = (parent.text if parent is not None else None) if before is None else before.tail
    if text and text[-1] not in WHITESPACE:
        set_text(button, " " + (button.text or ""))
    if button.tail and button.tail[0] not in WHITESPACE:
        set_tail(button, " " + button.tail)


class _Restructure:
    """Unwraps, drops and builds paragraphs in one content root, innermost elements first."""

    def __init__(self, page: CleanPage, root: etree._Element, targets: set[str], has_table: bool) -> None:
        self.page = page
        self.root = root
        self.targets = targets
        self.amounts: dict[etree._Element, int] = {}
        self.has_layout = has_table and "standardize" not in page.skip

    def run(self) -> None:
        layout = self._layout_parts() if self.has_layout else set()
        undecided: Iterable[tuple[etree._Element, int]]
        if compiled is None:
            undecided = _undecided(self.root)
        else:
            # Of tables, only those that are layout are special.
            special = layout.union(element for element in self.page.marks.all() if element.tag not in LAYOUT)
            undecided, self.amounts = compiled.undecided(self.root, _OUTCOMES, _WRAPPER_OUTCOMES, special, self.targets)
        with Edits(self.page, NAME, self.root) as edits:
            self.edits = edits
            for element, how in undecided:
                if how & _ASK:
                    self.amounts[element] = self._handle(element, element in layout, how)
                elif how & _EMPTY:
                    edits.remove(element, rule="empty")
                else:
                    edits.unwrap(element, rule="wrapper" if how == _UNWRAP | _BLOCK else "inline-wrapper")

    def _layout_parts(self) -> set[etree._Element]:
        """The tables that are no data tables, with their parts."""
        parts: set[etree._Element] = set()
        marks = self.page.marks
        kept: dict[etree._Element, bool] = {}
        for part in self.root.iter(*LAYOUT):
            if part.tag == "table":
                kept[part] = marks.kind(part) == "table"
                is_kept = kept[part]
            else:
                table = next(part.iterancestors("table"), None)
                is_kept = table is not None and kept.get(table, False)
            if not is_kept:
                parts.add(part)
        return parts

    def _handle(self, element: etree._Element, is_layout: bool, how: int) -> int:
        tag = element.tag
        if tag == "br":
            return _BREAK
        if tag == "img":
            return _INLINE
        if tag in OPAQUE:
            return _BLOCK if tag == "pre" or element.get("display") == "block" else _INLINE
        if tag == "hr":
            return _BLOCK
        if how & _KNOWN:
            inline, block, chain = bool(how & _HAS_INLINE), bool(how & _HAS_BLOCK), bool(how & _HAS_CHAIN)
        else:
            inline, block, chain = self._scan(element)
        if is_layout or tag in FLOW:
            return self._flow(element, inline, block, chain)
        if tag in KEPT:
            return self._kept(element, inline, block, chain)
        if tag in INLINE:
            return self._inline(element, inline, block)
        if block:
            return self._flow(element, inline, block, chain)
        return self._wrapper(element, inline)

    def _scan(self, element: etree._Element) -> tuple[bool, bool, bool]:
        """Whether an element holds content of a line, blocks, and two line breaks in a row."""
        inline = not is_blank(element.text)
        block = chain = after_break = False
        if not len(element):
            return inline, block, chain
        amounts = self.amounts
        for child in element:
            amount = amounts.get(child, _NOTHING)
            if amount == _BLOCK:
                block, after_break = True, False
            elif amount == _INLINE:
                inline, after_break = True, False
            elif amount == _BREAK:
                chain = chain or after_break
                after_break = True
            tail = child.tail
            if tail and not tail.isspace() and not is_blank(tail):
                inline, after_break = True, False
        return inline, block, chain

    def _flow(self, element: etree._Element, inline: bool, block: bool, chain: bool) -> int:
        if element is self.root:
            if inline:
                self._wrap_runs(element)
            return _BLOCK
        if not inline and not block:
            return self._empty(element)
        parent = element.getparent()
        if not block:
            if parent is not None and parent.tag in ("ul", "ol"):
                return self._rename(element, "li")
            if self._breaks_paragraph(parent):
                self._break_around(element)
                self._unwrap(element, "wrapper")
                return _INLINE
            if not chain:
                if parent is not None and parent.tag in _CELLS and _is_alone(element, parent):
                    self._unwrap(element, "wrapper")
                    return _INLINE
                return self._rename(element, "p")
        if inline:
            self._wrap_runs(element)
        self._unwrap(element, "wrapper")
        return _BLOCK

    def _kept(self, element: etree._Element, inline: bool, block: bool, chain: bool) -> int:
        tag = element.tag
        if not inline and not block:
            if tag in _EMPTY_KEPT or element is self.root or self.page.marks.kind(element) is not None:
                return _BLOCK
            return self._empty(element)
        if tag == "p":
            if (chain or block) and element is not self.root and not self._breaks_paragraph(element.getparent()):
                if inline:
                    self._wrap_runs(element)
                self._unwrap(element, "paragraphs")
        elif tag in _PARAGRAPHS:
            if inline and (block or chain or tag not in ("blockquote", "address")):
                self._wrap_runs(element)
            parent = element.getparent()
            if (
                tag in ("section", "article")
                and element is not self.root
                and parent is not None
                and self.page.marks.kind(element) is None
                and _is_alone(element, parent)
            ):
                self._unwrap(element, "wrapper")
        elif chain and tag in ("li", "dd", "td", "figcaption"):
            self._wrap_runs(element)
        elif tag == "figure" and not any(True for _ in element.iter("figcaption", *_FIGURED)):
            return self._flow(element, inline, block, chain)
        return _BLOCK

    def _inline(self, element: etree._Element, inline: bool, block: bool) -> int:
        identifier = element.get("id") or (element.get("name") if element.tag == "a" else None)
        is_target = bool(identifier) and identifier in self.targets
        if not inline and not block:
            if is_target and identifier:
                element.attrib.clear()
                element.set("id", identifier)
                element.tag = "a"
            else:
                self._unwrap(element, "empty")
            return _NOTHING
        if element.tag == "a":
            href = element.get("href")
            if href is None or safe_url(href) is None or is_blank(href):
                if not is_target:
                    self._unwrap(element, "link-to-nothing")
                element.attrib.pop("href", None)
            if is_target and identifier and not element.get("id"):
                element.set("id", identifier)
            if block and href is not None:
                self._swap_heading(element)
        return _BLOCK if block else _INLINE

    def _wrapper(self, element: etree._Element, inline: bool) -> int:
        if element.tag in ("source", "track"):
            return _NOTHING
        if inline and (element.get("lang") or element.get("dir")):
            element.tag = "span"
            return _INLINE
        self._unwrap(element, "inline-wrapper")
        return _INLINE if inline else _NOTHING

    def _swap_heading(self, link: etree._Element) -> None:
        """Moves a link around a heading into it."""
        if len(link) != 1 or link[0].tag not in HEADINGS or not is_blank(link.text) or not is_blank(link[0].tail):
            return
        heading = link[0]
        inner = etree.Element("a", dict(link.attrib))
        set_text(inner, heading.text)
        for child in list(heading):
            inner.append(child)
        heading.text = None
        heading.append(inner)
        link.attrib.clear()
        self.amounts[inner] = _INLINE
        self.edits.unwrap(link, rule="link-around-heading")

    def _empty(self, element: etree._Element) -> int:
        """Plans to take out a block without content; where it parted two texts, a line break does now."""
        parts = self._parts_texts(element)
        for child in list(element):
            if self.amounts.get(child) == _BREAK:
                self.edits.remove(child, rule="break")
        if len(element) or element.get("id") in self.targets:
            self._unwrap(element, "empty")
        else:
            self.edits.remove(element, rule="empty")
        if not parts:
            return _NOTHING
        line = etree.Element("br")
        element.addprevious(line)
        self.amounts[line] = _BREAK
        return _NOTHING

    def _parts_texts(self, element: etree._Element) -> bool:
        """Whether a block stands between text, or what may be text, on either side."""
        parent, before, after = element.getparent(), element.getprevious(), element.getnext()
        if parent is None:
            return False
        text_before = parent.text if before is None else before.tail
        # At an edge of an inline element, what is outside it may be text.
        in_line = parent.tag not in BLOCK and parent.tag not in ("td", "th")
        if is_blank(text_before) and (before.tag in BLOCK if before is not None else not in_line):
            return False
        if not is_blank(element.tail):
            return True
        return in_line if after is None else self.amounts.get(after) in (_INLINE, _NOTHING)

    def _rename(self, element: etree._Element, tag: str) -> int:
        if self.page.journal.keep:
            self.page.journal.record(element, "replace", step=NAME, rule="paragraph")
        element.tag = tag
        return _BLOCK

    def _unwrap(self, element: etree._Element, rule: str) -> None:
        identifier = element.get("id")
        if identifier and identifier in self.targets:
            anchor = etree.Element("a", id=identifier)
            set_tail(anchor, element.text)
            element.text = None
            element.insert(0, anchor)
            self.amounts[anchor] = _NOTHING
        self.edits.unwrap(element, rule=rule)

    def _breaks_paragraph(self, parent: etree._Element | None) -> bool:
        """Whether a block in the parent would stand in a paragraph or heading, which hold none."""
        while parent is not None and parent is not self.root:
            if parent.tag in _PHRASING:
                return True
            if parent.tag in BLOCK or parent.tag in ("td", "th"):
                return False
            parent = parent.getparent()
        return False

    def _break_around(self, element: etree._Element) -> None:
        first = etree.Element("br")
        element.addprevious(first)
        self.amounts[first] = _BREAK
        after = element.getnext()
        if after is not None and after.tag == "br" and is_blank(element.tail):
            return
        last = etree.Element("br")
        set_tail(last, element.tail)
        element.tail = None
        element.addnext(last)
        self.amounts[last] = _BREAK

    def _wrap_runs(self, element: etree._Element) -> None:
        """Makes paragraphs of what stands beside blocks, a new one after two line breaks."""
        paragraph: etree._Element | None = None
        breaks: list[etree._Element] = []
        last_block: etree._Element | None = None

        def text(value: str | None) -> None:
            nonlocal paragraph
            if not value:
                return
            if is_blank(value):
                if paragraph is not None:
                    add_text(paragraph, value)
                return
            add_text(begin(), value)

        def begin() -> etree._Element:
            """The paragraph to add to."""
            nonlocal paragraph, last_block
            if paragraph is not None and len(breaks) == 1:
                paragraph.append(breaks[0])
                breaks.clear()
            elif breaks:
                drop_breaks()
                if paragraph is not None:
                    last_block, paragraph = paragraph, None
            if paragraph is None:
                paragraph = etree.Element("p")
                self.amounts[paragraph] = _BLOCK
                if last_block is None:
                    element.insert(0, paragraph)
                else:
                    last_block.addnext(paragraph)
            return paragraph

        def drop_breaks() -> None:
            for line in breaks:
                if line.getparent() is not None:
                    element.remove(line)
            breaks.clear()

        # Listed first: the paragraph that the leading text begins goes on with what follows.
        children = list(element)
        leading, element.text = element.text, None
        text(leading)
        for child in children:
            tail, child.tail = child.tail, None
            amount = self.amounts.get(child, _NOTHING)
            if amount == _BLOCK:
                drop_breaks()
                paragraph, last_block = None, child
            elif amount == _BREAK:
                if paragraph is None:
                    element.remove(child)
                else:
                    breaks.append(child)
            elif amount == _INLINE or (paragraph is not None and not breaks):
                begin().append(child)
            elif paragraph is None:
                last_block = child
            text(tail)
        drop_breaks()


def _is_alone(element: etree._Element, parent: etree._Element) -> bool:
    return len(parent) == 1 and is_blank(parent.text) and is_blank(element.tail)


# What comes of an element: what it amounts to (see above), then whether it is unwrapped, or leaves as it is empty; or that
# `_Restructure` must be asked, and whether that may be found to amount to something else or to change what is beside it. Some of
# these hold on a condition only: it must be asked unless it is a link that leads somewhere, or an empty one without anything in
# it or a break in its place; if it is one of those said to be special; it is unsure if it cannot surely stand as a block.
_UNWRAP, _EMPTY, _ASK, _UNSURE, _LINK, _SPECIAL, _LINE = (4 << bit for bit in range(7))
# What is known of a tag: that elements of it are left as they are, with all they hold; that they are blocks; that they part
# what they hold from the text around; that a block in them stays one.
_CLOSED_UP, _IS_BLOCK, _PARTS, _HOLDS = (1 << bit for bit in range(4))
# What is known of what an element holds.
_KNOWN, _HAS_INLINE, _HAS_BLOCK, _HAS_CHAIN = (512 << bit for bit in range(4))


def _undecided(root: etree._Element) -> list[tuple[etree._Element, int]]:
    """The elements to handle, the innermost and last first, and what comes of each: all must be asked about."""
    return [(node, _ASK) for node in reversed(list(open_nodes(root))) if isinstance(node.tag, str)]


def _outcomes(tag: str) -> tuple[int, ...]:
    """What comes of an element by what it holds: content of a line (1), blocks (2), two line breaks in a row (4); of its tag."""
    known = (
        _CLOSED_UP * (tag in OPAQUE)
        | _IS_BLOCK * (tag in BLOCK)
        | _PARTS * (tag in BLOCK or tag in ("td", "th"))
        | _HOLDS * (tag in BLOCK and tag not in _PHRASING and tag not in _CELLS)
    )
    return (*(_outcome(tag, bool(holds & 1), bool(holds & 2), bool(holds & 4)) for holds in range(8)), known)


def _outcome(tag: str, inline: bool, block: bool, chain: bool) -> int:
    """As `_Restructure` decides it."""
    if tag in ("br", "img", "hr", "pre"):
        return {"br": _BREAK, "img": _INLINE}.get(tag, _BLOCK)
    if tag in OPAQUE:
        return _ASK | _UNSURE
    if tag in FLOW or (block and tag not in KEPT and tag not in INLINE):
        return _flow_outcome(inline, block)
    if tag in KEPT:
        return _kept_outcome(tag, inline, block, chain) | _SPECIAL * (tag in LAYOUT)
    if tag in INLINE:
        if block:
            return _ASK | _BLOCK
        return _INLINE | _LINK * (tag == "a") if inline else _ASK | _NOTHING
    if tag in ("source", "track"):
        return _NOTHING
    return _UNWRAP | (_INLINE if inline else _NOTHING)


def _flow_outcome(inline: bool, block: bool) -> int:
    if not inline:
        return _UNWRAP | _BLOCK if block else _NOTHING | _EMPTY
    return _ASK | _BLOCK | _LINE * (not block)


def _kept_outcome(tag: str, inline: bool, block: bool, chain: bool) -> int:
    if not inline and not block:
        if tag in _EMPTY_KEPT:
            return _BLOCK
        return _NOTHING | (_ASK | _UNSURE if tag in LAYOUT else _EMPTY | _SPECIAL)
    if tag == "figure":
        return _ASK | _BLOCK | _LINE * (not block)
    if tag == "p":
        asks = chain or block
    elif tag in ("section", "article"):
        asks = True
    elif tag in _PARAGRAPHS:
        asks = inline and (block or chain or tag not in ("blockquote", "address"))
    else:
        asks = chain and tag in ("li", "dd", "td", "figcaption")
    return _ASK * asks | _BLOCK


_OUTCOMES = {tag: _outcomes(tag) for tag in OPAQUE | FLOW | KEPT | INLINE | BLOCK | {"br", "img", "source", "track"}}
_WRAPPER_OUTCOMES = _outcomes("span")

_FIGURED = ("img", "picture", "video", "audio", "svg", "math", "table", "pre")


def _settle_edges(page: CleanPage, root: etree._Element) -> None:
    """Takes line breaks out at the edges of blocks, and rules where they part nothing."""
    with Edits(page, NAME, root) as edits:
        breaks = list(root.iter("br"))
        for line in breaks:
            before, parent = line.getprevious(), line.getparent()
            text = (parent.text if parent is not None else None) if before is None else before.tail
            if is_blank(text) and (before in edits if before is not None and before.tag == "br" else _is_edge(before, parent)):
                edits.remove(line, rule="break")
        for line in reversed(breaks):
            after, parent = line.getnext(), line.getparent()
            if is_blank(line.tail) and (after in edits if after is not None and after.tag == "br" else _is_edge(after, parent)):
                edits.remove(line, rule="break")
        for rule in root.iter("hr"):
            before, after = rule.getprevious(), rule.getnext()
            at_edge = (before is None or after is None) and rule.getparent() is root
            if at_edge or (before is not None and before.tag == "hr"):
                edits.remove(rule, rule="rule")


def _is_edge(beside: etree._Element | None, parent: etree._Element | None) -> bool:
    if beside is not None:
        return beside.tag in BLOCK
    return parent is not None and (parent.tag in BLOCK or parent.tag in ("td", "th"))
