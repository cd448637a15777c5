"""The package as it is shipped: the wheel, and the source archive that Beam builds and stages to workers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest
from apache_beam.runners.portability.stager import Stager

from mainextract_beam import extract_page

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "samples" / "pages" / "sundial.xhtml"
SHIPPED = ("mainextract_beam", "MANIFEST.in", "README.md", "LICENSE", "NOTICE", "pyproject.toml", "setup.py")

COMPILED = ("*.so", "*.pyd")

pytestmark = pytest.mark.slow


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of what is shipped, since building leaves files behind."""
    directory = tmp_path / "source"
    directory.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__", *COMPILED))
        else:
            shutil.copy(ROOT / name, directory / name)
    return directory


def package_files() -> set[str]:
    """The files of the package, data included, without what is compiled."""
    package = ROOT / "mainextract_beam"
    paths = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in paths if not is_compiled(path.name)}


def is_compiled(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in COMPILED)


def printed_by(package: Path) -> bytes:
    """What the command prints where the package is the one in that directory, and no other."""
    code = f"import mainextract_beam as m; assert m.__file__.startswith({str(package)!r}), m.__file__"
    environment = os.environ | {"PYTHONPATH": str(package)}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=package, check=True)
    command = [sys.executable, "-m", "mainextract_beam", PAGE]
    return subprocess.run(command, env=environment, cwd=package, capture_output=True, check=True).stdout


def expected() -> bytes:
    document = extract_page(PAGE.read_bytes())
    assert document is not None
    return document.to_xml() + b"\n"


def test_wheel_holds_the_package_and_works(source: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(build, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "wheel")
    ours = {name for name in names if name.startswith("mainextract_beam/")}
    assert {name for name in ours if not is_compiled(name)} == package_files()
    if any(map(shutil.which, ("cc", "gcc", "clang"))):
        sources = {name.removesuffix(".pyx") for name in ours if name.endswith(".pyx")}
        assert {name.partition(".")[0] for name in ours if is_compiled(name)} == sources != set()
    assert any(name.endswith(("licenses/LICENSE", ".dist-info/LICENSE")) for name in names)
    assert printed_by(tmp_path / "wheel") == expected()


@pytest.mark.parametrize("missing", [{"CC": "no-such-compiler"}, {"MAINEXTRACT_PURE": "1"}])
def test_wheel_is_built_without_a_compiler(source: Path, tmp_path: Path, missing: dict[str, str]) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(build, check=True, env=os.environ | missing)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not any(map(is_compiled, archive.namelist()))
        archive.extractall(tmp_path / "wheel")
    assert printed_by(tmp_path / "wheel") == expected()


def test_archive_that_beam_stages_holds_the_package_and_works(source: Path, tmp_path: Path) -> None:
    built = Stager._build_setup_package(str(source / "setup.py"), str(tmp_path))
    with tarfile.open(built) as archive:
        archive.extractall(tmp_path / "archive", filter="data")
    (unpacked,) = (tmp_path / "archive").iterdir()
    shipped = {path.relative_to(unpacked).as_posix() for path in (unpacked / "mainextract_beam").rglob("*") if path.is_file()}
    assert shipped == package_files()
    assert {"LICENSE", "NOTICE", "pyproject.toml", "setup.py"} <= {path.name for path in unpacked.iterdir()}
    assert printed_by(unpacked) == expected()
