"""Every pair of page and expected document in tests/pages, in every environment, and proven to need its rule."""

from __future__ import annotations

import asyncio
import io
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from typing import Any

import pytest

from mainextract_beam import aextract_all, aextract_page, assemble, cli, extract, extract_all, extract_page, parse_html
from mainextract_beam.clean.order import RULES, STEPS
from mainextract_beam.render import renderer
from tests.page_pairs import FOLDER, OPTIONS, PAIRS, URL, Pair

KNOWN_FAILURES: dict[str, str] = {}
"""Pairs whose document is not yet what the contract asks for: name -> why."""

# Rules whose work a later step, or the sanitiser, does as well: their entries tell more, the document is the same.
DONE_TWICE = {
    "flatten:inert-template",
    "flatten:slot",
    "deferred:placeholder",
    "deferred:noscript",
    "standardize:task-box",
    "standardize:task-label",
    "normalize:break-opportunity",
    "normalize:frame",
    "normalize:not-content",
    "normalize:picture",
    "normalize:void",
}
# Takes the place of scoring:model where the model is off.
WITHOUT_MODEL = {"scoring:rules"}


def cases(pairs: Collection[Pair]) -> list[Any]:
    failing = {name: pytest.mark.xfail(reason=reason, strict=True) for name, reason in KNOWN_FAILURES.items()}
    return [pytest.param(pair, id=pair.name, marks=failing.get(pair.name, ())) for pair in pairs]


every_pair = pytest.mark.parametrize("pair", cases(PAIRS))
# For what is slow to start: one pair of each step.
SOME = list({pair.step: pair for pair in PAIRS}.values())
RIGHT = [pair for pair in PAIRS if pair.name not in KNOWN_FAILURES]


def written(document: Any) -> bytes:
    return b"" if document is None else document.to_xml() + b"\n"


def test_there_are_enough_pairs_and_no_stray_files() -> None:
    assert len(PAIRS) >= 120
    assert {pair.step for pair in PAIRS} == {*STEPS, "sanitize"}
    assert {path.name for path in FOLDER.iterdir()} == {f"{pair.name}.{kind}" for pair in PAIRS for kind in ("html", "xml")}
    assert {*KNOWN_FAILURES} <= {pair.name for pair in PAIRS}


def test_every_rule_has_its_pair() -> None:
    rules = {f"{step}:{rule}" for step, names in RULES.items() for rule in names}
    assert rules - {pair.skip for pair in PAIRS} - DONE_TWICE - WITHOUT_MODEL == set()


@every_pair
def test_library(pair: Pair) -> None:
    assert written(extract_page(pair.page, **OPTIONS)).decode() == pair.document.decode()


@every_pair
def test_tree(pair: Pair) -> None:
    assert written(extract(parse_html(pair.page, url=URL), **OPTIONS)).decode() == pair.document.decode()


def test_extract_all() -> None:
    trees = (parse_html(pair.page, url=URL) for pair in RIGHT)
    assert list(map(written, extract_all(trees, **OPTIONS))) == [pair.document for pair in RIGHT]


def test_aextract_all() -> None:
    async def trees() -> AsyncIterator[Any]:
        for pair in RIGHT:
            await asyncio.sleep(0)
            yield parse_html(pair.page, url=URL)

    async def documents() -> list[bytes]:
        return [written(document) async for document in aextract_all(trees(), **OPTIONS)]

    assert asyncio.run(documents()) == [pair.document for pair in RIGHT]


def test_aextract_page() -> None:
    async def documents() -> list[Any]:
        return await asyncio.gather(*(aextract_page(pair.page, **OPTIONS) for pair in RIGHT))

    assert list(map(written, asyncio.run(documents()))) == [pair.document for pair in RIGHT]


class TestCommand:
    @pytest.fixture
    def command(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        def run(*arguments: str) -> bytes:
            out = io.BytesIO()
            monkeypatch.setattr(cli, "_standard_output", lambda: out)
            pages = [str(FOLDER / f"{pair.name}.html") for pair in RIGHT]
            assert cli.main([*arguments, "--method", "clean", "--url", URL, *pages]) == cli.OK
            return out.getvalue()

        return run

    def test_xml(self, command: Any) -> None:
        assert command().decode() == "".join(pair.document.decode() for pair in RIGHT)

    def test_text(self, command: Any) -> None:
        texts = [renderer("text")(extract_page(pair.page, **OPTIONS)).rstrip("\n") for pair in RIGHT]
        assert command("--format", "text").decode() == "".join(f"{text}\n" for text in texts)

    def test_json(self, command: Any) -> None:
        lines = [json.loads(line) for line in command("--format", "json").decode().splitlines()]
        assert [line["xml"] for line in lines] == [pair.document.decode().removesuffix("\n") for pair in RIGHT]

    def test_process(self, tmp_path: Path) -> None:
        pages = [str(FOLDER / f"{pair.name}.html") for pair in SOME]
        command = [sys.executable, "-m", "mainextract_beam", "--method", "clean", "--url", URL, *pages]
        done = subprocess.run(command, capture_output=True, check=True)
        assert done.stdout.decode() == "".join(pair.document.decode() for pair in SOME)


def test_worker_processes() -> None:
    import apache_beam as beam
    from apache_beam.options.pipeline_options import PipelineOptions
    from apache_beam.testing.util import assert_that, equal_to

    from mainextract_beam import ExtractPages, WebPage

    options = PipelineOptions(["--runner=FnApiRunner", "--direct_running_mode=multi_processing", "--direct_num_workers=2"])
    with beam.Pipeline(options=options) as pipeline:
        rows = [(pair.name, WebPage(URL, pair.page)) for pair in RIGHT]
        pages = pipeline | beam.Create(rows).with_output_types(tuple[str, WebPage])
        documents, failures = pages | ExtractPages(method="clean")
        documents |= beam.MapTuple(lambda name, page: (name, page.xml + b"\n"))
        assert_that(documents, equal_to([(pair.name, pair.document) for pair in RIGHT]), label="documents")
        assert_that(failures, equal_to([]), label="failures")


def without(page: bytes, *names: str) -> bytes:
    """The page's document with steps or rules off, apart from white space between elements."""
    document = extract_page(page, skip=[name for name in names if name != "sanitize"], **OPTIONS)
    return re.sub(rb">\s+<", b"><", written(document))


@every_pair
def test_without_its_rule_a_pair_fails(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whether the block judgement would take the same is left out: it changes with the model.
    beside = pair.beside if pair.step in ("detect", "scoring") else (*pair.beside, "scoring")
    document = re.sub(rb">\s+<", b"><", pair.document)
    assert without(pair.page, *beside).decode() == document.decode()
    if pair.skip == "sanitize":
        monkeypatch.setattr(assemble, "sanitize", lambda root, *, debug=False: None)
    assert without(pair.page, pair.skip, *beside) != document
