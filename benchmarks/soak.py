"""Does memory stay flat? Runs a pipeline over generated pages with ever new element and attribute names.

python benchmarks/soak.py --pages 200000

libxml2 keeps every name it has seen for as long as the thread that saw it lives. Prints, now and then, the resident
memory of the process that reads and writes and of the helper process that extracts, and at the end the growth after
the first tenth of the pages.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apache_beam as beam

from mainextract_beam.beam.isolate import resident
from mainextract_beam.beam.options import parse
from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.run import Source, build

LOOKS = 40
# The file the looks are written to: the pipeline runs a copy of this module, whose variables are its own.
LOOKS_FILE = "SOAK_LOOKS_FILE"


def page(number: int) -> WebPage:
    """A page of 40 elements and 40 attributes that no page had before."""
    parts = "".join(
        f"<x-{number}-{part} data-{number}-{part}=v>text of part {part} of page {number}</x-{number}-{part}>" for part in range(40)
    )
    html = f"<html><head><title>Page {number}</title></head><body><main><p>{parts}</p></main></body></html>"
    return WebPage(f"https://example.com/{number}", html.encode())


def generated(pages: int) -> Iterator[WebPage]:
    """All pages, with a look at memory now and then."""
    for number in range(pages):
        yield page(number)
        if (number + 1) % max(pages // LOOKS, 1) == 0:
            look(number + 1)


def look(done: int) -> None:
    """Notes and prints the memory of this process and of its children."""
    own = resident(os.getpid())
    helpers = sum(map(resident, children(os.getpid())))
    with Path(os.environ[LOOKS_FILE]).open("a") as looks:
        looks.write(f"{done} {own} {helpers}\n")
    print(f"{done:9,} pages: {own / 1e6:7.1f} MB reading and writing, {helpers / 1e6:7.1f} MB extracting", flush=True)


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    tasks = Path(f"/proc/{pid}/task")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--in_thread", action="store_true", help="no limits on pages: a thread instead of a helper")
    parser.add_argument("--method", default="regions")
    arguments = parser.parse_args()

    def read(pipeline: beam.Pipeline, _: argparse.Namespace) -> tuple[beam.PCollection[WebPage], None]:
        count = pipeline | beam.Create([arguments.pages], reshuffle=False)
        return count | beam.FlatMap(generated).with_output_types(WebPage), None

    with tempfile.TemporaryDirectory() as directory:
        given = Path(directory, "pages")
        given.touch()
        os.environ[LOOKS_FILE] = f"{directory}/looks"
        flags = ["--input", str(given), "--output", f"{directory}/docs", "--method", arguments.method]
        flags += ["--timeout=0", "--max_memory=0"] if arguments.in_thread else []
        pipeline = beam.Pipeline("FnApiRunner")
        build(pipeline, Source(read, lambda _: iter(()), False), parse("soak", "", ["xml"], flags))
        pipeline.run().wait_until_finish()
        seen = [tuple(map(int, line.split())) for line in Path(os.environ[LOOKS_FILE]).read_text().splitlines()]
    first = next(look for look in seen if look[0] >= arguments.pages // 10)
    for name, column in (("reading and writing", 1), ("extracting", 2)):
        after = [look[column] for look in seen if look[0] >= first[0]]
        print(f"{name}: {(max(after) - first[column]) / 1e6:+.1f} MB at most after {first[0]:,} pages")


if __name__ == "__main__":
    main()
