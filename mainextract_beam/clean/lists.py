"""Definition lists and task lists: the ones marked, the other's boxes turned into a statement about the item."""

from __future__ import annotations

from lxml import etree

from mainextract_beam.clean.edit import Edits
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import raw_text, text_of

STEP = "standardize"


def standardize_lists(page: CleanPage) -> None:
    """Marks definition lists of text and task lists; a task becomes ``<li data-task="done|open">`` without its box."""
    if page.stated.tags.isdisjoint(("input", "dl")):
        return
    for root in page.roots:
        boxes = [box for box in root.iter("input") if box.get("type", "").strip().lower() == "checkbox"]
        if boxes:
            with Edits(page, STEP) as edits:
                for box in boxes:
                    _make_task(page, box, edits)
        for listed in list(root.iter("dl")):
            if not page.marks.is_inside(listed) and _defines(listed):
                page.marks.protect(listed, "list", around=False)


def _make_task(page: CleanPage, box: etree._Element, edits: Edits) -> None:
    item = next(box.iterancestors("li"), None)
    listed = None if item is None else item.getparent()
    if item is None or listed is None or listed.tag not in ("ul", "ol"):
        return
    # The box leads the item: before it stands nothing but wrappers.
    step: etree._Element | None = box
    while step is not None and step is not item:
        holder = step.getparent()
        if holder is None or (holder.text or "").strip() or step.getprevious() is not None:
            return
        step = holder
    if not raw_text(item).strip():
        return
    item.set("data-task", "open" if box.get("checked") is None else "done")
    edits.remove(box, rule="task-box")
    for label in item.iter("label"):
        # A label names a control; without one it is text.
        edits.unwrap(label, rule="task-label")
    page.marks.protect(listed, "list", around=False)


def _defines(listed: etree._Element) -> bool:
    if next(listed.iter("dt"), None) is None or next(listed.iter("dd"), None) is None:
        return False
    whole = len(text_of(listed))
    return whole > 0 and sum(len(text_of(link)) for link in listed.iter("a")) < 0.5 * whole
