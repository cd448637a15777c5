"""Pictures with their captions in one form: ``<figure>...<figcaption>caption</figcaption></figure>``."""

from __future__ import annotations

import re

from lxml import etree

from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.pattern_words import CREDITS
from mainextract_beam.clean.walk import by_class, class_names, raw_text, text_of
from mainextract_beam.names import FIGURED, HEADINGS, MEDIA
from mainextract_beam.text import LONGEST_CAPTION

STEP = "standardize"

CAPTION = "caption"
CAPTIONS = frozenset({"gallerytext"})
"""Class names of captions that are no ``figcaption``, beside all that hold the word."""


def standardize_figures(page: CleanPage) -> None:
    """Makes figures of the captioned pictures in the content roots and marks those with a caption."""
    stated = page.stated
    named = stated.names(CAPTION) or not stated.classes.isdisjoint(CAPTIONS)
    if not named and "figure" not in stated.tags:
        return
    for root in page.roots:
        captions = by_class(root, "p", "div", "span", "dd", "small", "em", "cite") if named else {}
        for value, elements in captions.items():
            if CAPTION in value.lower() or not CAPTIONS.isdisjoint(class_names(value)):
                for caption in elements:
                    _make_figure(page, caption)
        for figure in list(root.iter("figure")):
            if not page.marks.is_inside(figure) and _is_captioned(figure):
                page.marks.protect(figure, "figure")


def _make_figure(page: CleanPage, caption: etree._Element) -> None:
    if next(caption.iter(*MEDIA, *HEADINGS), None) is not None:
        return
    text = raw_text(caption).strip()
    holder = caption.getparent()
    if not text or len(text) > LONGEST_CAPTION:
        return
    figure = next(caption.iterancestors("figure"), None)
    if figure is not None and next(figure.iter("figcaption"), None) is not None:
        return
    for _ in range(3):
        if holder is None or holder in page.roots or holder.tag not in ("figure", "div", "dl", "span", "p", "aside", "center"):
            return
        if next(holder.iter(*MEDIA[:3]), None) is not None:
            break
        holder = holder.getparent()
    else:
        return
    if len(holder) > 8 or len(raw_text(holder).strip()) > len(text) + 40:
        return
    page.journal.record(holder, "replace", step=STEP, rule="figure")
    holder.tag = "figure"
    caption.tag = "figcaption"
    if caption.getparent() is not holder:
        # A caption is a child of its figure.
        holder.append(caption)


def _is_captioned(figure: etree._Element) -> bool:
    caption = next(figure.iter("figcaption"), None)
    if caption is None or next(figure.iter(*MEDIA, *FIGURED), None) is None:
        return False
    text = text_of(caption)
    # A caption that is a link as a whole names another page: a card, not an illustration.
    linked = max((len(text_of(link)) for link in caption.iter("a")), default=0)
    return bool(text) and linked < 0.8 * len(text) and not is_credit(text)


_CREDIT = re.compile(rf"[\[(–—-]?\s*(?:{CREDITS})\w", re.IGNORECASE)
_SENTENCE = re.compile(r"\w{3}[.!?。！？](?:\s|$)")
_LONGEST_CREDIT = 80


def is_credit(text: str) -> bool:
    """Whether a line states no more than whom a picture is from."""
    return len(text) <= _LONGEST_CREDIT and _CREDIT.match(text) is not None and _SENTENCE.search(text) is None
