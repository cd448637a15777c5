"""Would one half of the pages choose the settings of `lines`? F1 of both halves over a grid around the defaults.

python benchmarks/lines_settings.py DATA --type article
python benchmarks/lines_settings.py DATA --type article --beside OTHER

DATA is a folder as of benchmarks/quality.py. Its pages are halved by site. Each setting is moved alone; the best of half 1 is
named at the end with what half 2 says of it. OTHER is a second folder, for which the defaults alone are run.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

from data import character_f1, read_pages, read_truth, word_scores
from quality import _charset

from mainextract_beam import extract, lines, parse_html

OPTIONS: dict[str, tuple[float, ...]] = {"threshold": (3, 4, 7, 10), "gap": (2, 4, 5), "density": (30, 38, 52, 60)}
"""Arguments of the method, and values beside their defaults."""

CONSTANTS: dict[str, tuple[float, ...]] = {
    "_BOUNDARY_SHARE": (1 / 16, 3 / 32, 3 / 16, 1 / 4),
    "_CARRIED": (0.5, 0.6, 0.8, 0.9),
    "_GROWTH_SHARE": (1 / 8, 1 / 6, 3 / 8, 1 / 2),
    "_RUNNING_TEXT": (2, 8),
    "_AGREEMENT": (0.8, 0.95),
}
"""Constants of the module, and values beside those it has."""


class Held(NamedTuple):
    """A page, parsed, and its truth."""

    half: int
    tree: Any
    url: str
    truth: str


def held(folder: Path, kinds: Sequence[str], every: int) -> list[Held]:
    """The pages of a folder, halved by site."""
    truths = read_truth(folder)
    found = []
    for page in read_pages(folder):
        truth = truths.get(page.id)
        if truth is None or (kinds and truth.kind not in kinds):
            continue
        half = zlib.crc32((urlsplit(page.url).hostname or "").encode()) % 2
        tree = parse_html(page.body, url=page.url, encoding=_charset(page.content_type), content_type=page.content_type)
        found.append(Held(half, tree, page.url, truth.text))
    return found[::every]


def scores(pages: Sequence[Held], options: dict[str, Any]) -> list[float]:
    """F1 of each page: of words, or of characters where no spaces part them."""
    found = []
    for page in pages:
        document = extract(page.tree, method="lines", url=page.url, **options)
        text = document.text() if document is not None else None
        characters = character_f1(text, page.truth)
        found.append(word_scores(text, page.truth)[0] if characters is None else characters)
    return found


def settings(only: Sequence[str]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """(name, options, constants) of the defaults and of each setting beside them."""
    yield "defaults", {}, {}
    for name, values in OPTIONS.items():
        yield from ((f"{name}={value}", {name: value}, {}) for value in values if not only or name in only)
    for name, values in CONSTANTS.items():
        yield from ((f"{name}={value:.3g}", {}, {name: value}) for value in values if not only or name in only)


def with_constants(constants: dict[str, Any], work: Callable[[], list[float]]) -> list[float]:
    """Works while constants of the module have other values."""
    before = {name: getattr(lines, name) for name in constants}
    try:
        for name, value in constants.items():
            setattr(lines, name, value)
        return work()
    finally:
        for name, value in before.items():
            setattr(lines, name, value)


def row(name: str, halves: Sequence[Sequence[float]]) -> str:
    """A line of the table."""
    cells = (f"{len(half):>7}{sum(half) / len(half):>9.4f}{sum(f1 >= 0.8 for f1 in half) / len(half):>8.1%}" for half in halves)
    return f"{name:<24}" + "".join(cells)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder holding *.warc.gz and ground-truth.jsonl.gz")
    parser.add_argument("--beside", type=Path, help="another such folder, for the defaults alone")
    parser.add_argument("--type", action="append", default=[], help="only pages of this type")
    parser.add_argument("--only", action="append", default=[], choices=[*OPTIONS, *CONSTANTS], help="only this setting")
    parser.add_argument("--every", type=int, default=1, help="only every n-th page")
    given = parser.parse_args(arguments)
    pages = held(given.data, given.type, given.every)
    halves = [[page for page in pages if page.half == half] for half in (0, 1)]
    if not all(halves):
        parser.error(f"{given.data} has no pages of two halves")
    print(f"{'':<24}" + "".join(f"{f'half {half}':>7}{'F1':>9}{'>=0.8':>8}" for half in (1, 2)))
    means: dict[str, tuple[float, float]] = {}
    for name, options, constants in settings(given.only):
        found = [with_constants(constants, lambda half=half, options=options: scores(half, options)) for half in halves]
        print(row(name, found), flush=True)
        means[name] = (sum(found[0]) / len(found[0]), sum(found[1]) / len(found[1]))
    if given.beside:
        print(row(given.beside.name, [scores(held(given.beside, given.type, given.every), {})]))
    best = max(means, key=lambda name: means[name][0])
    gains = [means[best][half] - means["defaults"][half] for half in (0, 1)]
    print(f"best on half 1: {best}, {gains[0]:+.4f} there, {gains[1]:+.4f} on half 2")
    return 0


if __name__ == "__main__":
    sys.exit(main())
