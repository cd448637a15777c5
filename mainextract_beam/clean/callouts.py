"""Step 5: admonitions of the known systems become one form.

``<aside role="note" data-callout="TYPE"><p class="callout-title">title</p>...</aside>``, where the title is the one the
page shows. Without this step, class names such as ``alert`` and elements such as ``aside`` would speak against them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from functools import lru_cache

from lxml import etree

from mainextract_beam.clean.edit import Edits, add_text, detach, put, set_text
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.stated import Stated
from mainextract_beam.clean.walk import class_names, classes, raw_text, text_of
from mainextract_beam.text import is_blank

NAME = "callouts"

TYPES: dict[str, str] = {
    name: kind
    for kind, names in {
        "note": "note notice secondary primary light dark neutral",
        "info": "info information",
        "tip": "tip hint",
        "important": "important attention",
        "warning": "warning warn",
        "caution": "caution",
        "danger": "danger",
        "error": "error",
        "success": "success check done",
        "question": "question help faq",
        "failure": "failure fail missing",
        "bug": "bug",
        "example": "example",
        "quote": "quote cite",
        "abstract": "abstract summary tldr",
        "todo": "todo",
        "deprecated": "deprecated",
        "experimental": "experimental",
        "seealso": "seealso",
    }.items()
    for name in names.split()
}
"""Words in class names and markers -> type of the callout."""

# Systems by class name: GitHub, MkDocs and Sphinx, Docusaurus, Starlight, VitePress and VuePress, MDN, Asciidoctor.
_SYSTEMS = frozenset(
    """markdown-alert admonition theme-admonition starlight-aside custom-block custom-container hint-container notecard
    admonitionblock""".split()
)
# Names others use for boxes of any kind as well; they count where the type is stated, too.
_COMMON = frozenset({"callout", "alert", "hint", "message", "notification"})
_PLAIN = frozenset({"note", "tip", "warning", "caution", "danger", "important", "hint", "info", "notice"})
_NAMES = _SYSTEMS | _COMMON | _PLAIN
_TELLING = frozenset({"class", "role", "data-callout"})
_HINTS = (
    "alert", "admonition", "aside", "custom-", "container", "notecard", "callout", "hint", "note", "tip", "warn", "info",
    "message", "notif", "caution", "danger", "important",
)  # fmt: skip

_TITLES = re.compile(
    r"markdown-alert-title|callout-title(?:-inner|-container)?|admonition-?_*(?:title|heading)\w*|starlight-aside__title"
    r"|custom-(?:block|container)-title|hint-container-title|alert-(?:heading|title)|callout-header"
)
_MARKER = re.compile(r"\s*\[![ \t]*([A-Za-z]+)[ \t]*\][+-]?[ \t]*")
_DISMISSED = frozenset({"alert-dismissible", "alert-dismissable", "dismissible", "is-dismissible", "alert-dismiss"})

LONGEST = 12_000
"""Characters of a callout at the most; what is longer is a part of the page, whatever it is called."""


def callouts(page: CleanPage) -> None:
    """Brings the callouts of the content roots to one form and marks them."""
    elements = ("div", "aside", "section", "blockquote", "details", "p") if _are_stated(page.stated) else ("blockquote",)
    for root in page.roots:
        found: list[tuple[etree._Element, str]] = []
        for element in root.iter(*elements):
            kind = _kind(element)
            if kind is not None and element is not root:
                found.append((element, kind))
        others = {element for element, _ in found}
        for element, kind in found:
            if not _is_inside_code(page, element) and len(raw_text(element)) <= LONGEST:
                _standardize(page, element, kind, others)


def _are_stated(stated: Stated) -> bool:
    """Whether an element may be told as a callout by its attributes."""
    return (
        "data-callout" in stated.attributes
        or any(role.strip().lower() == "note" for role in stated.roles)
        or not stated.classes.isdisjoint(_NAMES)
        or stated.names("callout")
    )


def _is_inside_code(page: CleanPage, element: etree._Element) -> bool:
    return page.marks.is_inside(element) and next(element.iterancestors("pre"), None) is not None


def _kind(element: etree._Element) -> str | None:
    """The type of callout an element is, None where it is none."""
    if element.tag == "blockquote":
        match = _marker(element)
        if match:
            return TYPES.get(match[1].lower(), "note")
    keys = element.keys()
    if _TELLING.isdisjoint(keys):
        return None
    stated = element.get("data-callout")
    if stated and not is_blank(stated):
        return TYPES.get(stated.strip().lower(), stated.strip().lower() if stated.strip().isalnum() else "note")
    value = element.get("class")
    if value and _may_be_callout(value):
        kind = _kind_by_class(element, class_names(value))
        if kind is not None:
            return kind
    role = element.get("role") if "role" in keys else None
    if role and role.strip().lower() == "note" and element.tag != "blockquote":
        return "note" if not value else _stated_type(class_names(value)) or "note"
    return None


def _may_be_callout(value: str) -> bool:
    return _hinted(value) if len(value) <= 200 else any(hint in value.lower() for hint in _HINTS)


@lru_cache(maxsize=2048)
def _hinted(value: str) -> bool:
    lower = value.lower()
    return any(hint in lower for hint in _HINTS)


def _kind_by_class(element: etree._Element, names: Collection[str]) -> str | None:
    if not _SYSTEMS.isdisjoint(names):
        return _stated_type(names) or "note"
    if element.tag == "p":
        return None
    if not _COMMON.isdisjoint(names) or any(name.startswith("callout-") for name in names):
        if _is_dismissed(element, names):
            return None
        kind = _stated_type(names)
        if kind is None and ("callout" in names or element.tag == "aside") and _title(element) is not None:
            return "note"
        return kind
    plain = next((TYPES[name] for name in names if name in _PLAIN), None)
    if plain is None or element.tag not in ("aside", "details"):
        return "note" if element.tag == "aside" and any("callout" in name for name in names) else None
    linked = sum(len(text_of(link)) for link in element.iter("a"))
    return plain if 2 * linked < len(text_of(element)) else None


def _stated_type(names: Collection[str]) -> str | None:
    """The type class names state, as a name of its own or behind a system's (``alert-warning``, ``is-info``)."""
    for name in names:
        if name in TYPES and name not in ("light", "dark", "primary", "secondary"):
            return TYPES[name]
    for name in names:
        parts = re.split(r"[-_]+", name)
        if len(parts) > 1 and parts[-1] in TYPES and parts[0] in _PREFIXES:
            return TYPES[parts[-1]]
    return None


_PREFIXES = frozenset(
    "markdown alert admonition theme callout starlight custom hint is message notification notecard aside".split()
)


def _is_dismissed(element: etree._Element, names: Collection[str]) -> bool:
    """Whether it is a message to the visitor, with a button to close it."""
    if not _DISMISSED.isdisjoint(names):
        return True
    return any(
        button.get("data-dismiss") or button.get("data-bs-dismiss") or "close" in classes(button)
        for button in itertools.islice(element.iter("button", "a"), 20)
    )


def _marker(quote: etree._Element) -> re.Match[str] | None:
    """The marker (``[!NOTE]``) a block quote begins with, as Markdown of GitHub and Obsidian writes it."""
    text = quote.text
    if is_blank(text) and len(quote) and quote[0].tag == "p":
        text = quote[0].text
    return _MARKER.match(text) if text and "[!" in text else None


def _standardize(page: CleanPage, element: etree._Element, kind: str, others: set[etree._Element]) -> None:
    page.journal.record(element, "replace", step=NAME, rule="callout", reason=kind)
    if element.tag == "blockquote" and _marker(element):
        title = _take_marker(element)
    else:
        title = _take_title(page, element, others)
    identifier, language, direction = element.get("id"), element.get("lang"), element.get("dir")
    if element.tag == "p":
        aside = etree.Element("aside")
        page.journal.adopt(aside, element)
        put(element, aside)
        aside.append(element)
        element.attrib.pop("role", None)
        element.attrib.pop("id", None)
    else:
        aside = element
        aside.tag = "aside"
        kept = dict(aside.attrib) if page.debug else {}
        aside.attrib.clear()
        aside.attrib.update(kept)
        _pull_up(aside, others)
    aside.set("role", "note")
    aside.set("data-callout", kind)
    for name, value in (("id", identifier), ("lang", language), ("dir", direction)):
        if value:
            aside.set(name, value)
    if title is not None:
        title.tail, aside.text = aside.text, None
        aside.insert(0, title)
    page.marks.protect(aside, "callout")


def _title(element: etree._Element, others: Collection[etree._Element] = ()) -> etree._Element | None:
    """The element that holds the title, among the first the callout holds."""
    for inner in itertools.islice(element.iterdescendants(etree.Element), 12):
        if inner in others:
            # What follows belongs to a callout in the callout.
            return None
        if inner.tag == "summary" and inner.getparent() is element:
            return inner
        if any(_TITLES.fullmatch(name) for name in classes(inner)) and not is_blank(raw_text(inner)):
            return inner
    return None


def _take_title(page: CleanPage, element: etree._Element, others: set[etree._Element]) -> etree._Element | None:
    """Takes the title out and returns it as a paragraph; takes out the table Asciidoctor puts a callout in."""
    found = _title(element, others)
    cells = list(itertools.islice(element.iter("td"), 3)) if "admonitionblock" in classes(element) else []
    if len(cells) == 2:
        icon, body = cells
        found = next((inner for inner in body if "title" in classes(inner)), None)
        if found is None and not is_blank(raw_text(icon)):
            found = icon
    if found is None:
        title = None
    else:
        title = etree.Element("p", {"class": "callout-title"})
        _pour_inline(page, found, title)
    if len(cells) == 2 and (table := next(element.iter("table"), None)) is not None:
        body = cells[1]
        add_text(element, body.text)
        for child in list(body):
            element.append(child)
        body.text = None
        detach(table)
    if found is not None and found.getparent() is not None:
        holder = found.getparent()
        detach(found)
        while holder is not None and holder is not element and len(holder) == 0 and is_blank(holder.text):
            outer = holder.getparent()
            detach(holder)
            holder = outer
    return title if title is not None and not is_blank(raw_text(title)) else None


def _pour_inline(page: CleanPage, source: etree._Element, title: etree._Element) -> None:
    """Moves what a title holds, without its icons and without blocks around the text."""
    with Edits(page, NAME) as edits:
        for inner in source.iterdescendants(etree.Element):
            if inner.tag in ("svg", "img", "button") or ("icon" in inner.get("class", "").lower() and _is_empty(inner)):
                edits.remove(inner, rule="title-icon")
            elif inner.tag in _BLOCKS:
                edits.unwrap(inner, rule="title-block")
    set_text(title, (source.text or "").lstrip())
    for child in list(source):
        title.append(child)
    source.text = None
    if len(title):
        title[-1].tail = (title[-1].tail or "").rstrip() or None
    elif title.text:
        title.text = title.text.rstrip()


def _is_empty(element: etree._Element) -> bool:
    return is_blank(raw_text(element))


_BLOCKS = frozenset({"div", "h1", "h2", "h3", "h4", "h5", "h6", "p", "header", "section"})


def _take_marker(quote: etree._Element) -> etree._Element | None:
    """Takes the marker out of a block quote and returns the title behind it, or the marker's word as one."""
    holder = quote if not is_blank(quote.text) else quote[0]
    match = _MARKER.match(holder.text or "")
    if match is None:
        return None
    title = etree.Element("p", {"class": "callout-title"})
    first, newline, rest = (holder.text or "")[match.end() :].partition("\n")
    set_text(title, first)
    set_text(holder, rest)
    # The title is what stands on the marker's line: up to a newline or a line break.
    if not newline:
        for child in list(holder):
            if child.tag == "br":
                set_text(holder, (child.tail or "").lstrip("\n"))
                holder.remove(child)
                break
            if not isinstance(child.tag, str) or child.tag in _BLOCKS or child.tag in ("ul", "ol", "pre", "table"):
                break
            before, newline, after = (child.tail or "").partition("\n")
            title.append(child)
            child.tail = before
            if newline:
                set_text(holder, after)
                break
    if is_blank(raw_text(title)):
        title.text = match[1].capitalize()
    if holder is not quote and len(holder) == 0 and is_blank(holder.text):
        detach(holder)
    return title


def _pull_up(aside: etree._Element, others: set[etree._Element]) -> None:
    """Puts what a callout's only wrapper holds in the wrapper's place; a folded one is shown."""
    for _ in range(4):
        if len(aside) != 1 or aside[0].tag not in ("div", "section") or not is_blank(aside.text):
            return
        wrapper = aside[0]
        if wrapper in others or not is_blank(wrapper.tail) or wrapper.get("role") or wrapper.get("id"):
            return
        aside.text = wrapper.text
        for child in list(wrapper):
            aside.append(child)
        aside.remove(wrapper)
