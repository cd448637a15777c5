"""What the elements of a page state, gathered in one walk, so that a step that looks for what is not there need not look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lxml import etree

from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._stated")


@dataclass(frozen=True, slots=True)
class Stated:
    """What occurs in some trees.

    Attributes:
        tags: names of elements.
        attributes: names of attributes.
        roles: values of ``role``.
        classes: class names, lower-case.
    """

    tags: set[str]
    attributes: set[str]
    roles: set[str]
    classes: set[str]

    def names(self, part: str) -> bool:
        """Whether a class name holds a part, lower-case, without white space."""
        return any(part in name for name in self.classes)


def stated(roots: Iterable[etree._Element]) -> Stated:
    """What occurs at and below some elements."""
    tags: set[str] = set()
    attributes: set[str] = set()
    values: dict[str, set[str]] = {"role": set(), "class": set()}
    for root in roots:
        (_gather if compiled is None else compiled.gather)(root, tags, attributes, values)
    return Stated(tags, attributes, values["role"], set(" ".join(values["class"]).lower().split()))


def _gather(top: etree._Element, tags: set[str], attributes: set[str], values: dict[str, set[str]]) -> None:
    """Adds the names of a tree's elements and attributes, and the values of the attributes looked for."""
    for element in top.iter(etree.Element):
        tags.add(str(element.tag))
        for name, value in element.attrib.items():
            attributes.add(name)
            if name in values:
                values[name].add(value)
