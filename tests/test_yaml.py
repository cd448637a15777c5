"""The transforms in Beam YAML: the example runs, rows of any source are taken, bad options are told at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from apache_beam.yaml import main as yaml_main
from lxml import etree

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates" / "yaml"


def _run(pipeline: Path, tmp_path: Path, **variables: str) -> None:
    # fmt: off
    yaml_main.run(["--runner=FnApiRunner", f"--yaml_pipeline_file={pipeline}",
                   f"--jinja_variables={json.dumps({'output': f'{tmp_path}/out/documents', **variables})}"])
    # fmt: on


def _urls(tmp_path: Path) -> list[str]:
    found = []
    for shard in sorted((tmp_path / "out").glob("documents-[0-9]*.xml")):
        found += [document.get("url") for document in etree.parse(str(shard)).iter("document")]
    return sorted(found)


def test_the_example_writes_what_the_samples_hold(tmp_path: Path) -> None:
    _run(TEMPLATES / "warc_to_xml.yaml", tmp_path, input=str(ROOT / "samples" / "pages.warc.gz"))
    urls = _urls(tmp_path)
    assert "https://news.example.com/2026/03/tram-depot-market" in urls
    assert len(urls) == len(set(urls)) >= 9
    assert [path.name for path in (tmp_path / "out").glob("*.jsonl")] == ["documents-failures-00000-of-00001.jsonl"]


def _pipeline(tmp_path: Path, config: dict[str, object]) -> Path:
    page = "<title>Größe</title><main><p>Eine Seite über die Größe von Dingen.</p></main>"
    pages = [{"url": "https://www.example.com/a", "content": page}, {"url": "https://www.example.com/b", "content": ""}]
    transforms = [
        {"type": "Create", "name": "Rows", "config": {"elements": pages}},
        {"type": "ExtractMainContent", "name": "Extract", "input": "Rows", "config": config},
        {"type": "WriteDocuments", "input": "Extract.documents", "config": {"path": f"{tmp_path}/out/documents"}},
        {"type": "WriteFailures", "input": "Extract.failures", "config": {"path": f"{tmp_path}/out/failures"}},
    ]
    spec = {"pipeline": {"transforms": transforms}, "providers": [{"include": str(TEMPLATES / "provider.yaml")}]}
    path = tmp_path / "pipeline.yaml"
    path.write_text(yaml.safe_dump(spec), encoding="utf-8")
    return path


def test_rows_of_any_source_are_pages(tmp_path: Path) -> None:
    _run(_pipeline(tmp_path, {}), tmp_path)
    assert _urls(tmp_path) == ["https://www.example.com/a"]
    (shard,) = (tmp_path / "out").glob("documents-*.xml")
    assert "über die Größe" in shard.read_text("utf-8")


def test_a_limit_makes_failures(tmp_path: Path) -> None:
    _run(_pipeline(tmp_path, {"max_bytes": 10}), tmp_path)
    assert _urls(tmp_path) == []
    (failures,) = (tmp_path / "out").glob("failures-*.jsonl")
    (failure,) = map(json.loads, failures.read_text("utf-8").splitlines())
    assert (failure["url"], failure["exception"]) == ("https://www.example.com/a", "PageTooLarge")


def test_an_unknown_method_is_told_when_the_pipeline_is_built(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="regions"):
        _run(_pipeline(tmp_path, {"method": "nonsense"}), tmp_path)
