"""A slow reading of the density rule, word for word, to hold the fast one against."""

from __future__ import annotations

from typing import Any

from lxml import etree

FRAMING = set(
    "style script noscript template nav header footer aside menu menuitem toolbar search dialog iframe embed object applet input"
    " button select textarea label fieldset legend datalist canvas svg audio video track source".split()
)
CONTENT = set(
    "h1 h2 h3 h4 h5 h6 p blockquote pre ul ol dl li dt dd table caption thead tbody tfoot tr th td article section div details summary"
    " hgroup span em strong b i u mark a time address cite q code kbd samp var small sub sup del ins s strike big tt font center abbr"
    " acronym dfn data bdi bdo ruby rt rp".split()
)
SPACES = {
    *map(chr, range(0x21)),
    "\x7f",
    "\xa0",
    "\u1680",
    *map(chr, range(0x2000, 0x200B)),
    *"\u2028\u2029\u202f\u205f\u3000\ufeff",
}


def normalized(text: str | None) -> str:
    return " ".join("".join(" " if c in SPACES else c for c in text or "").strip(" ").split(" ")).replace("  ", " ") if text else ""


def run(text: str | None) -> int:
    out: list[str] = []
    for character in text or "":
        if character in SPACES:
            if out and out[-1] != " ":
                out.append(" ")
        else:
            out.append(character)
    return len("".join(out).strip(" "))


def name(element: Any) -> str:
    return element.tag.lower() if isinstance(element.tag, str) else ""


def is_content(element: Any) -> bool:
    return name(element) in CONTENT or "-" in name(element)


def holds_text(element: Any) -> bool:
    if not isinstance(element.tag, str) or name(element) in FRAMING:
        return False
    return run(element.text) > 0 or any(run(child.tail) > 0 or holds_text(child) for child in element)


def weight(element: Any, found: dict[Any, float]) -> float:
    if not isinstance(element.tag, str) or name(element) in FRAMING:
        return 0.0
    total = 0.0
    for child in element:
        total += weight(child, found)
    if is_content(element) or name(element) == "body":
        total = total + run(element.text) ** 2 + sum(run(child.tail) ** 2 for child in element)
    children = [child for child in element if isinstance(child.tag, str)]
    d = sum(1 for child in children if name(child) in FRAMING or holds_text(child))
    c = sum(1 for child in children if name(child) not in FRAMING and holds_text(child) and is_content(child))
    found[element] = total * (c + 1) / (d + 1)
    return found[element]


def densest(root: Any) -> Any | None:
    found: dict[Any, float] = {}
    weight(root, found)
    heaviest = max(found.values(), default=0.0)
    if heaviest <= 0:
        return None
    return next(e for e in root.iter(etree.Element) if found.get(e) == heaviest)
