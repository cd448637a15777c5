"""What becomes known of a page beside its content, for the methods that do not gather it on their way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mainextract_beam.clean.budget import text_length
from mainextract_beam.clean.working import working_tree
from mainextract_beam.metadata.facts import facts_of
from mainextract_beam.metadata.read import metadata_of
from mainextract_beam.metadata.sources import Sources
from mainextract_beam.page import Page
from mainextract_beam.text import normalize, word_count

if TYPE_CHECKING:
    from mainextract_beam.document import Document


class Stated:
    """What a page states, and how much text it holds: read before a method takes its tree apart."""

    def __init__(self, page: Page) -> None:
        root = page.root if page.lower_case else working_tree(replace(page, owned=False))
        self._read(root, page.url)

    def _read(self, root: Any, url: str | None) -> None:
        sources = Sources(root, url)
        body = next(root.iter("body"), None)
        self.characters = text_length(root if body is None else body)
        self.metadata = metadata_of(sources, facts_of(sources))

    def beside(self, text: str) -> dict[str, Any]:
        """The metadata of a document of the page, by its text: what is stated, and the figures of that text."""
        kept = len(normalize(text))
        coverage = min(round(kept / self.characters, 3), 1.0) if self.characters else 0.0
        return {**self.metadata, "coverage": coverage, "word_count": word_count(text)}


def page_metadata(page: Page, document: Document) -> Mapping[str, Any]:
    """All metadata of a page whose document is known: as `Stated` has it, and the page's type with the reason.

    Args:
        page: the page as it was before its document was made; changed where it is owned.
        document: its document.
    """
    from mainextract_beam.clean.chain import kind_of

    root = working_tree(page)
    stated = Stated(Page(root, owned=True, lower_case=True, url=page.url)).beside(document.text())
    return {**stated, **kind_of(root, page.url)}
