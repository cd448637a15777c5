"""Step 1: encapsulated trees become part of the page.

A ``template`` that states a shadow root (HTML's declarative shadow DOM: ``shadowrootmode``, earlier ``shadowroot``)
takes the place of its host's children, which move to the slots they name. That is the flat tree of the DOM standard,
what a browser shows. Every other template is inert: no browser shows it, and it leaves.
"""

from __future__ import annotations

from lxml import etree

from mainextract_beam.clean.edit import Edits, set_tail, set_text
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import nearest

NAME = "flatten"

MAX_NESTING = 32
"""Hosts inside hosts up to this depth are projected; in deeper ones the shadow tree and the children stand side by
side."""

_MODES = frozenset({"open", "closed"})


def flatten(page: CleanPage) -> None:
    """Puts declarative shadow trees in their hosts' place and takes the inert templates out."""
    templates = list(page.root.iter("template"))
    if not templates:
        return
    shadows: dict[etree._Element, etree._Element] = {}
    inert: list[etree._Element] = []
    dead: set[etree._Element] = set()
    for template in templates:
        host = template.getparent()
        if template in dead or host is None:
            continue
        if host not in shadows and _is_shadow_root(template):
            shadows[host] = template
        # An empty one holds nothing and may be the place where streamed content arrives, which is step 2's matter.
        elif len(template) or (template.text or "").strip():
            inert.append(template)
            dead.update(template.iter("template"))
    if shadows:
        # A host comes before those inside it, wherever in it its template stands.
        shadows = {host: shadows[host] for host in list(page.root.iter(etree.Element)) if host in shadows}
    with Edits(page, NAME) as edits:
        for template in inert:
            edits.remove(template, rule="inert-template")
        levels: dict[etree._Element, int] = {}
        for host, holder in nearest(shadows, shadows).items():
            levels[host] = 1 if holder is None else levels[holder] + 1
        slots: dict[etree._Element, list[etree._Element]] = {}
        for slot, tree in nearest(page.root.iter("slot"), set(templates)).items():
            if tree is not None:
                slots.setdefault(tree, []).append(slot)
        for host, template in reversed(shadows.items()):
            own = slots.get(template, [])
            if levels[host] <= MAX_NESTING:
                _project(page, edits, host, template, own)
            for slot in own:
                edits.unwrap(slot, rule="slot")
            edits.unwrap(template, rule="shadow-root")


def _is_shadow_root(template: etree._Element) -> bool:
    mode = template.get("shadowrootmode") or template.get("shadowroot") or ""
    return mode.strip().lower() in _MODES


def _project(page: CleanPage, edits: Edits, host: etree._Element, template: etree._Element, slots: list[etree._Element]) -> None:
    """Moves the host's children into the slots of its shadow tree and plans to remove those that no slot takes."""
    assigned = _assigned(host, template)
    filled_fallbacks: set[etree._Element] = set()
    for slot in slots:
        if not assigned:
            break
        if slot in filled_fallbacks:
            continue
        name = (slot.get("name") or "").strip()
        has_fallback = len(slot) > 0 or bool((slot.text or "").strip())
        if name not in assigned or (has_fallback and not any(_counts(node) for node in assigned[name])):
            continue
        if has_fallback:
            page.journal.record(slot, "remove", step=NAME, rule="slot-fallback")
            filled_fallbacks.update(slot.iterdescendants("slot"))
        _fill(slot, assigned.pop(name))
    for nodes in assigned.values():
        for node in nodes:
            if not isinstance(node, str):
                edits.remove(node, rule="unassigned")
            elif node.strip():
                page.journal.record(host, "remove", step=NAME, rule="unassigned", reason=f"text {node.strip()!r}")


def _assigned(host: etree._Element, template: etree._Element) -> dict[str, list[etree._Element | str]]:
    """The host's own children and texts by the slot they name; those that name none under the empty name."""
    assigned: dict[str, list[etree._Element | str]] = {}
    default = assigned.setdefault("", [])
    if host.text:
        default.append(host.text)
        host.text = None
    for child in host:
        if child is not template and isinstance(child.tag, str):
            assigned.setdefault((child.get("slot") or "").strip(), []).append(child)
        if child.tail:
            default.append(child.tail)
            child.tail = None
    if not default:
        del assigned[""]
    return assigned


def _counts(node: etree._Element | str) -> bool:
    return not isinstance(node, str) or bool(node.strip())


def _fill(slot: etree._Element, nodes: list[etree._Element | str]) -> None:
    """Puts the nodes in the place of what the slot holds."""
    del slot[:]
    slot.text = None
    texts: list[str] = []
    last: etree._Element | None = None
    for node in [*nodes, None]:
        if isinstance(node, str):
            texts.append(node)
            continue
        if texts:
            if last is None:
                set_text(slot, "".join(texts))
            else:
                set_tail(last, "".join(texts))
            texts.clear()
        if node is not None:
            slot.append(node)
            last = node
