"""Data tables told apart from tables that only lay a page out; the former are marked."""

from __future__ import annotations

from lxml import etree

from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.walk import raw_text

LAYOUT_ROLES = frozenset({"presentation", "none"})
DATA_ROLES = frozenset({"table", "grid", "treegrid"})

MANY_ROWS = 10
MANY_COLUMNS = 5
MANY_CELLS = 10
LONG_CELL = 300
"""Characters of a cell that holds prose; where half of the cells do, the table lays out a page."""

_DATA_PARTS = ("caption", "thead", "tfoot", "th", "colgroup", "col")
_BLOCKS = ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "form", "nav")


def mark_tables(page: CleanPage) -> None:
    """Marks the data tables of the content roots."""
    if "table" not in page.stated.tags:
        return
    for root in page.roots:
        tables = list(root.iter("table"))
        outer = {holder for table in tables for holder in _tables_around(table, root)}
        for table in tables:
            if table is not root and not page.marks.is_inside(table) and is_data_table(table, table in outer):
                page.marks.protect(table, "table")


def _tables_around(table: etree._Element, root: etree._Element) -> list[etree._Element]:
    """The table that holds the table; nearest only, as that one has its own."""
    holder = next(table.iterancestors("table"), None)
    return [holder] if holder is not None else []


def is_data_table(table: etree._Element, holds_tables: bool) -> bool:
    """Whether a table states data in rows and columns.

    What the table says of itself comes first (ARIA roles; captions, heads and header cells), then its shape.

    Args:
        table: the table.
        holds_tables: whether a cell of it holds a table.
    """
    role = table.get("role", "").strip().lower()
    if role in LAYOUT_ROLES or table.get("datatable") == "0":
        return False
    if role in DATA_ROLES:
        return True
    if holds_tables:
        return False
    rows = [[cell for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    rows = [row for row in rows if any(raw_text(cell).strip() or len(cell) for cell in row)]
    columns = max(map(len, rows), default=0)
    if columns < 2:
        # One column is a list in a frame, whatever its header says.
        return False
    if table.get("summary") or next(table.iter(*_DATA_PARTS), None) is not None:
        return True
    cells = [cell for row in rows for cell in row]
    if len(rows) < 2 or _is_prose(cells):
        return False
    return len(rows) >= MANY_ROWS or columns >= MANY_COLUMNS or len(cells) > MANY_CELLS or _is_even(rows)


def _is_prose(cells: list[etree._Element]) -> bool:
    """Whether the cells are the parts of a page: long, or of several blocks."""
    large = sum(len(raw_text(cell)) > LONG_CELL or sum(child.tag in _BLOCKS for child in cell) > 1 for cell in cells)
    return large * 2 >= len(cells) or (large > 0 and len(cells) < MANY_CELLS)


def _is_even(rows: list[list[etree._Element]]) -> bool:
    """Whether a small table is one of values: every row with the same number of short cells."""
    return len({len(row) for row in rows}) == 1 and all(len(raw_text(cell)) <= 60 for row in rows for cell in row)
