"""Notes and the references to them, in one form.

A reference becomes ``<sup><a role="doc-noteref" href="#NOTE" id="REF">label</a></sup>``; the notes become ``<section
role="doc-endnotes"><ol><li role="doc-footnote" id="NOTE">...<a role="doc-backlink" href="#REF">label</a></li></ol>
</section>`` (the roles of DPUB-ARIA). Labels stay as the page states them, and so do ids that something leads to.

What is a note is told by links rather than by the names of publishing systems: a reference is a short label that leads
to a later place, and it is raised, or named as one, or its place leads back to it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml import etree

from mainextract_beam.clean.edit import add_text, detach, put, set_text
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import by_class, class_names, fragment, raw_text, text_of
from mainextract_beam.text import is_blank

STEP = "standardize"

LABEL = re.compile(
    r"[\[({〔［（【]?\s*(?:(?:fn|nb|note|n|注|註)\.?\s*)?(\d{1,4}|[a-z]{1,2}|[ivxlc]{1,7}|[*†‡§¶‖]{1,4})\s*[\])}〕］）】]?[.:]?",
    re.IGNORECASE,
)
"""The text of a reference: a number, one or two letters, a Roman number or the usual signs, brackets or not."""

NAMES = frozenset(
    {
        "backnote",
        "cite",
        "citenote",
        "edn",
        "ednref",
        "en",
        "endnote",
        "endnotes",
        "fn",
        "fnote",
        "fnref",
        "fnt",
        "footnote",
        "footnotedef",
        "footnoteref",
        "footnotes",
        "ftn",
        "ftnref",
        "ftnt",
        "note",
        "noteref",
        "notes",
        "reference",
        "references",
        "sdendnote",
        "sdfootnote",
        "sidenote",
    }
)
"""Words in class names, ids and targets that name notes and references to them."""

ROLES = frozenset({"doc-noteref", "doc-biblioref"})

BACK_SIGNS = re.compile(r"[\s\ufe0e\ufe0f↩↵↑⇑⇧↖↺⤴⏎⮌△▲^«‹←☝🔙]+")
"""What a link back is written as, beside the label itself."""

SIDENOTES = frozenset({"sidenote", "marginnote", "margin-note", "side-note"})
"""Class names of notes that stand in the running text and are shown beside it."""

_BLOCKS = frozenset({"li", "p", "dd", "div", "aside", "section", "td", "tr", "blockquote", "footer"})
_REJECTED = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "table", "figure", "math", "html", "body", "main", "article", "nav"})
_BESIDE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol"})
_WORD = re.compile(r"[a-z]+")

MAX_LENGTH = 4000
"""Characters a note holds at the most; what a link leads to beyond is a section."""

MAX_SHARE = 0.25
"""Length of notes fetched from outside a content root, as a share of its text."""

MAX_NOTES = 5000
"""Notes one list is made of at the most; where a page has more, the rest stays as it is."""


@dataclass(slots=True)
class _Note:
    """A note: the element that holds it, the ids that lead to it, and its references in document order."""

    block: etree._Element
    target: etree._Element
    name: str
    references: list[etree._Element] = field(default_factory=list)


class _Places:
    """Where every id of the page leads, and the order of the elements."""

    def __init__(self, root: etree._Element) -> None:
        self.order: dict[etree._Element, int] = {}
        self.targets: dict[str, etree._Element] = {}
        for index, element in enumerate(root.iter(etree.Element)):
            self.order[element] = index
            identifier = element.get("id")
            if identifier:
                self.targets.setdefault(identifier, element)
            elif element.tag == "a" and (name := element.get("name")):
                self.targets.setdefault(name, element)

    def unused(self, stem: str) -> str:
        identifier, number = stem, 1
        while identifier in self.targets:
            number += 1
            identifier = f"{stem}-{number}"
        return identifier


def standardize_footnotes(page: CleanPage) -> None:
    """Brings notes and references to one form, marks them, and fetches notes that stand outside the content roots."""
    candidates = [
        anchor
        for root in page.roots
        for anchor in root.iter("a")
        if (href := anchor.get("href")) and "#" in href and (_is_label(raw_text(anchor)) or anchor.get("role") in ROLES)
    ]
    sidenotes = [
        element
        for root in (() if page.stated.classes.isdisjoint(SIDENOTES) else page.roots)
        for value, elements in by_class(root, "span", "small", "aside").items()
        if "note" in value and not SIDENOTES.isdisjoint(class_names(value))
        for element in elements
    ]
    places: _Places | None = None
    notes: list[_Note] = []
    if candidates:
        places = _Places(page.root)
        notes = _linked(page, candidates, places)
    if not notes and "sup" in page.stated.tags:
        sups = [sup for root in page.roots for sup in root.iter("sup") if not len(sup) and _is_label(sup.text or "")]
        if len(sups) >= 4:
            places = places or _Places(page.root)
            notes = _loose(sups, places)
    if notes and places is not None:
        _build(page, notes, places)
        page.gathered = None  # notes may come from outside the content roots
    if sidenotes:
        _gather_sidenotes(page, sidenotes)


def _is_label(text: str) -> bool:
    return len(text) <= 16 and LABEL.fullmatch(text.strip()) is not None


def _label(text: str) -> str:
    match = LABEL.fullmatch(text.strip())
    return match[1] if match else ""


def _linked(page: CleanPage, candidates: Iterable[etree._Element], places: _Places) -> list[_Note]:
    """The notes that references lead to by a link."""
    notes: dict[tuple[etree._Element, etree._Element], _Note] = {}
    lengths: dict[etree._Element, int] = {}
    refused: set[etree._Element] = set()
    for anchor in candidates:
        name = fragment(anchor.get("href"), page.url)
        target = places.targets.get(name) if name else None
        if name is None or target is None or places.order[target] <= places.order[anchor] or target in refused:
            continue
        block = _block(target)
        if block is not None and block not in lengths:
            lengths[block] = len(raw_text(block))
        if block is None or lengths[block] > MAX_LENGTH or block in anchor.iterancestors():
            refused.add(target)
            continue
        note = notes.get((block, target))
        if note is None:
            if not _is_reference(page, anchor, block, name):
                continue
            note = notes[block, target] = _Note(block, target, name)
        note.references.append(anchor)
    found = sorted(notes.values(), key=lambda note: places.order[note.target])
    blocks = {note.block for note in found}
    # A place that holds other notes is the section of them all.
    holders = {holder for block in blocks for holder in block.iterancestors() if holder in blocks}
    return _split_shared(page, [note for note in found if note.block not in holders])


def _block(target: etree._Element) -> etree._Element | None:
    """The element that holds the note a link leads to."""
    if target.tag == "dt":
        description = target.getnext()
        return description if description is not None and description.tag == "dd" else None
    element: etree._Element | None = target
    while element is not None and element.tag not in _REJECTED:
        if element.tag == "td":
            return _row_or_table(element)
        if element.tag in _BLOCKS:
            return _sole(element, target)
        element = element.getparent()
    if element is not None and element is target and element.tag == "table" and len(list(element.iter("tr"))) == 1:
        return element
    return None


def _sole(element: etree._Element, target: etree._Element) -> etree._Element:
    """The element, or the outermost wrapper that holds nothing else; none around what is led to itself, but its item."""
    wrappers = ("li",) if element is target else ("div", "aside", "li")
    while True:
        parent = element.getparent()
        if parent is None or parent.tag not in wrappers or len(parent) != 1:
            return element
        if (parent.text or "").strip() or (element.tail or "").strip():
            return element
        element = parent


def _row_or_table(cell: etree._Element) -> etree._Element | None:
    row = cell.getparent()
    table = next(cell.iterancestors("table"), None)
    if table is None or row is None or row.tag != "tr":
        return None
    return table if next(itertools.islice(table.iter("tr"), 1, None), None) is None else row


def _is_reference(page: CleanPage, anchor: etree._Element, block: etree._Element, name: str) -> bool:
    if anchor.get("role") in ROLES:
        return True
    around = _around(anchor)
    ids = {value for element in around for value in (element.get("id"), element.get("name")) if value}
    backs = (fragment(link.get("href"), page.url) for link in itertools.islice(block.iter("a"), 40))
    if any(back in ids for back in backs if back):
        return True
    raised = any(element.tag == "sup" for element in around)
    values = [name, *(value for element in around for value in (element.get("class"), element.get("id")) if value)]
    named = not NAMES.isdisjoint(_WORD.findall(" ".join(values).lower()))
    return named if not raised else named or _label(raw_text(anchor)).isdecimal()


def _around(anchor: etree._Element) -> list[etree._Element]:
    """The anchor, what it holds, the inline elements that hold little else, and an anchor just before."""
    around = [anchor, *itertools.islice(anchor.iterdescendants(etree.Element), 4)]
    holder = anchor.getparent()
    while holder is not None and holder.tag in ("sup", "span", "cite", "small", "i", "b") and len(around) < 8:
        around.append(holder)
        holder = holder.getparent()
    before = anchor.getprevious()
    if before is not None and before.tag == "a" and not before.tail and not raw_text(before).strip():
        around.append(before)
    return around


def _split_shared(page: CleanPage, notes: list[_Note]) -> list[_Note]:
    """Gives notes that share one block, parted by line breaks, a paragraph each."""
    shared: dict[etree._Element, list[_Note]] = {}
    for note in notes:
        shared.setdefault(note.block, []).append(note)
    for block, members in shared.items():
        if len(members) == 1:
            continue
        starts: dict[etree._Element, _Note] = {}
        for note in members:
            top = note.target
            while (holder := top.getparent()) is not None and holder is not block:
                top = holder
            starts.setdefault(top, note)
        if len(starts) < len(members) or block in starts or block.getparent() is None:
            return [note for note in notes if note.block is not block]
        page.journal.record(block, "replace", step=STEP, rule="split-notes")
        part: etree._Element | None = None
        for child in list(block):
            if child in starts:
                part = starts[child].block = etree.Element("p")
                block.addprevious(part)
                page.journal.adopt(part, block)
            if part is not None:
                part.append(child)
        for note in members:
            last = note.block[-1]
            if last.tag == "br" and not (last.tail or "").strip():
                note.block.remove(last)
        if len(block) or (block.text or "").strip():
            # What comes before the first note stays before it.
            members[0].block.addprevious(block)
        else:
            detach(block)
    return notes


def _loose(sups: list[etree._Element], places: _Places) -> list[_Note]:
    """Notes and references that bear the same raised number and no link: two of them at the least."""
    half = len(places.order) // 2
    firsts: dict[str, etree._Element] = {}
    others: dict[str, list[etree._Element]] = {}
    for sup in sups:
        label = _label(sup.text or "")
        parent = sup.getparent()
        if parent is None or not label.isdecimal() or sup.get("id"):
            continue
        leads = parent.tag in ("p", "li", "div") and parent[0] is sup and not (parent.text or "").strip()
        if leads and places.order[sup] >= half and len(text_of(parent)) > len(label) + 2:
            firsts.setdefault(label, parent)
        elif label not in firsts:
            others.setdefault(label, []).append(sup)
    matched = [label for label in firsts if label in others]
    if len(matched) < 2:
        return []
    notes = []
    for label in matched:
        block = firsts[label]
        name = block.get("id") or places.unused(f"fn-{label}")
        note = _Note(block, block, name)
        places.targets.setdefault(name, block)
        for sup in others[label]:
            anchor = etree.SubElement(sup, "a", href=f"#{name}")
            set_text(anchor, sup.text)
            sup.text = None
            note.references.append(anchor)
        notes.append(note)
    return sorted(notes, key=lambda note: places.order[note.block])


def _build(page: CleanPage, notes: list[_Note], places: _Places) -> None:
    """Writes the notes as lists, one for each run of notes with the same parent, and their references."""
    back_ids: set[str] = set()
    for note in notes:
        for reference in note.references:
            back_ids.update(value for element in _around(reference) if (value := element.get("id")))
            back_ids.add(_write_reference(page, reference, note.name, places))
    groups: dict[etree._Element, list[_Note]] = {}
    for note in notes:
        parent = note.block.getparent()
        if parent is not None:
            groups.setdefault(parent, []).append(note)
    for parent, group in groups.items():
        page.journal.record(group[0].block, "replace", step=STEP, rule="footnotes", reason=f"{len(group)} notes")
        listed = parent if parent.tag in ("ol", "ul") else _new_list(page, parent, group[:MAX_NOTES])
        if listed is None:
            for note in group:
                page.marks.protect(note.block, "note")
            continue
        listed.tag = "ol"
        expected = 1
        for note in group[:MAX_NOTES]:
            _write_item(note, back_ids)
            label = _label(raw_text(note.references[0]))
            if label.isdecimal():
                if int(label) != expected:
                    note.block.set("value", str(int(label)))
                    expected = int(label)
                expected += 1
        section = _section(page, listed)
        _fetch(page, section, group[0].references[0])
        page.marks.protect(section, "note")
        for note in group:
            page.marks.protect(note.block, "note")


def _write_reference(page: CleanPage, anchor: etree._Element, name: str, places: _Places) -> str:
    """Gives a reference its form and returns the id a link back leads to."""
    around = _around(anchor)
    identifier = next((value for element in around if (value := element.get("id"))), None) or anchor.get("name")
    if not identifier:
        identifier = places.unused(f"fnref-{name}")
        places.targets[identifier] = anchor
    if not any(element.get("id") == identifier for element in anchor.iterancestors("sup", "span", "cite")):
        anchor.set("id", identifier)
    if len(anchor):
        text = raw_text(anchor)
        del anchor[:]
        set_text(anchor, text)
    anchor.set("href", "#" + anchor.get("href", "").partition("#")[2])
    anchor.set("role", "doc-noteref")
    raised = next((element for element in around if element.tag == "sup" and element.getparent() is not None), None)
    if raised is None or raised not in anchor.iterancestors("sup"):
        raised = etree.Element("sup")
        put(anchor, raised)
        raised.append(anchor)
    page.marks.protect(raised, "noteref")
    return identifier


def _new_list(page: CleanPage, parent: etree._Element, group: list[_Note]) -> etree._Element | None:
    """A list in the place of the first note, its items made of the notes and the paragraphs that go on with them."""
    place = group[0].block
    if place.tag == "tr":
        table = next(place.iterancestors("table"), None)
        if table is None or len(list(table.iter("tr"))) != len(group) or table in page.roots:
            return None
        place = table
    if parent.tag == "dl":
        if len(group) < sum(child.tag == "dd" for child in parent) or parent in page.roots:
            return None
        place = parent
    listed = etree.Element("ol")
    place.addprevious(listed)
    following = _following(group)
    for note in group:
        block = note.block
        item = etree.SubElement(listed, "li")
        page.journal.adopt(item, block)
        parts = [block, *following.get(block, ())]
        if block.tag == "dd":
            terms = itertools.takewhile(lambda node: node.tag == "dt", block.itersiblings(preceding=True))
            parts[:0] = reversed(list(terms))
        for part in parts:
            if not (part.tail or "").strip():
                part.tail = None
        if block.tag in ("p", "blockquote", "pre"):
            for part in parts:
                detach(part)
                item.append(part)
        else:
            item.set("id", block.get("id") or note.name)
            for part in parts:
                for cell in part.iter("td", "th") if part.tag in ("tr", "table") else (part,):
                    _pour(cell, item)
                detach(part)
        if note.target is block:
            block.attrib.pop("id", None)
            item.set("id", note.name)
        note.block = item
    if place.tag in ("table", "dl") and place.getparent() is not None and is_blank(raw_text(place)):
        detach(place)
    return listed


def _following(group: list[_Note]) -> dict[etree._Element, list[etree._Element]]:
    """The blocks between a note and the next one that go on with it."""
    following: dict[etree._Element, list[etree._Element]] = {}
    blocks = {note.block for note in group}
    for note in group[:-1]:
        between: list[etree._Element] = []
        for sibling in note.block.itersiblings():
            if sibling in blocks or len(between) > 8:
                break
            between.append(sibling)
        if note.block.tag in ("p", "div") and all(node.tag in ("p", "ul", "ol", "blockquote", "pre") for node in between):
            following[note.block] = between
    return following


def _pour(source: etree._Element, item: etree._Element) -> None:
    """Moves what the source holds to the end of the item, parted by a space from what is there."""
    add_text(item, f" {source.text or ''}" if len(item) or item.text else source.text)
    for child in list(source):
        item.append(child)
    source.text = None


def _write_item(note: _Note, back_ids: set[str]) -> None:
    item = note.block
    item.set("role", "doc-footnote")
    if not item.get("id"):
        item.set("id", note.name)
        if note.target is not item:
            for name in ("id", "name"):
                if note.target.get(name) == note.name:
                    del note.target.attrib[name]
    has_back = False
    for link in item.iter("a"):
        back = fragment(link.get("href"))
        if back is not None and (back in back_ids or BACK_SIGNS.fullmatch(raw_text(link))):
            link.set("role", "doc-backlink")
            has_back = True
    first = item[0] if len(item) and not (item.text or "").strip() else None
    if first is not None and first.tag == "p" and len(first) and not (first.text or "").strip():
        first = first[0]
    reference = note.references[0]
    if not has_back and first is not None and first.tag == "sup" and raw_text(first) == raw_text(reference):
        back_id = reference.get("id") or next((i for e in _around(reference) if (i := e.get("id"))), "")
        back_link = etree.Element("a", role="doc-backlink", href=f"#{back_id}")
        set_text(back_link, raw_text(first))
        put(first, back_link)


def _section(page: CleanPage, listed: etree._Element) -> etree._Element:
    """The section that holds the notes: what held nothing else already, or a new one."""
    holder = listed.getparent()
    if holder is not None and holder not in page.roots and holder.tag in ("section", "div", "aside", "footer"):
        if holder.get("role") == "doc-endnotes":
            return holder
        texts = [holder.text, *(child.tail for child in holder)]
        only = all(child.tag in _BESIDE or not isinstance(child.tag, str) for child in holder)
        if only and not any(text and text.strip() for text in texts):
            holder.tag = "section"
            holder.set("role", "doc-endnotes")
            return holder
    section = etree.Element("section", role="doc-endnotes")
    if holder is not None:
        put(listed, section)
    section.append(listed)
    return section


def _fetch(page: CleanPage, section: etree._Element, reference: etree._Element) -> None:
    """Moves notes that stand outside the content roots to the end of the one that refers to them."""
    if any(holder in page.roots for holder in section.iterancestors()):
        return
    root = next((holder for holder in reference.iterancestors() if holder in page.roots), None)
    if root is None or section in root.iterancestors():
        return
    # Notes as long as the text are the terms of an offer, not notes to a text.
    if len(raw_text(section)) > MAX_SHARE * len(raw_text(root)):
        return
    page.journal.record(section, "merge", step=STEP, rule="footnotes-outside")
    detach(section)
    root.append(section)


def _gather_sidenotes(page: CleanPage, sidenotes: list[etree._Element]) -> None:
    """Moves notes that stand in the running text to a list at the end of their content root."""
    lists: dict[etree._Element, etree._Element] = {}
    used = {identifier for root in page.roots for e in root.iter(etree.Element) if (identifier := e.get("id"))}
    number = 0
    for note in sidenotes:
        root = next((holder for holder in note.iterancestors() if holder in page.roots), None)
        if root is None or page.marks.is_inside(note) or not text_of(note):
            continue
        page.journal.record(note, "replace", step=STEP, rule="sidenote")
        number += 1
        for name in ("sn", "snref"):
            while f"{name}-{number}" in used:
                number += 1
        for before in list(itertools.islice(note.itersiblings("label", "input", preceding=True), 2)):
            if "toggle" in before.get("class", "") and not (before.tail or "").strip():
                detach(before)
        raised = etree.Element("sup")
        reference = etree.SubElement(raised, "a", role="doc-noteref", href=f"#sn-{number}", id=f"snref-{number}")
        reference.text = str(number)
        put(note, raised)
        if root not in lists:
            section = etree.SubElement(root, "section", role="doc-endnotes")
            lists[root] = etree.SubElement(section, "ol")
        item = etree.SubElement(lists[root], "li", role="doc-footnote", id=f"sn-{number}")
        page.journal.adopt(item, note)
        _pour(note, item)
        page.marks.protect(raised, "noteref")
    for listed in lists.values():
        page.marks.protect(_section(page, listed), "note")
