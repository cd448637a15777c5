"""A method of extraction made for tests of what is around methods: it has parameters, two steps and a journal."""

from __future__ import annotations

from dataclasses import dataclass

from mainextract_beam.page import Content, Page


@dataclass(frozen=True)
class Entry:
    step: str
    rule: str
    action: str
    reason: str | None
    selector: str | None
    path: str | None
    accepted: bool = True


def find_without_hidden(
    page: Page,
    *,
    threshold: int = 5,
    layout: str = "auto",
    sanitize: bool = False,
    selector: str | None = None,
    skip: tuple[str, ...] = (),
    journal: bool = False,
) -> Content | None:
    """Takes the body without what is hidden (step `hidden`) and without what is named `ad` (step `names`)."""
    if threshold < 1:
        raise ValueError(f"threshold must be at least 1, got {threshold}")
    body = page.first("body")
    assert body is not None
    if selector is not None:
        chosen = body.findall(f".//{selector}")
        if not chosen:
            raise ValueError(f"selector {selector!r} matches nothing")
        body = chosen[0]
    paths = {element: element.getroottree().getpath(element) for element in body.iter()}
    entries = [Entry("detect", "body", "root", None, None, paths[body])]
    for step, where in (("hidden", ".//*[@hidden]"), ("names", ".//*[@class='ad']")):
        for element in body.findall(where) if step not in skip else ():
            entries.append(Entry(step, f"{step}-rule", "remove", "so it says", f"[{step}]", paths[element]))
            element.getparent().remove(element)
    given = {"threshold": threshold, "layout": layout, "sanitize": sanitize}
    return Content([body], "demo", metadata=given, journal=entries if journal else None)
