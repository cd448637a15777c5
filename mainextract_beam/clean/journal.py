"""What every step of the cleaning chain did to the page, entry by entry.

Keeping a journal only observes: it changes no byte of the result. Paths are those of the source tree, noted once when
the journal is opened, so that they stay true however far the page has been taken apart since.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from mainextract_beam.text import normalize, word_count

Action = Literal["root", "remove", "unwrap", "replace", "merge", "fallback"]

SAMPLE_LENGTH = 200
"""Characters of text an entry quotes."""

PATH_STEPS = 256
"""Steps a path spells out; a longer one begins with ``//`` and keeps its innermost steps."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing a step did, or tried to do.

    Attributes:
        step: name of the step, e.g. ``"selectors"``.
        rule: stable identifier of the rule inside the step.
        action: what happened to the element.
        reason: why, in words or figures, where the rule alone does not say it.
        selector: the selector, name or pattern that matched.
        path: XPath of the element in the source tree; None for an element the chain made itself.
        tag: the element's name.
        words: number of words the element held.
        sample: the beginning of its text, whitespace normalised.
        accepted: False for an attempt that was rejected again.
    """

    step: str
    rule: str
    action: Action
    reason: str | None
    selector: str | None
    path: str | None
    tag: str
    words: int
    sample: str
    accepted: bool = True


class Journal:
    """The entries of one page in the order they were made.

    A journal made with ``keep=False`` records nothing and costs one attribute read per edit.
    """

    __slots__ = ("_origins", "entries", "keep")

    def __init__(self, *, keep: bool = False) -> None:
        self.keep = keep
        self.entries: list[Entry] = []
        self._origins: dict[etree._Element, tuple[etree._Element | None, str]] = {}

    def open(self, root: etree._Element) -> None:
        """Notes where each element of the tree stands, before any step has changed it; nothing when not keeping."""
        if not self.keep:
            return
        origins = self._origins
        origins[root] = (None, _name(root))
        for parent in list(root.iter(etree.Element)):
            children = [child for child in parent if isinstance(child.tag, str)]
            totals: dict[str, int] = {}
            for child in children:
                totals[_name(child)] = totals.get(_name(child), 0) + 1
            seen: dict[str, int] = {}
            for child in children:
                name = _name(child)
                seen[name] = index = seen.get(name, 0) + 1
                origins[child] = (parent, name if totals[name] == 1 else f"{name}[{index}]")

    def adopt(self, new: etree._Element, source: etree._Element) -> None:
        """Gives an element the chain has made the path of the element it stands for."""
        if self.keep and new not in self._origins and source in self._origins:
            self._origins[new] = self._origins[source]

    def path(self, element: etree._Element) -> str | None:
        """XPath of the element in the source tree, None for one that stands for no source element."""
        steps: list[str] = []
        origin = self._origins.get(element)
        if origin is None:
            return None
        while origin is not None and len(steps) < PATH_STEPS:
            parent, step = origin
            steps.append(step)
            origin = None if parent is None else self._origins.get(parent)
        return ("/" if origin is None else "//") + "/".join(reversed(steps))

    def record(
        self,
        element: etree._Element,
        action: Action,
        *,
        step: str,
        rule: str,
        reason: str | None = None,
        selector: str | None = None,
        accepted: bool = True,
    ) -> None:
        """Adds an entry on the element as it stands now; call it before the element is changed."""
        if not self.keep:
            return
        text = normalize(" ".join(_texts(element)))
        self._add(element, action, step, rule, reason, selector, text, accepted)

    def record_text(self, element: etree._Element, text: str, *, step: str, rule: str, reason: str | None = None) -> None:
        """Adds an entry on text that leaves while the element that holds it stays."""
        if self.keep:
            self._add(element, "remove", step, rule, reason, None, normalize(text), True)

    def _add(
        self,
        element: etree._Element,
        action: Action,
        step: str,
        rule: str,
        reason: str | None,
        selector: str | None,
        text: str,
        accepted: bool,
    ) -> None:
        self.entries.append(
            Entry(
                step=step,
                rule=rule,
                action=action,
                reason=reason,
                selector=selector,
                path=self.path(element),
                tag=_name(element),
                words=word_count(text),
                sample=text[:SAMPLE_LENGTH],
                accepted=accepted,
            )
        )


def _texts(element: etree._Element) -> Iterable[str]:
    """The texts of an element, a comment's own where it is a comment."""
    return element.itertext() if isinstance(element.tag, str) else (element.text or "",)


def _name(element: etree._Element) -> str:
    return element.tag if isinstance(element.tag, str) else "comment()"
