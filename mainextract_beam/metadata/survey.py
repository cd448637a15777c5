"""Walks over a page that find the few texts in which it may state its metadata."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Any, Final

from lxml import etree

from mainextract_beam.text import normalize
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("metadata._survey")


def texts(top: Any, without: Container[str], most: int, whole: int) -> list[tuple[Any, str]]:
    """The texts in an element, each with the element it is the text or the tail of, but for those of some elements.

    Args:
        top: the element; its tail is not in it.
        without: the tags of elements whose text and tail are left out, not what they hold.
        most: after so many texts none of a further element is read.
        whole: nor is one after so many characters.

    Returns:
        The texts that are not blank, white space collapsed; of each element its text, then its tail, then those of its children.
    """
    if compiled is not None:
        found: list[tuple[Any, str]] = compiled.texts(top, without, most, whole)
        return found
    return _texts(top, without, most, whole)


def _texts(top: Any, without: Container[str], most: int, whole: int) -> list[tuple[Any, str]]:
    out: list[tuple[Any, str]] = []
    for element in top.iter(etree.Element):
        if element.tag in without:
            continue
        for text in (normalize(element.text), normalize(element.tail) if element is not top else ""):
            if text:
                out.append((element, text))
                whole -= len(text)
        if len(out) >= most or whole <= 0:
            break
    return out


def holding(top: Any, pieces: Collection[str], longest: int) -> list[tuple[Any, bool, str]]:
    """The texts and tails of what is at and below an element that hold one of some pieces and are not too long.

    Args:
        top: where to start.
        pieces: what to look for.
        longest: characters a text may have, white space included.

    Returns:
        Each with the element (or the comment or whatever else it is the tail of) and whether it is the tail; of each element
        its text, then its tail, then those of its children.
    """
    if compiled is not None:
        found: list[tuple[Any, bool, str]] = compiled.holding(top, pieces, longest)
        return found
    return _holding(top, pieces, longest)


def _holding(top: Any, pieces: Collection[str], longest: int) -> list[tuple[Any, bool, str]]:
    out = []
    for node in top.iter():
        for is_tail, text in ((False, node.text if isinstance(node.tag, str) else None), (True, node.tail)):
            if text and len(text) <= longest and any(piece in text for piece in pieces):
                out.append((node, is_tail, text))
    return out
