"""A document as one JSON object: what is known of the page, and its content as text and as XML."""

from __future__ import annotations

import json

from mainextract_beam.document import Document


def to_json(document: Document) -> str:
    """The document as one JSON object on one line.

    Its members are ``title``, ``base``, ``rule``, ``metadata`` (an object), ``text`` and ``xml``.
    """
    fields = {
        "title": document.title,
        "base": document.base,
        "rule": document.rule,
        "metadata": document.metadata,
        "text": document.text(),
        "xml": document.to_xml().decode(),
    }
    return json.dumps(fields, ensure_ascii=False, default=str)
