"""Near-duplicate pages of a corpus, by MinHash LSH."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import apache_beam as beam
import numpy as np

from mainextract_beam.beam import metrics
from mainextract_beam.similarity import (
    band_layout,
    bands,
    check_threshold,
    hash_shingles,
    hashed_similarity,
    minhash,
    text_of,
)

# Up to so many contents of a bucket are compared each with each; of more, each with the first and with so many neighbours, in an
# order in which those that are alike in yet another band stand together.
_FULL_BUCKET: Final = 50
_NEIGHBOURS: Final = 20

NOT_COMPARED: Final = "near-duplicates-not-compared"
"""Counter of the pairs of contents in overfull buckets that were not compared there; they may have been elsewhere."""

Content = bytes  # the digest of a page's shingles: pages of one content count once
Pair = tuple[Content, Content]


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

    Two contents are compared where they share a band. Of more than 50 different contents that share one, each is compared with
    21 of the others there: those most probably like it, and one that is the same for all. The counter
    `near-duplicates-not-compared` says how many pairs were left out so; 0 means that none was.

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
        signed = pages | "Sign" >> beam.FlatMap(_sign).with_output_types(tuple[Content, tuple[str, bytes]])
        pairs = (
            signed
            | "Band" >> beam.FlatMap(_key_by_band, count, rows).with_output_types(tuple[bytes, tuple[bytes, Content]])
            | "Meet" >> beam.GroupByKey()
            | "Pair" >> beam.FlatMap(_pairs).with_output_types(Pair)
            | "DistinctPairs" >> beam.Distinct()
        )
        by_content = pairs | "KeyByContent" >> beam.FlatMap(_key_by_content).with_output_types(tuple[Content, Pair])
        joined = {"pages": signed, "pairs": by_content} | "JoinPages" >> beam.CoGroupByKey()
        same = joined | "Same" >> beam.FlatMap(_same_content).with_output_types(tuple[str, str, float])
        alike = (
            joined
            | "Send" >> beam.FlatMap(_send_to_pairs).with_output_types(tuple[Pair, tuple[str, bytes]])
            | "Confront" >> beam.GroupByKey()
            | "Compare" >> beam.FlatMap(_compare, self.threshold).with_output_types(tuple[str, str, float])
        )
        return (
            (same, alike)
            | "Edges" >> beam.Flatten()
            | "Cluster" >> beam.CombineGlobally(_ClusterFn())
            | "Clusters" >> beam.FlatMap(lambda clusters: clusters).with_output_types(DuplicateCluster)
        )


def _sign(page: Any) -> Iterator[tuple[Content, tuple[str, bytes]]]:
    """The content of a page, with its key and hashed shingles; pages without text are not alike."""
    if isinstance(page, tuple) and len(page) == 2:
        key, content = page
    else:
        key, content = page.url, page
    stored = hash_shingles(text_of(content)).tobytes()
    if stored:
        yield hashlib.blake2b(stored, digest_size=16).digest(), (str(key), stored)


def _shingles(stored: bytes) -> Any:
    return np.frombuffer(stored, dtype=np.uint32)


def _key_by_band(signed: tuple[Content, tuple[str, bytes]], count: int, rows: int) -> Iterator[tuple[bytes, tuple[bytes, Content]]]:
    """The content by each of its bands, with the next band to order it by."""
    content, (_, stored) = signed
    keys = bands(minhash(_shingles(stored)), count, rows)
    for number, band in enumerate(keys):
        yield band, (keys[(number + 1) % count], content)


def _pairs(bucket: tuple[bytes, Iterable[tuple[bytes, Content]]]) -> Iterator[Pair]:
    contents = [content for _, content in sorted(set(bucket[1]))]
    reach = len(contents) if len(contents) <= _FULL_BUCKET else _NEIGHBOURS
    compared = 0
    for index, one in enumerate(contents):
        others = contents[index + 1 : index + 1 + reach]
        if index > reach:
            others.append(contents[0])
        compared += len(others)
        for other in others:
            yield (one, other) if one < other else (other, one)
    if left := len(contents) * (len(contents) - 1) // 2 - compared:
        metrics.count(NOT_COMPARED, left)


def _key_by_content(pair: Pair) -> Iterator[tuple[Content, Pair]]:
    for content in pair:
        yield content, pair


def _same_content(joined: tuple[Content, dict[str, Any]]) -> Iterator[tuple[str, str, float]]:
    first, *others = sorted({key for key, _ in joined[1]["pages"]})
    for other in others:
        yield first, other, 1.0


def _send_to_pairs(joined: tuple[Content, dict[str, Any]]) -> Iterator[tuple[Pair, tuple[str, bytes]]]:
    first = min(joined[1]["pages"])
    for pair in joined[1]["pairs"]:
        yield pair, first


def _compare(confronted: tuple[Pair, Iterable[tuple[str, bytes]]], threshold: float) -> Iterator[tuple[str, str, float]]:
    (one, ours), (other, theirs) = confronted[1]
    similarity = hashed_similarity(_shingles(ours), _shingles(theirs))
    if similarity >= threshold and one != other:  # a page that was fetched twice is no duplicate of itself
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
