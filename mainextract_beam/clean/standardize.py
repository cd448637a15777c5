"""Step 4: structures that later steps could mistake for clutter are brought to one form and marked as protected."""

from __future__ import annotations

from mainextract_beam.clean.code import standardize_code
from mainextract_beam.clean.figures import standardize_figures
from mainextract_beam.clean.footnotes import standardize_footnotes
from mainextract_beam.clean.headings import standardize_headings
from mainextract_beam.clean.lists import standardize_lists
from mainextract_beam.clean.math import standardize_math
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.tables import mark_tables

NAME = "standardize"


def standardize(page: CleanPage) -> None:
    """Standardises code, formulas, headings, notes, tables, figures and lists, in this order.

    Code first, since what stands in it is no formula, note or table; formulas before tables and figures, which may
    hold them; notes before lists and tables, whose shape they may have.
    """
    standardize_code(page)
    standardize_math(page)
    standardize_headings(page)
    standardize_footnotes(page)
    mark_tables(page)
    standardize_figures(page)
    standardize_lists(page)
