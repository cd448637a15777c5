"""The cleaning chain: eleven steps in one fixed order, the same for all sites (docs/cleaning-order.md says why)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mainextract_beam.clean.callouts import callouts
from mainextract_beam.clean.deferred import deferred
from mainextract_beam.clean.detect import detect
from mainextract_beam.clean.flatten import flatten
from mainextract_beam.clean.hidden import hidden
from mainextract_beam.clean.links import links
from mainextract_beam.clean.normalize import normalize
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.patterns import patterns
from mainextract_beam.clean.scoring import scoring
from mainextract_beam.clean.selectors import selectors
from mainextract_beam.clean.standardize import standardize

Step = Callable[[CleanPage], None]

STEPS: Final[dict[str, Step]] = {
    "flatten": flatten,
    "deferred": deferred,
    "detect": detect,
    "standardize": standardize,
    "callouts": callouts,
    "hidden": hidden,
    "scoring": scoring,
    "selectors": selectors,
    "patterns": patterns,
    "normalize": normalize,
    "links": links,
}

# Steps that take content away by judgement: what they leave is held against what they were given.
JUDGING: Final = ("hidden", "scoring", "selectors", "patterns")

# Parts of steps that can be switched off by themselves.
PARTS: Final = {
    "model": "the learned block model, in detect and scoring",
    "selectors-exact": "exact names of clutter, in selectors",
    "selectors-partial": "parts of names of clutter, in selectors",
}

# Rules that take elements out, each of which can be switched off by itself as STEP:RULE; by step.
RULES: Final = {
    "flatten": ("inert-template", "slot", "shadow-root", "unassigned"),
    "deferred": ("placeholder", "streamed", "noscript"),
    "standardize": ("self-link", "task-box", "task-label"),
    "callouts": ("title-icon", "title-block"),
    "hidden": ("display", "visibility", "opacity", "hidden", "aria-hidden", "style-rule", "dialog", "small-media"),
    "scoring": ("model", "rules"),
    "selectors": ("exact", "partial"),
    "patterns": (
        "advertisement",
        "author",
        "byline",
        "comments",
        "cookies",
        "copyright",
        "credit",
        "date",
        "navigation",
        "newsletter",
        "read-more",
        "read-time",
        "related",
        "repeated",
        "share",
        "subscribe",
        "tags",
        "title-repeated",
    ),
    "normalize": (
        "break",
        "break-opportunity",
        "copy",
        "empty",
        "frame",
        "inline-wrapper",
        "link-around-heading",
        "link-to-nothing",
        "no-source",
        "not-content",
        "paragraphs",
        "picture",
        "rule",
        "void",
        "wrapper",
    ),
}
