"""Questions about where elements stand, answered for many at once in linear time."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lxml import etree


def nearest(
    elements: Iterable[etree._Element], holders: Collection[etree._Element]
) -> dict[etree._Element, etree._Element | None]:
    """The innermost of the holders around each element, None where there is none; every ancestor is visited once."""
    known: dict[etree._Element, etree._Element | None] = {}
    nearest: dict[etree._Element, etree._Element | None] = {}
    for element in list(elements):
        path = []
        holder = element.getparent()
        while holder is not None and holder not in holders and holder not in known:
            path.append(holder)
            holder = holder.getparent()
        if holder is not None and holder not in holders:
            holder = known[holder]
        known.update(dict.fromkeys(path, holder))
        nearest[element] = holder
    return nearest
