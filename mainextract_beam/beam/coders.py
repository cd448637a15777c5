"""Coders of documents and of plain lxml trees, registered when this module is imported."""

from __future__ import annotations

import pickle
from typing import Any

from apache_beam import coders
from lxml import etree, html

from mainextract_beam.beam.trees import decode_tree, dumps, encode_tree
from mainextract_beam.document import Document


class DocumentCoder(coders.Coder):  # type: ignore[misc]
    """Deterministic coder of `Document`: its XML and its fields; the trees are made again when asked for."""

    def encode(self, value: Document) -> bytes:
        """Returns the bytes of a document."""
        *fields, metadata, journal = value.__getstate__()
        return dumps((*fields, dict(sorted(metadata.items())), journal))

    def decode(self, encoded: bytes) -> Document:
        """Returns the document of the bytes."""
        document = Document.__new__(Document)
        document.__setstate__(pickle.loads(encoded))
        return document

    def is_deterministic(self) -> bool:
        """Equal documents give equal bytes."""
        return True

    def estimate_size(self, value: Document) -> int:
        """Returns about how many bytes a document takes."""
        return len(value.to_xml()) + 200

    def to_type_hint(self) -> type[Document]:
        """Returns the type."""
        return Document

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


coders.registry.register_coder(Document, DocumentCoder)


class TreeCoder(coders.Coder):  # type: ignore[misc]
    """Deterministic coder of lxml trees and elements; see `trees` for what crosses a boundary."""

    def encode(self, value: Any) -> bytes:
        """Returns the bytes of a tree."""
        return encode_tree(value)

    def decode(self, encoded: bytes) -> Any:
        """Returns the tree of the bytes."""
        return decode_tree(encoded)

    def is_deterministic(self) -> bool:
        """Equal trees give equal bytes."""
        return True

    def estimate_size(self, value: Any) -> int:
        """Returns a guess: what a tree takes is known only once it is encoded."""
        return 1 << 16

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


# Beam looks coders up by the very class that a type hint names.
for _kind in (etree._ElementTree, etree._Element, html.HtmlElement):
    coders.registry.register_coder(_kind, TreeCoder)
