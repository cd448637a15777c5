"""The ``regions`` method: the region a page marks as its content, or the element holding the densest text."""

from __future__ import annotations

from typing import Any, Final

from lxml import etree

from mainextract_beam.names import CONTENT, FRAMING, HTML_NAMESPACES, attribute, is_content, local_name
from mainextract_beam.page import Content, Page
from mainextract_beam.text import entity_text, is_blank, normalize
from mainextract_beam.walks import compiled

# Kinds of elements in the walk over the tree.
_OTHER, _CONTENT, _BODY, _FRAMING, _UNKNOWN = range(5)

_NEXT_LINE: Final = "\x85"  # whitespace to Python, text to HTML


def find_regions(page: Page, *, sanitize: bool = False) -> Content | None:
    """The content regions of a page: its ``main`` or ``role=main``, else its ``article``s, else its densest element.

    Args:
        page: the tree.
        sanitize: make the document safe to show; without it markup is handed on as it stands, scripts included.

    Returns:
        The regions as they stand in the tree, or None where it holds no content.
    """
    elements, rule = _regions(page)
    return Content(elements, rule, sanitized=sanitize) if elements else None


def _regions(page: Page) -> tuple[list[Any], str]:
    main = page.first("main")
    if main is not None:
        return [main], "main"
    role = stating_main(page)
    if role is not None:
        return [role], "role"
    articles = _articles(page)
    if articles:
        return articles, "article"
    element = densest(page)
    return ([] if element is None else [element]), "density"


def stating_main(page: Page) -> Any | None:
    """The first element whose role is, among others, ``main``."""
    if compiled is not None and page.lower_case:
        return compiled.stating_main(page.root, page.whole)
    # A list, not a lazy walk: see names.elements_named.
    nodes = list(page.root.iter())
    for node in nodes if page.whole else nodes[1:]:
        role = node.get("role") if page.lower_case else attribute(node, "role") if isinstance(node.tag, str) else None
        if role and "main" in role.lower().split() and isinstance(node.tag, str):
            return node  # a processing instruction has attributes of a kind, too
    return None


def _articles(page: Page) -> list[Any]:
    """The outermost ``article``s outside framing that carry text outside framing."""
    articles: list[Any] = []
    settled: set[Any] = set()
    for article in page.named("article"):
        ancestor = article.getparent()
        inside = False
        # Nothing above the scanned root counts; an article already seen settles all that it holds.
        while ancestor is not None and not inside:
            if ancestor is page.root and not page.whole:
                break
            inside = ancestor in settled or local_name(ancestor) in FRAMING
            if ancestor is page.root:
                break
            ancestor = ancestor.getparent()
        if inside:
            continue
        settled.add(article)
        if has_text(article):
            articles.append(article)
    return articles


def in_framing(element: Any, page: Page) -> bool:
    """Whether an element stands inside framing within the scanned tree."""
    ancestor = element
    while ancestor is not page.root:
        ancestor = ancestor.getparent()
        if ancestor is None or (ancestor is page.root and not page.whole):
            return False
        if local_name(ancestor) in FRAMING:
            return True
    return False


def has_text(element: Any) -> bool:
    """Whether an element holds text outside framing; comments hold none, entity references are text."""
    stack = [element]
    while stack:
        node = stack.pop()
        name = local_name(node)
        if name is None:
            if node.tag is etree.Entity:
                return True
        elif name not in FRAMING:
            if not is_blank(node.text):
                return True
            stack.extend(node)
        if node is not element and not is_blank(node.tail):
            return True
    return False


class _Kinds(dict[Any, int]):
    """Kind of an element by its tag, as lxml spells it."""

    def __missing__(self, tag: Any) -> int:
        kind = _kind_of_tag(tag)
        self[tag] = kind
        return kind


def _kind_of_tag(tag: Any) -> int:
    if not isinstance(tag, str):
        return _OTHER
    if tag[0] == "{":
        namespace, _, tag = tag[1:].partition("}")
        if namespace not in HTML_NAMESPACES:
            return _UNKNOWN  # the prefix, which no tag shows, decides
    return _kind_of_name(tag.lower())


def _kind_of_element(element: Any) -> int:
    return _kind_of_name(local_name(element) or "")


def _kind_of_name(name: str) -> int:
    if name in FRAMING:
        return _FRAMING
    if name == "body":
        return _BODY
    return _CONTENT if is_content(name) else _OTHER


_KINDS: Final = {name: _kind_of_name(name) for name in (*FRAMING, *CONTENT, "body", "html", "head", "title", "br", "img")}


class _Open:
    """An element whose end the walk has not come to: what is known of it so far."""

    __slots__ = ("children", "content", "element", "kind", "others", "own", "place", "text")

    def __init__(self, element: Any, kind: int, place: int) -> None:
        self.element = element
        self.kind = kind
        self.place = place  # in document order
        self.own = 0  # squares of the runs held directly
        self.children = 0.0  # weights of the children, summed from first to last
        self.text = False  # whether it holds text outside framing
        self.content = 0  # c
        self.others = 0  # d


def densest(page: Page) -> Any | None:
    """The element holding the densest text; of equals the first in document order, None where nothing weighs.

    A run weighs the square of its length. An element weighs (the runs it holds directly, where they count, plus the weights of its
    children) x (c + 1) / (d + 1): d counts the children that hold text outside framing and the framing ones, c those of them that
    are content elements with text.
    """
    kinds = _Kinds(_KINDS)
    if compiled is not None:
        found = compiled.densest(page.root, page.whole, kinds, _kind_of_element)
        if found is not NotImplemented:
            return found
    return _densest(page, kinds)


def _densest(page: Page, kinds: _Kinds) -> Any | None:
    nodes = list(page.root.iter())
    framed: set[Any] = set()  # framing elements, and all they hold
    stack: list[_Open] = []
    best: Any = None
    heaviest, first = 0.0, 0
    top: _Open | None = None
    for place, node in enumerate([*nodes, None]):
        parent = node.getparent() if place and node is not None else None
        if parent in framed:
            framed.add(node)
            continue
        while top is not None and top.element is not parent:
            ended = stack.pop()
            weight = ended.children
            if ended.kind == _CONTENT or ended.kind == _BODY:
                weight += ended.own
            weight = weight * (ended.content + 1) / (ended.others + 1)
            top = stack[-1] if stack else None
            if top is not None:
                top.children += weight
                if ended.text:
                    top.text = True
                    top.others += 1
                    if ended.kind == _CONTENT:
                        top.content += 1
            elif not page.whole:
                break
            if weight > heaviest or (weight == heaviest and best is not None and ended.place < first):
                best, heaviest, first = ended.element, weight, ended.place
        if node is None:
            break
        tag = node.tag
        kind = kinds[tag]
        if kind == _UNKNOWN:
            kind = _kind_of_element(node)
        if top is not None:
            text = node.tail
            if text and (not text.isspace() or _NEXT_LINE in text):
                length = len(normalize(text))
                if length:
                    top.own += length * length
                    top.text = True
            if not isinstance(tag, str):
                if tag is etree.Entity:
                    _add_entity_run(node, top)
                continue
            if kind == _FRAMING:
                top.others += 1
        if kind == _FRAMING:
            framed.add(node)
            continue
        text = node.text
        length = len(normalize(text)) if text and (not text.isspace() or _NEXT_LINE in text) else 0
        if top is not None and not len(node):
            # An element without children ends here.
            if length:
                top.text = True
                top.others += 1
                if kind == _CONTENT or kind == _BODY:
                    weight = length * length
                    top.children += weight
                    if kind == _CONTENT:
                        top.content += 1
                    if weight > heaviest or (weight == heaviest and place < first):
                        best, heaviest, first = node, weight, place
            continue
        top = _Open(node, kind, place)
        top.own = length * length
        top.text = length > 0
        stack.append(top)
    return best


def _add_entity_run(node: Any, above: _Open) -> None:
    """Counts an entity reference as text that joins the runs on either side of it."""
    after = len(normalize(node.tail))
    previous = node.getprevious()
    before_text = node.getparent().text if previous is None else previous.tail
    reference = entity_text(node.name)
    joined = len(normalize(f"{before_text or ''}{reference}{node.tail or ''}"))
    before = len(normalize(before_text))
    above.own += joined * joined - before * before - after * after
    above.text = above.text or joined > 0
