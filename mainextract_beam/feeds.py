"""Many trees, one document at a time, and the async twins of what extracts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from mainextract_beam.document import Document
from mainextract_beam.methods import GATHERING, bind_method, extract_bound, extract_page
from mainextract_beam.page import Content, Page


def extract_all(trees: Iterable[Any], method: str = "regions", **options: Any) -> Iterator[Document]:
    """The documents of trees, each as soon as its tree is drawn; a tree without content gives none.

    Lazy: draws one tree at a time and holds no reference to it once its document is assembled. What the source raises is passed on.

    Args:
        trees: see extract.
        method: see extract.
        **options: of the method; ``url``, see extract; ``metadata``, True for documents with all of their metadata, which is then
            read at once, whatever it costs. Without, documents know what their method found on its way: of ``clean`` that is all.

    Raises:
        ValueError: on the call, for an unknown method or option.
    """
    return _documents(iter(trees), *_bound(method, options))


def aextract_all(trees: AsyncIterable[Any], method: str = "regions", **options: Any) -> AsyncIterator[Document]:
    """The async twin of extract_all; each page is worked on in a thread, so that the event loop goes on meanwhile."""
    return _adocuments(trees, *_bound(method, options))


async def aextract_page(data: bytes | str, **options: Any) -> Document | None:
    """The async twin of extract_page, with its parameters: works in a thread, so that the event loop goes on meanwhile."""
    return await asyncio.to_thread(extract_page, data, **options)


Find = Callable[[Page], "Content | None"]


def _bound(method: str, options: dict[str, Any]) -> tuple[Find, str | None, bool]:
    """The method with its options, the pages' URL, and whether metadata is to be read beside."""
    url, metadata = options.pop("url", None), options.pop("metadata", False)
    return bind_method(method, options), url, metadata and method not in GATHERING


def _document(tree: Any, find: Find, url: str | None, metadata: bool) -> Document | None:
    document = extract_bound(tree, find, url, metadata)
    if document is not None and metadata:
        _ = document.metadata  # after which it lets the tree go
    return document


def _documents(trees: Iterator[Any], find: Find, url: str | None, metadata: bool) -> Iterator[Document]:
    for tree in trees:
        document = _document(tree, find, url, metadata)
        del tree
        if document is not None:
            yield document
            del document


async def _adocuments(trees: AsyncIterable[Any], find: Find, url: str | None, metadata: bool) -> AsyncIterator[Document]:
    async for tree in trees:
        document = await asyncio.to_thread(_document, tree, find, url, metadata)
        del tree
        if document is not None:
            yield document
            del document
