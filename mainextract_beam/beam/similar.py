"""Near-duplicate pages of a corpus, by MinHash LSH."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final, NamedTuple

import apache_beam as beam
import numpy as np

from mainextract_beam.similarity import (
    band_layout,
    bands,
    check_threshold,
    hash_shingles,
    hashed_similarity,
    minhash,
    text_of,
)

# Up to so many pages of a bucket are compared each with each; of more, each with the first and with its neighbour.
_FULL_BUCKET: Final = 50

Pair = tuple[str, str]


class DuplicateCluster(NamedTuple):
    """Pages whose content is nearly the same."""

    pages: list[str]  # their keys, sorted
    similarity: float  # the lowest similarity found between two of them that reaches the threshold


@dataclass
class FindNearDuplicates(beam.PTransform):  # type: ignore[misc]
    """Clusters of pages whose content is nearly the same.

    ``PCollection[(key, Document | text)]`` or ``PCollection[ExtractedPage]`` (keyed by URL) -> ``PCollection[DuplicateCluster]``.
    Pages are compared by the shingles of their text, as content_similarity does; keys tell pages apart. Two pages are in one
    cluster where they are as similar as the threshold or a chain of such pages joins them. Only keys, band hashes and hashed
    shingles cross the shuffle, never a page or its text.

    Attributes:
        threshold: similarity from which two pages are near-duplicates, above 0 and at most 1.
    """

    threshold: float = 0.8

    def __post_init__(self) -> None:
        super().__init__()
        check_threshold(self.threshold)

    def expand(self, pages: Any) -> Any:
        """See the class."""
        count, rows = band_layout(self.threshold)
        signed = pages | "Sign" >> beam.Map(_sign).with_output_types(tuple[str, bytes])
        pairs = (
            signed
            | "Band" >> beam.FlatMap(_key_by_band, count, rows).with_output_types(tuple[bytes, str])
            | "Meet" >> beam.GroupByKey()
            | "Pair" >> beam.FlatMap(_pairs).with_output_types(Pair)
            | "DistinctPairs" >> beam.Distinct()
        )
        by_page = pairs | "KeyByPage" >> beam.FlatMap(_key_by_page).with_output_types(tuple[str, Pair])
        alike = (
            {"shingles": signed, "pairs": by_page}
            | "JoinShingles" >> beam.CoGroupByKey()
            | "Send" >> beam.FlatMap(_send_to_pairs).with_output_types(tuple[Pair, bytes])
            | "Confront" >> beam.GroupByKey()
            | "Compare" >> beam.FlatMap(_compare, self.threshold).with_output_types(tuple[str, str, float])
        )
        return (
            alike
            | "Cluster" >> beam.CombineGlobally(_ClusterFn())
            | "Clusters" >> beam.FlatMap(lambda clusters: clusters).with_output_types(DuplicateCluster)
        )


def _sign(page: Any) -> tuple[str, bytes]:
    """(key, hashed shingles) of a page."""
    if isinstance(page, tuple) and len(page) == 2:
        key, content = page
    else:
        key, content = page.url, page
    return str(key), hash_shingles(text_of(content)).tobytes()


def _shingles(stored: bytes) -> Any:
    return np.frombuffer(stored, dtype=np.uint32)


def _key_by_band(signed: tuple[str, bytes], count: int, rows: int) -> Iterator[tuple[bytes, str]]:
    key, stored = signed
    if stored:  # pages without text are not alike
        for band in bands(minhash(_shingles(stored)), count, rows):
            yield band, key


def _pairs(bucket: tuple[bytes, Iterable[str]]) -> Iterator[Pair]:
    keys = sorted(set(bucket[1]))
    if len(keys) <= _FULL_BUCKET:
        yield from combinations(keys, 2)
        return
    for before, key in pairwise(keys):
        yield before, key
        if before != keys[0]:
            yield keys[0], key


def _key_by_page(pair: Pair) -> Iterator[tuple[str, Pair]]:
    for key in pair:
        yield key, pair


def _send_to_pairs(joined: tuple[str, dict[str, Any]]) -> Iterator[tuple[Pair, bytes]]:
    stored = min(joined[1]["shingles"])  # one page per key; the same one however the pages arrive
    for pair in joined[1]["pairs"]:
        yield pair, stored


def _compare(confronted: tuple[Pair, Iterable[bytes]], threshold: float) -> Iterator[tuple[str, str, float]]:
    (one, other), stored = confronted
    similarity = hashed_similarity(*map(_shingles, stored))
    if similarity >= threshold:
        yield one, other, similarity


class _ClusterFn(beam.CombineFn):  # type: ignore[misc]
    """Joins similar pairs into clusters.

    An accumulator maps each page towards the first of its cluster, and that one to the lowest similarity in it.
    """

    def create_accumulator(self) -> tuple[dict[str, str], dict[str, float]]:
        return {}, {}

    def add_input(self, accumulator: Any, pair: tuple[str, str, float]) -> Any:
        _join(accumulator, *pair)
        return accumulator

    def merge_accumulators(self, accumulators: Iterable[Any]) -> Any:
        merged = self.create_accumulator()
        for parents, lowest in accumulators:
            for key, parent in parents.items():
                _join(merged, key, parent, lowest.get(_top(parents, parent), 1.0))
        return merged

    def extract_output(self, accumulator: Any) -> list[DuplicateCluster]:
        parents, lowest = accumulator
        members: dict[str, list[str]] = {}
        for key in parents:
            members.setdefault(_top(parents, key), []).append(key)
        return [DuplicateCluster(sorted(pages), lowest[top]) for top, pages in sorted(members.items())]


def _top(parents: dict[str, str], key: str) -> str:
    path = []
    while parents.setdefault(key, key) != key:
        path.append(key)
        key = parents[key]
    for each in path:
        parents[each] = key
    return key


def _join(accumulator: tuple[dict[str, str], dict[str, float]], one: str, other: str, similarity: float) -> None:
    parents, lowest = accumulator
    first, second = sorted((_top(parents, one), _top(parents, other)))
    parents[second] = first
    lowest[first] = min(similarity, lowest.get(first, 1.0), lowest.get(second, 1.0))
