"""The pipeline warc_to_xml with one step more, which does to a worker what a test asks for by files in a folder.

`HOOKS` names the folder. A worker that has come to the middle of a file leaves a file `middle-PAGE-ID-PARENT` there and waits as
long as there is a file `hold`. Where this holds a URL, only the worker that comes to that page leaves a file
`held-PAGE-ID-PARENT` and waits. The worker that reads the page whose URL is in `exit-once` or `exit-always` ends then and there.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import apache_beam as beam

from mainextract_beam.beam.pages import WebPage
from mainextract_beam.beam.run import Source, run
from mainextract_beam.beam.sources import WARC
from tests.engines.corpus import is_in_the_middle, number

# Seconds after which a held worker gives up, whose test is gone.
LONGEST_HOLD = 600.0


class HookFn(beam.DoFn):  # type: ignore[misc]
    """Passes pages on."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def process(self, page: WebPage) -> Iterator[WebPage]:
        """Does what the folder asks for."""
        hooks = Path(self._folder)
        page_and_process = f"{number(page.url)}-{os.getpid()}-{os.getppid()}"
        if is_in_the_middle(page.url):
            (hooks / f"middle-{page_and_process}").touch()
        deadline = time.monotonic() + LONGEST_HOLD
        while _is_held(hooks / "hold", page.url) and time.monotonic() < deadline:
            (hooks / f"held-{page_and_process}").touch()
            time.sleep(0.05)
        always, once = hooks / "exit-always", hooks / "exit-once"
        if always.exists() and always.read_text() == page.url:
            os._exit(3)
        if once.exists() and once.read_text() == page.url:
            once.rename(hooks / "exited")
            os._exit(3)
        yield page


def _is_held(hold: Path, address: str) -> bool:
    try:
        held = hold.read_text()
    except FileNotFoundError:
        return False
    return address == held if held else is_in_the_middle(address)


def _read(pipeline: beam.Pipeline, options: object) -> tuple[object, object]:
    pages, failures = WARC.read(pipeline, options)
    hooked = pages | "Hook" >> beam.ParDo(HookFn(os.environ["HOOKS"])).with_output_types(WebPage)
    return hooked, failures


if __name__ == "__main__":
    sys.exit(run("hooked_warc_to_xml", __doc__, Source(_read, WARC.first, WARC.counts_bytes), "xml"))
