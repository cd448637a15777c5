"""Judging blocks by rules alone: points for what speaks for a block and against it.

The rules are few and can be read; each holds in any language. Which ones, and how many points each gives, was found on one
half of the development pages (by site) and checked on the other, where they reach what benchmarks/quality.py prints for
``--skip model``. What they say is the logarithm of the odds that a block is content.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from lxml.etree import _Element as Element
from numpy.typing import NDArray

from mainextract_beam.clean.blocks import Floats, cut
from mainextract_beam.clean.choose import Blocks, expected_best
from mainextract_beam.clean.features import describe
from mainextract_beam.clean.hints import COUNT
from mainextract_beam.clean.model import probability

Columns = dict[str, Floats]
Test = Callable[[Columns], NDArray[np.bool_]]

_NOWHERE: Final = 99  # distance to an ancestor there is none of
_SHORT: Final = np.log1p(np.float32(40))

START: Final = -0.75
"""Points every block starts with."""

RULES: Final[tuple[tuple[str, float, Test], ...]] = (
    ("in the tightest element with two thirds of the prose", 1.25, lambda of: _within(of["r65_place"])),
    ("in a link", 1.0, lambda of: of["in_a"] < _NOWHERE),
    ("linked on a page of links", 1.0, lambda of: (of["linked"] > 0.5) & (of["page_linked"] > 0.5)),
    ("one of three or more alike", 0.75, lambda of: (of["c0_twins"] >= 3) | (of["c1_twins"] >= 3)),
    ("its surroundings hold much of the page", 0.5, lambda of: of["c3_share"] > 0.3),
    ("ends a sentence", 0.5, lambda of: of["ends"] == 1),
    ("a paragraph", 0.5, lambda of: of["in_p"] == 0),
    ("in an article", 0.5, lambda of: of["in_article"] < _NOWHERE),
    ("its container holds much of the page", 0.25, lambda of: of["c1_share"] > 0.3),
    ("in the tightest element with two fifths of the prose", 0.25, lambda of: _within(of["r40_place"])),
    ("in the best container of paragraphs", 0.25, lambda of: _within(of["para_place"])),
    ("before the end of a sentence", 0.25, lambda of: of["n1_ends"] == 1),
    ("two commas or more", 0.25, lambda of: of["commas"] >= 2),
    ("after a link", -0.25, lambda of: of["n-1_linked"] > 0.5),
    ("before a link", -0.25, lambda of: of["n1_linked"] > 0.5),
    ("the page marks its main part", -0.25, lambda of: of["page_main"] > 0),
    ("behind the best container of paragraphs", -0.25, lambda of: of["para_place"] == 2),
    ("wider surroundings of some prose", -0.25, lambda of: of["c4_prose"] > 0.2),
    ("short, no sentence, no heading", -0.5, lambda of: (of["size"] < _SHORT) & (of["ends"] < 1) & (of["level"] == 0)),
    ("outside the page's articles", -0.5, lambda of: _outside_articles(of)),
    ("a page of prose", -0.5, lambda of: of["page_prose"] > 0.5),
    ("near the end of the page", -0.75, lambda of: of["index"] > 0.85),
    ("stated again elsewhere", -1.0, lambda of: of["same_text"] > 1),
    ("mostly a link", -1.0, lambda of: of["linked"] > 0.5),
    ("outside the marked main part", -1.25, lambda of: (of["page_main"] > 0) & (of["in_main"] == _NOWHERE)),
    ("in navigation", -1.5, lambda of: of["in_nav"] < _NOWHERE),
    ("before the first h1", -1.75, lambda of: (of["after_h1"] < 0) & (of["after_h1"] > -200)),
    ("in a dialog", -2.25, lambda of: of["in_dialog"] < _NOWHERE),
    ("in a footer", -2.25, lambda of: of["in_footer"] < _NOWHERE),
)
"""What speaks for a block and against it: the rule in words, its points, and its test on the columns of features.py."""


def score_by_rules(root: Element, *, title: str = "") -> Blocks | None:
    """Cuts a tree into blocks and judges each by the rules; see choose.score_blocks."""
    held = cut(root)
    if not held.texts:
        return None
    described = describe(held, lambda _: (0.0, 0.0, 0.0), title, np.zeros(COUNT, dtype=np.float32))
    columns = dict(zip(described.names, described.matrix.T, strict=True))
    points = np.full(len(held.texts), START, dtype=np.float32)
    for _, value, test in RULES:
        points += np.float32(value) * test(columns)
    probabilities = probability(points)
    threshold, expected = expected_best(probabilities, described.counts.words)
    return Blocks(held, described, probabilities, probabilities >= threshold, expected)


def _within(place: Floats) -> NDArray[np.bool_]:
    return (place >= 0) & (place <= 1)


def _outside_articles(of: Columns) -> NDArray[np.bool_]:
    return (of["page_articles"] > 0) & (of["in_article"] == _NOWHERE) & (of["in_main"] == _NOWHERE)
