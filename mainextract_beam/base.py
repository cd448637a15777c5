"""Base URLs of a tree and its elements, after XML Base and the HTML Standard (2.4.3, document base URLs)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from mainextract_beam.names import XML, attribute, elements_named

XML_BASE: Final = f"{{{XML}}}base"
# xml:base as HTML parsers and html5lib's lxml builder leave it.
PLAIN_BASES: Final = ("xml:base", "xmlU0003Abase")
_BASES: Final = frozenset({XML_BASE, *PLAIN_BASES})

_PARTS: Final = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.S)  # RFC 3986, B
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ORIGIN: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)//[^/?#]*")
_STRIPPED: Final = re.compile(r"[\t\n\r]")
# What may stand in a URI reference unescaped (RFC 3986, 2.2 and 2.3).
_URI_CHARACTERS: Final = ":/?#[]@!$&'()*+,;=-._~%"


def is_absolute(url: str) -> bool:
    """Whether a URL states a scheme."""
    return _SCHEME.match(url) is not None


def resolve(base: str | None, reference: str) -> str:
    """A reference resolved against a base as RFC 3986, 5.2 says; a relative base gives a relative result."""
    if not base:
        return reference
    scheme, authority, path, query, fragment = _split(reference)
    if scheme is None:
        scheme, base_authority, base_path, base_query, _ = _split(base)
        if authority is None:
            authority = base_authority
            if not path:
                path = base_path
                query = base_query if query is None else query
            elif path.startswith("/"):
                path = _without_dots(path)
            else:
                path = _without_dots(_merge(base_authority, base_path, path), relative=scheme is None)
        else:
            path = _without_dots(path)
    else:
        path = _without_dots(path) if authority is not None or path.startswith("/") else path
    return _join(scheme, authority, path, query, fragment)


def resolver_of(base: str | None) -> Callable[[str], str] | None:
    """What makes a reference absolute against a base; None against one that is no absolute URL itself."""
    if not base or not is_absolute(base):
        return None
    match = _ORIGIN.match(base)
    origin, scheme = (match[0], match[1]) if match else ("", "")

    def absolute(reference: str) -> str:
        if reference.startswith(("http://", "https://")):
            found = reference
        elif origin and reference.startswith("/") and "/." not in reference:
            found = scheme + reference if reference.startswith("//") else origin + reference
        elif is_absolute(reference):
            return reference
        else:
            found = resolve(base, reference)
        return found.replace(" ", "%20") if " " in found else found

    return absolute


@lru_cache(maxsize=256)  # a page's base is asked for several times
def uri(reference: str) -> str:
    """A reference as a valid URI reference: forbidden characters percent-encoded as UTF-8."""
    return quote(_STRAY_PERCENT.sub("%25", reference), safe=_URI_CHARACTERS, errors="replace")


def stated_base(element: Any) -> str | None:
    """The ``xml:base`` an element states, in whatever form its parser left it."""
    if _BASES.isdisjoint(element.keys()):
        return None
    attributes = element.attrib
    value: str | None = attributes.get(XML_BASE)
    if value is None:
        for name in PLAIN_BASES:
            value = attributes.get(name)
            if value is not None:
                break
    return None if value is None else value.strip(" \t\n\r\f")


def document_base(root: Any, url: str | None, lower_case: bool = False, elements: Sequence[Any] | None = None) -> str | None:
    """What all bases of a tree start from: ``url``, else the http(s) URL it was loaded from, with its ``base[href]``.

    Args:
        root: the topmost element of the tree.
        url: the page's URL, where the caller knows it.
        lower_case: see names.elements_named.
    """
    base = url or loaded_url(root)
    href = _base_href(elements_named(root, "base", lower_case) if elements is None else elements)
    return base if href is None else resolve(base, href)


def loaded_url(root: Any) -> str | None:
    """The http(s) URL a tree was loaded from, where its parser knew it."""
    loaded: str | None = root.getroottree().docinfo.URL
    return loaded if loaded and loaded.lower().startswith(("http://", "https://")) else None


def element_base(element: Any, root: Any, start: str | None) -> str | None:
    """The base of an element: ``start`` and every ``xml:base`` from ``root`` down to it, each resolved against the last."""
    base = start
    for stated in stated_bases(element, root):
        base = resolve(base, stated)
    return base


def stated_bases(element: Any, root: Any) -> list[str]:
    """The ``xml:base`` values from ``root`` down to an element, both included."""
    found = []
    while element is not None:
        stated = stated_base(element)
        if stated is not None:
            found.append(stated)
        if element is root:
            break
        element = element.getparent()
    found.reverse()
    return found


def _base_href(elements: Sequence[Any]) -> str | None:
    for element in elements:
        href = attribute(element, "href")
        if href is not None:
            href = _STRIPPED.sub("", href).strip(" \f")
            # HTML Standard, 4.2.3: a data: or javascript: base is ignored.
            return None if href.lower().startswith(("data:", "javascript:")) else href
    return None


def _split(reference: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _PARTS.match(reference)
    assert match is not None  # the pattern matches any string
    scheme, authority, path, query, fragment = match.groups()
    if scheme is not None and not is_absolute(f"{scheme}:"):
        return None, None, f"{scheme}:{path}", query, fragment
    return scheme, authority, path, query, fragment


def _merge(authority: str | None, base: str, path: str) -> str:
    if authority is not None and not base:
        return f"/{path}"
    return base[: base.rfind("/") + 1] + path


def _without_dots(path: str, relative: bool = False) -> str:
    """A path without ``.`` and ``..`` segments; a relative one keeps the ``..`` that lead out of it."""
    if "." not in path:
        return path
    absolute = path.startswith("/")
    out: list[str] = []
    segments = path.split("/")
    for segment in segments[1:] if absolute else segments:
        if segment == "..":
            if out and out[-1] != "..":
                out.pop()
            elif not absolute and relative:
                out.append("..")
        elif segment != ".":
            out.append(segment)
    if segments[-1] in (".", ".."):
        out.append("")
    return ("/" if absolute else "") + "/".join(out)


def _join(scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    return "".join((
        f"{scheme}:" if scheme is not None else "",
        f"//{authority}" if authority is not None else "",
        path,
        f"?{query}" if query is not None else "",
        f"#{fragment}" if fragment is not None else "",
    ))  # fmt: skip
