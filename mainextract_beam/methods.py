"""The table of extraction methods, and the two functions that run them on one page."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any, Final

from mainextract_beam.assemble import assemble
from mainextract_beam.clean import find_clean
from mainextract_beam.document import Document
from mainextract_beam.lines import find_lines
from mainextract_beam.page import Content, Page, page_of
from mainextract_beam.parse import check_elements, check_size, parse_root
from mainextract_beam.regions import find_regions
from mainextract_beam.xmlsafe import mend

Find = Callable[..., "Content | None"]

METHODS: Final[dict[str, Find]] = {
    "regions": find_regions,
    "lines": find_lines,
    "clean": find_clean,
}

GATHERING: Final = frozenset({"clean"})
"""Methods that gather a page's metadata on their way."""


def bind_method(method: str, options: dict[str, Any]) -> Callable[[Page], Content | None]:
    """A method with its options, checked.

    Raises:
        ValueError: an unknown method or option, or a value the method refuses; the message names the valid ones.
    """
    find = METHODS.get(method)
    if find is None:
        raise ValueError(f"unknown method {method!r}; methods are {', '.join(METHODS)}")
    valid = _option_names(find) if options else ()
    for name in options:
        if name not in valid:
            known = f"its options are {', '.join(valid)}" if valid else "it takes none"
            raise ValueError(f"unknown option {name!r} of method {method!r}; {known}")
    check = getattr(find, "check", None)
    if check is not None:
        check(**options)
    return partial(find, **options) if options else find


def _option_names(find: Find) -> list[str]:
    return [name for name, each in inspect.signature(find).parameters.items() if each.kind is each.KEYWORD_ONLY]


def extract(
    tree: Any, *, method: str = "regions", url: str | None = None, metadata: bool = True, **options: Any
) -> Document | None:
    """The main content of a parsed page.

    The tree is left untouched. The document's metadata is read from it when first asked for: ask before you change the
    tree. Of an ``_ElementTree`` everything counts; of an ``_Element`` only what it holds below it, so
    ``extract(etree.fromstring("<p>text</p>"))`` is None where its ElementTree is not.

    Args:
        tree: an lxml ElementTree or element, of any parser; or a document of xml.etree, xml.dom.minidom, html5lib, BeautifulSoup or
            selectolax, or an element of one, all of which counts.
        method: ``regions``, ...
        url: the page's URL, the base of its relative references.
        metadata: False for a document that knows only what its method found on its way, and does not hold the tree.
        **options: options of the method.

    Returns:
        The document, or None where the tree holds no content.

    Raises:
        ValueError: an unknown method or option.
        TypeError: ``tree`` is neither an lxml tree nor of one of these models.
    """
    return extract_bound(tree, bind_method(method, options), url, metadata and method not in GATHERING)


def extract_bound(
    tree: Any, find: Callable[[Page], Content | None], url: str | None = None, metadata: bool = False
) -> Document | None:
    """Like extract, with a method that bind_method has checked; ``metadata``: what it does not gather itself is to be read."""
    page = page_of(tree, url)
    return None if page is None else _run(page, find, partial(page_of, tree, url), metadata)


def extract_page(
    data: bytes | str,
    *,
    url: str | None = None,
    encoding: str | None = None,
    content_type: str | None = None,
    method: str = "regions",
    max_bytes: int | None = None,
    max_elements: int | None = None,
    metadata: bool = True,
    **options: Any,
) -> Document | None:
    """The main content of a page's bytes or text: parse_html and extract in one, without a copy of the tree.

    Args:
        data: the page.
        url: see extract.
        encoding: see parse_html.
        content_type: see parse_html.
        method: see extract.
        max_bytes: largest page taken, in bytes; None for any.
        max_elements: most elements taken; None for any.
        metadata: False for a document that knows only what its method found on its way, and does not hold the page's bytes
            for the case that more is asked for.
        **options: options of the method.

    Returns:
        The document, byte for byte that of ``extract(parse_html(data, ...), ...)``, or None where the page holds no content.

    Raises:
        ValueError: an unknown method or option; PageTooLarge, one of them, for a page beyond a limit.
        TypeError: ``data`` is neither bytes nor text.
    """
    find = bind_method(method, options)
    check_size(data, max_bytes)
    if isinstance(data, (bytearray, memoryview)):
        data = bytes(data)  # what cannot change, in case it is read again
    parsed = partial(parsed_page, data, url=url, encoding=encoding, content_type=content_type)
    return _run(parsed(max_elements=max_elements), find, parsed, metadata and method not in GATHERING)


def parsed_page(data: bytes | str, *, url: str | None, max_elements: int | None = None, **outside: str | None) -> Page:
    """A page of bytes or text, whose tree may be taken apart."""
    root, bases = parse_root(data, url=url, **outside)
    check_elements(root.getroottree(), max_elements)
    return Page(root, owned=True, lower_case=bases is not None, url=url, bases=bases)


def _run(page: Page, find: Callable[[Page], Content | None], again: Callable[[], Page | None], metadata: bool) -> Document | None:
    """The document of a page; ``again`` gives the page once more, as it was."""
    more = partial(_metadata, again) if metadata else None
    try:
        return document_of(page, find, more)
    except ValueError:
        spare = again()
        return None if spare is None else document_of(mended(spare), find, more)


def document_of(
    page: Page, find: Callable[[Page], Content | None], more: Callable[[Document], Mapping[str, Any]] | None
) -> Document | None:
    """The document that a method finds on a page.

    Raises:
        ValueError: lxml refuses to set a name or a character anew that HTML's parser left in the tree: the page has to be `mended`;
            or an option is wrong.
    """
    content = find(page)
    return None if content is None else assemble(content.page or page, content, more)


def mended(page: Page) -> Page:
    """A page whose tree holds no name and no character that XML forbids; a tree that is not owned is copied."""
    root = page.root
    if not page.owned:
        tree = root.getroottree()
        place = list(tree.iter()).index(root)
        root = list(deepcopy(tree).iter())[place]
    mend(root)
    return replace(page, root=root, lower_case=False, bases=None)


def _metadata(again: Callable[[], Page | None], document: Document) -> Mapping[str, Any]:
    from mainextract_beam.metadata.page import page_metadata

    page = again()
    return {} if page is None else page_metadata(page, document)
