"""Evaluating the block model: a table of oblivious decision trees and the evidence of names, numpy alone.

An oblivious tree asks the same question of every row at each of its levels, so that a tree of depth six is six
comparisons, a number between 0 and 63 and a look-up: all trees for all blocks are a handful of array operations.
"""

from __future__ import annotations

import functools
import io
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mainextract_beam.clean.blocks import Floats
from mainextract_beam.clean.name_tokens import START, tokens_of
from mainextract_beam.walks import load_compiled

compiled: Final = load_compiled("clean._model")

FILE: Final = "blocks.npz"
_ROWS_AT_ONCE: Final = 2_000
_BITS: Final = 8  # of the number of a leaf, where it is kept in a byte


@dataclass(frozen=True)
class Forest:
    """Oblivious trees of one depth.

    Attributes:
        feature: column each question looks at, trees x depth.
        border: the question is whether the value is above it, trees x depth.
        leaf: value of each leaf, trees x 2**depth; the answer to question k is bit k of the leaf's number.
        bias: added to the sum of the leaves.
    """

    feature: NDArray[np.int16]
    border: Floats
    leaf: Floats
    bias: float

    def scores(self, matrix: Floats) -> Floats:
        """The sum of the leaves for each row (log-odds).

        Sums of so few half-precision numbers are exact in any order.
        """
        out = np.empty(len(matrix), dtype=np.float64)
        if compiled is not None and self.feature.shape[1] <= _BITS:
            features, borders, questions = self._questions
            compiled.scores(np.ascontiguousarray(matrix.T), features, borders, questions, self.leaf.ravel(), out)
        else:
            for begin in range(0, len(matrix), _ROWS_AT_ONCE):
                out[begin : begin + _ROWS_AT_ONCE] = self._scores(matrix[begin : begin + _ROWS_AT_ONCE])
        return out.astype(np.float32) + np.float32(self.bias)

    @functools.cached_property
    def _questions(self) -> tuple[NDArray[np.int16], Floats, NDArray[np.int32]]:
        """The questions that differ, column and border of each, and which of them each level of each tree asks."""
        stated = np.stack([self.feature.ravel().astype(np.float64), self.border.ravel()])
        asked, which = np.unique(stated, axis=1, return_inverse=True)
        numbers = which.reshape(self.feature.shape).astype(np.int32)
        return asked[0].astype(np.int16), asked[1].astype(np.float32), numbers

    def _scores(self, matrix: Floats) -> NDArray[np.float64]:
        trees, depth = self.feature.shape
        features, borders, questions = self._questions
        by_column = np.ascontiguousarray(matrix.T)
        answers = (by_column.take(features, axis=0) > borders[:, None]).view(np.uint8)
        number: NDArray[np.integer] = answers.take(questions[:, depth - 1], axis=0).astype(np.uint8 if depth <= _BITS else np.intp)
        for k in range(depth - 2, -1, -1):
            number = number << 1 | answers.take(questions[:, k], axis=0)
        leaves = number + (np.arange(trees, dtype=np.intp) << depth)[:, None]
        total: NDArray[np.float64] = self.leaf.ravel().take(leaves).sum(axis=0, dtype=np.float64)
        return total


@dataclass(frozen=True)
class BlockModel:
    """What the package ships: forests by name, the columns they were trained on, the evidence of name tokens."""

    forests: Mapping[str, Forest]
    columns: Mapping[str, tuple[str, ...]]
    tokens: Mapping[str, float]

    def evidence(self, elements: list[str]) -> Floats:
        """Lowest (at most 0), highest (at least 0) and summed evidence of the tokens in class names and ids.

        Evidence is the log-odds that text under an element of such a name is content, learned over sites.

        Args:
            elements: the class names, id and role of each element.

        Returns:
            A row of the three per element.
        """
        if compiled is None or self._words is None:
            places: dict[str, int] = {}
            named = [places.setdefault(element, len(places)) for element in elements]
            return self._evidence(list(places))[named]
        out = np.empty((len(elements), 3), dtype=np.float32)
        self._words.evidence(elements, out)
        return out

    def _evidence(self, elements: list[str]) -> Floats:
        named = tokens_of(elements)
        # START is a token, and a name, of no evidence before those of each name and of each element: no span is empty.
        place = dict(zip([START, *named.names], itertools.count()))
        tokens = [START, *named.tokens]
        stated = "".join([f" {START} {element}" for element in elements]).split()
        members = np.fromiter(map(place.__getitem__, stated), dtype=np.intp, count=len(stated))
        spans = np.flatnonzero(members == 0)
        values = np.fromiter(map(self._values.get, tokens, itertools.repeat(0.0)), dtype=np.float64, count=len(tokens))
        starts = np.flatnonzero(np.isnan(values))
        values[starts] = 0
        out = np.empty((len(spans), 3), dtype=np.float32)
        # Sums of so few half-precision numbers are exact in any order.
        for column, over in enumerate((np.minimum, np.maximum, np.add)):
            out[:, column] = over.reduceat(over.reduceat(values, starts)[members], spans)
        return out

    @functools.cached_property
    def _words(self) -> Any:
        """The evidence of each token, for the look-up in C; None where that is not there."""
        names = load_compiled("clean._name_tokens")
        return None if names is None else names.Words(self.tokens)

    @functools.cached_property
    def _values(self) -> dict[str, float]:
        """The evidence of each token, and a sign for START."""
        return {**self.tokens, START: np.nan}


def probability(scores: Floats) -> Floats:
    """Log-odds as probabilities."""
    return (1 / (1 + np.exp(-scores))).astype(np.float32)


def load_model(data: bytes) -> BlockModel:
    """Read a model file.

    Raises:
        ValueError: the file is no model.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as held:
        if "tokens" not in held:
            raise ValueError(f"not a block model: holds {', '.join(held.files) or 'nothing'}; wanted tokens, forests")
        names = str(held["tokens"]).split(" ")
        tokens = dict(zip(names, held["evidence"].astype(float).tolist(), strict=True))
        forests = {}
        columns = {}
        for name in str(held["forests"]).split(" "):
            forests[name] = Forest(
                held[f"{name}.feature"],
                held[f"{name}.border"],
                held[f"{name}.leaf"].astype(np.float32),
                float(held[f"{name}.bias"]),
            )
            columns[name] = tuple(str(held[f"{name}.columns"]).split(" "))
    return BlockModel(forests, columns, tokens)


def save_model(model: BlockModel) -> bytes:
    """Write a model file; the same model gives the same bytes."""
    arrays: dict[str, NDArray[np.generic]] = {
        "tokens": np.array(" ".join(model.tokens)),
        "evidence": np.array(list(model.tokens.values()), dtype=np.float16),
        "forests": np.array(" ".join(model.forests)),
    }
    for name, forest in model.forests.items():
        arrays[f"{name}.feature"] = forest.feature
        arrays[f"{name}.border"] = forest.border
        arrays[f"{name}.leaf"] = forest.leaf.astype(np.float16)
        arrays[f"{name}.bias"] = np.array(forest.bias)
        arrays[f"{name}.columns"] = np.array(" ".join(model.columns[name]))
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


@functools.cache
def block_model() -> BlockModel:
    """The model shipped with the package."""
    return load_model(resources.files("mainextract_beam.clean").joinpath(FILE).read_bytes())
