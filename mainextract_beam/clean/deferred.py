"""Step 2: content that arrives later takes its place.

Three kinds come in the page's own bytes and are put in place by scripts, or shown only where none runs: parts of a page
that React streams after the rest, pictures repeated in ``noscript``, pages that stand in ``noscript`` alone,
and pictures whose URL waits in another attribute.
Nothing is executed: the calls are read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from lxml import etree

from mainextract_beam.clean.edit import Edits, put, set_attribute
from mainextract_beam.clean.noscript import stated_in_noscript
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import nearest
from mainextract_beam.marked import marked
from mainextract_beam.text import normalize

NAME = "deferred"

MAX_NESTING = 16
"""Streamed parts within streamed parts up to this depth are moved; deeper ones are shown where they stand."""

# React's instruction scripts: $RC(boundary, content), $RR(boundary, content, styles), $RS(content, placeholder). Ids
# are hexadecimal numbers behind a letter and the application's own prefix.
_CALL = re.compile(r"""\$R([CRS])\(\s*(["'])([^"'\\]*)\2\s*,\s*(["'])([^"'\\]*)\4""")
_PLACE = re.compile(r"(?s).*[BP]:[0-9a-f]+")

# React's boundary comments. They nest, and activities (&) nest with suspense boundaries ($).
_STARTS = frozenset({"$", "$?", "$!", "$~", "&"})
_ENDS = frozenset({"/$", "/&"})

URL_ATTRIBUTES = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-original-src",
    "data-orig-src",
    "data-actualsrc",
    "data-lazyload",
    "data-lazy",
    "data-echo",
    "data-hi-res-src",
    "data-full-src",
    "data-img-src",
    "data-src-large",
)
"""Where lazy-loading scripts keep the URL of a picture, the usual names first."""

SRCSET_ATTRIBUTES = ("data-srcset", "data-lazy-srcset", "data-original-set", "data-orig-srcset")
"""Where they keep the candidates of ``srcset``."""

PLACEHOLDER_NAMES = frozenset(
    {"1x1", "blank", "clear", "dummy", "empty", "lazy", "lazyload", "loader", "loading", "pixel", "placeholder"}
    | {"placehold", "spacer", "trans", "transparent"}
)
"""Words that name a picture standing for another, as whole tokens of the file's name."""

_TOKENS = re.compile(r"[^\W_]+")
_SCHEME_PLACEHOLDER = re.compile(r"(?i)\s*(?:$|#|data:|about:|javascript:)")
_NOT_A_URL = re.compile(r"""(?i)\s*(?:$|[#{\[<"']|data:|about:|javascript:|true$|false$|\d+$)""")

SMALLEST = 33
"""Pixels a side of a picture has at the least where it is content, as in step 6."""


def deferred(page: CleanPage) -> None:
    """Moves streamed parts in place, brings pictures out of ``noscript`` and gives lazy ones their URL."""
    found = marked(page.root, _TAGS, _WAITING)
    templates = [element for element, bits in found if bits & _TEMPLATE]
    if templates:
        _stream(page, templates)
        found = marked(page.root, _TAGS, _WAITING)
    lazy = [element for element, bits in found if bits & _LAZY and bits & _WAITS]
    noscripts = [element for element, bits in found if bits & _NOSCRIPT]
    if noscripts:
        for element in stated_in_noscript(page.root, noscripts):
            page.journal.record(element, "unwrap", step=NAME, rule="noscript-page", reason="it holds the page's text")
            element.tag = "div"
        for element in _noscript(page, [element for element in noscripts if element.tag == "noscript"]):
            lazy.extend(element.iter(*_LAZY_TAGS))
    for element in lazy:
        _wake(element)


_LAZY_TAGS = ("img", "source", "iframe", "video")
_TEMPLATE, _NOSCRIPT, _LAZY, _WAITS = (1 << bit for bit in range(4))
_TAGS = {"template": _TEMPLATE, "noscript": _NOSCRIPT, **dict.fromkeys(_LAZY_TAGS, _LAZY)}
_WAITING = dict.fromkeys((*URL_ATTRIBUTES, *SRCSET_ATTRIBUTES, "data-poster"), _WAITS)


def _stream(page: CleanPage, templates: list[etree._Element]) -> None:
    places: dict[str, etree._Element] = {}
    for template in templates:
        identifier = template.get("id")
        if identifier and _PLACE.fullmatch(identifier):
            places.setdefault(identifier, template)
    if places:
        _complete(page, _contents(page.root, templates, places))
    with Edits(page, NAME) as edits:
        for template in page.root.iter("template"):
            if not len(template):
                edits.remove(template, rule="placeholder")


def _contents(
    root: etree._Element, templates: list[etree._Element], places: dict[str, etree._Element]
) -> dict[etree._Element, etree._Element]:
    """The streamed parts and the place of each."""
    pairs: dict[str, str] = {}
    for script in root.iter("script"):
        text = script.text
        if text and "$R" in text:
            for kind, _, first, _, second in _CALL.findall(text):
                place, content = (second, first) if kind == "S" else (first, second)
                pairs.setdefault(content, place)
    for template in templates:
        # The same instructions as data, for pages whose scripts stand in a file of their own.
        content = template.get("data-sid", "")
        place = template.get("data-bid") or template.get("data-pid")
        if content and place:
            pairs.setdefault(content, place)
    for identifier in places:
        # A place and its content bear the same number: what is left is content whose call the page has lost.
        prefix, _, number = identifier.rpartition(":")
        pairs.setdefault(f"{prefix[:-1]}S:{number}", identifier)
    contents: dict[etree._Element, etree._Element] = {}
    for element in root.iter(etree.Element):
        identifier = element.get("id", "")
        if identifier in pairs:
            # An id counts once, for the first element that bears it, and so does a place.
            found = places.pop(pairs.pop(identifier), None)
            if found is not None:
                contents[element] = found
    return contents


def _complete(page: CleanPage, contents: dict[etree._Element, etree._Element]) -> None:
    ends = _boundary_ends(contents.values())
    with Edits(page, NAME) as edits:
        for content, level in _outer_first(contents):
            place = contents[content]
            if level > MAX_NESTING:
                edits.unwrap(content, rule="streamed")
                continue
            if not _stands_in(place, page.root):
                continue
            end = ends.get(place)
            if end is not None:
                _remove_fallback(page, place, end)
            page.journal.record(content, "merge", step=NAME, rule="streamed", reason=f"to {place.get('id')}")
            put(place, content)
            edits.unwrap(content, rule="streamed")


def _outer_first(contents: dict[etree._Element, etree._Element]) -> Iterator[tuple[etree._Element, int]]:
    """The streamed parts, each after the one that holds its place, with the depth; not those that hold one another."""
    holders = nearest(contents.values(), contents)
    inner: dict[etree._Element | None, list[etree._Element]] = {}
    for content, place in contents.items():
        inner.setdefault(holders[place], []).append(content)
    level, current = 1, inner.get(None, [])
    while current:
        for content in current:
            yield content, level
        level, current = level + 1, [deeper for content in current for deeper in inner.get(content, [])]


def _boundary_ends(places: Iterable[etree._Element]) -> dict[etree._Element, etree._Element]:
    """The comment that ends the boundary each place stands in, where it begins with one just before the place."""
    found: dict[etree._Element, etree._Element] = {}
    parents = dict.fromkeys(place.getparent() for place in places)
    for parent in parents:
        open_places: list[etree._Element | None] = []
        before: etree._Element | None = None
        for node in parent if parent is not None else ():
            if isinstance(node, etree._Comment):
                if node.text in _STARTS:
                    open_places.append(None)
                elif node.text in _ENDS and open_places:
                    place = open_places.pop()
                    if place is not None:
                        found[place] = node
            elif isinstance(before, etree._Comment) and before.text in _STARTS:
                open_places[-1] = node
            before = node
    return found


def _remove_fallback(page: CleanPage, place: etree._Element, end: etree._Element) -> None:
    """Takes out what stands between the place and the end of its boundary."""
    parent = place.getparent()
    place.tail = None
    for node in list(place.itersiblings()):
        if node is end or parent is None:
            return
        page.journal.record(node, "remove", step=NAME, rule="fallback")
        node.tail = None
        parent.remove(node)


def _stands_in(element: etree._Element, root: etree._Element) -> bool:
    holder: etree._Element | None = element
    while holder is not None:
        if holder is root:
            return True
        holder = holder.getparent()
    return False


def _noscript(page: CleanPage, noscripts: list[etree._Element]) -> list[etree._Element]:
    """Takes ``noscript`` elements out; the pictures of theirs that stay, or what holds one."""
    promoted: list[etree._Element] = []
    has_picture: dict[etree._Element, bool] = {}
    with Edits(page, NAME) as edits:
        for noscript in noscripts:
            edits.remove(noscript, rule="noscript")
            parent = noscript.getparent()
            if parent is None or parent.tag == "head":
                continue
            for image in _images(noscript):
                if not _is_picture(image):
                    continue
                twin = _twin(noscript, image)
                if twin is not None:
                    if not is_real(twin.get("src")):
                        page.journal.record(image, "merge", step=NAME, rule="noscript-image")
                        _copy(image, twin)
                elif _is_wanted(noscript, image, has_picture):
                    page.journal.record(image, "replace", step=NAME, rule="noscript-image")
                    promoted.append(_promote(noscript, image))
    return promoted


def _images(noscript: etree._Element) -> list[etree._Element]:
    """The pictures a ``noscript`` holds, as elements or, from parsers that run scripts, as its text."""
    if len(noscript):
        return list(noscript.iter("img"))
    text = noscript.text
    if not text or "<img" not in text.lower():
        return []
    parser = etree.HTMLParser(no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    tree = etree.fromstring(f"<div>{text}</div>", parser)
    return [] if tree is None else list(tree.iter("img"))


def _is_picture(image: etree._Element) -> bool:
    """Whether it can be content: with a URL, and neither a counting pixel nor hidden."""
    if any(size is not None and size < SMALLEST for size in (_pixels(image, "width"), _pixels(image, "height"))):
        return False
    if not is_real(image.get("src")) and not image.get("srcset"):
        return False
    style = re.sub(r"\s+", "", image.get("style", "")).lower()
    return not ("display:none" in style or "visibility:hidden" in style or image.get("hidden") is not None)


def _pixels(element: etree._Element, name: str) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*", element.get(name, ""))
    return int(match[1]) if match else None


def _twin(noscript: etree._Element, image: etree._Element) -> etree._Element | None:
    """The picture beside the ``noscript`` that a script would turn into this one."""
    for direction in (True, False):
        beside = next(noscript.itersiblings("*", preceding=direction), None)
        if beside is None or beside.tag == "noscript":
            continue
        pictures = [beside] if beside.tag == "img" else list(itertools.islice(beside.iter("img"), 2))
        if len(pictures) != 1:
            continue
        ours, theirs = (normalize(picture.get("alt")) for picture in (image, pictures[0]))
        if not ours or not theirs or ours == theirs:
            same = pictures[0].get("src") == image.get("src")
            lazy = not is_real(pictures[0].get("src")) or any(map(pictures[0].get, URL_ATTRIBUTES))
            if same or lazy or (ours and ours == theirs):
                return pictures[0]
    return None


def _is_wanted(noscript: etree._Element, image: etree._Element, has_picture: dict[etree._Element, bool]) -> bool:
    """Whether a picture that stands in the ``noscript`` only is content: by its place, its words or its size."""
    holder = next(noscript.iterancestors("figure", "picture", "a"), None)
    if holder is not None:
        if holder not in has_picture:
            has_picture[holder] = any(
                is_real(other.get("src")) and next(other.iterancestors("noscript"), None) is None for other in holder.iter("img")
            )
        return not has_picture[holder]
    sizes = [_pixels(image, name) for name in ("width", "height")]
    return bool(normalize(image.get("alt")) or image.get("srcset")) or all(size is not None for size in sizes)


def _copy(image: etree._Element, twin: etree._Element) -> None:
    for name in ("src", "srcset", "sizes"):
        value = image.get(name)
        if value:
            set_attribute(twin, name, value)
    for name in ("alt", "title", "width", "height"):
        value = image.get(name)
        if value and not twin.get(name):
            set_attribute(twin, name, value)


def _promote(noscript: etree._Element, image: etree._Element) -> etree._Element:
    holder = image.getparent()
    new = holder if holder is not None and holder.tag == "picture" else image
    new.tail = None
    noscript.addprevious(new)
    return new


def _wake(element: etree._Element) -> None:
    """Gives a lazily loaded element the URLs its script would give it; a real one is never overwritten."""
    if not is_real(element.get("srcset")) and element.tag in ("img", "source"):
        for name in SRCSET_ATTRIBUTES:
            value = element.get(name)
            if value and not _NOT_A_URL.match(value):
                set_attribute(element, "srcset", value)
                break
    if not is_real(element.get("src")) and not (element.tag == "source" and element.get("srcset")):
        for name in URL_ATTRIBUTES:
            value = element.get(name)
            if value and not _NOT_A_URL.match(value):
                set_attribute(element, "src", value.strip())
                break
    poster = element.get("data-poster")
    if element.tag == "video" and poster and not _NOT_A_URL.match(poster) and not element.get("poster"):
        set_attribute(element, "poster", poster.strip())


def is_real(url: str | None) -> bool:
    """Whether a URL leads to a picture of its own: not empty, no inline stand-in, no file named as one."""
    if not url or _SCHEME_PLACEHOLDER.match(url):
        return False
    name = re.split(r"[?#\s]", url.strip(), maxsplit=1)[0].rstrip("/").rpartition("/")[2].lower()
    return len(name) > 200 or PLACEHOLDER_NAMES.isdisjoint(_TOKENS.findall(name))
