"""Running one step of the cleaning chain on a piece of markup."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree, html

from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage

Step = Callable[[CleanPage], None]


def page_of(markup: str, *, url: str | None = None, root: str | None = None, keep: bool = False) -> CleanPage:
    """A page whose body holds the markup, as the HTML parser reads it; ``root`` is the path of its content roots."""
    tree = html.document_fromstring(f"<html><body>{markup}</body></html>")
    page = CleanPage(tree, url=url, journal=Journal(keep=keep))
    page.journal.open(tree)
    if root is not None:
        page.roots = tree.findall(root)
    return page


def written(page: CleanPage) -> str:
    """The markup in the body."""
    body = page.root.find("body")
    assert body is not None
    body.text = body.text or ""
    return etree.tostring(body, encoding="unicode").removeprefix("<body>").removesuffix("</body>")


def after(step: Step, markup: str, *, url: str | None = None, root: str | None = None) -> str:
    """The markup in the body after the step."""
    page = page_of(markup, url=url, root=root)
    step(page)
    return written(page)


def protected(page: CleanPage) -> list[tuple[str, str | None]]:
    """The marked elements as (name, kind)."""
    return [(str(element.tag), page.marks.kind(element)) for element in page.marks.all()]
