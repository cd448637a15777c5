"""Formulas in one form: ``<math display="inline|block" data-latex="TeX">MathML</math>``.

Where the page gives MathML, that is what the element holds, without its annotations; where it gives TeX only, the TeX
stands in an ``mtext``. What a script drew from the same formula beside it leaves, so that each stands there once.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from lxml import etree

from mainextract_beam.clean.edit import detach, put, set_attribute, set_text
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.stated import Stated
from mainextract_beam.clean.walk import by_class, class_names, classes, raw_text, text_of

STEP = "standardize"

DRAWINGS = frozenset(
    """mathjax mathjax_display mathjax_svg mathjax_svg_display mathjax_chtml mathjax_preview mathjax_fullwidth
    mjx-chtml""".split()
)
"""Class names of what MathJax draws beside the script that holds the formula."""

FORMULAS = frozenset({"katex", "katex-display", "katex-block", "mwe-math-element", "temml"})
"""Class names of elements that hold one formula, and drawings of it."""

ELEMENTS = frozenset({"mjx-container", "d-math", "tex-math", "la-tex"})
"""Custom elements that hold one formula."""

TEX_ATTRIBUTES = ("data-latex", "data-math", "data-tex", "data-katex", "data-expr")
"""Attributes that hold the TeX of a formula."""

_TEX_ATTRIBUTES = frozenset(TEX_ATTRIBUTES)
_NAMES = FORMULAS | DRAWINGS

TEX_PARAMETERS = frozenset({"latex", "tex", "eq", "chl", "math", "formula"})
"""Parameters in which services that draw formulas take the TeX."""

_SERVICES = ("latex", "mimetex", "mathtex", "texrender", "cht=tx&")
_IMAGE_CLASSES = frozenset({"latex", "tex", "math"})
_FALLBACK_IMAGE = "mwe-math-fallback-image"
_TEX = re.compile(r"\\[A-Za-z]{2,}|[\^_]\{|[A-Za-z0-9)}]\s*[\^_]\s*[A-Za-z0-9\\{]|^\s*\\[(\[]|^\s*\$")
_DELIMITERS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (r"\s*\\\((.*)\\\)\s*", r"\s*\\\[(.*)\\\]\s*", r"\s*\$\$(.*)\$\$\s*", r"\s*\$(.*)\$\s*")
)
_BLOCK_NAMES = frozenset({"katex-display", "katex-block", "mathjax_display", "mathjax_svg_display", "display", "block"})
_LONGEST_URL = 20_000

# Of MathJax's CHTML tree: elements that leave, those only their content counts of, those whose parts stand in another
# order than MathML's, and the class name that states a character.
_CHTML_DROPPED = frozenset({"mjx-surd", "mjx-nstrut", "mjx-dstrut", "mjx-line", "mjx-spacer", "mjx-assistive-mml"})
_CHTML_PARTS = frozenset({"mjx-script", "mjx-num", "mjx-den", "mjx-base", "mjx-under", "mjx-over", "mjx-box", "mjx-root"})
_CHTML_REVERSED = frozenset({"mover", "mroot"})
_CHTML_CHARACTER = re.compile(r"mjx-c([0-9A-F]{2,6})")
_MATHML = frozenset(
    """mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover
    munderover mtable mtr mtd""".split()
)


def standardize_math(page: CleanPage) -> None:
    """Brings the formulas of the content roots to one form and marks them."""
    for root in page.roots:
        for holder in _holders(root, page.stated):
            if holder not in page.roots and holder.getparent() is not None and not page.marks.is_inside(holder):
                _standardize(page, holder)
        for element in list(root.iter("math")):
            if not page.marks.is_inside(element):
                _finish(element)
                page.marks.protect(element, "math")


def _holders(root: etree._Element, stated: Stated) -> list[etree._Element]:
    """The outermost elements that hold one formula each: scripts first, as drawings beside them go with them.

    Args:
        root: a content root.
        stated: what elements in the content roots state.
    """
    scripts: list[etree._Element] = []
    found: set[etree._Element] = set()
    for element in root.iter("script", "img", *ELEMENTS):
        if element.tag == "script":
            if element.get("type", "").lower().lstrip().startswith("math/tex"):
                scripts.append(element)
        elif element.tag != "img" or _image_tex(element) is not None:
            found.add(element)
    for value, elements in () if stated.classes.isdisjoint(_NAMES) else by_class(root, "span", "div").items():
        if "math" not in value.lower() and "katex" not in value and "temml" not in value:
            continue
        names = class_names(value)
        if not FORMULAS.isdisjoint(names):
            found.update(elements)
        elif not DRAWINGS.isdisjoint(names):
            found.update(element for element in elements if next(element.iter("math"), None) is not None)
    if not stated.attributes.isdisjoint(_TEX_ATTRIBUTES):
        found.update(element for element in root.iter("span", "div") if _attribute_tex(element) is not None)
    if not found:
        return scripts
    others: list[etree._Element] = []
    held: set[etree._Element] = set()
    for element in root.iter("img", "span", "div", *ELEMENTS):
        if element in found and element not in held:
            others.append(element)
            if len(element):
                held.update(element.iterdescendants("img", "span", "div", *ELEMENTS))
    return scripts + others


def _standardize(page: CleanPage, holder: etree._Element) -> None:
    drawings = _drawings_before(holder) if holder.tag == "script" else []
    source = next((math for part in (holder, *drawings) for math in part.iter("math")), None)
    tex = _tex(holder)
    display = _is_display(holder) or any(_is_display(drawing) for drawing in drawings)
    if source is None and holder.tag == "mjx-container":
        tree = next(holder.iter("mjx-math"), None)
        source = None if tree is None else _from_chtml(tree)
    if source is None and not tex:
        return
    page.journal.record(holder, "replace", step=STEP, rule="math")
    if source is None:
        source = etree.Element("math")
        set_text(etree.SubElement(source, "mtext"), tex)
    page.journal.adopt(source, holder)
    if tex:
        set_attribute(source, "data-latex", tex)
    if display:
        source.set("display", "block")
    for drawing in drawings:
        detach(drawing)
    put(holder, source)


def _drawings_before(script: etree._Element) -> list[etree._Element]:
    drawings: list[etree._Element] = []
    for before in script.itersiblings("*", preceding=True):
        if len(drawings) == 3 or (before.tail or "").strip() or DRAWINGS.isdisjoint(classes(before)):
            break
        drawings.append(before)
    return drawings


def _tex(holder: etree._Element) -> str:
    if holder.tag == "img":
        return _image_tex(holder) or ""
    if holder.tag == "script":
        return _bare(raw_text(holder))
    for element in holder.iter(etree.Element):
        found = _attribute_tex(element) or _annotation(element)
        if found:
            return found
    if holder.tag in ELEMENTS and holder.tag != "mjx-container":
        return _bare(raw_text(holder))
    return ""


def _attribute_tex(element: etree._Element) -> str | None:
    if _TEX_ATTRIBUTES.isdisjoint(element.keys()):
        return None
    for name in TEX_ATTRIBUTES:
        value = element.get(name)
        # The element shows the formula and no more, or the attribute is about something else.
        if value and _TEX.search(value[:_LONGEST_URL]) and len(text_of(element)) <= 10 * len(value) + 100:
            return _bare(value)
    return None


def _annotation(element: etree._Element) -> str | None:
    if element.tag == "annotation" and "tex" in element.get("encoding", "").lower():
        return _bare(raw_text(element))
    return None


def _image_tex(image: etree._Element) -> str | None:
    """The TeX of a picture of a formula: in its alternative text, or in the URL of the service that drew it."""
    src = image.get("src", "")
    drawn = len(src) < _LONGEST_URL and not src.startswith("data:") and _is_service(src)
    names = image.get("class", "").lower()
    named = bool(names) and (_FALLBACK_IMAGE in names or not _IMAGE_CLASSES.isdisjoint(names.split()))
    if not drawn and not named:
        return None
    alternative = image.get("alt", "")
    if alternative and len(alternative) < _LONGEST_URL and (named or _TEX.search(alternative)):
        return _bare(alternative)
    if not drawn or "?" not in src:
        return None
    query = src.partition("?")[2].partition("#")[0]
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        if equals and name.lower() in TEX_PARAMETERS and value:
            return _bare(unquote(value.replace("+", " ")))
    whole = unquote(query)
    return _bare(whole) if _TEX.search(whole) else None


def _is_service(src: str) -> bool:
    lower = src.lower()
    return any(name in lower for name in _SERVICES)


def _bare(tex: str) -> str:
    """TeX without the delimiters and comments MathJax allows around it."""
    tex = tex.strip().removeprefix("% <![CDATA[").removesuffix("% ]]>").removesuffix("%]]>").strip()
    for pattern in _DELIMITERS:
        match = pattern.fullmatch(tex)
        if match:
            return match[1].strip()
    return tex


def _is_display(element: etree._Element) -> bool:
    if "display" in element.get("type", "") or element.get("display", "").lower() in ("true", "block"):
        return True
    if element.get("block") is not None and element.tag in ELEMENTS:
        return True
    names = classes(element)
    return not _BLOCK_NAMES.isdisjoint(names) or any(name.endswith("image-display") for name in names)


def _finish(math: etree._Element) -> None:
    """Takes annotations out of a ``math`` element, keeping the TeX they state, and settles how it is displayed."""
    if not math.get("data-latex"):
        tex = next((found for element in math.iter("annotation") if (found := _annotation(element))), None)
        tex = tex or _bare(math.get("alttext", "").strip())
        if tex:
            set_attribute(math, "data-latex", tex)
    etree.strip_elements(math, "annotation", "annotation-xml", with_tail=False)
    for semantics in list(math.iter("semantics")):
        if len(semantics) == 1:
            put(semantics, semantics[0])
    display = math.get("display", "").lower() == "block" or math.get("mode", "").lower() == "display"
    math.set("display", "block" if display else "inline")


def _from_chtml(tree: etree._Element) -> etree._Element:
    """MathML of MathJax's CHTML output, in which class names state the characters."""
    root = etree.Element("math")
    stack: list[tuple[etree._Element, etree._Element]] = [(child, root) for child in reversed(tree)]
    while stack:
        source, target = stack.pop()
        if not isinstance(source.tag, str) or source.tag in _CHTML_DROPPED:
            continue
        name = source.tag.removeprefix("mjx-")
        if name == "c":
            match = _CHTML_CHARACTER.search(source.get("class", ""))
            if match and int(match[1], 16) < 0x110000:
                set_text(target, (target.text or "") + chr(int(match[1], 16)))
            continue
        if name in _MATHML:
            target = etree.SubElement(target, name)
        elif source.tag in _CHTML_PARTS:
            target = etree.SubElement(target, "mrow")
        if name in ("mtext", "mi", "mo", "mn") and source.text and source.text.strip():
            set_text(target, source.text)
        stack.extend((child, target) for child in reversed(source))
    for element in list(root.iter(*_CHTML_REVERSED)):
        element[:] = list(reversed(element))
    for element in list(root.iter("msubsup")):
        # The script holds the superscript, then the subscript.
        if len(element) == 2 and len(element[1]) == 2:
            above, below = element[1]
            element[:] = [element[0], below, above]
    return root
