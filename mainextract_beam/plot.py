"""The picture the `lines` method is explained with: characters per line over line number. Needs matplotlib (extra ``plot``)."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, Final

from mainextract_beam.lines import LineView, view_lines
from mainextract_beam.page import page_of
from mainextract_beam.text import normalize

FORMATS: Final = (".svg", ".png")

# Fonts with Chinese, Japanese and Korean glyphs, as systems ship them; SVG leaves the choice to the reader's machine.
_FONTS: Final[tuple[str, ...]] = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "PingFang SC",
    "Hiragino Sans GB", "Microsoft YaHei", "SimHei", "Droid Sans Fallback", "AR PL UMing CN",
)  # fmt: skip
_TITLE: Final = 60  # characters of a title that fit above the picture
_COUNTED, _IGNORED, _BLOCK, _CHOSEN = "#2f5d8a", "#b9bec4", "#f2c14e", "#4fa36a"


def plot_lines(
    tree: Any,
    file: str | Path,
    *,
    url: str | None = None,
    title: str | None = None,
    threshold: int = 5,
    gap: int = 3,
    density: int = 45,
    layout: str = "auto",
) -> None:
    """Draws the lines of a parsed page and the blocks in them into an SVG or PNG file.

    Args:
        tree: as extract takes it.
        file: where to, ending in ``.svg`` or ``.png``.
        url: the page's URL.
        title: what stands above the picture; the page's title where None.
        threshold: see the method's options, as those that follow.
        gap: see there.
        density: see there.
        layout: see there.

    Raises:
        ValueError: another file format, or a bad option.
        ImportError: matplotlib is missing; the message says how to install it.
    """
    check_format(file)
    page = page_of(tree, url)
    if page is None:
        raise ValueError("a comment or an empty tree has no lines to draw")
    if title is None:
        stated = page.first("title")
        title = normalize("".join(stated.itertext())) if stated is not None else ""
    view = view_lines(page, threshold=threshold, gap=gap, density=density, layout=layout)
    draw_lines(view, file, title=title, threshold=threshold, density=density)


def check_format(file: str | Path) -> None:
    """Raises a ValueError for a file that is neither SVG nor PNG."""
    suffix = Path(file).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"a plot is written to {' or '.join(FORMATS)}, got {str(file)!r}")


def draw_lines(view: LineView, file: str | Path, *, title: str = "", threshold: int = 5, density: int = 45) -> None:
    """Draws lines and their blocks; see plot_lines."""
    check_format(file)
    try:
        import matplotlib
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'mainextract-beam[plot]'") from error

    settings = {
        "font.family": "sans-serif",
        "font.sans-serif": [*_available_fonts(), "DejaVu Sans"],
        "svg.fonttype": "none",  # text stays text: the reader's fonts draw Chinese titles
        "svg.hashsalt": "mainextract",  # the same picture, the same bytes
        "axes.unicode_minus": False,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(10, 4.8), layout="constrained")
        axes = figure.add_subplot()
        chosen = view.blocks.chosen
        for block in view.blocks.blocks:
            if block != chosen:
                axes.axvspan(block.first + 0.5, block.last + 1.5, color=_BLOCK, alpha=0.3, linewidth=0)
        if chosen is not None:
            axes.axvspan(chosen.first + 0.5, chosen.last + 1.5, color=_CHOSEN, alpha=0.25, linewidth=0)
        _bars(axes, view, True, _COUNTED)
        _bars(axes, view, False, _IGNORED)
        axes.axhline(density, color="#a33", linewidth=0.9, linestyle="--")
        axes.set_xlim(0, _line_count(view) + 1)
        # Few long lines must not flatten the rest.
        axes.set_yscale("symlog", linthresh=max(100, 2 * density))
        axes.set_ylim(0, max([*(len(line.text) for line in view.lines), 2 * density]) * 1.15)
        ticks = [tick for tick in (0, density, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000) if tick <= axes.get_ylim()[1]]
        axes.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel(f"line number ({'lines of the source' if view.layout == 'source' else 'a line per block-level element'})")
        axes.set_ylabel("characters in the line")
        heading = title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"
        axes.set_title(f"{heading}\n{_summary(view)}" if heading else _summary(view), fontsize=11, parse_math=False)
        handles: list[Any] = [
            Patch(color=_COUNTED, label="line that counts"),
            Patch(color=_IGNORED, label="line that counts as empty"),
        ]
        if chosen is not None:
            handles.append(Patch(color=_CHOSEN, alpha=0.4, label="chosen block"))
        if any(block != chosen for block in view.blocks.blocks):
            handles.append(Patch(color=_BLOCK, alpha=0.4, label="other qualifying block"))
        density_line = axes.plot([], [], color="#a33", linewidth=0.9, linestyle="--", label=f"density = {density}")[0]
        need = f"a block: {threshold}+ lines, {density * threshold}+ characters"
        handles += [density_line, Patch(color="none", label=need)]
        figure.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8, frameon=False)
        metadata = {"Date": None} if Path(file).suffix.lower() == ".svg" else {}
        figure.savefig(file, dpi=130, metadata=metadata)


def _bars(axes: Any, view: LineView, which: bool, color: str) -> None:
    bars = [
        (number + 1, len(line.text))
        for line, number, counted in zip(view.lines, view.numbers, view.counted, strict=True)
        if counted is which
    ]
    width = max(0.5, min(2.5, 500 / _line_count(view)))
    axes.vlines([number for number, _ in bars], 0, [length for _, length in bars], color=color, linewidth=width)


def _line_count(view: LineView) -> int:
    return view.numbers[-1] + 1 if view.numbers else 1


def _summary(view: LineView) -> str:
    chosen = view.blocks.chosen
    if chosen is None:
        return "no block"
    kind = "" if view.blocks.rule == "lines" else ", too short to qualify"
    return (
        f"lines {chosen.first + 1:,}–{chosen.last + 1:,}{kind}: {chosen.characters:,} characters in {chosen.lines:,} lines, "
        f"{view.coverage:.0%} of the page's text"
    )


def _available_fonts() -> list[str]:
    """Fonts at hand with Chinese glyphs; the one the ``plot`` extra brings is made known where the system has none."""
    from matplotlib import font_manager

    installed = set(font_manager.get_font_names())
    found: list[str] = [font for font in _FONTS if font in installed]
    spec = None if found else importlib.util.find_spec("mplfonts")
    if spec is not None and spec.origin is not None:
        file = Path(spec.origin).with_name("fonts") / "NotoSansCJKsc-Regular.otf"
        if file.exists():
            font_manager.fontManager.addfont(file)
            found = [font_manager.FontProperties(fname=file).get_name()]
    return found
