"""The TeX of a formula, fit to stand between dollar signs in Markdown."""

from __future__ import annotations

import re
from typing import Any, Final

from lxml.etree import Element

from mainextract_beam.names import local_name
from mainextract_beam.text import normalize

MAX_ELEMENTS: Final = 2000
"""Elements of MathML that are translated; a larger formula is taken as text."""

_LOOKS_TEX: Final = re.compile(r"[\\^_{}]")
_COMMENT: Final = re.compile(r"(?<!\\)%[^\n]*")
_DOLLAR: Final = re.compile(r"(?<!\\)(?:\\\\)*\$")
_LAST_BACKSLASHES: Final = re.compile(r"\\+$")
_SPECIAL: Final = re.compile(r"[\\{}$&#%_^~`]")
_NAMED: Final = {
    "\\": r"\backslash ", "^": r"\hat{}", "~": r"\sim ", "`": "'",
}  # fmt: skip


def tex_of(element: Any) -> str | None:
    """The TeX of a ``math`` element, in one line.

    What the page states comes first (``data-latex``, ``alttext``, an annotation), then a translation of the MathML.

    Returns:
        The TeX; None where the element holds none that could stand between dollar signs.
    """
    stated = element.get("data-latex") or ""
    if not stated and _LOOKS_TEX.search(element.get("alttext") or ""):
        stated = element.get("alttext")
    if not stated:
        for each in element.iter(Element):
            if local_name(each) == "annotation" and "tex" in (each.get("encoding") or "").lower():
                stated = "".join(each.itertext())
                break
    return _fit(stated) if stated else _fit(_translated(element))


def _fit(tex: str) -> str | None:
    """TeX without what would end the formula, or be markup where a reader knows no formulas."""
    tex = normalize(_COMMENT.sub("", tex))
    tex = normalize(tex.replace("<", r" \lt ").replace(">", r" \gt ").replace("](", "] ("))
    match = _LAST_BACKSLASHES.search(tex)
    if match and len(match[0]) % 2:
        tex = tex[:-1].rstrip()
    return None if not tex or "`" in tex or _DOLLAR.search(tex) else tex


def _translated(element: Any) -> str:
    """MathML as TeX, for the elements that formulas are made of; empty where that cannot be done."""
    elements = list(element.iter(Element))
    if len(elements) > MAX_ELEMENTS or len(elements) < 2:
        return ""
    done: dict[Any, str] = {}
    for each in reversed(elements):
        name = local_name(each) or ""
        if name in ("annotation", "annotation-xml"):
            done[each] = ""
            continue
        parts = [done.pop(child) for child in each if child in done]
        done[each] = _one(name, each, parts)
    return done[element]


def _one(name: str, element: Any, parts: list[str]) -> str:
    text = _SPECIAL.sub(lambda match: _NAMED.get(match[0], f"\\{match[0]}"), normalize(element.text))
    count = len(parts)
    if name in ("mi", "mn", "mo"):
        return rf"\mathrm{{{text}}}" if name == "mi" and len(text) > 1 and text.isalpha() else text
    if name in ("mtext", "ms"):
        return rf"\text{{{text}}}" if text else ""
    if name == "mfrac" and count == 2:
        return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
    if name == "msqrt":
        return rf"\sqrt{{{' '.join(parts)}}}"
    if name == "mroot" and count == 2:
        return rf"\sqrt[{parts[1]}]{{{parts[0]}}}"
    if name in ("msub", "munder") and count == 2:
        return f"{_base(parts[0])}_{{{parts[1]}}}"
    if name in ("msup", "mover") and count == 2:
        return f"{_base(parts[0])}^{{{parts[1]}}}"
    if name in ("msubsup", "munderover") and count == 3:
        return f"{_base(parts[0])}_{{{parts[1]}}}^{{{parts[2]}}}"
    if name == "mtd":
        return " ".join(parts)
    if name == "mtr":
        return " & ".join(parts)
    if name == "mtable":
        rows = r" \\ ".join(parts)
        return rf"\begin{{matrix}} {rows} \end{{matrix}}"
    if name == "mfenced":
        return f"({', '.join(parts)})"
    return " ".join(part for part in (text, *parts) if part)


def _base(tex: str) -> str:
    return tex if len(tex) == 1 else f"{{{tex}}}"
