"""Similarity of contents, and near-duplicates of a corpus."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mainextract_beam import extract_page
from mainextract_beam.similarity import (
    band_layout,
    bands,
    content_similarity,
    hash_shingles,
    hashed_similarity,
    minhash,
    shingles,
)
from tests.pages_zh.prose import Prose

WORDS = "the ferry left the landing before dawn and nobody on the bank had seen who was rowing it that morning"


def test_word_shingles() -> None:
    assert shingles("One two, THREE four") == {"one two three", "two three four"}


def test_character_shingles() -> None:
    assert shingles("渡口还没有人。") == {"渡 口 还 没 有", "口 还 没 有 人"}


def test_mixed_scripts() -> None:
    assert shingles("版本 two 发布") == {"版 本 two 发 布", "two 发 布"}


def test_short_text_is_one_shingle() -> None:
    assert shingles("渡口") == {"渡 口"}
    assert shingles("Hello!") == {"hello"}
    assert shingles(" \n!? ") == set()


def test_similarity_counts_shared_shingles() -> None:
    # 4 of the 6 shingles that either has.
    assert content_similarity("a b c d e f g", "x b c d e f g") == 4 / 6


def test_similarity_ignores_case_punctuation_and_width() -> None:
    assert content_similarity("Ｏne two — three!", "one, TWO three") == 1.0


def test_similarity_without_text() -> None:
    assert content_similarity("", "") == 1.0
    assert content_similarity("", "one two three") == 0.0


def test_similarity_of_documents() -> None:
    page = "<html><body><main><p>{}</p></main></body></html>"
    one, other = extract_page(page.format(WORDS)), extract_page(page.format(WORDS.upper()))
    assert one is not None
    assert other is not None
    assert content_similarity(one, other) == 1.0
    assert content_similarity(one, "nothing of the sort is said here") == 0.0


def test_similarity_of_something_else() -> None:
    with pytest.raises(TypeError, match="got int"):
        content_similarity(3, "text")  # type: ignore[arg-type]


@given(st.text(), st.text())
def test_similarity_is_a_symmetric_share(one: str, other: str) -> None:
    similarity = content_similarity(one, other)
    assert 0 <= similarity <= 1
    assert similarity == content_similarity(other, one)
    assert content_similarity(one, one) == 1


@settings(deadline=None)  # the first call imports numpy
@given(st.text(max_size=200), st.text(max_size=200))
def test_hashes_tell_the_same(one: str, other: str) -> None:
    assert hashed_similarity(hash_shingles(one), hash_shingles(other)) == content_similarity(one, other)


def test_signature_in_batches_is_that_of_the_whole() -> None:
    text = " ".join(f"word{i}" for i in range(9_000))
    hashes = hash_shingles(text)
    from datasketch import MinHash

    whole = MinHash(num_perm=128, hashfunc=int)
    whole.update_batch(hashes.tolist())
    assert minhash(hashes).tolist() == whole.hashvalues.tolist()


@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.9, 1.0])
def test_band_layout_fits_the_signature(threshold: float) -> None:
    count, rows = band_layout(threshold)
    assert count * rows <= 128
    assert len(set(bands(minhash(hash_shingles(WORDS)), count, rows))) == count


@pytest.mark.parametrize("threshold", [0, -1, 1.5, True, "0.8", float("nan")])
def test_bad_threshold(threshold: object) -> None:
    from mainextract_beam.beam.similar import FindNearDuplicates

    with pytest.raises(ValueError, match="threshold is a number above 0 and at most 1"):
        FindNearDuplicates(threshold)  # type: ignore[arg-type]


def test_similarity_imports_no_beam() -> None:
    code = "import sys, mainextract_beam.similarity as s; s.content_similarity('a','b'); assert 'apache_beam' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def expect_clusters(pages: list[tuple[str, str]], expected: list[list[str]], threshold: float = 0.8) -> None:
    import apache_beam as beam
    from apache_beam.testing.util import assert_that

    from mainextract_beam.beam.similar import FindNearDuplicates

    def check(actual: list[Any]) -> None:
        assert sorted(cluster.pages for cluster in actual) == expected

    with beam.Pipeline() as pipeline:
        assert_that(pipeline | beam.Create(pages) | FindNearDuplicates(threshold), check)


def test_clusters_of_a_corpus() -> None:
    english = [f"Paragraph {i} tells of {WORDS} for the {i}th time" for i in range(12)]
    chinese = Prose(7).paragraphs(12)
    pages = [
        ("en/a", " ".join(english)),
        ("en/b", " ".join([*english, "one more line"])),
        ("en/c", " ".join(english).upper()),
        ("zh/a", "".join(chinese)),
        ("zh/b", "".join(chinese) + "完"),
        ("other/en", "Something else entirely, about the price of tea and the weather in the hills this year"),
        ("other/zh", "这一页说的是另外一件事情，同别的网页没有一句相同的话。"),
        ("empty/a", ""),
        ("empty/b", ""),
    ]
    expect_clusters(pages, [["en/a", "en/b", "en/c"], ["zh/a", "zh/b"]])


def test_candidates_below_the_threshold_part() -> None:
    base = [f"w{i}" for i in range(100)]
    changed = [*base[:60], *(f"x{i}" for i in range(40))]  # 58 of 138 shingles in common: 0.42
    expect_clusters([("a", " ".join(base)), ("b", " ".join(changed))], [], threshold=0.5)
    expect_clusters([("a", " ".join(base)), ("b", " ".join(changed))], [["a", "b"]], threshold=0.4)


def test_a_large_bucket_is_one_cluster() -> None:
    expect_clusters([(f"page{i:03d}", WORDS) for i in range(120)], [[f"page{i:03d}" for i in range(120)]])


def not_compared(result: Any) -> int:
    found = result.metrics().query()["counters"]
    return sum(counter.committed for counter in found if counter.key.metric.name == "near-duplicates-not-compared")


def test_all_of_an_overfull_bucket_that_is_not_compared_is_counted() -> None:
    import apache_beam as beam
    from apache_beam.testing.util import assert_that, equal_to

    from mainextract_beam.beam.similar import FindNearDuplicates

    same = [(f"page{i:03d}", WORDS) for i in range(200)]
    alike = [(f"page{i:03d}", " ".join([f"w{j}" for j in range(400)] + [f"own{i}"])) for i in range(120)]
    for pages, left in ((same, False), (alike, True)):
        with beam.Pipeline("FnApiRunner") as pipeline:
            sizes = pipeline | beam.Create(pages) | FindNearDuplicates() | beam.Map(lambda cluster: len(cluster.pages))
            assert_that(sizes, equal_to([len(pages)]))
        assert (not_compared(pipeline.result) > 0) is left


def test_a_bucket_is_compared_in_full_or_with_those_like_it() -> None:
    from mainextract_beam.beam.similar import _pairs

    def pairs(count: int, band: Any) -> set[tuple[bytes, bytes]]:
        return set(_pairs((b"", [(band(i), bytes([i])) for i in range(count)])))

    assert len(pairs(50, lambda i: b"")) == 50 * 49 // 2
    # Two families, their members by turns: each member is compared with all of its own that stand near it.
    found = pairs(120, lambda i: bytes([i % 2]))
    for family in (0, 1):
        members = [bytes([i]) for i in range(family, 120, 2)]
        assert all((one, other) in found for one, other in itertools.pairwise(members))
        assert all(len([pair for pair in found if one in pair]) >= 20 for one in members)
    assert len(found) < 120 * 22


def test_a_page_fetched_twice_is_no_duplicate_of_itself() -> None:
    words = [f"w{i}" for i in range(100)]
    expect_clusters([("a", " ".join(words)), ("a", " ".join([*words, "x"])), ("a", " ".join(words))], [])
    # Both its versions are looked at.
    expect_clusters([("a", " ".join(words)), ("a", WORDS), ("b", " ".join(words)), ("c", WORDS.upper())], [["a", "b", "c"]])


def test_no_duplicates_no_clusters() -> None:
    expect_clusters([("a", WORDS)], [])
