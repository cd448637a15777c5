"""The Dataflow Flex Templates agree with the pipelines, and what the launcher passes on can be read by them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml

from mainextract_beam.beam.options import MainExtractOptions, UsageError, parse

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates" / "dataflow"
sys.path.insert(0, str(TEMPLATES))

import launch  # noqa: E402
import metadata  # noqa: E402

PIPELINES = sorted(metadata.PIPELINES)

# The parameter types that Dataflow knows (its API's reference, ParameterType), those that have to do with files and values.
PARAMETER_TYPES = frozenset(
    {"DEFAULT", "TEXT", "BOOLEAN", "ENUM", "NUMBER", "GCS_READ_BUCKET", "GCS_WRITE_BUCKET", "GCS_READ_FILE"}
    | {"GCS_WRITE_FILE", "GCS_READ_FOLDER", "GCS_WRITE_FOLDER", "MACHINE_TYPE", "WORKER_REGION", "WORKER_ZONE"}
)


def _read(pipeline: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((TEMPLATES / f"{pipeline}.json").read_text(encoding="utf-8"))
    return read


def _parameters(pipeline: str) -> dict[str, dict[str, Any]]:
    return {parameter["name"]: parameter for parameter in _read(pipeline)["parameters"]}


def test_there_is_a_template_for_each_pipeline_of_documents() -> None:
    pipelines = {path.stem for path in (ROOT / "pipelines").glob("*_to_*.py")}
    assert sorted(pipelines) == PIPELINES
    assert sorted(path.stem for path in TEMPLATES.glob("*.json")) == PIPELINES


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_the_files_say_what_the_options_say(pipeline: str) -> None:
    written = (TEMPLATES / f"{pipeline}.json").read_text(encoding="utf-8")
    assert written == metadata.text(pipeline), "run: python templates/dataflow/metadata.py"


def test_every_option_is_a_parameter_of_a_template_or_local() -> None:
    options = set(MainExtractOptions([]).get_all_options()) & set(MainExtractOptions._visible_option_list(MainExtractOptions([])))
    parameters = set().union(*(_parameters(pipeline) for pipeline in PIPELINES))
    assert parameters - {"sdk_container_image"} == options - metadata.LOCAL


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_parameters_are_well_formed(pipeline: str) -> None:
    for name, parameter in _parameters(pipeline).items():
        assert parameter["paramType"] in PARAMETER_TYPES, name
        assert parameter["label"], name
        assert parameter["helpText"], name
        default = parameter.get("defaultValue")
        for regex in parameter.get("regexes", []):
            assert default is None or re.fullmatch(regex, default), f"{name}: {default!r} is not of {regex!r}"
        if parameter["paramType"] == "ENUM":
            values = [option["value"] for option in parameter["enumOptions"]]
            assert len(values) == len(set(values)) > 0
            assert default is None or default in values
        assert parameter["isOptional"] is (name not in ("input", "output"))


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_launch_with_every_parameter_is_a_command_line(pipeline: str, tmp_path: Path) -> None:
    page = tmp_path / "pages"
    page.touch()
    values = {"input": str(page), "output": f"{tmp_path}/documents", "failures": f"{tmp_path}/failures", "max_failures": "5"}
    values["bundle_bytes"] = "1000"
    given = []
    for name, parameter in _parameters(pipeline).items():
        if name == "method_option":
            continue
        value = values.get(name, parameter.get("defaultValue", "text"))
        if parameter["paramType"] == "ENUM":
            value = parameter["enumOptions"][0]["value"]
        given.append(f"--{name}={'true' if parameter['paramType'] == 'BOOLEAN' and name != 'files' else value}")
    options = parse(pipeline, "", ["xml"], [*launch.command_line(given), "--runner=DataflowRunner"])
    assert options.overwrite is True
    assert options.files is False
    assert options.max_failures == 5
    assert options.inputs[0].path == str(page)


def test_the_launcher_turns_text_into_arguments() -> None:
    given = ["--overwrite=true", "--compress=False", "--method_option=a=1;b=x y", "--input=gs://bucket/*", "--region=here"]
    assert list(launch.command_line(given)) == [
        "--overwrite",
        "--method_option=a=1",
        "--method_option=b=x y",
        "--input=gs://bucket/*",
        "--region=here",
    ]


def test_a_switch_that_is_neither_true_nor_false_is_told() -> None:
    with pytest.raises(ValueError, match="overwrite must be true or false, not 'yes'"):
        list(launch.command_line(["--overwrite=yes"]))


def test_the_image_holds_the_files_that_the_launcher_needs() -> None:
    text = (TEMPLATES / "Dockerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.M):
        for source in line.split():
            assert (ROOT / source).exists(), source
    import apache_beam

    assert f"ARG BEAM_VERSION={apache_beam.__version__}\n" in text
    assert re.search(r"^ARG PIPELINE=(.+)$", text, re.M)[1] in PIPELINES  # type: ignore[index]


@pytest.mark.skipif(shutil.which("gcloud") is None, reason="needs gcloud")
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_the_container_spec_prints_offline(pipeline: str, tmp_path: Path) -> None:
    # fmt: off
    done = subprocess.run(
        ["gcloud", "dataflow", "flex-template", "build", "gs://bucket/template.json", "--image=image:1",
         "--sdk-language=PYTHON", f"--metadata-file={TEMPLATES / pipeline}.json", "--print-only", "--project=project"],
        env={"CLOUDSDK_CONFIG": str(tmp_path), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
    )
    # fmt: on
    assert done.returncode == 0, done.stderr
    spec = json.loads(yaml.safe_load(done.stdout))
    assert spec["image"] == "image:1"
    assert [parameter["name"] for parameter in spec["metadata"]["parameters"]] == list(_parameters(pipeline))


@pytest.mark.slow
def test_the_staged_package_works_in_an_empty_environment(tmp_path: Path) -> None:
    from apache_beam.runners.portability.stager import Stager

    source = tmp_path / "source"
    skipped = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "demo-out")
    shutil.copytree(ROOT, source, ignore=skipped)
    staged = Stager._build_setup_package(str(source / "setup.py"), str(tmp_path))
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", staged], check=True)
    code = (
        "import mainextract_beam, mainextract_beam.beam.run as run;"
        "print(mainextract_beam.extract_page('<main><p>Some text.</p></main>').text(), run.__file__)"
    )
    done = subprocess.run([python, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text, module = done.stdout.split("\n")[0].rsplit(" ", 1)
    assert text == "Some text."
    assert str(tmp_path / "venv") in module


def test_bad_parameters_are_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no file"):
        parse("warc_to_xml", "", ["xml"], [f"--input={tmp_path}/none", f"--output={tmp_path}/out"])
