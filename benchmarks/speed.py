"""How fast and how small: CPU milliseconds and peak memory of each method beside its peers, on the same pages in one run.

    python benchmarks/speed.py DATA [--pages 300] [--repeat 3] [--only regions,resiliparse]

DATA is a folder holding *.warc.gz. Contenders take turns page by page, in changing order, so whatever else the machine does
hits all alike; the least of the repeats counts, and the figures to read are the ratios. The methods of this package: bytes to XML;
resiliparse is ``extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True)``, trafilatura is
``extract(body)``, readability is ``Document(text).summary()``. Peak memory is measured in a process of its own per contender.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from data import Page, read_pages

Run = Callable[[Page], object]


def _own(method: str) -> Run:
    from mainextract_beam import extract_page

    def run(page: Page) -> object:
        document = extract_page(page.body, url=page.url, content_type=page.content_type, method=method)
        return None if document is None else document.to_xml()

    return run


def _resiliparse() -> Run:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    return lambda page: extract_plain_text(bytes_to_str(page.body, detect_encoding(page.body)), main_content=True)


def _trafilatura() -> Run:
    import trafilatura

    return lambda page: trafilatura.extract(page.body)


def _readability() -> Run:
    import readability

    def run(page: Page) -> object:
        try:
            return readability.Document(page.body.decode("utf-8", "replace")).summary()
        except Exception:  # it refuses pages without text
            return None

    return run


def contenders(names: Sequence[str] | None) -> dict[str, Run]:
    """The runs by name: every method of the package, and the peers that are installed."""
    from mainextract_beam.methods import METHODS

    found: dict[str, Run] = {}
    for method in METHODS:
        if names is None or method in names:
            found[method] = _own(method)
    for name, make in (("resiliparse", _resiliparse), ("trafilatura", _trafilatura), ("readability", _readability)):
        if names is None or name in names:
            try:
                found[name] = make()
            except ImportError:
                print(f"{name} is not installed; pip install 'mainextract-beam[peers]'", file=sys.stderr)
    return found


def measure(pages: Sequence[Page], runs: dict[str, Run], repeat: int) -> dict[str, float]:
    """CPU milliseconds per page of each run: mean over pages of the least of the repeats."""
    totals = dict.fromkeys(runs, 0.0)
    turns, chance = list(runs.items()), random.Random(0)
    for page in pages:
        least = dict.fromkeys(runs, float("inf"))
        for _ in range(repeat):
            chance.shuffle(turns)  # that nobody always follows the same one, whose data fill the caches
            for name, run in turns:
                start = time.process_time()
                run(page)
                least[name] = min(least[name], time.process_time() - start)
        for name, seconds in least.items():
            totals[name] += seconds
    return {name: 1000 * total / len(pages) for name, total in totals.items()}


def peak_memory(folder: Path, name: str, limit: int) -> float:
    """Peak resident megabytes of a process that runs one contender over the pages."""
    command = [sys.executable, __file__, str(folder), "--only", name, "--pages", str(limit), "--memory-child"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DATA")
    parser.add_argument("--pages", type=int, default=300, help="pages, taken evenly from the whole (default 300; 0 for all)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the fastest counts (default 3)")
    parser.add_argument("--only", help="names of contenders, comma-separated (default all)")
    parser.add_argument("--memory-child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.only.split(",") if options.only else None
    runs = contenders(names)
    if not runs:
        parser.error(f"no contender is called {options.only!r}")
    if options.memory_child:
        for index, page in enumerate(read_pages(options.folder)):
            if options.pages and index >= options.pages:
                break
            for run in runs.values():
                run(page)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return 0
    # Before the pages are read: a child starts with its parent's peak.
    memory = {name: peak_memory(options.folder, name, options.pages) for name in runs}
    pages = list(read_pages(options.folder))
    if options.pages and options.pages < len(pages):
        pages = pages[:: len(pages) // options.pages][: options.pages]
    milliseconds = measure(pages, runs, options.repeat)
    from mainextract_beam.walks import compiled

    size = sum(len(page.body) for page in pages) / len(pages) / 1000
    print(f"{len(pages)} pages, mean {size:.0f} KB, least of {options.repeat} runs, walks in {'Python' if compiled is None else 'C'}\n")
    base = milliseconds.get("resiliparse")
    print(f"{'':14}{'CPU ms/page':>12}{'x resiliparse':>15}{'peak MB':>10}")
    for name, value in milliseconds.items():
        ratio = f"{value / base:.2f}" if base else "-"
        print(f"{name:14}{value:12.2f}{ratio:>15}{memory[name]:10.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
