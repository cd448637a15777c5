"""What the Flex Template's launcher runs: the pipeline named by `MAINEXTRACT_PIPELINE`, with the template's parameters.

The launcher passes every parameter as `--name=value`, all values as text and each parameter once. Here they become the
pipeline's own command line: switches without a value, and repeated options apart.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from mainextract_beam.beam.options import add_options

PIPELINES = Path(__file__).resolve().parent / "pipelines"


def command_line(parameters: Iterable[str]) -> Iterator[str]:
    """Yields the arguments of the pipeline for those of the launcher.

    Raises:
        ValueError: A switch is neither true nor false.
    """
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    switches = {action.dest for action in parser._actions if action.nargs == 0}
    repeated = {action.dest for action in parser._actions if isinstance(action, argparse._AppendAction)}
    for parameter in parameters:
        name, _, value = parameter.removeprefix("--").partition("=")
        if name in switches:
            if value.lower() not in ("true", "false", ""):
                raise ValueError(f"{name} must be true or false, not {value!r}")
            if value.lower() != "false":
                yield f"--{name}"
        elif name in repeated:
            yield from (f"--{name}={part}" for part in value.split(";"))
        else:
            yield parameter


if __name__ == "__main__":
    pipeline = PIPELINES / f"{os.environ['MAINEXTRACT_PIPELINE']}.py"
    sys.argv = [str(pipeline), *command_line(sys.argv[1:])]
    runpy.run_path(str(pipeline), run_name="__main__")
