"""Train the block model that `clean` ships, from pages with ground truth; or say how good it is on pages left out.

    python benchmarks/train_blocks.py DATA --out mainextract_beam/clean/blocks.npz
    python benchmarks/train_blocks.py DATA --cross-validate
    python benchmarks/train_blocks.py DATA --folds FOLDER

DATA is a folder holding *.warc.gz and ground-truth.jsonl.gz (wcxb-dev; nothing else is trained on). Needs catboost,
which nothing at run time does. The same data give the same file. Sites stay together in the folds, and what names of
elements mean is always counted on other sites than those it is used on (cross-fitting). --folds writes one model per
fold, trained on the sites outside of it, for benchmarks/quality.py --folds, which runs the whole chain with them.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blocks_truth import label_blocks, words_of
from data import Page, Truth, read_pages, read_truth

from mainextract_beam.clean.blocks import Cut, Floats, cut
from mainextract_beam.clean.choose import even_out, judge, keep_best
from mainextract_beam.clean.features import Described, count_text, describe
from mainextract_beam.clean.hints import json_ld, page_hints
from mainextract_beam.clean.model import BlockModel, Forest, save_model
from mainextract_beam.clean.name_tokens import name_tokens
from mainextract_beam.clean.noscript import stated_in_noscript
from mainextract_beam.clean.rules import judge_by_rules
from mainextract_beam.parse import parse_html

PARTS = 10  # of the sites, for cross-fitting; a fold is every FOLDS-th of them
FOLDS = 5
ROWS_PER_PAGE = 220
SEEDS = (1, 2, 3)
SITES_LEAST = 3  # a token counts where it was seen on so many sites
SAMPLING = {"loss_function": "CrossEntropy", "bootstrap_type": "Bernoulli", "subsample": 0.6, "border_count": 32}
TREES = {"iterations": 200, "depth": 6, "learning_rate": 0.12, "l2_leaf_reg": 20, "rsm": 0.3}

Table = dict[str, float]
Shares = dict[str, tuple[float, float, int]]  # token -> (sum over sites of its content share, of the rest, sites)


@dataclass
class Sample:
    """A page cut into blocks, with how much of each is content."""

    id: str
    kind: str
    site: str
    title: str
    hints: Floats
    cut: Cut = field(repr=False)
    label: Floats = field(repr=False)
    words: Floats = field(repr=False)
    truth: str = field(repr=False)

    @property
    def part(self) -> int:
        """The part of the sites it belongs to."""
        return part_of(self.site)


def part_of(site: str) -> int:
    """The part a site belongs to."""
    return zlib.crc32(site.encode()) % PARTS


def fold_of(url: str) -> int:
    """The fold whose model was trained without the site of a page."""
    return part_of(site_of(url)) % FOLDS


def fold_file(folder: Path, fold: int) -> Path:
    """Where the model of a fold is kept."""
    return folder / f"fold-{fold}.npz"


def site_of(url: str) -> str:
    """The registrable domain, near enough to keep a site's pages together."""
    host = urlsplit(url).hostname or url
    labels = host.split(".")
    second = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3:] if second else labels[-2:])


def make_sample(page: Page, truth: Truth) -> Sample | None:
    """Cut one page and label its blocks; None where it has no text."""
    charset = (page.content_type or "").lower().partition("charset=")[2].split(";")[0].strip(" \"'") or None
    root = parse_html(page.body, url=page.url, encoding=charset, content_type=page.content_type).getroot()
    for element in stated_in_noscript(root):
        element.tag = "div"
    body = root.find("body")
    held = cut(body if body is not None else root)
    if not held.texts:
        return None
    label, words = label_blocks(held.texts, truth.text)
    title = root.find("head/title")
    text = " ".join((title.text or "").split()) if title is not None else ""
    hints = page_hints(root.find("head"), json_ld(root), page.url)
    held.elements, held.flat = [None] * len(held.elements), []
    return Sample(page.id, truth.kind, site_of(page.url), text, hints, held, label, words, truth.text)


def read_samples(folder: Path) -> list[Sample]:
    """All pages of a folder that have a ground truth and text."""
    truths = read_truth(folder)
    made = (make_sample(page, truths[page.id]) for page in read_pages(folder) if page.id in truths)
    return [sample for sample in made if sample is not None]


# ------------------------------------------------------------------------------------------------- what the names mean


def _token_spans(held: Cut) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, names in enumerate(held.names):
        if names and held.end[i] > held.start[i]:
            for token in set(name_tokens(names)):
                spans[token].append((int(held.start[i]), int(held.end[i])))
    return spans


def token_shares(samples: Iterable[Sample]) -> dict[int, Shares]:
    """Per part of the sites: how much of the text under each token is content, each site counting once."""
    by_site: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    parts: dict[str, int] = {}
    for sample in samples:
        total = float(sample.words.sum())
        if not total:
            continue
        parts[sample.site] = sample.part
        content = np.concatenate([[0], np.cumsum(sample.label * sample.words)])
        every = np.concatenate([[0], np.cumsum(sample.words)])
        for token, spans in _token_spans(sample.cut).items():
            last = -1
            entry = by_site[sample.site][token]
            for begin, end in sorted(spans):
                begin = max(begin, last)
                if end > begin:
                    entry[0] += (content[end] - content[begin]) / total
                    entry[1] += (every[end] - every[begin]) / total
                    last = end
    out: dict[int, Shares] = {part: {} for part in range(PARTS)}
    for site, tokens in by_site.items():
        shares = out[parts[site]]
        for token, (content_share, share) in tokens.items():
            if share > 0:
                good, bad, sites = shares.get(token, (0.0, 0.0, 0))
                ratio = content_share / share
                shares[token] = (good + ratio, bad + 1 - ratio, sites + 1)
    return out


def token_table(shares: dict[int, Shares], parts: Iterable[int]) -> Table:
    """Log-odds of content per token, over the sites of the parts given."""
    totals: dict[str, tuple[float, float, int]] = {}
    for part in parts:
        for token, (good, bad, sites) in shares[part].items():
            held = totals.get(token, (0.0, 0.0, 0))
            totals[token] = (held[0] + good, held[1] + bad, held[2] + sites)
    return {
        token: round(math.log((good + 0.5) / (bad + 0.5)), 3)
        for token, (good, bad, sites) in sorted(totals.items())
        if sites >= SITES_LEAST
    }


# ------------------------------------------------------------------------------------------------------------ training


def matrices(samples: Sequence[Sample]) -> tuple[list[Floats], tuple[str, ...]]:
    """The features of every page, the evidence of names taken from the other parts of the sites."""
    shares = token_shares(samples)
    tables = [token_table(shares, [p for p in range(PARTS) if p != part]) for part in range(PARTS)]
    models = [BlockModel({}, {}, table) for table in tables]
    out = []
    names: list[str] = []
    for sample in samples:
        described = describe(sample.cut, models[sample.part].evidence, sample.title, sample.hints)
        names = described.names
        out.append(described.matrix)
    return out, tuple(names)


def block_weights(sample: Sample) -> Floats:
    """What a block's words weigh in its page's F1: as a share of the truth, which is not let get too small."""
    content = float((sample.label * sample.words).sum())
    return (sample.words + np.float32(0.3)) / np.float32(max(content, 0.15 * float(sample.words.sum()), 20))


def fit(samples: Sequence[Sample], features: Sequence[Floats]) -> Forest:
    """The mean of forests that differ by chance alone: together they err less on sites never seen than any of them."""
    forests = [fit_once(samples, features, seed) for seed in SEEDS]
    return Forest(
        np.concatenate([forest.feature for forest in forests]),
        np.concatenate([forest.border for forest in forests]),
        np.concatenate([forest.leaf for forest in forests]) / np.float32(len(forests)),
        sum(forest.bias for forest in forests) / len(forests),
    )


def fit_once(samples: Sequence[Sample], features: Sequence[Floats], seed: int) -> Forest:
    """Train the trees: soft labels, cross-entropy, each page's blocks weighted by their words."""
    from catboost import CatBoost, Pool

    rng = np.random.default_rng(seed)
    rows, labels, weights = [], [], []
    for sample, matrix in zip(samples, features, strict=True):
        n = len(matrix)
        weight = block_weights(sample)
        chosen = np.arange(n)
        if n > ROWS_PER_PAGE:
            chosen = np.sort(rng.choice(n, ROWS_PER_PAGE, replace=False))
            weight = weight * np.float32(n / ROWS_PER_PAGE)
        rows.append(matrix[chosen])
        labels.append(sample.label[chosen])
        weights.append(weight[chosen])
    options = {**SAMPLING, **TREES, "random_seed": seed, "thread_count": 2}
    machine = CatBoost({**options, "verbose": 0, "allow_writing_files": False})
    machine.fit(Pool(np.concatenate(rows), np.concatenate(labels), weight=np.concatenate(weights)))
    return as_forest(machine, int(TREES["depth"]))


def as_forest(machine: Any, depth: int) -> Forest:
    """CatBoost's trees as the arrays of `Forest`; a tree of lesser depth asks questions that are always answered no."""
    import json
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        machine.save_model(str(path), format="json")
        held = json.loads(path.read_text())
    trees = held["oblivious_trees"]
    feature = np.zeros((len(trees), depth), dtype=np.int16)
    border = np.full((len(trees), depth), np.inf, dtype=np.float32)
    leaf = np.zeros((len(trees), 1 << depth), dtype=np.float32)
    for i, tree in enumerate(trees):
        for k, split in enumerate(tree["splits"]):
            feature[i, k] = split["float_feature_index"]
            border[i, k] = split["border"]
        leaf[i, : len(tree["leaf_values"])] = tree["leaf_values"]
    scale, bias = held["scale_and_bias"]
    return Forest(feature, border, leaf * np.float32(scale), float(bias[0] if isinstance(bias, list) else bias))


def train(samples: Sequence[Sample], features: Sequence[Floats], columns: tuple[str, ...]) -> BlockModel:
    """The model of all samples."""
    table = token_table(token_shares(samples), range(PARTS))
    return BlockModel({"blocks": fit(samples, features)}, {"blocks": columns}, table)


def train_folds(samples: Sequence[Sample], features: Sequence[Floats], columns: tuple[str, ...], folder: Path) -> None:
    """Write one model per fold, which knows the other folds' sites alone, their names included."""
    folder.mkdir(parents=True, exist_ok=True)
    shares = token_shares(samples)
    for fold in range(FOLDS):
        learn = [i for i, sample in enumerate(samples) if sample.part % FOLDS != fold]
        table = token_table(shares, [part for part in range(PARTS) if part % FOLDS != fold])
        forest = fit([samples[i] for i in learn], [features[i] for i in learn])
        fold_file(folder, fold).write_bytes(save_model(BlockModel({"blocks": forest}, {"blocks": columns}, table)))
        print(f"fold {fold}: trained on {len(learn)} pages", file=sys.stderr)


# ---------------------------------------------------------------------------------------------------- cross-validation


def word_f1(sample: Sample, keep: NDArray[np.bool_]) -> float:
    """Word F1 of the blocks kept."""
    found: Counter[str] = Counter()
    for block in np.flatnonzero(keep):
        found.update(words_of(sample.cut.texts[block]))
    wanted = Counter(words_of(sample.truth))
    common = sum((found & wanted).values())
    return 2 * common / (sum(found.values()) + sum(wanted.values())) if common else 0.0


def out_of_fold(
    samples: Sequence[Sample], features: Sequence[Floats], columns: tuple[str, ...]
) -> tuple[list[Floats], list[Floats]]:
    """How likely each block of each page is content, by trees that saw no page of its site: with the rules' say, and
    by the rules alone."""
    judged: list[Floats] = [np.zeros(0, dtype=np.float32)] * len(samples)
    by_rules = judged.copy()
    for fold in range(FOLDS):
        learn = [i for i, sample in enumerate(samples) if sample.part % FOLDS != fold]
        model = BlockModel({"blocks": fit([samples[i] for i in learn], [features[i] for i in learn])}, {"blocks": columns}, {})
        for i, sample in enumerate(samples):
            if sample.part % FOLDS == fold:
                described = Described(features[i], list(columns), count_text(sample.cut.texts))
                judged[i] = even_out(sample.cut, judge(described, model))
                by_rules[i] = judge_by_rules(described)
        print(f"fold {fold}: trained on {len(learn)} pages", file=sys.stderr)
    return judged, by_rules


def report(samples: Sequence[Sample], probabilities: Sequence[Floats], empty: Sequence[str]) -> str:
    """Mean word F1 of the kept blocks, overall and per page type; pages without text (their types given) score 0."""
    groups: dict[str, list[float]] = defaultdict(list)
    for kind in empty:
        groups["all"].append(0.0)
        groups[kind].append(0.0)
    for sample, p in zip(samples, probabilities, strict=True):
        keep, _ = keep_best(p, sample.words, sample.hints)
        f1 = word_f1(sample, keep)
        groups["all"].append(f1)
        groups[sample.kind].append(f1)
    return "\n".join(
        f"{kind:<16}{len(values):>6}{sum(values) / len(values):>9.4f}"
        for kind, values in sorted(groups.items(), key=lambda item: -len(item[1]))
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder holding *.warc.gz and ground-truth.jsonl.gz")
    parser.add_argument("--out", type=Path, help="the model file to write")
    parser.add_argument("--cross-validate", action="store_true", help="report word F1 on folds left out")
    parser.add_argument("--folds", type=Path, metavar="FOLDER", help="write the model of each fold, for quality.py --folds")
    given = parser.parse_args(arguments)
    if given.out is None and given.folds is None and not given.cross_validate:
        parser.error("nothing to do: give --out FILE, --cross-validate or --folds FOLDER")
    start = time.process_time()
    samples = read_samples(given.data)
    features, columns = matrices(samples)
    print(f"{len(samples)} pages, {sum(map(len, features))} blocks, {len(columns)} features", file=sys.stderr)
    if given.cross_validate:
        held = {sample.id for sample in samples}
        empty = [truth.kind for truth in read_truth(given.data).values() if truth.id not in held]
        judged, by_rules = out_of_fold(samples, features, columns)
        print("model\n" + report(samples, judged, empty))
        print("\nrules alone\n" + report(samples, by_rules, empty))
    if given.folds is not None:
        train_folds(samples, features, columns, given.folds)
    if given.out is not None:
        given.out.write_bytes(save_model(train(samples, features, columns)))
        print(f"wrote {given.out}: {given.out.stat().st_size} bytes", file=sys.stderr)
    print(f"{time.process_time() - start:.0f} s of CPU", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
