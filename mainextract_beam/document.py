"""Document: the main content of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lxml import etree

from mainextract_beam.text import own_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class Document:
    """The main content of one page: namespace-well-formed XML and what is known of it.

    A value: compared by content, picklable, not to be changed. Its trees are made from its bytes when first asked for, so roots,
    bytes and every sink agree.

    Attributes:
        is_page: whether the source was a page (it held ``html`` or ``body``, or had a title) rather than a fragment.
        title: the page's title, whitespace-normalised; None where it states none.
        base: the URL the page's relative references are resolved against; None where it states none.
        rule: how the content was found: ``main``, ``role``, ``article``, ``density``, ``lines``, ``selector`` ...
        journal: what the ``clean`` method removed and why, where it was asked to keep one.
    """

    __slots__ = ("_is_body", "_metadata", "_more", "_roots", "_xml", "base", "is_page", "journal", "rule", "title")

    def __init__(
        self,
        xml: Sequence[bytes],
        *,
        is_page: bool,
        title: str | None,
        base: str | None,
        rule: str,
        is_body: bool = False,
        metadata: Mapping[str, Any] | None = None,
        journal: Sequence[Any] | None = None,
        roots: Sequence[Any] | None = None,
        more: Callable[[Document], Mapping[str, Any]] | None = None,
    ) -> None:
        """Makes a document of its serialised roots.

        Args:
            xml: one well-formed element per root, UTF-8.
            is_page: see the class.
            title: see the class.
            base: see the class.
            rule: see the class.
            is_body: whether the page's ``body`` is itself the region, rather than what holds the regions.
            metadata: what its method found out of the page.
            journal: see the class.
            roots: the elements that ``xml`` spells, where they are at hand.
            more: reads the rest of the metadata, when it is first asked for.
        """
        self._xml = tuple(xml)
        self._roots = None if roots is None else tuple(roots)
        self._is_body = is_body
        self.is_page = is_page
        self.title = title
        self.base = base
        self.rule = rule
        self._metadata = dict(metadata or {})
        self._more = more
        self.journal = None if journal is None else tuple(journal)

    @property
    def metadata(self) -> dict[str, Any]:
        """What is known of the page, by name; see docs/metadata.md.

        Read from the page when first asked for, unless its method has done so: until then the document holds what it was
        made from, afterwards (and pickled) it does not.
        """
        more = self._more
        if more is not None:
            self._metadata = {**more(self), **self._metadata}
            self._more = None
        return self._metadata

    @property
    def roots(self) -> tuple[Any, ...]:
        """The lxml elements: the one ``html`` of a page, or the regions of a fragment."""
        if self._roots is None:
            self._roots = tuple(map(_parse, self._xml))
        return self._roots

    @property
    def regions(self) -> tuple[Any, ...]:
        """The elements of the content itself, in document order."""
        if not self.is_page:
            return self.roots
        body = self.roots[0][-1]
        if self._is_body:
            return (body,)
        return tuple(child for child in body if isinstance(child.tag, str))

    def to_xml(self) -> bytes:
        """The roots as UTF-8 without declaration or DOCTYPE; several are an external parsed entity."""
        return b"".join(self._xml)

    def text(self) -> str:
        """The words of the content: a line per block-level element, a blank line between paragraphs.

        Captions of pictures are left out as the pictures are, unless they are most of the text, as in a gallery.
        """
        return own_words(self.roots)

    def to_html(self) -> str:
        """The content as HTML, safe to show whatever the method; see render/html.py."""
        from mainextract_beam.render.html import to_html

        return to_html(self)

    def to_markdown(self) -> str:
        """The content as Markdown, safe to show whatever the method; see render/markdown.py."""
        from mainextract_beam.render.markdown import to_markdown

        return to_markdown(self)

    def to_json(self) -> str:
        """The content and what is known of it as one JSON object; see render/json.py."""
        from mainextract_beam.render.json import to_json

        return to_json(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        # Metadata last, as it may have to be read first.
        return self._content() == other._content() and self.metadata == other.metadata

    def __hash__(self) -> int:
        return hash((self._xml, self.rule))

    def __getstate__(self) -> tuple[Any, ...]:
        return (*self._content()[:-1], self.metadata, self.journal)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        (
            self._xml, self._is_body, self.is_page, self.title, self.base, self.rule, self._metadata, self.journal,
        ) = state  # fmt: skip
        self._roots = self._more = None

    def __repr__(self) -> str:
        return f"<Document {self.title!r} by {self.rule}, {len(self.to_xml()):,} bytes>"

    def _content(self) -> tuple[Any, ...]:
        """All but the metadata."""
        return self._xml, self._is_body, self.is_page, self.title, self.base, self.rule, self.journal


def _parse(xml: bytes) -> Any:
    # The output is our own: no DTD, and nothing to load.
    parser = etree.XMLParser(huge_tree=True, resolve_entities=False, no_network=True, collect_ids=False)
    return etree.fromstring(xml, parser=parser)
