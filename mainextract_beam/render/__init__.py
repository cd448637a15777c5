"""Renderings: a document as XML, HTML, text, Markdown or JSON, one function each.

HTML and Markdown are safe to show whatever the method: they are made of a copy from which all that could run or load
something has left (sanitize.py), with references made absolute. XML, text and JSON hand on the document as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from mainextract_beam.document import Document

FORMATS: Final[dict[str, tuple[str, str]]] = {
    "xml": ("mainextract_beam.render.xml", "to_xml"),
    "html": ("mainextract_beam.render.html", "to_html"),
    "text": ("mainextract_beam.render.text", "to_text"),
    "markdown": ("mainextract_beam.render.markdown", "to_markdown"),
    "json": ("mainextract_beam.render.json", "to_json"),
}
"""The formats by name: the module and the function that render one, loaded when first asked for."""


def renderer(form: str) -> Callable[[Document], str]:
    """The function that renders a document in a format.

    Raises:
        ValueError: there is no such format; the message names the ones there are.
    """
    if form not in FORMATS:
        raise ValueError(f"unknown format {form!r}; formats are {', '.join(FORMATS)}")
    module, function = FORMATS[form]
    found: Callable[[Document], str] = getattr(import_module(module), function)
    return found
