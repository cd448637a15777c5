"""How right: title, author and date of pages with ground truth, beside Trafilatura's in the same run.

    python benchmarks/metadata.py DATA                    # also: python benchmarks/quality.py DATA --metadata
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
    report(arguments.data, arguments.half, arguments.wrong)


def report(folder: Path, half: int | None = None, wrong: str | None = None) -> None:
    """Prints how often each field is right: on all pages and on both halves of them, or on one half only."""
    truths = read_truths(folder)
    pages = [page for page in read_pages(folder) if page.id in truths]
    if half is not None:
        pages = pages[half::2]
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
        pairs = list(zip(pages, found, strict=True))
        print(f"{name:24}", _line(pairs, truths), f" {seconds / max(1, len(pages)) * 1000:.1f} ms/page, parsing included")
        if half is None:
            for part in (0, 1):
                print(f"{'  every other page, ' + 'ab'[part]:24}", _line(pairs[part::2], truths))
        if name == "mainextract_beam" and wrong is not None:
            index = FIELDS.index(wrong)
            for page, facts in pairs:
                truth = truths[page.id][wrong]
                if truth and normal(wrong, truth) != normal(wrong, facts[index]):
                    print(f"{page.id}  truth {truth!r}  found {facts[index]!r}  {page.url}")


def _line(pairs: list[tuple[Page, Facts]], truths: dict[str, dict[str, str | None]]) -> str:
    """The figures of all fields, over pages and what was found on them."""
    told = []
    for index, field in enumerate(FIELDS):
        values = [(truths[page.id][field], facts[index]) for page, facts in pairs]
        asked = [(truth, value) for truth, value in values if truth]
        right = sum(normal(field, truth) == normal(field, value) for truth, value in asked)
        unasked = sum(1 for truth, value in values if not truth and value)
        told.append(f"{field} {right / max(1, len(asked)):.4f} ({right} of {len(asked)}, {unasked} unasked)")
    return "  ".join(told)


if __name__ == "__main__":
    main()
