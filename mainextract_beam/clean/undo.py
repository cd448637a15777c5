"""Putting back what steps took out of a tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml import etree

from mainextract_beam.xmlsafe import set_tail, set_text


class Undo:
    """What elements held before something left them, so that it can be put back.

    Elements taken out live on in it, which costs less than a copy of the tree made for the rare page that needs one.
    """

    __slots__ = ("_held", "_tags")

    def __init__(self) -> None:
        self._held: list[tuple[etree._Element, str | None, list[tuple[Any, str | None]]]] = []
        self._tags: list[tuple[etree._Element, str]] = []

    def hold(self, elements: Iterable[etree._Element]) -> None:
        """Notes the texts and children of elements as they are; called before what is directly inside them changes."""
        for element in elements:
            self._held.append((element, element.text, [(child, child.tail) for child in element]))

    def rename(self, element: etree._Element, tag: str) -> None:
        """Gives an element another tag; it gets its own back with the rest."""
        self._tags.append((element, str(element.tag)))
        element.tag = tag

    def put_back(self) -> None:
        """Makes all of them hold again what they held when first noted."""
        for element, text, children in reversed(self._held):
            for child in list(element):
                element.remove(child)
            set_text(element, text)
            for child, tail in children:
                element.append(child)
                set_tail(child, tail)
        for element, tag in reversed(self._tags):
            element.tag = tag
        self._held.clear()
        self._tags.clear()
