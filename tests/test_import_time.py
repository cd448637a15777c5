"""A page in hand costs no Beam: importing the package and extracting a page load nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("apache_beam", "datasketch", "fastwarc", "grpc", "matplotlib", "pyarrow", "warcio")

REPORT = f"print(sorted({{name.partition('.')[0] for name in sys.modules}} & set({HEAVY!r})))"


@pytest.mark.parametrize(
    "code",
    [
        "import mainextract_beam",
        "import mainextract_beam; assert mainextract_beam.extract_page('<main><p>text</p></main>') is not None",
        "import mainextract_beam.cli",
        "from mainextract_beam.cli import main; assert main(['no-such-file.html']) == 2",
    ],
)
def test_heavy_packages_are_not_loaded(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", f"import sys; {code}; {REPORT}"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_importing_the_beam_layer_prints_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", "import mainextract_beam.beam.run"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_other_warnings_of_the_root_logger_stay() -> None:
    code = "import logging, mainextract_beam.beam; logging.warning('apitools: %s', 'other'); logging.warning(KeyError('x'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["WARNING:root:apitools: other", "WARNING:root:'x'"]
