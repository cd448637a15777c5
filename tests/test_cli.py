"""The command line: what it prints, its exit status, and that nothing ends in a traceback."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mainextract_beam import Document, extract_page
from mainextract_beam.cli import main
from mainextract_beam.methods import METHODS
from mainextract_beam.page import Content, Page
from tests.demo_method import find_without_hidden

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "samples" / "pages"
NEWS = PAGES / "news-article.html"
EMPTY = PAGES / "app-shell.html"
WITH_CONTENT = sorted(path for path in PAGES.iterdir() if path != EMPTY)

Capture = pytest.CaptureFixture[bytes]


def document_of(path: Path, **options: Any) -> Document:
    document = extract_page(path.read_bytes(), **options)
    assert document is not None
    return document


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(b"<title>Name</title><nav>menu</nav><main><p>First</p><p>Second</p></main>")
    return path


# What is printed


@pytest.mark.parametrize("path", WITH_CONTENT, ids=lambda path: str(path.name))
def test_prints_the_document_of_extract_page(path: Path, capsysbinary: Capture) -> None:
    assert main([str(path)]) == 0
    assert capsysbinary.readouterr() == (document_of(path).to_xml() + b"\n", b"")


def test_xml_is_the_default_format(page: Path, capsysbinary: Capture) -> None:
    main([str(page), "--format", "xml"])
    assert capsysbinary.readouterr().out == (
        b"<html><head><title>Name</title></head><body><main><p>First</p><p>Second</p></main></body></html>\n"
    )


def test_text(page: Path, capsysbinary: Capture) -> None:
    assert main([str(page), "--format", "text"]) == 0
    assert capsysbinary.readouterr().out == b"First\n\nSecond\n"


def test_json_is_one_object_on_one_line(page: Path, capsysbinary: Capture) -> None:
    assert main([str(page), "--format", "json", "--url", "https://example.com/a"]) == 0
    printed = capsysbinary.readouterr().out
    assert printed.count(b"\n") == 1
    document = document_of(page, url="https://example.com/a")
    assert json.loads(printed) == {
        "title": "Name",
        "base": "https://example.com/a",
        "rule": "main",
        "metadata": document.metadata,
        "text": "First\n\nSecond",
        "xml": document.to_xml().decode(),
    }


def test_json_keeps_other_scripts_readable(capsysbinary: Capture) -> None:
    assert main([str(PAGES / "article-gbk.html"), "--format", "json"]) == 0
    assert "老菜场改造后重新开张".encode() in capsysbinary.readouterr().out


def test_url_is_the_base_of_the_page(page: Path, capsysbinary: Capture) -> None:
    main([str(page), "--url", "https://example.com/dir/page"])
    assert b'<html xml:base="https://example.com/dir/page">' in capsysbinary.readouterr().out


def test_encoding_is_the_charset_from_outside(tmp_path: Path, capsysbinary: Capture) -> None:
    path = tmp_path / "page.html"
    path.write_bytes("<main><p>Žluťoučký kůň</p></main>".encode("windows-1250"))
    main([str(path), "--encoding", "windows-1250", "--format", "text"])
    assert capsysbinary.readouterr().out.decode() == "Žluťoučký kůň\n"


def test_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsysbinary: Capture) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<main><p>piped</p></main>")))
    assert main(["-", "--format", "text"]) == 0
    assert capsysbinary.readouterr() == (b"piped\n", b"")


def test_several_pages_are_printed_in_order(page: Path, capsysbinary: Capture) -> None:
    assert main([str(page), str(NEWS), str(page), "--format", "json"]) == 0
    titles = [json.loads(line)["title"] for line in capsysbinary.readouterr().out.splitlines()]
    assert titles == ["Name", document_of(NEWS).title, "Name"]


# Exit status


def one_line(error: bytes) -> str:
    assert error.count(b"\n") == 1
    return error.decode().rstrip("\n")


def test_page_without_content(capsysbinary: Capture) -> None:
    assert main([str(EMPTY)]) == 1
    out, error = capsysbinary.readouterr()
    assert out == b""
    assert one_line(error) == f"mainextract: {EMPTY}: no content found by method 'regions'"


def test_empty_file(tmp_path: Path, capsysbinary: Capture) -> None:
    path = tmp_path / "empty.html"
    path.touch()
    assert main([str(path)]) == 1
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {path}: no content found by method 'regions'"


def test_missing_file(capsysbinary: Capture) -> None:
    assert main(["no-such.html"]) == 2
    assert one_line(capsysbinary.readouterr().err) == "mainextract: no-such.html: No such file or directory"


def test_directory(tmp_path: Path, capsysbinary: Capture) -> None:
    assert main([str(tmp_path)]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {tmp_path}: Is a directory"


def test_file_name_that_no_system_takes(capsysbinary: Capture) -> None:
    assert main(["a\0b"]) == 2
    assert b"null" in capsysbinary.readouterr().err


def test_line_breaks_in_a_file_name_do_not_break_the_reason(capsysbinary: Capture) -> None:
    assert main(["no\nsuch.html"]) == 2
    assert one_line(capsysbinary.readouterr().err) == "mainextract: no such.html: No such file or directory"


def test_worst_page_decides_and_the_others_are_printed(page: Path, capsysbinary: Capture) -> None:
    assert main([str(EMPTY), str(page), "--format", "text"]) == 1
    assert capsysbinary.readouterr().out == b"First\n\nSecond\n"
    assert main(["no-such.html", str(EMPTY), str(page), "--format", "text"]) == 2
    out, error = capsysbinary.readouterr()
    assert out == b"First\n\nSecond\n"
    assert error.count(b"\n") == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "the following arguments are required: PAGE"),
        (["--method", "nothing", "x.html"], "invalid choice: 'nothing'"),
        (["--format", "pdf", "x.html"], "invalid choice: 'pdf'"),
        (["--no-such-option", "x.html"], "unrecognized arguments: --no-such-option"),
        (["--encoding", "no-such", "x.html"], "unknown encoding 'no-such'"),
        (["--selector", "main", "x.html"], "--selector is no option of method 'regions'"),
        (["--skip", "hidden", "x.html"], "--skip is no option of method 'regions'"),
        (["--journal", "j.jsonl", "x.html"], "--journal is no option of method 'regions'"),
        (["--why", "text", "x.html"], "--why is no option of method 'regions'"),
    ],
)
def test_bad_usage(arguments: list[str], reason: str, capsysbinary: Capture) -> None:
    assert main(arguments) == 2
    out, error = capsysbinary.readouterr()
    assert out == b""
    assert reason in error.decode()
    assert "Traceback" not in error.decode()


def test_unknown_method_names_the_known_ones(capsysbinary: Capture) -> None:
    main(["--method", "nothing", "x.html"])
    error = capsysbinary.readouterr().err.decode()
    assert all(method in error for method in METHODS)


@pytest.mark.parametrize(
    ("form", "part"), [("html", b"<p>First</p>"), ("markdown", b"First\n\nSecond\n"), ("text", b"First\n\nSecond\n")]
)
def test_formats_for_readers(page: Path, capsysbinary: Capture, form: str, part: bytes) -> None:
    assert main([str(page), "--format", form]) == 0
    out, error = capsysbinary.readouterr()
    assert part in out
    assert b"menu" not in out
    assert error == b""


def test_format_whose_package_is_missing(monkeypatch: pytest.MonkeyPatch, page: Path, capsysbinary: Capture) -> None:
    def missing(form: str) -> None:
        raise ModuleNotFoundError("No module named 'writer'", name="writer")

    monkeypatch.setattr("mainextract_beam.render.renderer", missing)
    assert main([str(page), "--format", "markdown"]) == 2
    reason = "mainextract: --format markdown needs the package writer, which is not installed"
    assert one_line(capsysbinary.readouterr().err) == reason


def test_help_and_version(capsysbinary: Capture) -> None:
    assert main(["--help"]) == 0
    assert b"--encoding LABEL" in capsysbinary.readouterr().out
    assert main(["--version"]) == 0
    assert re.fullmatch(rb"mainextract \S+ \(walks over trees in (C|Python)\)\n", capsysbinary.readouterr().out)


def test_fault_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch, page: Path, capsysbinary: Capture) -> None:
    def fail(page: Page) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setitem(METHODS, "regions", fail)
    assert main([str(page)]) == 2
    reason = one_line(capsysbinary.readouterr().err)
    assert reason == "mainextract: internal error, please report it with the page: RuntimeError: two lines"


@given(st.binary(max_size=400) | st.text(alphabet="<>/ab p=\"'&;!-\0", max_size=200).map(str.encode))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_give_a_document_or_a_reason(tmp_path: Path, capsysbinary: Capture, data: bytes) -> None:
    path = tmp_path / "any.html"
    path.write_bytes(data)
    status = main([str(path)])
    out, error = capsysbinary.readouterr()
    document = extract_page(data)
    assert (status, out) == ((1, b"") if document is None else (0, document.to_xml() + b"\n"))
    assert bool(error) == (document is None)


# As a process, of this source tree whatever else is installed

THIS_TREE = os.environ | {"PYTHONPATH": str(ROOT)}


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mainextract_beam", *arguments], capture_output=True, check=False, env=THIS_TREE, **options
    )


def test_module_and_console_script_print_the_same(page: Path) -> None:
    module = run(str(page))
    assert (module.returncode, module.stderr) == (0, b"")
    script = Path(sys.executable).with_name("mainextract")
    if not script.exists():
        pytest.skip("the package is not installed in this environment")
    installed = subprocess.run([script, page], capture_output=True, check=True, env=THIS_TREE)
    assert installed.stdout == module.stdout == document_of(page).to_xml() + b"\n"


def test_pipe_in_and_out() -> None:
    done = run("-", "--format", "text", input=b"<main><p>piped</p></main>")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"piped\n", b"")


@pytest.mark.skipif(os.name != "posix", reason="closes file descriptors as a POSIX shell does")
def test_closed_standard_streams(page: Path) -> None:
    command = f"{sys.executable} -m mainextract_beam"
    closed_in = subprocess.run(["sh", "-c", f"{command} - <&-"], capture_output=True, check=False, env=THIS_TREE)
    assert (closed_in.returncode, closed_in.stderr) == (2, b"mainextract: -: standard input is closed\n")
    closed_out = subprocess.run(["sh", "-c", f"{command} '{page}' >&-"], capture_output=True, check=False, env=THIS_TREE)
    assert (closed_out.returncode, closed_out.stderr) == (2, b"mainextract: standard output is closed\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk(page: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "mainextract_beam", page], stdout=full, stderr=subprocess.PIPE, check=False, env=THIS_TREE
        )
    assert done.returncode == 2
    assert done.stderr.decode() == f"mainextract: standard output: {os.strerror(errno.ENOSPC)}\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes as POSIX has them")
def test_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text("<main>" + "<p>line</p>" * 200_000 + "</main>")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "mainextract_beam", path], stdout=writing, stderr=subprocess.PIPE, env=THIS_TREE
    )
    os.close(writing)
    os.read(reading, 10)
    os.close(reading)
    _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, b"")


# Parameters of methods, on a method made for it


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setitem(METHODS, "demo", find_without_hidden)
    path = tmp_path / "demo.html"
    path.write_bytes(
        b"<body><div><p>Kept</p><p hidden>Gone</p><div class=ad hidden><p>Twice gone</p></div></div><div>Other</div></body>"
    )
    return path


def printed_json(capsysbinary: Capture) -> Any:
    return json.loads(capsysbinary.readouterr().out)


def test_parameters_reach_the_method(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--format", "json"]) == 0
    metadata = printed_json(capsysbinary)["metadata"]
    assert {"threshold": 5, "layout": "auto", "sanitize": False}.items() <= metadata.items()
    given = ["--threshold", "7", "--layout", "block", "--sanitize"]
    assert main([str(demo), "--method", "demo", "--format", "json", *given]) == 0
    metadata = printed_json(capsysbinary)["metadata"]
    assert {"threshold": 7, "layout": "block", "sanitize": True}.items() <= metadata.items()


def test_steps_are_switched_off_by_name(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--format", "text", "--skip", "hidden", "--skip", "names"]) == 0
    assert capsysbinary.readouterr().out == b"Kept\n\nGone\n\nTwice gone\n\nOther\n"


def test_value_that_the_method_refuses(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--threshold", "many"]) == 2
    assert b"invalid int value: 'many'" in capsysbinary.readouterr().err
    assert main([str(demo), "--method", "demo", "--threshold", "0"]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {demo}: threshold must be at least 1, got 0"


def test_option_of_another_method_names_that_method(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--threshold", "3"]) == 2
    assert "--threshold is no option of method 'regions'; use it with --method" in one_line(capsysbinary.readouterr().err)


def test_selector_that_matches_nothing_is_named(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--selector", "aside"]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {demo}: selector 'aside' matches nothing"


def test_journal_is_written_as_json_lines_and_changes_no_byte(demo: Path, tmp_path: Path, capsysbinary: Capture) -> None:
    main([str(demo), "--method", "demo"])
    plain = capsysbinary.readouterr().out
    journal = tmp_path / "journal.jsonl"
    assert main([str(demo), "--method", "demo", "--journal", str(journal)]) == 0
    assert capsysbinary.readouterr().out == plain
    entries = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [(entry["page"], entry["step"], entry["path"]) for entry in entries] == [
        (str(demo), "detect", "/html/body"),
        (str(demo), "hidden", "/html/body/div[1]/p[2]"),
        (str(demo), "hidden", "/html/body/div[1]/div"),
    ]


def test_journal_that_cannot_be_written(demo: Path, tmp_path: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--journal", str(tmp_path)]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {tmp_path}: Is a directory"


def test_why_prints_which_step_took_a_text(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--why", "Gone"]) == 0
    assert capsysbinary.readouterr().out.decode().splitlines() == [
        "Step hidden takes the text in /html/body/div[1]/p[2].",
        "  remove /html/body/div[1]/p[2] by rule hidden-rule, matching [hidden]: so it says",
        "With --skip hidden it is in the document.",
    ]


def test_why_without_a_text(demo: Path, capsysbinary: Capture) -> None:
    assert main([str(demo), "--method", "demo", "--why", " "]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {demo}: the text to look for is empty"


# The picture


def test_plot_draws_the_page_and_prints_the_document(tmp_path: Path, capsysbinary: Capture) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "lines.svg"
    assert main([str(NEWS), "--method", "lines", "--plot", str(file), "--keep", "text", "--threshold", "3"]) == 0
    document = document_of(NEWS, method="lines", keep="text", threshold=3)
    assert capsysbinary.readouterr().out == document.to_xml() + b"\n"
    assert b"<svg" in file.read_bytes()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ImportError("the picture needs matplotlib"), "--plot: the picture needs matplotlib"),
        (PermissionError(errno.EACCES, "Permission denied"), "--plot lines.svg: Permission denied"),
    ],
)
def test_plot_that_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch, capsysbinary: Capture, error: Exception, reason: str) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise error

    monkeypatch.setattr("mainextract_beam.plot.plot_lines", fail)
    assert main([str(NEWS), "--method", "lines", "--plot", "lines.svg"]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {NEWS}: {reason}"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["x.html"], "--plot draws what method 'lines' sees; use it with --method lines"),
        (["x.html", "y.html", "--method", "lines"], "--plot draws one page; give one page"),
    ],
)
def test_plot_of_what_has_no_picture(arguments: list[str], reason: str, capsysbinary: Capture) -> None:
    assert main([*arguments, "--plot", "lines.svg"]) == 2
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {reason}"


def test_plot_in_a_format_that_is_not_drawn(capsysbinary: Capture) -> None:
    assert main(["x.html", "--method", "lines", "--plot", "lines.pdf"]) == 2
    assert one_line(capsysbinary.readouterr().err).startswith("mainextract: --plot: a plot is written to .svg or .png")


def test_note_where_the_block_is_a_small_part_of_the_page(
    monkeypatch: pytest.MonkeyPatch, demo: Path, capsysbinary: Capture
) -> None:
    def find(page: Page) -> Content:
        return Content([page.first("body")], "lines", metadata={"coverage": 0.314})

    monkeypatch.setitem(METHODS, "lines", find)
    assert main([str(demo), "--method", "lines"]) == 0
    reason = "the block is 31% of the page's text; for such pages try --method regions or clean"
    assert one_line(capsysbinary.readouterr().err) == f"mainextract: {demo}: note: {reason}"
