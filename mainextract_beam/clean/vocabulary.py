"""What elements are to content: which stay, which only hold others, which say nothing."""

from __future__ import annotations

CONTROLS = frozenset(
    {"input", "select", "textarea", "datalist", "object", "embed", "applet", "canvas", "keygen", "meter", "progress"}
)
"""What leaves a gap in a line where it stood."""

OPAQUE = frozenset({"pre", "math", "svg"})
"""What is left as it is, with all it holds."""

FLOW = frozenset(
    """div center form fieldset main header footer hgroup search dialog nav menu noframes frameset legend optgroup option
    marquee multicol""".split()
)
"""Blocks that only hold others; custom elements and inline wrappers that hold blocks are treated like them."""

LAYOUT = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "col", "colgroup"})
"""The parts of tables that are no data tables, treated like `FLOW`."""

WRAPPERS = frozenset(
    """span font big tt basefont blink nobr label button output slot map picture source track
    """.split()
)
"""Inline elements that say nothing; so do unknown ones."""

KEPT = frozenset(
    """p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote section article aside figure figcaption details summary address
    table caption thead tbody tfoot tr td th colgroup col hr body html video audio""".split()
)
"""Blocks that stay."""

INLINE = frozenset(
    """a abbr b bdi bdo cite code data del dfn em i ins kbd mark q rp rt ruby s samp small strike strong sub sup time u var
    acronym""".split()
)
"""Inline elements that stay."""
