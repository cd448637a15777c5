"""Many trees, one document at a time, and the async twins of what extracts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from mainextract_beam.document import Document
from mainextract_beam.methods import bind_method, extract_bound, extract_page
from mainextract_beam.page import Content, Page


def extract_all(trees: Iterable[Any], method: str = "regions", **options: Any) -> Iterator[Document]:
    """The documents of trees, each as soon as its tree is drawn; a tree without content gives none.

    Lazy: draws one tree at a time and holds no reference to it once its document is assembled. What the source raises is passed on.

    Raises:
        ValueError: on the call, for an unknown method or option.
    """
    url = options.pop("url", None)
    return _documents(iter(trees), bind_method(method, options), url)


def aextract_all(trees: AsyncIterable[Any], method: str = "regions", **options: Any) -> AsyncIterator[Document]:
    """The async twin of extract_all; each page is worked on in a thread, so that the event loop goes on meanwhile."""
    url = options.pop("url", None)
    return _adocuments(trees, bind_method(method, options), url)


async def aextract_page(data: bytes | str, **options: Any) -> Document | None:
    """The async twin of extract_page, with its parameters: works in a thread, so that the event loop goes on meanwhile."""
    return await asyncio.to_thread(extract_page, data, **options)


Find = Callable[[Page], "Content | None"]


def _documents(trees: Iterator[Any], find: Find, url: str | None) -> Iterator[Document]:
    for tree in trees:
        document = extract_bound(tree, find, url)
        del tree
        if document is not None:
            yield document
            del document


async def _adocuments(trees: AsyncIterable[Any], find: Find, url: str | None) -> AsyncIterator[Document]:
    async for tree in trees:
        document = await asyncio.to_thread(extract_bound, tree, find, url)
        del tree
        if document is not None:
            yield document
            del document
