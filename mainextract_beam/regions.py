"""The ``regions`` method: the region a page marks as its content, or the element holding the densest text."""

from __future__ import annotations

from typing import Any, Final

from lxml import etree

from mainextract_beam.names import CONTENT, FRAMING, HTML_NAMESPACES, attribute, is_content, local_name
from mainextract_beam.page import Content, Page
from mainextract_beam.text import entity_text, is_blank, normalize

# Kinds of elements in the walk over the tree.
_OTHER, _CONTENT, _BODY, _FRAMING, _UNKNOWN = range(5)

_NEXT_LINE: Final = "\x85"  # whitespace to Python, text to HTML

_WITH_ROLE: Final = etree.XPath("//*[@role]")


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
    role = _stating_main(page)
    if role is not None:
        return [role], "role"
    articles = _articles(page)
    if articles:
        return articles, "article"
    element = densest(page)
    return ([] if element is None else [element]), "density"


def _stating_main(page: Page) -> Any | None:
    """The first element whose role is, among others, ``main``."""
    if page.lower_case and page.whole:
        candidates = _WITH_ROLE(page.root)
    else:
        candidates = list(page.root.iter(etree.Element))
        if not page.whole:
            del candidates[0]
    for element in candidates:
        role = attribute(element, "role")
        if role is not None and "main" in role.lower().split():
            return element
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


def _kind_of_name(name: str) -> int:
    if name in FRAMING:
        return _FRAMING
    if name == "body":
        return _BODY
    return _CONTENT if is_content(name) else _OTHER


_KINDS: Final = {name: _kind_of_name(name) for name in (*FRAMING, *CONTENT, "body", "html", "head", "title", "br", "img")}


def densest(page: Page) -> Any | None:
    """The element holding the densest text; of equals the first in document order, None where nothing weighs.

    A run weighs the square of its length. An element weighs (the runs it holds directly, where they count, plus the weights of its
    children) x (c + 1) / (d + 1): d counts the children that hold text outside framing and the framing ones, c those of them that
    are content elements with text.
    """
    kinds = _Kinds(_KINDS)
    elements: list[Any] = []
    parents: list[int] = []
    kind: list[int] = []
    own: list[int] = []  # squares of the runs held directly
    texts: list[bool] = []  # whether the element holds text outside framing
    stack = [page.root]
    above = [-1]
    # Children are pushed first to last, so they are popped last to first: reversed, the order is children before parents and
    # first child before last, which is how weights are summed.
    while stack:
        node = stack.pop()
        parent = above.pop()
        this = kinds[node.tag]
        if this == _UNKNOWN:
            this = _kind_of_name(local_name(node) or "")
        if parent >= 0:
            tail = node.tail
            if tail and (not tail.isspace() or _NEXT_LINE in tail):
                length = len(normalize(tail))
                if length:
                    own[parent] += length * length
                    texts[parent] = True
        if not isinstance(node.tag, str):
            if node.tag is etree.Entity and parent >= 0:
                _add_entity_run(node, parent, own, texts)
            continue
        index = len(elements)
        elements.append(node)
        parents.append(parent)
        kind.append(this)
        own.append(0)
        texts.append(False)
        if this == _FRAMING:
            continue
        text = node.text
        if text and (not text.isspace() or _NEXT_LINE in text):
            length = len(normalize(text))
            if length:
                own[index] = length * length
                texts[index] = True
        count = len(stack)
        stack.extend(node)
        above.extend([index] * (len(stack) - count))
    return _heaviest(page, elements, parents, kind, own, texts)


def _add_entity_run(node: Any, parent: int, own: list[int], texts: list[bool]) -> None:
    """Counts an entity reference as text that joins the runs on either side of it."""
    after = len(normalize(node.tail))
    previous = node.getprevious()
    before_text = node.getparent().text if previous is None else previous.tail
    reference = entity_text(node.name)
    joined = len(normalize(f"{before_text or ''}{reference}{node.tail or ''}"))
    before = len(normalize(before_text))
    own[parent] += joined * joined - before * before - after * after
    texts[parent] = texts[parent] or joined > 0


def _heaviest(
    page: Page, elements: list[Any], parents: list[int], kind: list[int], own: list[int], texts: list[bool]
) -> Any | None:
    size = len(elements)
    weights = [0.0] * size
    children = [0.0] * size
    in_c = [0] * size
    in_d = [0] * size
    for index in range(size - 1, -1, -1):
        this = kind[index]
        parent = parents[index]
        if this == _FRAMING:
            if parent >= 0:
                in_d[parent] += 1
            continue
        weight = children[index]
        if this == _CONTENT or this == _BODY:
            weight += own[index]
        weight = weight * (in_c[index] + 1) / (in_d[index] + 1)
        weights[index] = weight
        if texts[index] and parent >= 0:
            texts[parent] = True
            in_d[parent] += 1
            if this == _CONTENT:
                in_c[parent] += 1
        if parent >= 0:
            children[parent] += weight
    # The order of the walk is not document order, so ties are settled by it afterwards.
    if not page.whole:
        weights[0] = 0.0
    heaviest = max(weights, default=0.0)
    if heaviest <= 0:
        return None
    ties = [elements[index] for index, weight in enumerate(weights) if weight == heaviest]
    if len(ties) == 1:
        return ties[0]
    chosen = set(ties)
    return next(element for element in list(page.root.iter(etree.Element)) if element in chosen)
