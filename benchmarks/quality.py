"""How good: word F1 of a method (or of a peer) over a folder of pages with ground truth.

    python benchmarks/quality.py DATA --method clean
    python benchmarks/quality.py DATA --method peer:trafilatura
    python benchmarks/quality.py DATA --method clean --worst 20 --type forum
    python benchmarks/quality.py DATA --method clean --steps
    python benchmarks/quality.py DATA --metadata
    python benchmarks/quality.py DATA --method clean --baseline earlier.jsonl
    python benchmarks/quality.py DATA --method clean --folds FOLDER

DATA is a folder holding *.warc.gz and ground-truth.jsonl.gz. The measure is WCXB's: lower-cased ``\\w+`` tokens of
the document's text against those of the truth as multisets, F1 per page, then the mean; a page without a document
scores 0. Pages in scripts without spaces between words have a line of their own, of the F1 of their characters. With --folds
the whole chain judges each page by the model of a fold that saw no page of its site (benchmarks/train_blocks.py DATA --folds
FOLDER writes them): the figure for pages never seen. Peers are not dependencies of the project: they run when they are asked
for and installed.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from data import Page, Truth, character_f1, read_pages, read_truth, word_scores
from train_blocks import FOLDS, fold_file, fold_of

Extractor = Callable[[Page], "Found"]
JOBS_MAX = 2


class Found(NamedTuple):
    """What a method made of a page."""

    text: str | None
    rule: str
    why: str = ""


class Score(NamedTuple):
    """One page's figures."""

    id: str
    url: str
    kind: str
    rule: str
    f1: float
    precision: float
    recall: float
    present: float | None
    absent: float | None
    seconds: float
    why: str
    characters: float | None = None  # F1 of characters, of pages in scripts without spaces


# --------------------------------------------------------------------------------------------------- methods and peers


def _own(method: str, options: dict[str, Any]) -> Extractor:
    from mainextract_beam import extract_page

    def run(page: Page) -> Found:
        encoding, content_type = _charset(page.content_type), page.content_type
        document = extract_page(page.body, url=page.url, encoding=encoding, content_type=content_type, method=method, **options)
        if document is None:
            return Found(None, "none")
        return Found(document.text(), document.rule, _why(document))

    return run


def _by_folds(run: Extractor, folder: Path) -> Extractor:
    """The same, each page judged by the block model of its fold."""
    from mainextract_beam.clean import choose
    from mainextract_beam.clean.model import load_model

    models = [load_model(fold_file(folder, fold).read_bytes()) for fold in range(FOLDS)]

    def judged(page: Page) -> Found:
        model = models[fold_of(page.url)]
        choose.block_model = lambda: model  # type: ignore[assignment]
        return run(page)

    return judged


def _why(document: Any) -> str:
    """The removals that took most words, in one line, where the document kept a journal."""
    entries = [e for e in getattr(document, "journal", None) or () if e.action == "remove" and e.accepted]
    entries.sort(key=lambda e: -e.words)
    return "; ".join(f"{e.step}/{e.rule} -{e.words}w <{e.tag}> {e.sample[:50]!r}" for e in entries[:4])


def _charset(content_type: str | None) -> str | None:
    if content_type is None or "charset=" not in content_type.lower():
        return None
    return content_type.lower().partition("charset=")[2].split(";")[0].strip(" \"'") or None


def _trafilatura(page: Page) -> Found:
    import trafilatura

    return Found(trafilatura.extract(page.body, url=page.url), "trafilatura")


def _resiliparse(page: Page) -> Found:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    text = extract_plain_text(bytes_to_str(page.body, detect_encoding(page.body)), main_content=True)
    return Found(text, "resiliparse")


def _readability(page: Page) -> Found:
    import lxml.html
    import readability

    try:
        summary = readability.Document(page.body.decode("utf-8", "replace"), url=page.url).summary(html_partial=True)
        text = "\n".join(lxml.html.fromstring(summary).itertext())
    except Exception as error:  # a peer's failure is a page without a document, as for any method
        return Found(None, type(error).__name__)
    return Found(text, "readability")


PEERS: dict[str, Extractor] = {
    "trafilatura": _trafilatura,
    "resiliparse": _resiliparse,
    "readability": _readability,
}


def extractor(method: str, options: dict[str, Any]) -> Extractor:
    """The function behind a method's name; ``peer:NAME`` names a peer.

    Raises:
        ValueError: for an unknown peer. Unknown methods and options raise it on the first page.
    """
    if not method.startswith("peer:"):
        return _own(method, options)
    name = method.removeprefix("peer:")
    if name not in PEERS:
        raise ValueError(f"unknown peer {name!r}: one of {', '.join(PEERS)}")
    return PEERS[name]


# ------------------------------------------------------------------------------------------------------------- scoring


def _share(text: str, snippets: Sequence[str], wanted: bool) -> float | None:
    if not snippets:
        return None
    flat = " ".join(text.split()).lower()
    return sum((" ".join(s.split()).lower() in flat) == wanted for s in snippets) / len(snippets)


def score(page: Page, truth: Truth, run: Extractor) -> Score:
    """Extract one page and compare it with the truth."""
    start = time.process_time()
    found = run(page)
    seconds = time.process_time() - start
    f1, precision, recall = word_scores(found.text, truth.text)
    text = found.text or ""
    characters = character_f1(found.text, truth.text)
    present, absent = _share(text, truth.present, True), _share(text, truth.absent, False)
    return Score(page.id, page.url, truth.kind, found.rule, f1, precision, recall, present, absent, seconds, found.why, characters)


def _pages(folder: Path, truths: dict[str, Truth], part: tuple[int, int], kinds: set[str], every: int) -> Iterator[Page]:
    index, parts = part
    n = 0
    for page in read_pages(folder):
        truth = truths.get(page.id)
        if truth is None or (kinds and truth.kind not in kinds):
            continue
        if n % every == 0 and (n // every) % parts == index:
            yield page
        n += 1


def _part(
    part: tuple[int, int],
    *,
    folder: Path,
    method: str,
    options: dict[str, Any],
    kinds: set[str],
    every: int,
    folds: Path | None,
) -> list[Score]:
    truths = read_truth(folder)
    run = extractor(method, options)
    if folds is not None:
        run = _by_folds(run, folds)
    return [score(page, truths[page.id], run) for page in _pages(folder, truths, part, kinds, every)]


def evaluate(
    folder: Path,
    method: str,
    options: dict[str, Any],
    *,
    jobs: int = 1,
    kinds: Iterable[str] = (),
    every: int = 1,
    folds: Path | None = None,
) -> list[Score]:
    """Score a method on the pages of a folder.

    Args:
        folder: holds the WARC files and the ground truth.
        method: a method's name, or ``peer:NAME``.
        options: the method's options.
        jobs: processes, 1 or 2.
        kinds: page types to look at; empty for all.
        every: look at every n-th page only.
        folds: folder of the fold models to judge by, each page by one that saw no page of its site; None for the
            model of the package.
    """
    work = functools.partial(_part, folder=folder, method=method, options=options, kinds=set(kinds), every=every, folds=folds)
    if jobs == 1:
        return work((0, 1))
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return [row for rows in pool.map(work, [(i, jobs) for i in range(jobs)]) for row in rows]


# ----------------------------------------------------------------------------------------------------------- reporting


def _mean(values: Iterable[float | None]) -> float:
    held = [v for v in values if v is not None]
    return sum(held) / len(held) if held else float("nan")


def _row(name: str, rows: Sequence[Score]) -> str:
    good = _mean(float(r.f1 >= 0.8) for r in rows)
    return (
        f"{name:<24}{len(rows):>6}{_mean(r.f1 for r in rows):>8.4f}{_mean(r.precision for r in rows):>8.4f}"
        f"{_mean(r.recall for r in rows):>8.4f}{good:>8.1%}{_mean(r.present for r in rows):>8.3f}"
        f"{_mean(r.absent for r in rows):>8.3f}{1000 * _mean(r.seconds for r in rows):>9.2f}"
    )


def _groups(rows: Sequence[Score], key: Callable[[Score], str]) -> list[tuple[str, list[Score]]]:
    groups: dict[str, list[Score]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return sorted(groups.items(), key=lambda item: -len(item[1]))


def report(rows: Sequence[Score]) -> str:
    """The tables: overall, per page type, per rule."""
    head = f"{'':<24}{'pages':>6}{'F1':>8}{'prec.':>8}{'recall':>8}{'>=0.8':>8}{'with':>8}{'without':>8}{'ms/page':>9}"
    lines = [head, _row("all", rows)]
    lines += ["", "page type"] + [_row("  " + kind, group) for kind, group in _groups(rows, lambda r: r.kind)]
    lines += ["", "rule"] + [_row("  " + rule, group) for rule, group in _groups(rows, lambda r: r.rule)]
    if unspaced := [row.characters for row in rows if row.characters is not None]:
        good = _mean(float(f1 >= 0.8) for f1 in unspaced)
        lines += [
            "",
            f"pages in scripts without spaces: {len(unspaced)}, F1 of characters {_mean(unspaced):.4f}, >= 0.8: {good:.1%}",
        ]
    return "\n".join(lines)


def worst(rows: Sequence[Score], count: int) -> str:
    """The pages with the lowest F1, with the journal's largest removals where there is a journal."""
    lines = []
    for row in sorted(rows, key=lambda r: r.f1)[:count]:
        lines.append(
            f"{row.f1:.3f} p={row.precision:.2f} r={row.recall:.2f} {row.kind:<13} {row.rule:<12} {row.id} {row.url[:100]}"
        )
        if row.why:
            lines.append(f"      {row.why}")
    return "\n".join(lines)


def compare(rows: Sequence[Score], earlier: Sequence[Score], count: int = 10) -> str:
    """Gain over an earlier run, per page type, and the pages that lost and gained most."""
    before = {row.id: row for row in earlier}
    pairs = [(row, row.f1 - before[row.id].f1) for row in rows if row.id in before]
    lines = [f"{'all':<16}{_mean(gain for _, gain in pairs):+.4f}"]
    for kind in sorted({row.kind for row, _ in pairs}):
        lines.append(f"{kind:<16}{_mean(gain for row, gain in pairs if row.kind == kind):+.4f}")
    pairs.sort(key=lambda pair: pair[1])
    for row, gain in pairs[:count] + pairs[-count:]:
        lines.append(f"{gain:+.3f} -> {row.f1:.3f} {row.kind:<13} {row.id} {row.url[:90]}")
    return "\n".join(lines)


def steps(folder: Path, options: dict[str, Any], full: Sequence[Score], **how: Any) -> str:
    """What each step of the cleaning chain gains (+) or loses (-) in F1, per page type: the run without it."""
    from mainextract_beam.clean.order import STEPS

    kinds = sorted({row.kind for row in full})
    lines = [f"{'F1 with - without':<20}{'all':>9}" + "".join(f"{kind[:13]:>14}" for kind in kinds)]
    for step in STEPS:
        name = step if isinstance(step, str) else getattr(step, "name", None) or step[0]
        without = {row.id: row.f1 for row in evaluate(folder, "clean", {**options, "skip": [name]}, **how)}
        cells = [_mean(row.f1 - without[row.id] for row in full)]
        cells += [_mean(row.f1 - without[row.id] for row in full if row.kind == kind) for kind in kinds]
        lines.append(f"{name:<20}{cells[0]:>+9.4f}" + "".join(f"{cell:>+14.4f}" for cell in cells[1:]))
    return "\n".join(lines)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder holding *.warc.gz and ground-truth.jsonl.gz")
    parser.add_argument("--method", default="regions", help="a method, or peer:" + "|".join(PEERS))
    parser.add_argument("--option", action="append", default=[], metavar="NAME=JSON", help="an option of the method")
    parser.add_argument("--skip", action="append", default=[], help="a step of clean to leave out")
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, JOBS_MAX + 1))
    parser.add_argument("--type", action="append", default=[], help="only pages of this type")
    parser.add_argument("--every", type=int, default=1, help="only every n-th page")
    parser.add_argument("--folds", type=Path, metavar="FOLDER", help="judge by the fold models that train_blocks.py wrote there")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N pages with the lowest F1")
    parser.add_argument("--steps", action="store_true", help="what each step of clean gains and loses")
    parser.add_argument("--out", type=Path, help="write the pages' figures as JSON Lines")
    parser.add_argument("--baseline", type=Path, help="figures of an earlier run (--out) to compare with")
    parser.add_argument(
        "--metadata", action="store_true", help="title, author and date instead, beside Trafilatura's (metadata.py)"
    )
    given = parser.parse_args(arguments)
    if given.metadata:
        from metadata import report as report_metadata

        report_metadata(given.data)
        return 0
    options = {name: _value(text) for name, _, text in (option.partition("=") for option in given.option)}
    if given.skip:
        options["skip"] = given.skip
    if given.worst and given.method == "clean":
        options.setdefault("journal", True)
    how = {"jobs": given.jobs, "kinds": given.type, "every": given.every, "folds": given.folds}
    rows = evaluate(given.data, given.method, options, **how)
    if not rows:
        parser.error(f"no page with a ground truth in {given.data}")
    print(report(rows))
    if given.worst:
        print("\nworst pages\n" + worst(rows, given.worst))
    if given.out:
        given.out.write_text("".join(json.dumps(row._asdict()) + "\n" for row in rows))
    if given.baseline:
        earlier = [Score(**json.loads(line)) for line in given.baseline.read_text().splitlines()]
        print("\nagainst " + str(given.baseline) + "\n" + compare(rows, earlier))
    if given.steps:
        print("\nsteps\n" + steps(given.data, options, rows, **how))
    return 0


if __name__ == "__main__":
    sys.exit(main())
