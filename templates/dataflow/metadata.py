"""Writes the metadata of the Flex Templates from the pipelines' options: `python templates/dataflow/metadata.py`.

One JSON file per pipeline, beside this file. The options' own help texts and defaults go in, so nothing is said twice;
a test compares the files with what this module makes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from mainextract_beam.beam.formats import FORMATS
from mainextract_beam.beam.options import add_options
from mainextract_beam.methods import METHODS

HERE = Path(__file__).parent

# Pipeline -> its name and description in the console.
PIPELINES = {
    "warc_to_xml": ("WARC to XML", "Turns the pages of WARC files into XML files of their main content."),
    "warc_to_parquet": ("WARC to Parquet", "Turns the pages of WARC files into Parquet tables of their main content."),
    "parquet_to_xml": ("Parquet to XML", "Turns the pages of Parquet tables into XML files of their main content."),
}

# Options that mean nothing where the run is elsewhere and goes on after the launch.
LOCAL = frozenset({"preview", "workers", "metrics_file"})

# Options of one kind of input only, by the beginning of the pipelines' names that have them.
OF_WARC = frozenset({"whole_files"})
OF_PARQUET_SUFFIX = "_column"

# Options whose values are more than their type in Python says.
PARAMETER_TYPES = {"input": "GCS_READ_FILE", "output": "GCS_WRITE_FILE", "failures": "GCS_WRITE_FILE"}
CHOICES = {"method": tuple(METHODS), "format": tuple(FORMATS)}

URL = r"^[a-z][a-z0-9]+://.+$"
WHOLE_NUMBER = r"^[0-9]+$"
NUMBER = r"^[0-9]+(\.[0-9]+)?$"
ASSIGNMENTS = r"^[a-z_]+=[^;]*(;[a-z_]+=[^;]*)*$"

# An option of Beam itself: the image that holds the package, for the workers.
IMAGE = {
    "name": "sdk_container_image",
    "label": "Worker image",
    "helpText": "The image of the workers: the template's own image, which holds the package.",
    "isOptional": True,
    "paramType": "TEXT",
}


def metadata(pipeline: str) -> dict[str, Any]:
    """The metadata of one pipeline's template."""
    name, description = PIPELINES[pipeline]
    parameters = [_parameter(action) for action in options(pipeline)]
    return {"name": name, "description": description, "streaming": False, "parameters": [*parameters, IMAGE]}


def options(pipeline: str) -> list[argparse.Action]:
    """The options that a pipeline's template takes."""
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    return [action for action in parser._actions if _belongs(action.dest, pipeline)]


def _belongs(option: str, pipeline: str) -> bool:
    if option in LOCAL:
        return False
    if pipeline.startswith("warc"):
        return not option.endswith(OF_PARQUET_SUFFIX)
    return option not in OF_WARC


def _parameter(action: argparse.Action) -> dict[str, Any]:
    parameter: dict[str, Any] = {
        "name": action.dest,
        "label": action.dest.replace("_", " ").capitalize(),
        "helpText": _sentence(action),
        "isOptional": action.dest not in ("input", "output"),
        "paramType": PARAMETER_TYPES.get(action.dest, "TEXT"),
    }
    if action.nargs == 0:
        return {**parameter, "paramType": "BOOLEAN", "defaultValue": "false"}
    choices = action.choices or CHOICES.get(action.dest)
    if choices:
        values = [{"value": choice, "label": choice} for choice in choices]
        parameter |= {"paramType": "ENUM", "enumOptions": values}
    elif action.type in (int, float):
        parameter |= {"paramType": "NUMBER", "regexes": [WHOLE_NUMBER if action.type is int else NUMBER]}
    elif action.dest in PARAMETER_TYPES:
        parameter["regexes"] = [URL]
    elif isinstance(action, argparse._AppendAction):
        parameter["regexes"] = [ASSIGNMENTS]
    if action.default is not None:
        parameter["defaultValue"] = f"{action.default:g}" if action.type is float else str(action.default)
    return parameter


def _sentence(action: argparse.Action) -> str:
    text = (action.help or "").partition(" (default")[0]
    if isinstance(action, argparse._AppendAction):
        text = text.replace("may be given again", "several are separated by semicolons")
    return f"{text[:1].upper()}{text[1:]}."


def text(pipeline: str) -> str:
    """The metadata as it stands in its file."""
    return json.dumps(metadata(pipeline), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for each in PIPELINES:
        (HERE / f"{each}.json").write_text(text(each), encoding="utf-8")
