"""How often the kind of a page is told right, on both halves of the sites; or the points of the signs fitted anew.

    python benchmarks/kinds.py DATA          accuracy and confusion of both halves
    python benchmarks/kinds.py DATA --fit    the tables BIAS and SIGNS of metadata/signs.py, from the first half alone

DATA is a folder holding *.warc.gz and ground-truth.jsonl.gz with a page_type each. A site's pages are in one half. A page
that cannot be read counts as wrong. Fitting needs scikit-learn, which nothing at run time does.
"""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))

from data import Page as Stored
from data import read_pages, read_truth
from train_blocks import site_of

from mainextract_beam.clean.chain import run_steps
from mainextract_beam.clean.detect import judged
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.working import working_tree
from mainextract_beam.metadata.kind import kind_values, page_kind
from mainextract_beam.metadata.signs import KINDS, SIGNS
from mainextract_beam.page import Page
from mainextract_beam.parse import parse_html

FITTED = 0  # the half whose pages the points are fitted on
SIGNS_MOST = 80
STRENGTHS = (0.6, 0.6)  # of the regression that chooses the signs, and of the one that weighs those chosen


@dataclass
class Told:
    """A page's true kind, the one told, and the signs it was told by."""

    id: str
    url: str
    half: int
    truth: str
    kind: str
    values: dict[str, float] = field(repr=False)
    seconds: float


def tell(stored: Stored, truth: str) -> Told:
    """The kind of one page, as `clean` tells it; "" where the page cannot be read."""
    half = zlib.crc32(site_of(stored.url).encode()) % 2
    charset = (stored.content_type or "").lower().partition("charset=")[2].split(";")[0].strip(" \"'") or None
    tree = parse_html(stored.body, url=stored.url, encoding=charset, content_type=stored.content_type)
    try:
        page = CleanPage(working_tree(Page(tree.getroot(), owned=True, url=stored.url)), url=stored.url)
    except ValueError:
        return Told(stored.id, stored.url, half, truth, "", {}, 0.0)
    run_steps(page, ("flatten", "deferred"))
    blocks, hints = judged(page)
    started = time.process_time()
    kind, _ = page_kind(blocks, hints, stored.url)
    seconds = time.process_time() - started
    return Told(stored.id, stored.url, half, truth, kind, kind_values(blocks, hints, stored.url), seconds)


def confusion(told: list[Told]) -> Iterator[str]:
    """Lines: true kinds down, kinds told across, and the share of each that is right."""
    counts = Counter((page.truth, page.kind) for page in told)
    yield " " * 14 + "".join(f"{kind[:8]:>9}" for kind in KINDS) + "  unread    right"
    for truth in KINDS:
        row = [counts[truth, kind] for kind in (*KINDS, "")]
        yield (
            f"{truth:14}"
            + "".join(f"{count:9}" for count in row[:-1])
            + f"{row[-1]:8}{counts[truth, truth] / max(sum(row), 1):9.1%}"
        )


def right(told: list[Told]) -> float:
    """The share of pages told right."""
    return sum(page.kind == page.truth for page in told) / max(len(told), 1)


def fit(told: list[Told]) -> Iterator[str]:
    """Lines of Python: BIAS and SIGNS, fitted on the pages given."""
    reasons = {sign.name: sign.reason for sign in SIGNS}
    pages = [page for page in told if page.values]
    names = sorted(set().union(*(page.values for page in pages)))
    values = np.array([[page.values.get(name, 0.0) for name in names] for page in pages])
    truth = np.array([page.truth for page in pages])
    usable = (values > 0).sum(axis=0) >= 6
    points, _ = _regression(values, truth, usable, STRENGTHS[0])
    weight = np.abs(points).max(axis=0) * values.std(axis=0)
    chosen = np.zeros(len(names), dtype=bool)
    chosen[np.argsort(-weight)[:SIGNS_MOST]] = True
    points, bias = (np.round(found, 1) + 0.0 for found in _regression(values, truth, usable & chosen, STRENGTHS[1]))
    yield f"BIAS: Final = ({', '.join(f'{value:g}' for value in bias)})"
    for i in np.flatnonzero(points.any(axis=0)).tolist():
        told_points = ", ".join(f"{kind}={value:g}" for kind, value in zip(KINDS, points[:, i], strict=True) if value)
        yield f'_sign("{names[i]}", "{reasons.get(names[i], "")}", {told_points}),'


def _regression(
    values: NDArray[np.float64], truth: NDArray[np.str_], usable: NDArray[np.bool_], strength: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points per kind and sign, and per kind before any sign: an L1 regression over signs scaled alike."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    scale = np.sqrt(values.std(axis=0) + 0.05)
    model = LogisticRegression(C=strength, l1_ratio=1.0, solver="saga", max_iter=300, random_state=0)
    model.fit((values / scale)[:, usable], truth)
    order = [list(model.classes_).index(kind) for kind in KINDS]
    points = np.zeros((len(KINDS), values.shape[1]))
    points[:, usable] = model.coef_[order] / scale[usable]
    return points, model.intercept_[order]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of *.warc.gz and ground-truth.jsonl.gz")
    parser.add_argument("--fit", action="store_true", help="print the tables fitted on the first half")
    parser.add_argument("--wrong", action="store_true", help="print the pages told wrong as well")
    options = parser.parse_args()
    truths = read_truth(options.data)
    told = [tell(page, truths[page.id].kind) for page in read_pages(options.data) if page.id in truths]
    halves = [[page for page in told if page.half == half] for half in (FITTED, 1 - FITTED)]
    if options.fit:
        print("\n".join(fit(halves[0])))
        return
    for name, half in zip(("sites the points are fitted on", "other sites"), halves, strict=True):
        print(f"{name}: {right(half):.2%} of {len(half)} pages right")
        print("\n".join(confusion(half)), end="\n\n")
    cost = 1000 * sum(page.seconds for page in told) / max(len(told), 1)
    print(f"all: {right(told):.2%} of {len(told)} pages right, {cost:.2f} ms a page")
    if options.wrong:
        for page in told:
            if page.kind != page.truth:
                print(f"{page.id} {page.truth} told {page.kind or 'unread'} {page.url}")


if __name__ == "__main__":
    main()
