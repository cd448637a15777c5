"""Step 10: what is left becomes clean markup.

Elements that say nothing to a reader are unwrapped, empty ones leave, text that stands beside blocks becomes paragraphs,
and so do passages parted by line breaks; white space is settled and attributes are cut to the allow-list. No word is
lost, and none runs into the next: wherever a block's edge parted two words, an edge or a break still does.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from lxml import etree

from mainextract_beam.base import PLAIN_BASES, XML_BASE, resolve, stated_base
from mainextract_beam.clean.edit import Edits, add_text, set_attribute, set_tail, set_text
from mainextract_beam.clean.links import may_state_base
from mainextract_beam.clean.media import normalize_media
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.names import BLOCK, VOID
from mainextract_beam.sanitize import ATTRIBUTES, CLASSES, DROPPED, GLOBAL_ATTRIBUTES, XML_ATTRIBUTES, safe_url
from mainextract_beam.text import WHITESPACE, is_blank
from mainextract_beam.xmlsafe import drop_attribute

NAME = "normalize"

CONTROLS = frozenset(
    {"input", "select", "textarea", "datalist", "object", "embed", "applet", "canvas", "keygen", "meter", "progress"}
)
"""What leaves a gap in a line where it stood."""

OPAQUE = frozenset({"pre", "math", "svg"})
"""What is left as it is, with all it holds."""

_FOREIGN = frozenset({"math", "svg"})  # their attributes are another vocabulary, which the sanitiser cuts

FLOW = frozenset(
    """div center form fieldset main header footer hgroup search dialog nav menu noframes frameset legend optgroup option
    marquee multicol""".split()
)
"""Blocks that only hold others; custom elements and inline wrappers that hold blocks are treated like them."""

LAYOUT = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "col", "colgroup"})
"""The parts of tables that are no data tables, treated like `FLOW`."""

WRAPPERS = frozenset(
    """span font big tt basefont blink nobr label button output slot map picture source track
    """.split()
)
"""Inline elements that say nothing; so do unknown ones."""

KEPT = frozenset(
    """p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote section article aside figure figcaption details summary address
    table caption thead tbody tfoot tr td th colgroup col hr body html video audio""".split()
)
"""Blocks that stay."""

INLINE = frozenset(
    """a abbr b bdi bdo cite code data del dfn em i ins kbd mark q rp rt ruby s samp small strike strong sub sup time u var
    acronym""".split()
)
"""Inline elements that stay."""

_BASES_KEPT = (KEPT | INLINE | {"img"}) - {"section", "article", "p", "figure"}
_CELLS = frozenset({"li", "td", "th", "dd", "dt", "figcaption", "summary", "caption", "h1", "h2", "h3", "h4", "h5", "h6"})
_PARAGRAPHS = frozenset({"section", "article", "aside", "blockquote", "details", "body", "html", "address"})
_PHRASING = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
_EMPTY_KEPT = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "col", "colgroup", "hr", "body", "html", "video", "audio"})
_SPACES = re.compile(f"[{re.escape(WHITESPACE)}]+")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ROLES = re.compile(r"note|doc-[a-z]+")

# What an element amounts to in its parent.
_BLOCK, _INLINE, _BREAK, _NOTHING = range(4)


def normalize(page: CleanPage) -> None:
    """Normalises the content roots."""
    for root in page.roots:
        etree.strip_tags(root, etree.Comment, etree.PI)
        _empty_voids(page, root)
        _drop(page, root)
        normalize_media(page, root)
        _hand_down_bases(root)
    targets = _targets(page)
    for root in page.roots:
        if not page.debug:
            _Restructure(page, root, targets).run()
            _settle_edges(page, root)
        _settle(page, root, targets)


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
        for link in root.iter("a"):
            href = link.get("href")
            if href and href.startswith("#"):
                found.add(href[1:])
                found.add(unquote(href[1:]))
    return found


def _empty_voids(page: CleanPage, root: etree._Element) -> None:
    """Takes out of void elements what parsers put into them that do not know them."""
    with Edits(page, NAME) as edits:
        for element in list(root.iter(*VOID)):
            if element is not root and (len(element) or element.text):
                if element.tag not in DROPPED:
                    element.addprevious(etree.Element(element.tag, dict(element.attrib)))
                edits.unwrap(element, rule="void")


def _drop(page: CleanPage, root: etree._Element) -> None:
    """Takes out what no reader sees as content: scripts, styles, controls."""
    with Edits(page, NAME) as edits:
        for element in root.iter(*_NEVER_SHOWN):
            if element is root:
                continue
            if element.tag in CONTROLS and element.tail and not element.tail[0].isspace():
                set_tail(element, " " + element.tail)
            edits.remove(element, rule="not-content")
        for element in root.iter("wbr"):
            edits.remove(element, rule="break-opportunity")
        for button in root.iter("button"):
            # Whether a button is clutter is for the steps before; here it is text like any other.
            _set_apart(button)


_NEVER_SHOWN = tuple(DROPPED - {"iframe"})


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

    def __init__(self, page: CleanPage, root: etree._Element, targets: set[str]) -> None:
        self.page = page
        self.root = root
        self.targets = targets
        self.amounts: dict[etree._Element, int] = {}
        self.data_only = "standardize" not in page.skip

    def run(self) -> None:
        elements = list(self.root.iter(etree.Element))
        opaque: set[etree._Element] = set()
        for element in self.root.iter(*OPAQUE):
            if element not in opaque:
                opaque.update(element.iterdescendants(etree.Element))
        layout = self._layout_parts() if self.data_only else set()
        with Edits(self.page, NAME) as edits:
            self.edits = edits
            for element in reversed(elements):
                if element not in opaque:
                    self.amounts[element] = self._handle(element, element in layout)

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

    def _handle(self, element: etree._Element, is_layout: bool) -> int:
        tag = element.tag
        if tag == "br":
            return _BREAK
        if tag == "img":
            return _INLINE
        if tag in OPAQUE:
            return _BLOCK if tag == "pre" or element.get("display") == "block" else _INLINE
        if tag == "hr":
            return _BLOCK
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
        if len(link) != 1 or link[0].tag not in _HEADINGS or not is_blank(link.text) or not is_blank(link[0].tail):
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


_FIGURED = ("img", "picture", "video", "audio", "svg", "math", "table", "pre")


def _settle(page: CleanPage, root: etree._Element, targets: set[str]) -> None:
    """Settles white space and attributes."""
    if not page.debug and (root.tag not in _ROOTS or (root.tag in LAYOUT and page.marks.kind(root) is None)):
        root.tag = "div"
    opaque: set[etree._Element] = set()
    for element in list(root.iter(etree.Element)):
        tag = str(element.tag)
        if element in opaque:
            continue
        keys = element.keys()
        if keys and not page.debug and tag not in _FOREIGN:
            _cut_attributes(page, element, tag, keys, targets)
        is_block = tag in _EDGES
        if tag in OPAQUE:
            opaque.update(element.iterdescendants(etree.Element))
        elif tag != "code":
            text = element.text
            if text:
                settled = _collapse(text)
                if is_block:
                    settled = settled.lstrip(" ") if len(element) else settled.strip(" ")
                if settled != text:
                    set_text(element, settled or None)
            if is_block and len(element):
                _trim_after(element[-1])
        if element is root:
            continue
        tail = element.tail
        if tail:
            settled = _collapse(tail)
            if is_block:
                settled = settled.lstrip(" ")
            if settled != tail:
                set_tail(element, settled or None)
        if is_block:
            before = element.getprevious()
            if before is not None:
                _trim_after(before)
            else:
                parent = element.getparent()
                text = None if parent is None else parent.text
                if text and parent is not None and parent.tag not in ("code", "pre"):
                    set_text(parent, text.rstrip(WHITESPACE) or None)


def _trim_after(element: etree._Element) -> None:
    """Takes away the white space that the text after an element ends with; the text is made one node in any case."""
    tail = element.tail
    if tail:
        set_tail(element, tail.rstrip(WHITESPACE) or None)


_EDGES = BLOCK | {"br", "td", "th"}
_ROOTS = KEPT | {"main", "div", "pre", "header", "footer", "nav"}


def _collapse(text: str) -> str:
    """The text with each run of white space made one space."""
    # As in text.normalize: no white space but the space itself is printable, and str.split parts at U+0085 too.
    if "  " not in text and text.isprintable():
        return text
    if "\x85" not in text:
        joined = " ".join(text.split())
        if joined.isprintable():
            return f"{' ' * text[0].isspace()}{joined}{' ' * text[-1].isspace()}" if joined else " "
    return _SPACES.sub(" ", text)


def _cut_attributes(page: CleanPage, element: etree._Element, tag: str, keys: list[str], targets: set[str]) -> None:
    own = ATTRIBUTES.get(tag, _NONE)
    for key in keys:
        if key == "class":
            pattern = CLASSES.get(tag)
            keep = pattern is not None and any(map(pattern.fullmatch, element.get(key, "").split()))
        elif key in own:
            continue
        elif key == "id":
            keep = tag in _HEADINGS or page.marks.kind(element) is not None or element.get(key) in targets
        elif key == "role":
            keep = _ROLES.fullmatch(element.get(key, "")) is not None
        else:
            keep = key in GLOBAL_ATTRIBUTES or key in XML_ATTRIBUTES
        if not keep:
            drop_attribute(element.attrib, key)


_NONE: frozenset[str] = frozenset()


def _settle_edges(page: CleanPage, root: etree._Element) -> None:
    """Takes line breaks out at the edges of blocks, and rules where they part nothing."""
    with Edits(page, NAME) as edits:
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
