"""Reading an element's name, and the tables of element kinds.

Every rule asks this module what an element is called and what kind it is, so that trees of any parser (lxml.html, lxml.etree,
html5lib's lxml builder) are read alike.
"""

from __future__ import annotations

from typing import Any, Final

from lxml.etree import Element

XHTML: Final = "http://www.w3.org/1999/xhtml"
SVG: Final = "http://www.w3.org/2000/svg"
MATHML: Final = "http://www.w3.org/1998/Math/MathML"
XLINK: Final = "http://www.w3.org/1999/xlink"
XML: Final = "http://www.w3.org/XML/1998/namespace"

# Namespaces whose names are read without their prefix.
HTML_NAMESPACES: Final = frozenset({XHTML, SVG, MATHML})

# Elements that frame a page's content and count for nothing, whatever they hold.
FRAMING: Final = frozenset(
    """style script noscript template nav header footer aside menu menuitem toolbar search dialog iframe embed object
    applet input button select textarea label fieldset legend datalist canvas svg audio video track source""".split()
)

# Elements whose own text is content (HTML's flow and phrasing elements that carry prose); custom elements count as well.
CONTENT: Final = frozenset(
    """h1 h2 h3 h4 h5 h6 p blockquote pre ul ol dl li dt dd table caption thead tbody tfoot tr th td article section div
    details summary hgroup span em strong b i u mark a time address cite q code kbd samp var small sub sup del ins s
    strike big tt font center abbr acronym dfn data bdi bdo ruby rt rp""".split()
)

# Elements whose text no reader sees as text.
NOT_TEXT: Final = frozenset({"script", "style", "noscript", "template"})

# Block-level elements: each starts a line of its own (HTML Standard, Rendering, 15.3 flow content).
BLOCK: Final = frozenset(
    """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noframes ol optgroup
    option p plaintext pre search section select summary table tbody tfoot thead tr ul xmp""".split()
)

# Block-level elements that readers set apart by a blank line.
PARAGRAPH: Final = frozenset(
    """address article aside blockquote details dl fieldset figure form h1 h2 h3 h4 h5 h6 hgroup hr main menu nav ol p
    pre section table ul""".split()
)

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

# What pictures and their like are shown by.
MEDIA: Final = ("img", "picture", "video", "audio", "svg", "canvas", "iframe", "object", "embed")

# What a figure may hold instead of them.
FIGURED: Final = ("table", "pre", "blockquote", "math", "code")

# Elements that hold nothing (HTML Standard, void elements), obsolete ones included.
VOID: Final = frozenset(
    """area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr""".split()
)


def local_name(element: Any) -> str | None:
    """The lower-case name that the rules match, or None for a comment, processing instruction or entity.

    An unprefixed name, in any namespace or none, is its local name; so is a name in the XHTML, SVG or MathML namespace whatever
    its prefix. A name with a prefix in any other namespace is ``prefix:local``.
    """
    tag = element.tag
    if not isinstance(tag, str):
        return None
    if tag[0] != "{":
        return tag.lower()
    namespace, _, local = tag[1:].partition("}")
    prefix = element.prefix
    if prefix and namespace not in HTML_NAMESPACES:
        return f"{prefix}:{local}".lower()
    return local.lower()


def is_custom(name: str) -> bool:
    """Whether a name is a custom element's: it holds a hyphen (HTML Standard, valid custom element name)."""
    return "-" in name and ":" not in name


def is_content(name: str) -> bool:
    """Whether text held directly by an element of that name is content."""
    return name in CONTENT or is_custom(name)


def attribute(element: Any, name: str) -> str | None:
    """The value of an un-namespaced attribute, its name compared case-insensitively; None where there is none."""
    value: str | None = element.get(name)
    if value is None:
        for key, other in element.attrib.items():
            if len(key) == len(name) and key.lower() == name:
                return str(other)
    return value


def elements_named(root: Any, name: str, lower_case: bool = False) -> list[Any]:
    """The elements of a tree with that local name, the root included, in document order.

    Args:
        root: where to look.
        name: a lower-case local name.
        lower_case: whether every name is known to be lower-case and without a namespace, as HTML parsers leave them; the search
            then runs in C.
    """
    # Lists, not lazy walks: lxml releases a node's proxy by climbing its ancestors up to one that still has a proxy.
    if lower_case:
        return list(root.iter(name))
    return [element for element in list(root.iter(Element)) if local_name(element) == name]


def is_element(node: Any) -> bool:
    """Whether a node is an element, not a comment, processing instruction or entity."""
    return isinstance(node.tag, str)
