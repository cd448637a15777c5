"""Does every way of running give the same documents? Compares runs by a digest of all they wrote.

python benchmarks/digest.py --input 'DATA/*.warc.gz'

Writes the pages of the WARC files to a Parquet table, then runs the pipelines over the files and over the table, for every
size of bundle and number of worker processes, and prints the digest of each run's documents: of the multiset of all
their fields, but for where a document was read. Then overwrites members of the files with random bytes and runs over
these: exactly the records in them must be lost, and each reported by file and offset. Ends with status 1 where a run
gives anything else.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ("content_type", "charset", "fetch_date", "record_id", "digest")
PLACE = ("source_file", "offset")
GROUP_BYTES = 8 << 20

Place = tuple[str, int]
"""A file's name and the offset of a record in it."""


class Outcome(NamedTuple):
    """What a run wrote."""

    documents: Counter[str]
    """Digests of documents, but for where they were read."""
    places: dict[Place, str]
    """The same by where they were read."""
    failures: Counter[Place]
    unaccounted: int

    def digest(self) -> str:
        """One digest of all documents, in whatever order they were written."""
        return hashlib.sha256("".join(sorted(self.documents.elements())).encode()).hexdigest()[:16]


def run(directory: Path, pipeline: str, given: str, flags: Sequence[str]) -> Outcome:
    """Runs a pipeline into a new directory and reads what it wrote."""
    directory.mkdir()
    command = [sys.executable, str(ROOT / "pipelines" / f"{pipeline}.py"), "--format=parquet", "--input", given]
    command += ["--output", str(directory / "docs"), "--metrics_file", str(directory / "numbers.json"), *flags]
    paths = [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}\n{done.stderr}")
    documents: Counter[str] = Counter()
    places: dict[Place, str] = {}
    for path in directory.glob("docs-0*.parquet"):
        for batch in pq.ParquetFile(path).iter_batches(64):
            for row in batch.to_pylist():
                place = Path(row.pop("source_file")).name, row.pop("offset")
                documents[text := hashlib.sha256(repr(sorted(row.items())).encode()).hexdigest()] += 1
                places[place] = text
    failures: Counter[Place] = Counter()
    for path in directory.glob("docs-failures-*.jsonl"):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            failures[Path(row["source_file"]).name, row["offset"]] += 1
    return Outcome(documents, places, failures, json.loads((directory / "numbers.json").read_text())["unaccounted"])


def write_table(given: str, path: Path) -> None:
    """Writes the pages of WARC files to a Parquet table."""
    from mainextract_beam.beam.options import parse
    from mainextract_beam.beam.sources import WARC

    names = ("url", "content", *COLUMNS)
    schema = pa.schema([(name, pa.binary() if name == "content" else pa.string()) for name in names])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        rows: list[dict[str, object]] = []
        for page in WARC.first(parse("", "", ["xml"], ["--input", given, "--preview", "1"])):
            rows.append({name: getattr(page, name) for name in names})
            if sum(len(row["content"]) for row in rows) >= GROUP_BYTES:  # type: ignore[arg-type]
                writer.write_table(pa.Table.from_pylist(rows, schema))
                rows = []
        writer.write_table(pa.Table.from_pylist(rows, schema))


def records(path: Path) -> Iterator[tuple[int, bool]]:
    """Where the records of a WARC file begin, and whether each is a response, by another library than the pipelines'."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with path.open("rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            yield record.stream_pos, record.record_type == WarcRecordType.response


def overwrite(paths: Sequence[Path], directory: Path, count: int, seed: int = 0) -> set[Place]:
    """Copies compressed WARC files, with as many members that hold a response, no two of them neighbours, made random bytes."""
    rng = random.Random(seed)
    members: dict[Place, tuple[int, int]] = {}
    for path in paths:
        found = list(records(path))
        ends = [start for start, _ in found[1:]] + [path.stat().st_size]
        responses = [(index, start, end) for index, ((start, page), end) in enumerate(zip(found, ends, strict=True)) if page]
        members |= {(path.name, start): (index, end) for index, start, end in responses}
    chosen: set[Place] = set()
    taken: set[tuple[str, int]] = set()
    for name, start in rng.sample(sorted(members), len(members)):
        index, _ = members[name, start]
        if len(chosen) < count and taken.isdisjoint({(name, index - 1), (name, index + 1)}):
            chosen.add((name, start))
            taken.add((name, index))
    if len(chosen) < count:
        sys.exit(f"the files do not hold {count} responses that are no neighbours")
    for path in paths:
        data = bytearray(path.read_bytes())
        for name, start in chosen:
            if name == path.name:
                end = members[name, start][1]
                data[start:end] = rng.randbytes(end - start)
        (directory / path.name).write_bytes(data)
    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="WARC files, a member per record: a path or a pattern")
    parser.add_argument("--bundle_bytes", type=int, nargs="+", default=[1 << 16, 1 << 20, 1 << 24], metavar="N")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3], metavar="N")
    parser.add_argument("--overwrite", type=int, default=40, metavar="N", help="members to overwrite (default: 40)")
    parser.add_argument("--method", default="regions")
    options = parser.parse_args(arguments)
    good = True

    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        table = directory / "pages.parquet"
        write_table(options.input, table)
        columns = ["--html_column=content", "--url_column=url", *(f"--{name}_column={name}" for name in COLUMNS)]
        ways = {
            "WARC": ("warc_to_parquet", options.input, ["--whole_files"]),
            "Parquet": ("parquet_to_xml", str(table), [*columns, f"--bundle_bytes={1 << 40}"]),
        }
        reference: Outcome | None = None
        runs = 0
        for kind, (pipeline, given, whole) in ways.items():
            for size in [*options.bundle_bytes, None]:
                for workers in options.workers:
                    bundle = whole if size is None else [*(columns if kind == "Parquet" else ()), f"--bundle_bytes={size}"]
                    flags = [*bundle, f"--workers={workers}", f"--method={options.method}"]
                    found = run(directory / f"run-{runs}", pipeline, given, flags)
                    runs += 1
                    reference = reference or found
                    same = found.documents == reference.documents and found.unaccounted == 0
                    good &= same
                    print(
                        f"{kind:<8}{'whole files' if size is None else f'{size:,} B':>14}, {workers} workers: "
                        f"{found.documents.total():,} documents {found.digest()}{'' if same else ' DIFFERENT'}",
                        flush=True,
                    )
        assert reference is not None
        undamaged = run(directory / "undamaged", "warc_to_parquet", options.input, [f"--method={options.method}"])
        damaged = directory / "damaged"
        damaged.mkdir()
        sources = [Path(path) for path in sorted(glob.glob(options.input))]  # noqa: PTH207 - Path.glob takes no absolute pattern
        hit = overwrite(sources, damaged, options.overwrite)
        expected = {place: text for place, text in undamaged.places.items() if place not in hit}
        lost = len(undamaged.places) - len(expected)
        for size, workers in ((min(options.bundle_bytes), max(options.workers)), (1 << 40, 1)):
            flags = [f"--bundle_bytes={size}", f"--workers={workers}", f"--method={options.method}"]
            found = run(directory / f"damaged-{workers}", "warc_to_parquet", f"{damaged}/*", flags)
            reported = set(found.failures - undamaged.failures)
            same = found.places == expected and reported == hit and found.unaccounted == 0
            good &= same
            print(
                f"{len(hit)} members overwritten, {size:,} B, {workers} workers: {len(found.places):,} documents, {lost} lost, "
                f"{len(reported & hit)} of {len(hit)} reported{'' if same else ' DIFFERENT'}",
                flush=True,
            )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
