"""Why a text of a page is missing from its document: which step took it and by which rule, or that it lies outside.

The answer is proven, not guessed: a step is named only where the text is there again with that step switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mainextract_beam.methods import extract_page
from mainextract_beam.names import local_name
from mainextract_beam.parse import parse_html
from mainextract_beam.text import block_text, normalize

if TYPE_CHECKING:
    from mainextract_beam.document import Document


def explain(
    data: bytes | str,
    text: str,
    *,
    method: str,
    url: str | None = None,
    encoding: str | None = None,
    **options: Any,
) -> str:
    """Says where a text of a page went.

    Args:
        data: the page.
        text: the text that is missed; whitespace does not count.
        method: a method that keeps a journal and can switch steps off, such as ``clean``.
        url: see extract_page.
        encoding: see extract_page.
        **options: the method's options, ``skip`` among them.

    Returns:
        The answer, one finding per line.

    Raises:
        ValueError: an empty text, or what extract_page raises.
    """
    wanted = normalize(text)
    if not wanted:
        raise ValueError("the text to look for is empty")
    tree = parse_html(data, url=url, encoding=encoding)
    holder = _holder(tree.getroot(), wanted)
    if holder is None:
        return "The page holds no such text (attributes, scripts and styles do not count)."

    given = tuple(options.pop("skip", ()))
    options["journal"] = True

    def run(skip: Iterable[str]) -> Document | None:
        off = tuple(dict.fromkeys((*given, *skip)))
        return extract_page(data, url=url, encoding=encoding, method=method, skip=off, **options)

    path = _path(holder)
    document = run(())
    if document is None:
        return f"The text is in {path}, but method {method!r} finds no content in the page."
    if _holds(document, wanted):
        return f"The text is in the document; in the page it is in {path}."

    entries = _accepted(document)
    roots = [entry for entry in entries if entry.action == "root" and entry.path is not None]
    off: list[str] = []
    # A step that did nothing took nothing, but may have found its work done by one before it.
    while acting := [step for step in _acting(entries) if step not in off and _can_be_off(step, run)]:
        if not off:
            for step in acting:
                if _holds(run((step,)), wanted):
                    return "\n".join([*_step_lines(step, path, entries), f"With --skip {step} it is in the document."])
        off += acting
        without = run(off)
        entries += _accepted(without)
        if _holds(without, wanted):
            needed = _fewest(off, lambda skip: _holds(run(skip), wanted))
            lines = [f"More than one step takes the text in {path}: {', '.join(needed)}."]
            for step in needed:
                lines += _step_lines(step, path, entries)
            return "\n".join([*lines, f"With {' '.join(f'--skip {step}' for step in needed)} it is in the document."])

    if roots and not any(_within(path, entry.path) for entry in roots):
        lines = [f"The text is in {path}, outside the content root:"]
        lines += [f"  {entry.path}, chosen by rule {entry.rule}" for entry in roots]
        return "\n".join([*lines, "Name its place by --selector, or look at why this root was chosen."])
    return f"The text is in {path}; switching steps off does not bring it back."


Run = Callable[[Iterable[str]], "Document | None"]


def _accepted(document: Document | None) -> list[Any]:
    return [entry for entry in (document.journal or () if document is not None else ()) if entry.accepted]


def _acting(entries: Iterable[Any]) -> list[str]:
    """The steps that did something, in the order in which they did."""
    return list(dict.fromkeys(entry.step for entry in entries if entry.action != "root"))


def _can_be_off(step: str, run: Run) -> bool:
    try:
        run((step,))
    except ValueError:  # such as a step that keeps the output safe
        return False
    return True


def _fewest(steps: Sequence[str], found: Callable[[Iterable[str]], bool]) -> list[str]:
    """Those of some steps that, switched off together, already bring the text back."""
    off = list(steps)
    for step in steps:
        without = [each for each in off if each != step]
        if found(without):
            off = without
    return off


def _step_lines(step: str, path: str, entries: Sequence[Any]) -> list[str]:
    """What the journal tells of a step and the element at `path`: what it did to it, around it, else inside it."""
    of_step = [entry for entry in entries if entry.step == step and entry.path is not None]
    around = [entry for entry in of_step if _within(path, entry.path)]
    lines = [f"Step {step} takes the text in {path}."]
    for entry in dict.fromkeys(around or [entry for entry in of_step if _within(entry.path, path)]):
        matched = f", matching {entry.selector}" if entry.selector else ""
        reason = f": {entry.reason}" if entry.reason else ""
        lines.append(f"  {entry.action} {entry.path} by rule {entry.rule}{matched}{reason}")
    return lines


def _holds(document: Document | None, wanted: str) -> bool:
    return document is not None and wanted in normalize(block_text(document.roots))


def _holder(root: Any, wanted: str) -> Any | None:
    """The innermost element holding the text, the first of several; None where there is none."""
    if wanted not in normalize(block_text([root])):
        return None
    holder = root
    while True:
        inner = next((child for child in _children(holder) if wanted in normalize(block_text([child]))), None)
        if inner is None:
            return holder
        holder = inner


def _children(element: Any) -> list[Any]:
    return [child for child in element if local_name(child) is not None]


def _path(element: Any) -> str:
    """XPath of the element as the journal has it: local names, a position where a parent holds several of the name."""
    steps = []
    while element is not None:
        name, parent = local_name(element), element.getparent()
        alike = [child for child in _children(parent) if local_name(child) == name] if parent is not None else [element]
        steps.append(f"{name}[{alike.index(element) + 1}]" if len(alike) > 1 else f"{name}")
        element = parent
    return "/" + "/".join(reversed(steps))


def _within(path: str, outer: str) -> bool:
    """Whether the element of `path` is that of `outer` or lies in it; `outer` may be shortened to ``//inner/steps``."""
    if outer.startswith("//"):
        return f"{path}/".find(f"{outer[1:]}/") >= 0
    return f"{path}/".startswith(f"{outer}/")
