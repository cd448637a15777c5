"""The only ways a step takes things out of the page: each keeps the text around and writes to the journal.

A rule that is switched off takes nothing out.

`Edits` works in one pass over the tree. Use it for anything the page may hold many of: taking elements out one by one
joins the texts around them again and again, which is quadratic in the number of neighbours.
"""

from __future__ import annotations

from lxml import etree

from mainextract_beam.clean.journal import Action
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.xmlsafe import add_text as add_text
from mainextract_beam.xmlsafe import set_attribute as set_attribute
from mainextract_beam.xmlsafe import set_tail as set_tail
from mainextract_beam.xmlsafe import set_text as set_text

# Names no element of a working tree bears, as those are lower-case.
_DROP = "DROP"
_UNWRAP = "UNWRAP"
# So many edits at most cost less one by one than a pass over the tree.
_FEW = 12


def remove(
    page: CleanPage,
    element: etree._Element,
    *,
    step: str,
    rule: str,
    reason: str | None = None,
    selector: str | None = None,
) -> None:
    """Takes the element out with all it holds; the text after it stays. A content root stays as it is."""
    parent = element.getparent()
    if parent is None or element in page.roots or page.is_off(step, rule):
        return
    if page.journal.keep:
        page.journal.record(element, "remove", step=step, rule=rule, reason=reason, selector=selector)
    detach(element)


def unwrap(
    page: CleanPage,
    element: etree._Element,
    *,
    step: str,
    rule: str,
    reason: str | None = None,
    selector: str | None = None,
) -> None:
    """Takes the element out and leaves all it holds in its place. A content root stays as it is."""
    parent = element.getparent()
    if parent is None or element in page.roots or page.is_off(step, rule):
        return
    if page.journal.keep:
        page.journal.record(element, "unwrap", step=step, rule=rule, reason=reason, selector=selector)
    _spill(element)
    detach(element)


def replace(
    page: CleanPage,
    element: etree._Element,
    new: etree._Element,
    *,
    step: str,
    rule: str,
    reason: str | None = None,
    selector: str | None = None,
) -> None:
    """Puts ``new`` where the element is; the text after the element then follows ``new``.

    ``new`` may stand inside the element. A content root that is replaced is replaced in ``page.roots`` too; the top
    of the tree cannot be.
    """
    parent = element.getparent()
    if parent is None:
        raise ValueError(f"the top of the tree cannot be replaced: {element.tag!r}")
    if page.journal.keep:
        page.journal.record(element, "replace", step=step, rule=rule, reason=reason, selector=selector)
        page.journal.adopt(new, element)
    put(element, new)
    if element in page.roots:
        page.roots[page.roots.index(element)] = new


def put(element: etree._Element, new: etree._Element) -> None:
    """Puts ``new`` where the element is, with the text after it, without a journal entry."""
    parent = element.getparent()
    if parent is None:
        raise ValueError(f"the top of the tree cannot be replaced: {element.tag!r}")
    tail, element.tail = element.tail, None
    if new.getparent() is not None:
        detach(new)
    set_tail(new, tail)
    parent.replace(element, new)


def detach(element: etree._Element) -> None:
    """Takes the element out of its parent and leaves the text after it, without a journal entry."""
    parent = element.getparent()
    if parent is None:
        return
    tail = element.tail
    if tail:
        _add_text_before(element, tail)
        element.tail = None
    parent.remove(element)


def _spill(element: etree._Element) -> None:
    """Puts all an element holds before it."""
    _add_text_before(element, element.text)
    element.text = None
    for child in list(element):
        element.addprevious(child)


class Edits:
    """Removals and unwrappings gathered while a step walks the page, made all at once when the block ends.

        with Edits(page, "selectors") as edits:
            for element in page.root.iter("div"):
                if ...:
                    edits.remove(element, rule="exact", selector=".advert")

    Nothing changes before the end, so that the walk sees the page whole; the work is one pass over the tree, however
    many there are and whatever text stands between them. Of removed elements that hold one another, only the outermost
    is journalled. Content roots stay as they are. Elements taken out must not be used afterwards.
    """

    __slots__ = ("_page", "_planned", "_step", "_top")

    def __init__(self, page: CleanPage, step: str, top: etree._Element | None = None) -> None:
        """``top`` holds all that may be taken out; by default it is the page's root."""
        self._page = page
        self._step = step
        self._top = page.root if top is None else top
        self._planned: dict[etree._Element, tuple[Action, str, str | None, str | None]] = {}

    def __enter__(self) -> Edits:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is None:
            self.apply()

    def __len__(self) -> int:
        return len(self._planned)

    def __contains__(self, element: etree._Element) -> bool:
        return element in self._planned

    def remove(self, element: etree._Element, *, rule: str, reason: str | None = None, selector: str | None = None) -> None:
        """Plans to take the element out with all it holds; see `remove`."""
        if not self._page.is_off(self._step, rule):
            self._planned[element] = ("remove", rule, reason, selector)

    def unwrap(self, element: etree._Element, *, rule: str, reason: str | None = None, selector: str | None = None) -> None:
        """Plans to take the element out and leave what it holds; a planned removal of it stays one."""
        if not self._page.is_off(self._step, rule):
            self._planned.setdefault(element, ("unwrap", rule, reason, selector))

    def apply(self) -> None:
        """Makes the planned edits; called by the end of the block."""
        page, planned = self._page, self._planned
        for fixed in (page.root, *page.roots):
            planned.pop(fixed, None)
        if not planned:
            return
        if page.journal.keep:
            self._record()
        if page.undo is not None:
            holders = {element.getparent() for element in planned}
            holders.update(element for element, (action, *_) in planned.items() if action == "unwrap")
            page.undo.hold(holder for holder in holders if holder is not None)
        if len(planned) <= _FEW:
            for element, (action, *_) in planned.items():
                if action == "unwrap":
                    _spill(element)
                detach(element)
        else:
            tags = set()
            for element, (action, *_) in planned.items():
                tag = _DROP if action == "remove" else _UNWRAP
                tags.add(tag)
                if page.undo is None:
                    element.tag = tag
                else:
                    page.undo.rename(element, tag)
            if _DROP in tags:
                etree.strip_elements(self._top, _DROP, with_tail=False)
            if _UNWRAP in tags:
                etree.strip_tags(self._top, _UNWRAP)
        planned.clear()

    def _record(self) -> None:
        removed = {element for element, plan in self._planned.items() if plan[0] == "remove"}
        inside = {inner for outer in removed for inner in outer.iterdescendants(etree.Element)} if removed else set()
        for element, (action, rule, reason, selector) in self._planned.items():
            if element not in inside:
                self._page.journal.record(element, action, step=self._step, rule=rule, reason=reason, selector=selector)


def _add_text_before(element: etree._Element, text: str | None) -> None:
    if not text:
        return
    previous = element.getprevious()
    if previous is not None:
        set_tail(previous, (previous.tail or "") + text)
        return
    parent = element.getparent()
    if parent is not None:
        set_text(parent, (parent.text or "") + text)
