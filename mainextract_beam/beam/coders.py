"""Coders of documents and of plain lxml trees, registered when this module is imported."""

from __future__ import annotations

import io
import pickle
from typing import Any

from apache_beam import coders
from lxml import etree, html

from mainextract_beam.document import Document


def _dumps(state: Any) -> bytes:
    """Pickles plain values so that equal ones give equal bytes: without memory of which were the same object."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=4)
    pickler.fast = True
    pickler.dump(state)
    return buffer.getvalue()


class DocumentCoder(coders.Coder):  # type: ignore[misc]
    """Deterministic coder of `Document`: its XML and its fields; the trees are made again when asked for."""

    def encode(self, value: Document) -> bytes:
        """Returns the bytes of a document."""
        *fields, metadata, journal = value.__getstate__()
        return _dumps((*fields, dict(sorted(metadata.items())), journal))

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
_ = (etree, html)
