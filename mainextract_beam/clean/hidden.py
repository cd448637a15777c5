"""Step 6: what no reader sees: media too small to be content, and elements the page hides.

Size is judged per use: of each element by what is stated on it, never by its source. Hidden is what an attribute, the
element's own style or a style rule of the page by one plain class or id hides. What a control opens (tab panels,
accordions, "more" boxes) is content a reader sees on demand, and stays; so does prose the page hides only to fade it in,
and whatever is the page's only copy of its content.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from lxml import etree

from mainextract_beam.clean.budget import Budget, text_length
from mainextract_beam.clean.edit import Edits
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.protect import is_protected
from mainextract_beam.clean.walk import text_of
from mainextract_beam.marked import Judged, marked
from mainextract_beam.text import is_blank

NAME = "hidden"

SMALLEST = 33
"""Pixels a side of a picture has at the least where it is content."""

WHOLE = 24
"""Characters up to which text that is hidden from assistive technology only, or transparent, is taken for decoration."""

SHARE = 0.4
"""Share of the remaining prose that hidden siblings may take: more of it is the page's only copy of its content."""

POPUP_SHARE = 0.6
"""Share of the remaining prose that one hidden dialog or menu may take: two kinds of evidence speak against it."""

OPENED = frozenset(
    """accordion accordions acc collapse collapsed collapsible collapsable collapsing disclosure expand expanded
    expandable expander expanding faq faqs answer answers tab tabs tabbed tabpanel tabpane pane panel toggle toggled
    toggleable spoiler readmore showmore reveal revealable carousel slide slides slider slick swiper splide glide
    flickity truncated truncate clamp""".split()
)
"""Words in names of what a control opens: such content is hidden now and shown on demand."""

POPUPS = frozenset(
    """modal modals dialog lightbox popup popups popover overlay overlays offcanvas drawer tooltip tooltips dropdown
    flyout menu menus megamenu nav navigation navbar cookie cookies consent gdpr toast snackbar search share sharing
    login signin signup newsletter subscribe template skeleton loader loading spinner print""".split()
)
"""Words in names of what opens over the page, or serves its scripts: hidden, it is no content even where a control opens it."""

_POPUP_ROLES = frozenset("dialog alertdialog menu menubar tooltip navigation search alert status listbox combobox banner".split())
_CONTROLS = ("aria-controls", "aria-owns", "data-target", "data-bs-target")
_HEADS = ("h2", "h3", "h4", "h5", "h6")
_WRAPPERS = ("div", "header", "li", "a", "span", "label", "p", *_HEADS)
_CONTROL_NAMES = frozenset(
    "toggle toggler toggles trigger opener expander expand collapser collapse accordion accordions faq question".split()
)
_LONGEST_OPENER = 150
_ICONS = frozenset({"icon", "icons", "ico", "glyph", "glyphicon", "material", "fa", "svg", "emoji"})
_TOKENS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_DECLARED = re.compile(r"(?:^|[;{])\s*(display|visibility|opacity)\s*:\s*([\w.%-]+)\s*(!\s*important)?\s*(?=[;}]|$)", re.IGNORECASE)
_SIZE = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*([\d.]+)(px|rem|em)?\s*(?:!\s*important\s*)?(?=;|$)", re.IGNORECASE)
_PIXELS = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:px)?\s*", re.IGNORECASE)
_UNITS = {"px": 1.0, "rem": 16.0, "em": 16.0}
_TINY_DATA = 133  # characters of base64 a picture of more than a few plain pixels needs
_MATH_CLASSES = re.compile(r"(?i)\b(?:latex|tex|math|katex|equation|mwe-math\S*)")

# Apart, as a pattern that begins with a word is searched for far faster than one of several.
_HIDES = (re.compile(r"display\s*:\s*none"), re.compile(r"visibility\s*:\s*hidden"))
_SHOWS = (re.compile(r"display\s*:\s*(?!none)\w"), re.compile(r"visibility\s*:\s*visible"))
_PLAIN = re.compile(r"[.#][\w-]+(?:\s*,\s*[.#][\w-]+)*")
_LONGEST_SHEET = 1_000_000
_LONGEST_STYLE = 2_000
_LONGEST_NAMES = 500
_PICTURES = ("picture", "source")  # parsers that do not know source to be void put what follows it inside
_FEW = 64  # texts a page is searched for a copy beside them


def hidden(page: CleanPage) -> None:
    """Removes media too small to be content and hidden elements from the content roots."""
    with Edits(page, NAME) as edits:
        for root in page.roots:
            _small(page, root, edits)
    hiding = _hidden_elements(page)
    if not hiding:
        return
    leaving = _leaving(page, hiding)
    # The paragraphs of a text can be hidden one by one: siblings are judged together.
    together: dict[etree._Element | None, int] = {}
    for element, (prose, popup) in leaving.items():
        if not popup:
            parent = element.getparent()
            together[parent] = together.get(parent, 0) + prose
    budget = Budget(page.roots, SHARE)
    with Edits(page, NAME) as edits:
        for element, (prose, popup) in leaving.items():
            rule = hiding[element]
            fits = budget.allows(together[element.getparent()]) if prose and not popup else True
            if prose and not (fits and budget.take(prose, POPUP_SHARE if popup else None)):
                page.journal.record(element, "remove", step=NAME, rule=rule, reason="only copy", accepted=False)
            else:
                edits.remove(element, rule=rule)


def _leaving(page: CleanPage, hiding: dict[etree._Element, str]) -> dict[etree._Element, tuple[int, bool]]:
    """The hidden elements that are no content, the outermost ones: characters of prose they hold, whether they pop up."""
    leaving: dict[etree._Element, tuple[int, bool]] = {}
    gone: set[etree._Element] = set()
    controlled: set[str] | None = None
    copies = _Copies()
    for element, rule in hiding.items():
        if element in gone or is_protected(page, element):
            continue
        length = text_length(element)
        linked = sum(map(text_length, element.iter("a"))) if length else 0
        words = _name_words(element)
        popup = _is_popup(element, words)
        if length and not popup:
            if rule in _SEEN:
                if not _is_decoration(element, words) and not copies.beside(element):
                    continue
            elif length > WHOLE and linked * 2 < length:
                if controlled is None:
                    controlled = _controlled(page.root)
                if element.get("id") in controlled or is_opened(element):
                    continue
        leaving[element] = (max(0, length - linked), popup)
        gone.update(element.iterdescendants(etree.Element))
    return leaving


_SEEN = frozenset({"aria-hidden", "opacity"})
"""What leaves an element in sight: hidden from assistive technology only, or transparent until it is faded in."""


def _hidden_elements(page: CleanPage) -> dict[etree._Element, str]:
    """The hidden elements inside the content roots with the rule that hides each, in document order."""
    names = _Names(page.root)
    attributes = dict(_TELLING)
    if names:
        attributes["class"] = Judged(lambda value: names.hide(".", value.split()))
        attributes["id"] = Judged(lambda value: names.hide("#", [value]))
    found: dict[etree._Element, str] = {}
    for root in page.roots:
        for element, _ in marked(root, _TAGS, attributes):
            rule = _hiding_rule(element, names)
            if rule is not None and element is not root:
                found[element] = rule
    return found


def _hiding_rule(element: etree._Element, names: _Names) -> str | None:
    """The rule that hides an element, None where none does."""
    style = element.get("style")
    rule = _effect(style) if style else None
    if rule is None and element.get("hidden", "until-found").strip().lower() != "until-found":
        rule = "hidden"
    if rule is None and element.tag != "svg" and (element.get("aria-hidden") or "").strip().lower() == "true":
        rule = "aria-hidden"
    if (rule is None or rule in _SEEN) and not (style and "display" in style) and names.hides(element):
        rule = "style-rule"
    if rule is None and element.tag == "dialog" and element.get("open") is None:
        rule = "dialog"
    return rule


@lru_cache(maxsize=4096)
def _effect(declarations: str) -> str | None:
    """How a list of declarations hides what it applies to, None where it does not; later ones win, important ones more."""
    values: dict[str, tuple[bool, str]] = {}
    for name, value, important in _DECLARED.findall(declarations[:_LONGEST_STYLE]):
        name = name.lower()
        if not (values.get(name, (False, ""))[0] and not important):
            values[name] = (bool(important), value.lower())
    if not values:
        return None
    if values.get("display", (False, ""))[1] == "none":
        return "display"
    if values.get("visibility", (False, ""))[1] in ("hidden", "collapse"):
        return "visibility"
    opacity = values.get("opacity")
    if opacity and opacity[1].rstrip("%").strip("0") in ("", "."):
        return "opacity"
    return None


_TAGS = {"dialog": 1}
_TELLING: Final[dict[str, int | Judged]] = {
    "style": Judged(lambda style: _effect(style) is not None),
    "hidden": 1,
    "aria-hidden": Judged(lambda value: value.strip().lower() == "true"),
}
"""What may hide an element: its tag, and what attributes hold."""


class _Names:
    """What the page's own style sheets hide by a rule of one plain class or id, and show nowhere else."""

    __slots__ = ("_hidden", "_sheets", "_shown")

    def __init__(self, root: etree._Element) -> None:
        self._sheets: list[str] = []
        self._hidden: set[str] = set()
        self._shown: set[str] | None = None
        for sheet in root.iter("style"):
            text = sheet.text
            if not text or len(text) > _LONGEST_SHEET:
                continue
            if (sheet.get("media") or "all").strip().lower() not in ("all", "screen", ""):
                continue
            self._sheets.append(text)
            self._read(text)

    def __bool__(self) -> bool:
        return bool(self._hidden)

    def _read(self, text: str) -> None:
        if "/*" in text and any(pattern.search(text) for pattern in _HIDES):
            text = _without_comments(text)
        depth, last, counted = 0, 0, 0
        for match in sorted((match for pattern in _HIDES for match in pattern.finditer(text)), key=re.Match.start):
            if match.start() < last:
                continue  # of a rule that is read already
            start = text.rfind("{", last, match.start())
            end = text.find("}", match.end())
            if start < 0 or end < 0:
                continue
            head = max(text.rfind("{", last, start), text.rfind("}", last, start), text.rfind(";", last, start))
            selectors = text[head + 1 : start].strip()
            if _PLAIN.fullmatch(selectors):
                depth += text.count("{", counted, start) - text.count("}", counted, start)
                counted = start
                effect = _effect(text[start : end + 1]) if depth <= 0 else None
                if effect in ("display", "visibility"):
                    self._hidden.update(name.strip() for name in selectors.split(","))
            last = start + 1

    def hides(self, element: etree._Element) -> bool:
        """Whether the page's sheets hide an element."""
        return self.hide(".", (element.get("class") or "").split()) or self.hide("#", [element.get("id") or ""])

    def hide(self, mark: str, names: list[str]) -> bool:
        """Whether they hide what bears one of some names: classes after ``.``, an id after ``#``."""
        hidden = self._hidden.intersection([mark + name for name in names])
        return bool(hidden) and not hidden <= self._ever_shown()

    def _ever_shown(self) -> set[str]:
        """What a rule of its own shows again, on wider screens mostly: what a reader sees depends on the screen."""
        if self._shown is None:
            self._shown = set()
            for text in self._sheets:
                for match in (match for pattern in _SHOWS for match in pattern.finditer(text)):
                    start = text.rfind("{", max(0, match.start() - _LONGEST_STYLE), match.start())
                    head = max(text.rfind(mark, max(0, start - _LONGEST_STYLE), start) for mark in "{};") if start > 0 else 0
                    self._shown.update(part.strip() for part in text[head + 1 : max(start, 0)].split(","))
        return self._shown


def _without_comments(sheet: str) -> str:
    """A style sheet without its comments; one that does not end stays."""
    pieces, end = [], 0
    while (start := sheet.find("/*", end)) >= 0 and (close := sheet.find("*/", start + 2)) >= 0:
        pieces.append(sheet[end:start])
        end = close + 2
    return "".join([*pieces, sheet[end:]])


def _controlled(root: etree._Element) -> set[str]:
    """Ids of what controls of the page open."""
    values: list[str] = []
    for element, _ in marked(root.getroottree().getroot(), {}, dict.fromkeys((*_CONTROLS, "role", "data-toggle"), 1)):
        values += filter(None, map(element.get, _CONTROLS))
        if element.tag == "a" and (element.get("role") == "tab" or element.get("data-toggle") is not None):
            values.append(element.get("href") or "")
    return {part.lstrip("#") for value in values for part in value.split()}


def _name_words(element: etree._Element) -> frozenset[str]:
    names = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('data-testid') or ''}"
    return _words_of(names[:_LONGEST_NAMES])


@lru_cache(maxsize=4096)
def _words_of(names: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _TOKENS.findall(names))


def _is_popup(element: etree._Element, words: frozenset[str]) -> bool:
    role = element.get("role")
    if (role and not _POPUP_ROLES.isdisjoint(role.lower().split())) or element.get("aria-modal") == "true":
        return True
    return element.tag in ("nav", "dialog", "menu") or not POPUPS.isdisjoint(words)


def is_opened(element: etree._Element) -> bool:
    """Whether a control of the page shows the element on demand, by its role, by names, or by what stands before it."""
    words = _name_words(element)
    if element.get("role") in ("tabpanel", "region") or element.tag in ("dd", "details"):
        return True
    holder: etree._Element | None = element
    for _ in range(3):
        if holder is None or not POPUPS.isdisjoint(words):
            return False
        if holder.tag == "details" or not OPENED.isdisjoint(words):
            return True
        before = holder.getprevious()
        if before is not None:
            return isinstance(before.tag, str) and _is_opener(before, holder)
        holder = holder.getparent()
        words = _name_words(holder) if holder is not None else words
    return False


def _is_opener(bar: etree._Element, opened: etree._Element) -> bool:
    """Whether an element is the bar that opens what follows it: it is or holds a control, or heads nothing else."""
    if bar.tag in ("summary", "dt") or _is_control(bar, opened):
        return True
    if not 0 < text_length(bar) <= _LONGEST_OPENER:
        return False
    if bar.tag in _WRAPPERS and any(_is_control(inner, opened) for inner in bar.iter("summary", "button", *_WRAPPERS)):
        return True
    if bar.tag in _HEADS:
        # A heading whose text is all hidden: what follows is the next one, or nothing.
        following = opened.getnext()
        return is_blank(opened.tail) and (following is None or following.tag == bar.tag)
    return bar.tag in _WRAPPERS and _alternates(bar, opened)


def _is_control(element: etree._Element, opened: etree._Element) -> bool:
    """Whether an element says itself that it opens something, or this."""
    if element.tag in ("summary", "button") or element.get("role") in ("button", "tab"):
        return True
    if element.get("aria-expanded") or element.get("aria-controls") or element.get("onclick"):
        return True
    if not _CONTROL_NAMES.isdisjoint(_name_words(element)):
        return True
    href = (element.get("href") or "").strip() if element.tag == "a" else ""
    return href.startswith("#") and len(href) > 1 and href[1:] == opened.get("id")


def _alternates(bar: etree._Element, opened: etree._Element) -> bool:
    """Whether bar and hidden text stand there again and again: twice at least, each pair like the first."""
    for first, second in ((_sibling(opened, 1), _sibling(opened, 2)), (_sibling(bar, -2), _sibling(bar, -1))):
        if (
            first is not None
            and second is not None
            and (first.tag, first.get("class")) == (bar.tag, bar.get("class"))
            and (second.tag, second.get("class"), second.get("style"), second.get("hidden"))
            == (opened.tag, opened.get("class"), opened.get("style"), opened.get("hidden"))
        ):
            return True
    return False


def _sibling(element: etree._Element, steps: int) -> etree._Element | None:
    found: etree._Element | None = element
    for _ in range(abs(steps)):
        if found is not None:
            found = found.getnext() if steps > 0 else found.getprevious()
    return found


def _is_decoration(element: etree._Element, words: frozenset[str]) -> bool:
    """Whether text kept from assistive technology says nothing: marks without a letter, or the name of an icon."""
    text = text_of(element)
    if " " not in text and ("_" in text or not _ICONS.isdisjoint(words)):
        return True
    return not any(map(str.isalnum, text))


class _Copies:
    """Whether a text stands beside itself: stated once for each kind of reader, or repeated to run round."""

    __slots__ = ("_asked",)

    def __init__(self) -> None:
        self._asked = 0

    def beside(self, element: etree._Element) -> bool:
        self._asked += 1
        if self._asked > _FEW:
            return False
        text = text_of(element)
        holder = element.getparent()
        for _ in range(2):
            if holder is None:
                break
            if text_of(holder).count(text) > 1:
                return True
            holder = holder.getparent()
        return False


def _small(page: CleanPage, root: etree._Element, edits: Edits) -> None:
    for element in root.iter("img", "svg"):
        reason = _too_small(element)
        if reason and not page.marks.is_inside(element) and not _is_formula(element):
            edits.remove(element, rule="small-media", reason=reason)


def _too_small(element: etree._Element) -> str | None:
    if element.tag == "img":
        source = (element.get("src") or "").strip()
        if not source and not element.get("srcset"):
            parent = element.getparent()
            return "no source" if parent is None or parent.tag not in _PICTURES else None
        if source.startswith("data:") and "svg" not in source[:20] and len(source) < _TINY_DATA and not element.get("srcset"):
            parent = element.getparent()
            return "placeholder" if parent is None or parent.tag not in _PICTURES else None
    sizes = _sizes(element)
    if sizes and min(sizes) < SMALLEST:
        return f"{min(sizes):g} px"
    return None


def _sizes(element: etree._Element) -> list[float]:
    """The sides of a picture as it is drawn, in pixels, where the element states them: by its style, else by attributes."""
    sizes: dict[str, float] = {}
    for name in ("width", "height"):
        value = element.get(name)
        pixels = _pixels(value) if value else None
        if pixels is not None:
            sizes[name] = pixels
    style = element.get("style")
    if style:
        for name, value, unit in _SIZE.findall(style):
            if unit and value.count(".") < 2 and value.strip("."):
                sizes[name.lower()] = float(value) * _UNITS[unit.lower()]
    # 0 is how pictures begin that are to fill what holds them.
    return [size for size in sizes.values() if size > 0]


@lru_cache(maxsize=4096)
def _pixels(value: str) -> float | None:
    match = _PIXELS.fullmatch(value)
    return float(match[1]) if match else None


def _is_formula(element: etree._Element) -> bool:
    if "\\" in (element.get("alt") or "") or element.get("data-latex") or element.get("data-math") or element.get("data-tex"):
        return True
    return bool(_MATH_CLASSES.search(element.get("class") or ""))
