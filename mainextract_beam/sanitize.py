"""Content made safe to show: what is not on the allow-list of elements, attributes and URL schemes leaves.

Nothing is judged by what it looks like: an element, an attribute or a scheme that is not listed is not kept. Values are
compared after a further entity decoding and without control characters and white space, as the laxest reader would.
What is left is the same to every reader: no comments, no elements whose content HTML reads as raw text, no HTML inside
SVG or MathML and none of those inside each other, since such markup changes its meaning when it is parsed again.
"""

from __future__ import annotations

import html
import re
from typing import Any, Final

from lxml import etree

from mainextract_beam.names import VOID, XML, local_name
from mainextract_beam.srcset import is_settled, parse_srcset, write_srcset
from mainextract_beam.walks import load_compiled
from mainextract_beam.xmlsafe import drop_attribute, safe_text

compiled: Final = load_compiled("_sanitize")

ELEMENTS: Final = frozenset(
    """html head title body main article section header footer nav aside search address hgroup h1 h2 h3 h4 h5 h6 div p hr
    pre blockquote ol ul li dl dt dd figure figcaption details summary
    a abbr b bdi bdo br cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u
    var wbr big strike
    img picture source audio video track
    table caption colgroup col thead tbody tfoot tr td th
    svg math""".split()
)
"""HTML elements that stay. Others leave and what they hold stays, but for those below."""

DROPPED: Final = frozenset(
    """script style template noscript noframes noembed iframe frame frameset object embed applet param portal fencedframe
    base basefont link meta bgsound canvas
    input select option optgroup textarea datalist keygen meter progress
    area isindex""".split()
)
"""Elements that leave with all they hold."""

RENAMED: Final = {"xmp": "pre", "menu": "ul", "listing": "pre", "plaintext": "pre", "dir": "ul", "acronym": "abbr", "image": "img"}
"""Obsolete elements and what they are to a reader (HTML Standard, 16.2)."""

SVG_ELEMENTS: Final = {
    name.lower(): name
    for name in """svg g path rect circle ellipse line polyline polygon text tspan textPath defs title desc
    linearGradient radialGradient stop clipPath mask pattern marker""".split()
}
"""SVG elements that stay, by lower-case name; all others leave with what they hold."""

MATHML_ELEMENTS: Final = frozenset(
    """math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub
    msubsup msup mtable mtd mtext mtr munder munderover none menclose mfenced mlabeledtr semantics""".split()
)
"""MathML elements that stay; of others the text stays."""

MATHML_DROPPED: Final = frozenset({"annotation", "annotation-xml", "mglyph", "malignmark", "script", "style"})

GLOBAL_ATTRIBUTES: Final = frozenset({"id", "lang", "dir", "title", "role", "aria-label", "translate"})

ATTRIBUTES: Final[dict[str, frozenset[str]]] = {
    "a": frozenset({"href", "hreflang", "type", "rel"}),
    "aside": frozenset({"data-callout"}),
    "audio": frozenset({"src", "controls"}),
    "blockquote": frozenset({"cite"}),
    "code": frozenset({"class"}),
    "col": frozenset({"span"}),
    "colgroup": frozenset({"span"}),
    "data": frozenset({"value"}),
    "del": frozenset({"cite", "datetime"}),
    "details": frozenset({"open"}),
    "img": frozenset({"src", "srcset", "sizes", "alt", "width", "height"}),
    "ins": frozenset({"cite", "datetime"}),
    "li": frozenset({"value", "data-task"}),
    "math": frozenset({"data-latex"}),
    "ol": frozenset({"start", "reversed", "type"}),
    "p": frozenset({"class"}),
    "q": frozenset({"cite"}),
    "source": frozenset({"src", "srcset", "sizes", "media", "type", "width", "height"}),
    "td": frozenset({"colspan", "rowspan", "headers"}),
    "th": frozenset({"colspan", "rowspan", "headers", "scope", "abbr"}),
    "time": frozenset({"datetime"}),
    "track": frozenset({"src", "kind", "srclang", "label"}),
    "video": frozenset({"src", "poster", "controls", "width", "height"}),
}
"""Attributes that stay on an element beside the global ones."""

CLASSES: Final = {"code": re.compile(r"language-[\w+#.-]+"), "p": re.compile(r"callout-title")}
"""The class names that stay."""

SVG_ATTRIBUTES: Final = {
    name.lower(): name
    for name in """viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform dx dy
    rotate textLength lengthAdjust startOffset offset gradientUnits gradientTransform spreadMethod patternUnits
    patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerWidth markerHeight markerUnits
    refX refY orient pathLength version
    fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray
    stroke-dashoffset stroke-miterlimit opacity color stop-color stop-opacity clip-path clip-rule mask marker-start
    marker-mid marker-end text-anchor dominant-baseline alignment-baseline baseline-shift font-family font-size
    font-style font-weight letter-spacing word-spacing text-decoration visibility display""".split()
}
"""SVG attributes that stay, by lower-case name; a ``url()`` in them leads into the document only."""

MATHML_ATTRIBUTES: Final = frozenset(
    """display displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground accent accentunder align bevelled
    columnalign columnlines columnspacing columnspan denomalign depth fence frame framespacing height largeop
    linethickness lquote lspace maxsize minsize movablelimits notation numalign rowalign rowlines rowspacing rowspan
    rquote rspace separator separators stretchy symmetric voffset width open close subscriptshift superscriptshift
    alttext""".split()
)

SCHEMES: Final = frozenset({"http", "https", "mailto", "tel"})
"""Schemes a URL may have; a relative one has none."""

_REFERENCES: Final = frozenset({"href", "src", "poster", "cite"})
_MEDIA: Final = frozenset({"img", "source"})
_SKIPPED: Final = re.compile(
    "[\\x00-\\x20\\x7f-\\xa0\\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]+"
)
_HARMLESS: Final = ("https://", "http://", "#", "/", "?")  # what the URLs begin with that nothing has to be decoded for
_SCHEME: Final = re.compile(r"([^:/?#]*):")
_RASTER: Final = re.compile(r"data:image/(?:png|gif|jpe?g|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)(?:;charset=[\w-]+)?[;,]")
_FUNCTION: Final = re.compile(r"url|expression|image|src|attr|var|@|\\|/\*")
_LOCAL_URL: Final = re.compile(r"""(?:[\w#%.,\s-]|rgba?\([\d\s.,%/]*\))*url\(\s*["']?#[\w:.-]+["']?\s*\)[\w\s#-]*""")
_XML_LANG: Final = f"{{{XML}}}lang"

# Names given to elements about to leave, which a page's own elements lose first, as they are on no list.
_DROP: Final = "sanitized-drop"
_UNWRAP: Final = "sanitized-unwrap"


_SANITIZED: Final = "div"  # what the topmost element becomes where it could not stay

# Elements that stay as they are wherever HTML stands.
_STAYING: Final = ELEMENTS - {"svg", "math", "title"}

# What an element's descendants are judged as.
_HTML, _SVG, _MATHML, _TEXT, _GONE = range(5)

# What is known of an element or an attribute by its name: that it has to be looked at, that it may stay, that it may stay with a
# harmless URL, that it may stay as long as it holds nothing, and as long as it has such a URL besides.
_LOOK, _SAFE, _SAFE_IF_HARMLESS, _EMPTY, _PICTURE = range(5)
_KINDS: Final = {name: _PICTURE if name in _MEDIA else _EMPTY if name in VOID else _SAFE for name in _STAYING}


def sanitize(root: Any, *, debug: bool = False) -> None:
    """Makes a tree safe to show, in place.

    Args:
        root: the topmost element to keep; it becomes a ``div`` where it could not stay.
        debug: keep ``class`` and ``data-*`` attributes as well.
    """
    etree.strip_tags(root, etree.Comment, etree.PI)
    contexts: dict[Any, int] = {}
    for element in _in_question(root):
        context = _HTML if element is root else contexts.get(element.getparent(), _HTML)
        if context == _GONE:
            contexts[element] = _GONE
            continue
        name = element.tag
        if context == _HTML and name in _STAYING:
            contexts[element] = kind = _HTML
        else:
            name = local_name(element) or ""
            contexts[element] = kind = _judge(element, name, context)
            if kind == _GONE:
                element.tag = _DROP
                continue
            if element.tag == _UNWRAP:
                continue
        if element.keys():
            _cut_attributes(element, RENAMED.get(name, name), kind, debug)
        if name in VOID and (len(element) or element.text):
            # Some parsers take what follows a void element for its content.
            if name not in _MEDIA or element.get("src") or element.get("srcset"):
                element.addprevious(etree.Element(element.tag, dict(element.attrib)))
            element.tag = _UNWRAP
        elif name in _MEDIA and not element.get("src") and not element.get("srcset"):
            element.tag = _DROP
    if root.tag == _DROP:
        tail = root.tail
        root.clear()
        root.tail = tail
        root.tag = _SANITIZED
    elif root.tag == _UNWRAP:
        root.tag = _SANITIZED
        root.attrib.clear()
    etree.strip_elements(root, _DROP, with_tail=False)
    etree.strip_tags(root, _UNWRAP)


def _in_question(root: Any) -> list[Any]:
    """The elements of a tree that have to be looked at, in document order; what is left out stays as it is.

    An element that may not stay by its name brings all that it holds with it.
    """
    if compiled is None:
        return list(root.iter(etree.Element))  # to the same result
    found: list[Any] = compiled.in_question(root, _KINDS, _verdict)
    return found


def _verdict(name: str, key: str) -> int:
    """What is known of an attribute in no namespace on an HTML element, whatever its value."""
    if key in GLOBAL_ATTRIBUTES:
        return _LOOK if key == "id" and name == "img" else _SAFE
    if key not in ATTRIBUTES.get(name, ()) or key in ("srcset", "class"):
        return _LOOK
    return _SAFE_IF_HARMLESS if key in _REFERENCES else _SAFE


def safe_url(value: str, *, image: bool = False) -> str | None:
    """The URL if its scheme is allowed, None otherwise.

    Args:
        value: a URL as an attribute holds it.
        image: whether it names an image to show, which may be a ``data:`` URL of a raster format.
    """
    if value.startswith(_HARMLESS) or (image and _RASTER.match(value)):
        return value
    bare = _SKIPPED.sub("", html.unescape(value)).lower()
    match = _SCHEME.match(bare)
    if match is None or match[1] in SCHEMES:
        return value
    if image and _RASTER.match(bare):
        return value
    return None


def _judge(element: Any, name: str, context: int) -> int:
    """Marks an element that leaves, and says as what its children are judged."""
    if context == _HTML:
        if name in ELEMENTS:
            if name == "svg":
                return _SVG
            if name == "math":
                return _MATHML
            if name == "title":
                # Outside the head its text would be read as markup never is.
                parent = element.getparent()
                if parent is None or local_name(parent) != "head":
                    element.tag = _UNWRAP
                return _TEXT
            return _HTML
        if name in DROPPED and not (name in VOID and (len(element) or element.text)):
            return _GONE
        if name in RENAMED:
            element.tag = element.tag[: element.tag.index("}") + 1] + RENAMED[name] if "}" in element.tag else RENAMED[name]
        else:
            element.tag = _UNWRAP
        return _HTML
    if context == _SVG:
        cased = SVG_ELEMENTS.get(name)
        if cased is None:
            return _GONE
        if not element.tag.endswith(cased):
            element.tag = element.tag[: len(element.tag) - len(cased)] + cased
        return _TEXT if name in ("title", "desc") else _SVG
    if name in DROPPED or name in MATHML_DROPPED or name == "svg":
        return _GONE
    if context == _TEXT or name not in MATHML_ELEMENTS:
        element.tag = _UNWRAP
    return context


def _cut_attributes(element: Any, name: str, kind: int, debug: bool) -> None:
    attributes = element.attrib
    if kind == _SVG or (kind == _TEXT and name in ("title", "desc")):
        _cut_svg(element)
        return
    own = ATTRIBUTES.get(name)
    for stated, value in attributes.items():
        key = stated if stated.islower() or stated[0] == "{" else stated.lower()
        if key != stated:
            drop_attribute(attributes, stated)
            attributes[key] = safe_text(value)
        if kind == _MATHML:
            kept = value if key in MATHML_ATTRIBUTES or key in GLOBAL_ATTRIBUTES or (own and key in own) else None
        elif key in XML_ATTRIBUTES:
            kept = value if key.endswith("lang") else safe_url(value)
        elif key in GLOBAL_ATTRIBUTES:
            kept = None if key == "id" and name == "img" else value
        elif own is not None and key in own:
            kept = _value(name, key, value)
        else:
            kept = None
        if kept is None and debug and (key == "class" or key.startswith("data-")):
            kept = value
        if kept is None:
            drop_attribute(attributes, key)
        elif kept != value:
            attributes[key] = safe_text(kept)


XML_ATTRIBUTES: Final = frozenset({f"{{{XML}}}lang", f"{{{XML}}}base", "xml:lang", "xml:base", "xmlU0003Alang", "xmlU0003Abase"})


def _value(name: str, key: str, value: str) -> str | None:
    if key in _REFERENCES:
        return safe_url(value, image=key == "src" and name in _MEDIA)
    if key == "srcset":
        if is_settled(value):
            return value
        return write_srcset((url, d) for url, d in parse_srcset(value) if safe_url(url, image=True) is not None) or None
    if key == "class":
        return " ".join(token for token in value.split() if CLASSES[name].fullmatch(token)) or None
    return value


def _cut_svg(element: Any) -> None:
    attributes = element.attrib
    for key, value in attributes.items():
        lower = key.lower()
        cased = SVG_ATTRIBUTES.get(lower) or (lower if lower in ("id", "lang", "dir") else None)
        if (cased is None and key != _XML_LANG) or not _is_local(value):
            drop_attribute(attributes, key)
        elif cased is not None and cased != key:
            drop_attribute(attributes, key)
            attributes[cased] = safe_text(value)


def _is_local(value: str) -> bool:
    """Whether a presentation attribute, which is CSS, leads nowhere outside the document."""
    if "(" not in value and "\\" not in value and "&" not in value:
        return True
    bare = _SKIPPED.sub(" ", html.unescape(value)).lower()
    return _FUNCTION.search(bare) is None or _LOCAL_URL.fullmatch(bare) is not None
