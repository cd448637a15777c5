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
