"""The picture of the `lines` method."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mainextract_beam import parse_html
from tests.pages_zh.pages import PAGES

pytest.importorskip("matplotlib")

from mainextract_beam.plot import plot_lines


def texts_of(file: Path) -> list[str]:
    """The text elements of an SVG file."""
    return [element.text or "" for element in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.filterwarnings("error")
def test_svg_names_what_it_shows(tmp_path: Path) -> None:
    page = PAGES["novel_chapter_br"]()
    file = tmp_path / "chapter.svg"
    plot_lines(parse_html(page.data, encoding=page.charset), file)
    texts = texts_of(file)
    assert "第十二章 渡口" in texts
    summary = next(text for text in texts if text.startswith("lines "))
    assert f"{sum(map(len, page.paragraphs)):,} characters in {len(page.paragraphs)} lines" in summary
    for text in ("characters in the line", "chosen block", "density = 45", "a block: 5+ lines, 225+ characters"):
        assert text in texts


def test_other_blocks_are_shaded_too(tmp_path: Path) -> None:
    def part(count: int) -> str:
        paragraph = f"<p>{'words of the part ' * 5}</p>"
        return f"<section><div><div>{paragraph * count}</div></div></section>{'<ul><li>Menu</li></ul>' * 20}"

    file = tmp_path / "two.svg"
    plot_lines(parse_html(f"<body>{part(6)}{part(9)}</body>"), file)
    assert "other qualifying block" in texts_of(file)


def test_png(tmp_path: Path) -> None:
    file = tmp_path / "page.PNG"
    plot_lines(parse_html("<p>x</p>"), file, title="$x^2$ of the 渡口")
    assert file.read_bytes().startswith(b"\x89PNG")


def test_same_page_same_picture(tmp_path: Path) -> None:
    page = PAGES["portal_minified"]()
    for name in ("a.svg", "b.svg"):
        plot_lines(parse_html(page.data), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_no_block_is_told(tmp_path: Path) -> None:
    plot_lines(parse_html("<p>short</p>"), tmp_path / "none.svg", title="Nothing here")
    assert "no block" in texts_of(tmp_path / "none.svg")


def test_other_formats(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a plot is written to \.svg or \.png, got .*plot\.pdf"):
        plot_lines(parse_html("<p>x</p>"), tmp_path / "plot.pdf")


def test_extraction_needs_no_matplotlib() -> None:
    code = "import sys, mainextract_beam as m; m.extract_page('<p>x', method='lines'); assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
