"""Prints the first document of the XML shards of a run: `python samples/first_document.py demo-out/documents`."""

from __future__ import annotations

import sys
from pathlib import Path

from lxml import etree


def first_document(prefix: Path) -> tuple[Path, str]:
    """The first shard that holds a document, and that document as it stands there."""
    for shard in sorted(prefix.parent.glob(f"{prefix.name}-*.xml")):
        for _, element in etree.iterparse(str(shard), tag="document", huge_tree=True):
            element.tail = None
            return shard, etree.tostring(element, encoding="unicode")
    raise FileNotFoundError(f"no file {prefix}-*.xml holds a document")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: first_document.py PREFIX")
    shard, text = first_document(Path(sys.argv[1]))
    print(f"\nThe first document of {shard}:\n")
    print(text)
