"""How alike two contents are: shared shingles, and the signatures by which near-duplicates of a corpus are found."""

from __future__ import annotations

import re
import unicodedata
import zlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mainextract_beam.document import Document

# Scripts written without spaces: a character is a token. Elsewhere a word is.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN: Final = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")
_CHARACTER: Final = re.compile(f"[{_UNSPACED}]")
# Tokens of a shingle: five characters or three words hold about as much.
_CHARACTERS: Final = 5
_WORDS: Final = 3

PERMUTATIONS: Final = 128
_BATCH: Final = 4_096  # shingles hashed at a time, so that memory stays flat however long a text is


def shingles(text: str) -> set[str]:
    """The overlapping pieces of a text: five characters where it is written without spaces between words, else three words.

    Case, punctuation, whitespace and compatibility forms (Unicode NFKC) do not count. A text shorter than a shingle is one.
    """
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text).lower())
    if not tokens:
        return set()
    # The token a shingle starts with decides its length, so texts of mixed scripts need no verdict on the whole.
    sizes = [_CHARACTERS if _CHARACTER.match(token) else _WORDS for token in tokens]
    found = {" ".join(tokens[start : start + size]) for start, size in enumerate(sizes) if start + size <= len(tokens)}
    return found or {" ".join(tokens)}


def content_similarity(a: Document | str, b: Document | str) -> float:
    """How alike two contents are: the share of their shingles that both have (Jaccard index).

    Args:
        a: a document, or text.
        b: the other one.

    Returns:
        A number from 0 (nothing in common) to 1 (the same text, but for case, punctuation and whitespace); 1 for two contents
        without text, 0 where one has none.

    Raises:
        TypeError: neither document nor text.
    """
    ours, theirs = shingles(text_of(a)), shingles(text_of(b))
    if not ours and not theirs:
        return 1.0
    return len(ours & theirs) / len(ours | theirs)


def text_of(content: Any) -> str:
    """The text of a document, of a row with a ``text`` field, or a text itself.

    Raises:
        TypeError: something else.
    """
    if isinstance(content, str):
        return content
    text = getattr(content, "text", None)
    if callable(text):
        text = text()
    if not isinstance(text, str):
        raise TypeError(f"similarity takes documents or text, got {type(content).__name__}")
    return text


def hash_shingles(text: str) -> NDArray[np.uint32]:
    """The distinct shingles of a text as sorted 32-bit hashes, the same in every process."""
    import numpy as np

    hashes = [zlib.crc32(shingle.encode("utf-8", "replace")) for shingle in shingles(text)]
    return np.unique(np.array(hashes, dtype=np.uint32))


def hashed_similarity(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> float:
    """content_similarity of two texts by their hashed shingles."""
    import numpy as np

    if not len(a) and not len(b):
        return 1.0
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / (len(a) + len(b) - shared)


def minhash(hashes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """The MinHash signature of hashed shingles (A. Broder, 1997)."""
    from datasketch import MinHash

    signature = MinHash(num_perm=PERMUTATIONS, hashfunc=int)
    for start in range(0, len(hashes), _BATCH):
        signature.update_batch(hashes[start : start + _BATCH].tolist())
    values: NDArray[np.uint64] = signature.hashvalues
    return values


def band_layout(threshold: float) -> tuple[int, int]:
    """Bands, and rows of a band, by which signatures at least that similar meet; false meetings are cheap, missed ones final.

    Raises:
        ValueError: a threshold that is not above 0 and at most 1.
    """
    from datasketch import MinHashLSH

    check_threshold(threshold)
    if threshold >= 0.999:
        return PERMUTATIONS // 16, 16
    lsh = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, weights=(0.1, 0.9))
    return int(lsh.b), int(lsh.r)


def check_threshold(threshold: float) -> None:
    """Raises a ValueError for a threshold that no similarity can be compared with."""
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 < threshold <= 1:
        raise ValueError(f"threshold is a number above 0 and at most 1, got {threshold!r}")


def bands(signature: NDArray[np.uint64], count: int, rows: int) -> list[bytes]:
    """The keys under which a signature meets similar ones: its bands, each with its number."""
    return [band.to_bytes(2, "big") + signature[band * rows : (band + 1) * rows].astype(">u4").tobytes() for band in range(count)]
