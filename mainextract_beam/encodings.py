"""Bytes of a page -> Unicode text: byte order marks, stated labels (WHATWG), plausibility and detection."""

from __future__ import annotations

import codecs
import re
from typing import Final

import chardetng_py
import webencodings

from mainextract_beam.walks import compiled

# Byte order marks, the longer ones first (UTF-32 LE starts like UTF-16 LE).
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Python codecs that decode what the WHATWG encoding of that name does, where the codec of the same name decodes less.
_CODECS: Final = {
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "windows-874": "cp874",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "iso-8859-8-i": "iso-8859-8",
}
# Labels that WHATWG refuses to decode; crawled pages still carry them.
_LEGACY_LABELS: Final = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "iso-2022-cn": "gb18030", "iso-2022-cn-ext": "gb18030"}
_ESCAPED: Final = frozenset({"iso2022_jp", "iso2022_kr", "hz"})
_MULTIBYTE: Final = frozenset({"gb18030", "big5hkscs", "cp932", "cp949", "euc_jp"}) | _ESCAPED

# How far into a page a label is looked for; the standard's 1,024 bytes miss labels late in the head.
_PRESCAN: Final = 65_536
_META_CHARSET: Final = re.compile(rb"<meta\s[^>]{0,512}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:+-]+)", re.I)
_XML_ENCODING: Final = re.compile(rb"\s*<\?xml\s[^>]{0,512}?encoding\s*=\s*[\"']([A-Za-z0-9_.:+-]+)[\"']")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

# With fewer multi-byte sequences than this, text of a stated East Asian encoding may be valid UTF-8 by chance.
_CHANCE_SEQUENCES: Final = 4
# Share of wrongly decoded characters up to which an encoding still explains a page (cut-off or pasted bytes).
_ERROR_SHARE: Final = 0.1
_SAMPLE: Final = 200_000
_PIECE: Final = 16_384  # bytes, at least those of one character


def to_utf8(data: bytes | str, hint: str | None = None) -> bytes:
    """A page as UTF-8 bytes without NUL, lone surrogates or a byte order mark, whatever its encoding.

    Args:
        data: the page; a ``str`` is taken as it is.
        hint: charset label from outside the page, such as HTTP's; a label the bytes contradict is passed over.
    """
    if isinstance(data, str):
        encoded = _encode(data.removeprefix("\ufeff"))
    else:
        encoded = _bytes_to_utf8(data, hint)
    return encoded.replace(b"\0", b"\xef\xbf\xbd") if b"\0" in encoded else encoded


def _bytes_to_utf8(data: bytes, hint: str | None) -> bytes:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _encode(data[len(mark) :].decode(codec, "replace"))
    if data.isascii():
        escaped = b"\x1b" in data or b"\0" in data or (b"~" in data and b"~{" in data)
        return _encode(_decode_escaped(data, hint)) if escaped else data
    characters = _utf8_length(data) if compiled is None else compiled.utf8_length(data)
    if characters < 0:
        return _encode(_decode_legacy(data, hint))
    # A sequence has at most three bytes more than the character it spells.
    few = len(data) - characters < 3 * _CHANCE_SEQUENCES
    stated = _stated_multibyte(data, hint) if few else None
    if stated and len(_BEYOND_ASCII.findall(data.decode())) < _CHANCE_SEQUENCES:
        try:
            return _encode(data.decode(stated))
        except UnicodeDecodeError:
            pass
    return data


def _utf8_length(data: bytes) -> int:
    """Characters of UTF-8, -1 for anything else; decoded by pieces: one emoji would make the text of all four times as large."""
    view = memoryview(data)
    start = count = 0
    while start < len(data):
        end = start + _PIECE
        try:
            text, used = codecs.utf_8_decode(view[start:end], "strict", end >= len(data))
        except UnicodeDecodeError:
            return -1
        count += len(text)
        start += used
    return count


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # Halves of a pair are joined; what stays alone becomes U+FFFD.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")


def codec_of(label: str | None) -> str | None:
    """The Python codec for a charset label read by the WHATWG table; None for a label it does not know."""
    if not label:
        return None
    label = label.strip(" \t\n\r\f'\";,")
    if label.lower() in _LEGACY_LABELS:
        return _LEGACY_LABELS[label.lower()]
    encoding = webencodings.lookup(label)
    if encoding is None or encoding.name == "x-user-defined":
        return None
    # HTML Standard, 13.2.3.2: a page that could be read so far cannot be UTF-16; its label means UTF-8.
    if encoding.name.startswith("utf-16"):
        return "utf-8"
    return _CODECS.get(encoding.name) or str(encoding.codec_info.name)


def stated_codecs(data: bytes, hint: str | None) -> list[str]:
    """Codecs a page's labels name, in order of precedence: the hint, ``meta``, the XML declaration."""
    head = _without_comments(data[:_PRESCAN])
    meta = _META_CHARSET.search(head)
    declaration = _XML_ENCODING.match(head)
    labels = [hint, meta and meta[1].decode("ascii"), declaration and declaration[1].decode("ascii")]
    return list(dict.fromkeys(codec for codec in map(codec_of, labels) if codec))


def _without_comments(markup: bytes) -> bytes:
    kept, _, rest = markup.partition(b"<!--")
    pieces = [kept]
    while rest:
        _, end, rest = rest.partition(b"-->")
        if end:
            kept, _, rest = rest.partition(b"<!--")
            pieces.append(kept)
    return b"".join(pieces)


def _stated_multibyte(data: bytes, hint: str | None) -> str | None:
    return next((codec for codec in stated_codecs(data, hint) if codec in _MULTIBYTE), None)


def _decode_escaped(data: bytes, hint: str | None) -> str:
    """Bytes below 128 that may be an encoding with escape sequences or UTF-16 without a mark."""
    codec = _unmarked_utf16(data)
    if codec:
        return data.decode(codec, "replace")
    for codec in stated_codecs(data, hint):
        if codec in _ESCAPED:
            return data.decode(codec, "replace")
    if b"\x1b$" in data:
        return data.decode("iso2022_jp", "replace")
    return data.decode("ascii")


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without a mark shows by a NUL in most pairs, always on the same side."""
    pairs = len(data) // 2
    if pairs < 8 or len(data) % 2:
        return None
    first, second = data[::2].count(0), data[1::2].count(0)
    if max(first, second) * 2 < pairs or min(first, second) * 10 > max(first, second):
        return None
    return "utf-16-be" if first > second else "utf-16-le"


def _decode_legacy(data: bytes, hint: str | None) -> str:
    """Bytes that are not valid UTF-8: the first stated encoding that explains them, else the detected one."""
    candidates = stated_codecs(data, hint)
    stated = [codec for codec in candidates if codec in _MULTIBYTE]
    for codec in stated:
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            pass
    text = data.decode("utf-8", "replace")
    if _explains(text):
        return text
    detected = codec_of(chardetng_py.detect(data)) or "cp1252"
    # Damaged pages: of stated and detected encodings the one with fewest errors, of equals the stated one.
    texts = [data.decode(codec, "replace") for codec in stated]
    if detected in _MULTIBYTE and detected not in stated:
        text = data.decode(detected, "replace")
        if _is_east_asian(text):
            texts.append(text)
    texts = [text for text in texts if _explains(text)]
    if texts:
        return min(texts, key=lambda text: text.count("\ufffd"))
    for codec in candidates:
        if codec in _MULTIBYTE or codec == "utf-8":
            continue
        if codec == detected:
            return _decode_single(data, codec)
        text = _decode_single(data, codec)
        if _plausible(text):
            return text
    return _decode_single(data, detected)


def _decode_single(data: bytes, codec: str) -> str:
    """Decodes; bytes a single-byte code page leaves open become the C1 controls WHATWG maps them to."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return data.decode(codec, "replace" if codec in _MULTIBYTE else _TO_C1)


def _c1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(map(chr, error.object[error.start : error.end])), error.end


_TO_C1: Final = "mainextract.c1"
codecs.register_error(_TO_C1, _c1)


def _is_east_asian(text: str) -> bool:
    """Whether characters beyond ASCII stand together, as those of East Asian scripts do and accented letters do not."""
    beyond = _BEYOND.findall(text[:_SAMPLE])
    return sum(map(len, beyond)) >= 2 * len(beyond)


def _explains(text: str) -> bool:
    """Whether few of the characters beyond ASCII were decoding errors."""
    beyond = _BEYOND.findall(text[:_SAMPLE])
    count = sum(map(len, beyond))
    errors = text.count("\ufffd", 0, _SAMPLE)
    return errors <= count * _ERROR_SHARE


_BEYOND: Final = re.compile(r"[^\x00-\x7f]+")
_BEYOND_WORD: Final = re.compile(r"[^\W\d_]*[^\x00-\x7f\W\d_][^\W\d_]*")
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_ACCENTS: Final = re.compile("[\u00c0-\u024f\u1e00-\u1eff]{3}")


def _plausible(text: str) -> bool:
    """Whether words with letters beyond ASCII look written: of one script, Latin ones not all accents.

    A Cyrillic page read as Latin is all accents (``Ïðèâåò``); a Latin page read as Cyrillic mixes scripts (``cafй``).
    """
    words = _BEYOND_WORD.findall(text[:_SAMPLE])
    odd = len(re.findall("[\x80-\x9f]", text[:_SAMPLE]))
    for word in words:
        latin = len(_LATIN.findall(word))
        if (latin and latin < len(word)) or _ACCENTS.search(word):
            odd += 1
    return odd * 2 <= len(words)
