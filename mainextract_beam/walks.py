"""Whether the walks in C are there: compiled, against the lxml that is installed.

They do in C what every page pays for. Where they are not there, because nothing could be compiled when the package was
installed or because lxml is another one since, the Python functions they are named after do the same, to the same result.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import Final

from lxml import etree

PURE: Final = "MAINEXTRACT_PURE"
"""Name of the environment variable that, when not empty, keeps to Python."""


def load_compiled(name: str) -> ModuleType | None:
    """A module of walks in C by its name within the package, None where there is none that can be used."""
    if os.environ.get(PURE):
        return None
    try:
        from mainextract_beam import _walks

        module = import_module(f"mainextract_beam.{name}")
    except ImportError:
        return None
    lxml = tuple(map(int, _walks.LXML.split(".")[:2]))
    libxml = divmod(_walks.LIBXML // 100, 100)
    # They read the structures of both as they were laid out then.
    return module if (lxml, libxml) == (etree.LXML_VERSION[:2], etree.LIBXML_VERSION[:2]) else None


compiled: Final = load_compiled("_walks")
