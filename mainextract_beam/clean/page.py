"""The page a chain of cleaning steps works on, and the marks the steps leave for one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree

from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.stated import Stated, stated
from mainextract_beam.clean.undo import Undo

Kind = Literal["code", "math", "note", "noteref", "callout", "table", "figure", "list"]
"""What step 4 and 5 protect: code, formulas, notes and the references to them, callouts, data tables, captioned
figures, definition and task lists."""


class Marks:
    """Which elements are protected and as what, with the answers to "inside one?" and "holding one?" ready.

    Elements built or moved into a protected one later count as inside it only if they are marked themselves.
    """

    __slots__ = ("_around", "_inside", "_kinds", "sealed")

    def __init__(self) -> None:
        self.sealed = False
        self._kinds: dict[etree._Element, Kind] = {}
        self._inside: set[etree._Element] = set()
        self._around: set[etree._Element] = set()

    def protect(self, element: etree._Element, kind: Kind, *, around: bool = True) -> None:
        """Protects the element with all it holds now; the first kind an element is given stays.

        Args:
            element: what to protect.
            kind: as what.
            around: whether what holds it is protected as well; not by things as small as a word of code.
        """
        if element in self._kinds:
            return
        self._kinds[element] = kind
        if element not in self._inside:
            self._inside.update(element.iter(etree.Element))
        holder = element.getparent() if around else None
        while holder is not None and holder not in self._around:
            self._around.add(holder)
            holder = holder.getparent()

    def kind(self, element: etree._Element) -> Kind | None:
        """What the element itself is protected as, None if it bears no mark."""
        return self._kinds.get(element)

    def is_inside(self, element: etree._Element) -> bool:
        """Whether the element is protected itself or by one that holds it."""
        return element in self._inside

    def is_around(self, element: etree._Element) -> bool:
        """Whether the element holds a protected one."""
        return element in self._around

    def copy(self, source: etree._Element, target: etree._Element) -> None:
        """Gives a deep copy of an element the marks of what it was copied from, which stays marked too."""
        pairs = zip(source.iter(etree.Element), target.iter(etree.Element), strict=True)
        for original, copied in list(pairs):
            if original in self._kinds:
                self._kinds.setdefault(copied, self._kinds[original])
            if original in self._inside:
                self._inside.add(copied)
            if original in self._around:
                self._around.add(copied)

    def all(self, kind: Kind | None = None) -> Iterator[etree._Element]:
        """The protected elements, of one kind or of all, in the order they were marked."""
        return (element for element, own in list(self._kinds.items()) if kind is None or own == kind)


@dataclass(slots=True)
class Facts:
    """What the page says about itself, gathered before step 1: what steps 8 and 9 may take as already known.

    Attributes:
        title: title without the site's name.
        authors: names, in order.
        published: date the page states, ISO 8601.
        modified: date of its last change, ISO 8601.
        site: name of the site.
        description: the page's description of itself.
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    modified: str | None = None
    site: str | None = None
    description: str | None = None


@dataclass(slots=True)
class Drop:
    """Something inside a content root that is judged not to be content.

    Attributes:
        element: the element; None where only some of its text is meant.
        nodes: else the texts: (element, whether its tail is meant rather than its text).
        reason: the evidence.
    """

    element: etree._Element | None
    nodes: Sequence[tuple[etree._Element, bool]]
    reason: str


@dataclass(slots=True)
class CleanPage:
    """One page on its way through the chain. Steps change ``root`` in place.

    Every element of the working tree bears a plain lower-case name; comments and processing instructions bear none.

    Attributes:
        root: top of the working tree.
        url: URL the page came from, for base URLs.
        roots: the content roots: the body (or the top) until step 3, the chosen ones after. Later steps look only
            inside these.
        journal: what was done.
        marks: what is protected.
        facts: what the page says about itself.
        skip: names of the steps, parts of steps and rules switched off.
        debug: keep diagnostic attributes and unwrap nothing.
        selector: CSS selector of the content, where the caller names it.
        rule: how step 3 found the content.
        drops: what step 3 judged not to be content inside the roots, for step 7.
        whole: characters of the page's text, as step 3 found it.
        kind: what kind of page step 3 took it for, and why, as metadata has it; empty where step 3 is switched off.
        undo: told what is about to change while it may have to be put back, by `edit.Edits` and whoever else changes a text.
        gathered: what the elements in the content roots state, where it has been asked for; see `stated`.
    """

    root: etree._Element
    url: str | None = None
    roots: list[etree._Element] = field(default_factory=list)
    journal: Journal = field(default_factory=Journal)
    marks: Marks = field(default_factory=Marks)
    facts: Facts = field(default_factory=Facts)
    skip: frozenset[str] = frozenset()
    debug: bool = False
    selector: str | None = None
    rule: str = "body"
    drops: Sequence[Drop] = ()
    whole: int = 0
    kind: dict[str, str] = field(default_factory=dict)
    gathered: Stated | None = None
    undo: Undo | None = None

    def __post_init__(self) -> None:
        if not self.roots:
            body = next(self.root.iter("body"), None)
            self.roots = [self.root if body is None else body]

    @property
    def stated(self) -> Stated:
        """What the elements in the content roots stated when first asked: some may be gone since, what steps make is not in it."""
        if self.gathered is None:
            self.gathered = stated(self.roots)
        return self.gathered

    def is_off(self, step: str, rule: str) -> bool:
        """Whether a rule of a step is switched off by itself, as ``STEP:RULE``."""
        return bool(self.skip) and f"{step}:{rule}" in self.skip
