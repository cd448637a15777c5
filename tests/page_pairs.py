"""The pairs of page and expected document in tests/pages, which every environment runs.

``NAME.html`` is the smallest page of its kind, ``NAME.xml`` its document by method ``clean`` with the URL below, as the
command prints it. The page's first comment says what the pair guards and what to switch off to lose it::

    <!-- skip: STEP or STEP:RULE; guards: what, in words -->
    <!-- skip: STEP; beside: STEP; guards: what, in words -->

``beside`` names steps that would do the same work; they are off too when the pair is proven.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "pages"
URL: Final = "https://example.com/page"
OPTIONS: Final = {"method": "clean", "url": URL}

_HEADER: Final = re.compile(r"\s*<!-- skip: (?P<skip>[\w:-]+)(?:; beside: (?P<beside>[\w: -]+))?; guards: (?P<guards>[^<>]+?) -->")


@dataclass(frozen=True)
class Pair:
    """A page, the document expected of it, the step or rule it guards, and what else does the same."""

    name: str
    page: bytes
    document: bytes
    skip: str
    beside: tuple[str, ...]
    guards: str

    @property
    def step(self) -> str:
        """The step of what is guarded."""
        return self.skip.partition(":")[0]


def _read(path: Path) -> Pair:
    page = path.read_bytes()
    header = _HEADER.match(page.decode())
    if header is None:
        raise ValueError(f"{path.name} does not begin with a comment '<!-- skip: STEP; guards: ... -->'")
    document = path.with_suffix(".xml").read_bytes()
    return Pair(path.stem, page, document, header["skip"], tuple((header["beside"] or "").split()), header["guards"])


PAIRS: Final = [_read(path) for path in sorted(FOLDER.glob("*.html"))]
