"""Judging blocks by rules alone: points for and against, each for a reason that can be told.

The rules stand without the block model (``skip=model``), and give the journal its reasons with it. The weights are those of a
logistic regression over the same rules, rounded to a tenth. No rule reads a language; what names say is the evidence of
the model file.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.clean.blocks import Floats
from mainextract_beam.clean.features import Described
from mainextract_beam.clean.model import probability


class Rule(NamedTuple):
    """One rule: what it looks at is a number from 0 to 1 (or a few), its points are log-odds of being content."""

    name: str
    points: float
    reason: str


RULES: Final = (
    Rule("footer", -2.0, "in a footer that holds the lesser part of the page"),
    Rule("outside-main", -1.2, "outside the main element of the page"),
    Rule("outside-article", -1.7, "outside the article of the page"),
    Rule("nav", -1.1, "in navigation"),
    Rule("header", -0.8, "in a header that holds little of the page"),
    Rule("aside", -1.0, "in an aside"),
    Rule("dialog", -2.0, "in a dialog"),
    Rule("form", -1.1, "in a form"),
    Rule("button", -0.8, "a button"),
    Rule("caption", -0.7, "a caption"),
    Rule("clutter-name", -0.5, "an element close above bears a name of clutter"),
    Rule("clutter-name-above", -0.3, "an element above bears a name of clutter"),
    Rule("content-name", 0.3, "an element above bears a name of content"),
    Rule("links", -0.9, "its text is links"),
    Rule("links-held", -0.3, "what holds it is links"),
    Rule("links-page", 1.1, "the page is a list of links"),
    Rule("before-heading", -1.6, "before the page's first main heading"),
    Rule("repeated", -0.4, "the same text is on the page again"),
    Rule("last", -1.4, "in the last tenth of the page"),
    Rule("after-region", -0.5, "after the region that holds most of the prose"),
    Rule("after-prose", -0.7, "after the region with the best paragraphs"),
    Rule("densest", 0.3, "in the densest region"),
    Rule("region", 0.5, "in the region that holds most of the prose"),
    Rule("heading", 0.8, "a heading"),
    Rule("sentence", 0.6, "ends a sentence"),
    Rule("paragraph", 0.7, "a paragraph"),
    Rule("share", 1.0, "what holds it holds much of the page"),
)
_BIAS: Final = 0.2
_FAR: Final = 99
# Kinds of elements that may hold a block, and for some the share of the page's text below which they count.
_HOLDERS: Final = ("footer", "main", "article", "nav", "header", "aside", "dialog", "form", "button", "figcaption", "p")
_LESS: Final = {"footer": 0.5, "header": 0.3, "aside": 0.5, "form": 0.4}


def rule_values(described: Described, block: int | None = None) -> Floats:
    """How far each rule applies to each block, or to one: blocks x rules."""
    place = {name: i for i, name in enumerate(described.names)}
    rows: Floats = (described.matrix if block is None else described.matrix[block : block + 1]).T

    def get(name: str) -> Floats:
        found: Floats = rows[place[name]]
        return found

    def inside_of(region: str) -> NDArray[np.bool_]:
        return (get(region) >= 0) & (get(region) <= 1)

    held = dict(zip(_HOLDERS, rows[[place[f"in_{kind}"] for kind in _HOLDERS]] < _FAR, strict=True))
    for kind, share in _LESS.items():
        held[kind] &= get(f"share_{kind}") < share
    articles = get("page_articles")
    linked, prose = get("linked"), get("page_prose")
    values = {
        "footer": held["footer"],
        "outside-main": get("page_main") * ~held["main"],
        "outside-article": ((articles > 0) & (articles <= 2)) * ~held["article"],
        "nav": held["nav"],
        "header": held["header"],
        "aside": held["aside"],
        "dialog": held["dialog"],
        "form": held["form"],
        "button": held["button"],
        "caption": held["figcaption"],
        "clutter-name": np.minimum(-np.minimum(get("c0_low"), get("c1_low")), 4),
        "clutter-name-above": np.minimum(-get("name_low"), 4),
        "content-name": np.minimum(get("name_high"), 2),
        "links": linked,
        "links-held": get("c1_linked"),
        "links-page": linked * (1 - prose),
        "before-heading": (get("after_h1") < 0) & (get("after_h1") > -200),
        "repeated": np.minimum(get("same_text") - 1, 3),
        "last": get("index") > 0.9,
        "after-region": get("r65_place") == 2,
        "after-prose": get("para_place") == 2,
        "densest": inside_of("r40_place"),
        "region": inside_of("r65_place"),
        "heading": get("level") > 0,
        "sentence": get("ends") == 1,
        "paragraph": held["p"],
        "share": np.sqrt(get("c2_share")),
    }
    out = np.empty((len(RULES), rows.shape[1]), dtype=np.float32)
    for i, rule in enumerate(RULES):
        out[i] = values[rule.name]
    return out.T


_POINTS: Final = np.array([rule.points for rule in RULES], dtype=np.float32)


def rule_points(described: Described) -> Floats:
    """The points of each block: log-odds of being content."""
    return (rule_values(described) @ _POINTS + np.float32(_BIAS)).astype(np.float32)


def judge_by_rules(described: Described) -> Floats:
    """Each block's likelihood to be content, 0..1, by the rules alone."""
    return probability(rule_points(described))


def reasons(values: Floats, most: int = 3) -> list[str]:
    """The reasons that weigh most against a block, given its row of `rule_values`."""
    weighed = values * _POINTS
    order = np.argsort(weighed, kind="stable")[:most]
    return [RULES[i].reason for i in order.tolist() if weighed[i] <= -0.3]
