"""Pictures, films and players in one form, each picture once."""

from __future__ import annotations

import re
from collections import Counter

from lxml import etree

from mainextract_beam.base import resolver_of
from mainextract_beam.clean.deferred import is_real
from mainextract_beam.clean.edit import Edits, set_attribute
from mainextract_beam.clean.links import base_of
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.protect import is_protected
from mainextract_beam.sanitize import safe_url
from mainextract_beam.srcset import parse_srcset
from mainextract_beam.text import is_blank, normalize

STEP = "normalize"

_WIDTH = re.compile(r"(\d+(?:\.\d+)?)([wx])")
_PLAYER = re.compile(r"(?i)/embed|player|video|audio|podcast|/track|/watch|/map|maps\.")
_SIZE = re.compile(r"[-_]\d{2,4}x\d{2,4}(?=\.\w+$)")

PLAYER_SIGN = "\u25b6"
"""The text of a link to a player: no word, as the page has none there."""

SETTLED = frozenset({"picture", "img", "video", "audio", "iframe"})
"""What is settled."""

LONGEST_URL = 4000
"""Characters of a URL that two pictures are compared by."""


def normalize_media(page: CleanPage, root: etree._Element) -> None:
    """Settles the media of one content root."""
    images = list(root.iter("img"))
    with Edits(page, STEP, root) as edits:
        for picture in root.iter("picture"):
            _settle_picture(edits, picture)
        kept = []
        for image in images:
            if _settle_image(image):
                kept.append(image)
            else:
                edits.remove(image, rule="no-source")
        _remove_copies(page, edits, kept)
        for player in root.iter("video", "audio"):
            if not player.get("src") and not any(source.get("src") for source in player.iter("source")):
                edits.remove(player, rule="no-source")
            else:
                player.set("controls", "controls")
        for frame in list(root.iter("iframe")):
            _settle_frame(page, edits, frame)


def _settle_picture(edits: Edits, picture: etree._Element) -> None:
    """Leaves a ``picture`` its ``img`` only, with a source where it has none of its own."""
    image = next(picture.iter("img"), None)
    sources = list(picture.iter("source"))
    if image is None:
        image = etree.SubElement(picture, "img")
        for name in ("alt", "width", "height"):
            if picture.get(name):
                set_attribute(image, name, picture.get(name, ""))
    if not is_real(image.get("src")) and not image.get("srcset"):
        # The last source is the one for readers that know the fewest formats.
        for source in reversed(sources):
            candidates = source.get("srcset")
            if candidates and is_real(candidates):
                set_attribute(image, "srcset", candidates)
                break
    for source in sources:
        edits.unwrap(source, rule="picture")
    edits.unwrap(picture, rule="picture")


def _settle_image(image: etree._Element) -> bool:
    """Gives an image the best URL it states; False where it states none."""
    src, srcset = image.get("src"), image.get("srcset")
    if srcset and not is_real(src):
        best, size = None, -1.0
        for url, descriptor in parse_srcset(srcset):
            match = _WIDTH.search(descriptor)
            own = float(match[1]) if match else 0.0
            if own > size and safe_url(url, image=True) is not None:
                best, size = url, own
        if best is not None:
            set_attribute(image, "src", best)
            src = best
    return bool(src and not is_blank(src)) or bool(srcset)


def _remove_copies(page: CleanPage, edits: Edits, images: list[etree._Element]) -> None:
    """Plans to remove the pictures that stand alone and were shown before; those in a line of text stay."""
    alike = _alike(images)
    if not alike:
        return
    first: dict[str, etree._Element] = {}
    sources: dict[etree._Element, str] = {}
    absolute = resolver_of(base_of(page))
    for image in alike:
        if not _stands_alone(image):
            continue
        src = image.get("src", "")
        src = src.strip() if absolute is None or src.startswith("data:") else absolute(src.strip())
        sources[image] = src
        key = _SIZE.sub("", src.partition("?")[0].partition("#")[0]) or src
        alternative = normalize(image.get("alt"))
        before = first.get(key)
        if before is None:
            first[key] = image
            continue
        if src != sources[before] and alternative != normalize(before.get("alt")):
            continue
        # Of two copies the one in a captioned figure stays.
        if not is_protected(page, image):
            edits.remove(image, rule="copy")
        elif not is_protected(page, before):
            edits.remove(before, rule="copy")
            first[key] = image


def _alike(images: list[etree._Element]) -> list[etree._Element]:
    """The images that may be copies of others, by the names of their files; all where a name takes resolving a URL."""
    names = {image: _file_name(src) for image in images if len(src := image.get("src", "")) <= LONGEST_URL}
    counts = Counter(names.values())
    resolved = not counts.keys().isdisjoint(("", ".", ".."))
    return [image for image, name in names.items() if resolved or counts[name] > 1]


def _file_name(url: str) -> str:
    return _SIZE.sub("", url.strip().partition("?")[0].partition("#")[0].rpartition("/")[2].replace(" ", "%20"))


def _stands_alone(image: etree._Element) -> bool:
    holder: etree._Element | None = image
    for _ in range(3):
        parent = holder.getparent() if holder is not None else None
        if parent is None or holder is None:
            return True
        before = holder.getprevious()
        beside = parent.text if before is None else before.tail
        if not is_blank(holder.tail) or not is_blank(beside):
            return False
        if parent.tag not in ("a", "span", "picture", "noscript"):
            return True
        holder = parent
    return True


def _settle_frame(page: CleanPage, edits: Edits, frame: etree._Element) -> None:
    """Makes a player a link to what it plays, its title aside of the text; plans to remove other frames."""
    src, title = frame.get("src", ""), normalize(frame.get("title"))
    if src and safe_url(src) is not None and _PLAYER.search(src[:LONGEST_URL]):
        page.journal.record(frame, "replace", step=STEP, rule="player")
        frame.attrib.clear()
        frame.tag = "a"
        set_attribute(frame, "href", src)
        if title:
            set_attribute(frame, "title", title)
        del frame[:]
        frame.text = PLAYER_SIGN
    else:
        edits.remove(frame, rule="frame")
