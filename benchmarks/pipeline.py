"""How fast is WARC -> XML, and where does the time go? CPU time, beside plain loops over the same pages.

python benchmarks/pipeline.py --input '../crawl/*.warc.gz'

Every line is a process of its own, measured by the CPU time of it and of the processes it starts, and by the largest
resident memory of any of them. `resiliparse` and `trafilatura` are loops that read with fastwarc and take a page's main
content as text, without Beam and without writing; they need the packages of that name. Their ratios are per page.
"""

from __future__ import annotations

import argparse
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple


class Cost(NamedTuple):
    """What a process took."""

    seconds: float
    """CPU time, of the processes it started too."""
    peak: int
    """Bytes, the largest of them."""
    told: dict[str, float]
    """What it printed on its last line."""


def measured(*command: str) -> Cost:
    """Runs a command."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with exit status {process.returncode}")
        out.seek(0)
        last = out.read().splitlines()[-1]
    told = json.loads(last) if last.startswith("{") else {}
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, told)


def pages(pattern: str, most: int | None) -> Iterator[tuple[bytes, str]]:
    """The pages of WARC files by fastwarc: body and URL."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    left = most
    for path in sorted(glob.glob(pattern)):  # noqa: PTH207 - Path.glob takes no absolute pattern
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                if left == 0:
                    return
                yield record.reader.read(), record.headers.get("WARC-Target-URI", "")
                left = None if left is None else left - 1


def loop(pattern: str, most: int | None, work: Callable[[bytes, str], object]) -> None:
    """Works on pages, and prints how many there were."""
    count = 0
    for body, url in pages(pattern, most):
        work(body, url)
        count += 1
    print(json.dumps({"pages": count}))


def read_only(arguments: argparse.Namespace) -> None:
    """Reads with the pipeline's own source."""
    from mainextract_beam.beam.options import parse
    from mainextract_beam.beam.sources import WARC

    options = parse("", "", ["xml"], ["--input", arguments.input, "--preview", "1"])
    print(json.dumps({"pages": sum(1 for _ in WARC.first(options))}))


def extract_only(arguments: argparse.Namespace) -> None:
    """Reads and extracts, without Beam's runner, without writing."""
    from mainextract_beam.beam.options import parse
    from mainextract_beam.beam.sources import WARC
    from mainextract_beam.beam.work import STAGES, Extracted, work_on_page

    options = parse("", "", ["xml"], ["--input", arguments.input, "--preview", "1"])
    count, spent = 0, [0, 0, 0]
    for page in WARC.first(options):
        count += 1
        done = work_on_page(
            page.content, url=page.url, charset=page.charset, content_type=page.content_type, text=False,
            method=arguments.method, options={}, max_elements=1_000_000, metadata="none",  # as to XML
        )  # fmt: skip
        if isinstance(done, Extracted):
            spent = [before + more for before, more in zip(spent, done.microseconds, strict=True)]
    print(json.dumps({"pages": count} | {stage: us / 1e6 for stage, us in zip(STAGES, spent, strict=True)}))


def resiliparse(arguments: argparse.Namespace) -> None:
    """The loop over resiliparse."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    loop(
        arguments.input,
        arguments.most,
        lambda body, url: extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True),
    )


def trafilatura(arguments: argparse.Namespace) -> None:
    """The loop over trafilatura."""
    import trafilatura

    loop(arguments.input, arguments.most, lambda body, url: trafilatura.extract(body, url=url))


PARTS = {each.__name__: each for each in (read_only, extract_only, resiliparse, trafilatura)}


def main() -> None:
    """Runs the benchmark, or one of its processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="WARC files: a path or a pattern")
    parser.add_argument("--method", default="regions")
    parser.add_argument("--most", type=int, default=300, help="pages given to the other libraries (default: 300)")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        PARTS[arguments.part](arguments)
        return

    def part(name: str) -> Cost:
        flags = ("--input", arguments.input, "--method", arguments.method, "--most", str(arguments.most))
        return measured(sys.executable, __file__, *flags, "--part", name)

    pipeline = str(Path(__file__).parent.parent / "pipelines" / "warc_to_xml.py")
    with tempfile.TemporaryDirectory() as directory:

        def whole(given: str, name: str, *flags: str) -> Cost:
            output = ("--output", f"{directory}/{name}/docs", "--method", arguments.method)
            return measured(sys.executable, pipeline, "--input", given, *output, *flags)

        record = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x>\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        Path(directory, "none.warc.gz").write_bytes(gzip.compress(record))
        start = whole(f"{directory}/none.warc.gz", "none")
        full = whole(arguments.input, "full")
        thread = whole(arguments.input, "thread", "--timeout=0", "--max_memory=0")
    read, extract = part("read_only"), part("extract_only")
    others = {name: part(name) for name in ("resiliparse", "trafilatura")}

    count = int(extract.told["pages"])
    net = full.seconds - start.seconds
    print(f"\n{count:,} pages, method {arguments.method}")
    for name, cost in (("WARC -> XML", full), ("the same without helper process", thread)):
        rate = count / (cost.seconds - start.seconds)
        print(
            f"{name}: {cost.seconds:.1f} s of CPU, {start.seconds:.1f} s of them to start; "
            f"{rate:.0f} pages/s per core, {count / cost.seconds:.0f} with the start; peak {cost.peak / 1e6:.0f} MB"
        )
    stages = {name: value for name, value in extract.told.items() if name != "pages"}
    work = extract.seconds - read.seconds
    shares = {"read": read.seconds - start.seconds}
    shares |= {name: work * value / sum(stages.values()) for name, value in stages.items()}
    shares["write, and move between steps and processes"] = net - sum(shares.values())
    for name, seconds in shares.items():
        print(f"  {name}: {seconds:.1f} s, {max(seconds, 0) / net:.0%}, {seconds / count * 1000:.2f} ms per page")
    for name, cost in others.items():
        theirs = cost.seconds / cost.told["pages"]
        print(
            f"fastwarc + {name}: {theirs * 1000:.1f} ms per page of {int(cost.told['pages'])}; "
            f"WARC -> XML takes {net / count / theirs:.2f} x that"
        )


if __name__ == "__main__":
    main()
