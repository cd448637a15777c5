"""How right: title, author and date of pages with ground truth, beside Trafilatura's in the same run.

    python benchmarks/metadata.py DATA
    python benchmarks/metadata.py DATA --half 0 --wrong author

DATA is a folder holding *.warc.gz and ground-truth.jsonl.gz. A title or author is right where it equals the truth after
normalisation (NFKC, case folded, letters and digits only; for authors "and" and "by" left out), a date where its day
does. Authors and dates are counted over the pages whose truth states one; "unasked" are those found where it states
none. Trafilatura runs where it is installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from data import Page, read_pages

Facts = tuple[str | None, str | None, str | None]
FIELDS = ("title", "author", "date")


def own(page: Page) -> Facts:
    from mainextract_beam import parse_html
    from mainextract_beam.metadata.facts import gather

    facts = gather(parse_html(page.body, url=page.url, content_type=page.content_type).getroot(), page.url)
    return facts.title, ", ".join(facts.authors), facts.published


def trafilatura(page: Page) -> Facts:
    from trafilatura import load_html
    from trafilatura.metadata import extract_metadata

    tree = load_html(page.body)
    if tree is None:
        return None, None, None
    found = extract_metadata(tree, default_url=page.url)
    return (found.title, found.author, found.date) if found else (None, None, None)


def normal(field: str, value: str | None) -> str:
    """A value as it is compared."""
    if field == "date":
        return (value or "")[:10]
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", value or "").casefold())
    return " ".join(word for word in words if field == "title" or word not in ("and", "by"))


def read_truths(folder: Path) -> dict[str, dict[str, str | None]]:
    """The stated title, author and date of each page, by its id."""
    with gzip.open(folder / "ground-truth.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {row["id"]: {"title": row.get("title"), "author": row.get("author"), "date": row.get("publish_date")} for row in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1), help="every other page only")
    parser.add_argument("--wrong", choices=FIELDS, help="list the pages where our value differs from the truth")
    arguments = parser.parse_args()
    truths = read_truths(arguments.data)
    pages = [page for page in read_pages(arguments.data) if page.id in truths]
    if arguments.half is not None:
        pages = pages[arguments.half :: 2]
    tools: dict[str, Callable[[Page], Facts]] = {"mainextract_beam": own}
    try:
        import trafilatura as _  # noqa: F401

        tools["trafilatura"] = trafilatura
    except ImportError:
        print("trafilatura is not installed")
    print(f"{len(pages)} pages")
    for name, read in tools.items():
        start = time.process_time()
        found = [read(page) for page in pages]
        seconds = time.process_time() - start
        line = [f"{name:18}"]
        for index, field in enumerate(FIELDS):
            values = [facts[index] for facts in found]
            pairs = [(page, truths[page.id][field], value) for page, value in zip(pages, values, strict=True)]
            asked = [(page, truth, value) for page, truth, value in pairs if truth]
            right = sum(normal(field, truth) == normal(field, value) for _, truth, value in asked)
            unasked = sum(1 for _, truth, value in pairs if not truth and value)
            line.append(f"{field} {right / max(1, len(asked)):.4f} ({right} of {len(asked)}, {unasked} unasked)")
            if name == "mainextract_beam" and arguments.wrong == field:
                for page, truth, value in asked:
                    if normal(field, truth) != normal(field, value):
                        print(f"{page.id}  truth {truth!r}  found {value!r}  {page.url}")
        print("  ".join(line), f" {seconds / max(1, len(pages)) * 1000:.1f} ms/page, parsing included")


if __name__ == "__main__":
    main()
