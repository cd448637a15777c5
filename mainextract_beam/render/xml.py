"""A document as XML."""

from __future__ import annotations

from mainextract_beam.document import Document


def to_xml(document: Document) -> str:
    """The document's XML as text; its bytes in UTF-8 are those of ``Document.to_xml``."""
    return document.to_xml().decode()
