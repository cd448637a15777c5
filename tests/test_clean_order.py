"""Why each step of the chain stands where it does: what is lost, or left, when two neighbours are swapped.

docs/cleaning-order.md tells it in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from lxml import etree

from mainextract_beam import parse_html
from mainextract_beam.clean.chain import run_steps
from mainextract_beam.clean.order import STEPS
from mainextract_beam.clean.page import CleanPage, Drop
from mainextract_beam.clean.working import working_tree
from mainextract_beam.page import Page

URL = "https://example.com/page"
ORDER = list(STEPS)
PROSE = "A sentence of the walk along the river, as someone tells it who has gone there and back. "


def clean_page(markup: str) -> CleanPage:
    """A page as the chain makes it."""
    page = Page(
        parse_html(f"<!DOCTYPE html><title>A walk</title>{markup}", url=URL).getroot(), owned=True, lower_case=True, url=URL
    )
    return CleanPage(working_tree(page), url=URL)


def swapped(first: str, second: str) -> list[str]:
    """All steps, two neighbours swapped."""
    place = ORDER.index(first)
    assert ORDER[place + 1] == second
    return [*ORDER[:place], second, first, *ORDER[place + 2 :]]


def content(page: CleanPage, names: Sequence[str]) -> str:
    run_steps(page, names)
    return "".join(etree.tostring(root, encoding="unicode", with_tail=False) for root in page.roots)


def article(inner: str) -> str:
    return f"<article><h1>A walk</h1><p>{PROSE * 2}</p>{inner}<p>{PROSE * 2}</p></article>"


def later(markup: str, names: Sequence[str], *, dropped: str | None = None) -> str:
    """What the steps after detection leave of an article, of which detection has judged an element not to be content."""
    page = clean_page(markup)
    page.roots = list(page.root.iter("article"))
    if dropped is not None:
        page.drops = [Drop(element, [], "") for element in page.root.iter(etree.Element) if element.get("id") == dropped]
    return content(page, [name for name in names if ORDER.index(name) > ORDER.index("detect")])


def test_every_pair_of_neighbours_is_looked_at_and_documented() -> None:
    told = (Path(__file__).parent.parent / "docs" / "cleaning-order.md").read_text(encoding="utf-8")
    for first, second in pairwise(ORDER):
        name = f"test_{first}_before_{second}"
        assert name in globals()
        assert name in told


def test_flatten_before_deferred() -> None:
    """A place in an inert template is none: what is streamed must not arrive there."""
    markup = (
        "<template><div><template id='B:0'></template></div></template>"
        + article("<!--$?--><template id='B:0'></template><!--/$-->")
        + f"<div hidden id='S:0'><p>It arrived. {PROSE}</p></div><script>$RC('B:0','S:0')</script>"
    )
    assert "It arrived." in content(clean_page(markup), ORDER)
    assert "It arrived." not in content(clean_page(markup), swapped("flatten", "deferred"))


def test_deferred_before_detect() -> None:
    """Detection must see a text that only readers without script see."""
    markup = f"<div>Please wait.</div><noscript>{article('')}</noscript>"
    assert PROSE in content(clean_page(markup), ORDER)
    assert PROSE not in content(clean_page(markup), swapped("deferred", "detect"))


def test_detect_before_standardize() -> None:
    """Notes outside the content are fetched, which takes knowing what is outside."""
    notes = "<div><ol><li id='n'>By the date above the door. <a href='#r'>back</a></li></ol></div>"
    markup = f"<div>{article('<p>The mill is old<sup><a href=#n id=r>1</a></sup>.</p>')}</div><div><a href=/>Start</a></div>{notes}"
    assert "By the date" in content(clean_page(markup), ORDER)
    assert "By the date" not in content(clean_page(markup), swapped("detect", "standardize"))


def test_standardize_before_callouts() -> None:
    """What is in a callout is protected from then on, in the form it has."""
    code = '<pre><code><span class="line"><span class="lineno">1</span>walk()</span></code></pre>'
    markup = article(f'<div class="admonition note"><p class="admonition-title">Note</p>{code}</div>')
    assert "<pre><code>walk()</code></pre></aside>" in later(markup, ORDER)
    assert "<pre><code>walk()</code></pre></aside>" not in later(markup, swapped("standardize", "callouts"))


def test_callouts_before_hidden() -> None:
    """The text of a folded callout is content."""
    markup = article(
        '<div class="admonition note"><p class="admonition-title">Note</p><p>Bring a map.</p>'
        '<p style="display:none">The way is not marked everywhere.</p></div>'
    )
    assert "not marked" in later(markup, ORDER)
    assert "not marked" not in later(markup, swapped("callouts", "hidden"))


def test_hidden_before_scoring() -> None:
    """Whether hidden text is the page's only copy is asked of all the text there is."""
    hidden = f'<div style="display:none"><p>For the printed edition. {PROSE}</p></div>'
    markup = f'<article><p>{PROSE}</p>{hidden}<div id="links"><p>Other walks. {PROSE}</p></div></article>'
    assert "printed edition" not in later(markup, ORDER, dropped="links")
    assert "printed edition" in later(markup, swapped("hidden", "scoring"), dropped="links")


def test_scoring_before_selectors() -> None:
    """Names, the weaker evidence, may take their share of what is left only."""
    named = f'<div class="sidebar"><p>Beside the river. {PROSE * 2}</p></div>'
    markup = f'<article><p>{PROSE * 5}</p>{named}<div id="links"><p>Other walks. {PROSE * 5}</p></div></article>'
    assert "Beside the river." in later(markup, ORDER, dropped="links")
    assert "Beside the river." not in later(markup, swapped("scoring", "selectors"), dropped="links")


def test_selectors_before_patterns() -> None:
    """Of two copies of a text the first one stays, unless its name says that it is no content."""
    markup = article(f'<div class="sidebar"><p>Bring a map. {PROSE}</p></div><p>Bring a map. {PROSE}</p><p>{PROSE * 3}</p>')
    assert later(markup, ORDER).count("Bring a map.") == 1
    assert "Bring a map." not in later(markup, swapped("selectors", "patterns"))


def test_patterns_before_normalize() -> None:
    """Fields and buttons, which step 10 takes out, tell what a box is for."""
    markup = article("<div><p>A letter about walks.</p><input type=email name=mail><button>Subscribe</button></div>")
    assert "A letter about walks." not in later(markup, ORDER)
    assert "A letter about walks." in later(markup, swapped("patterns", "normalize"))


def test_normalize_before_links() -> None:
    """Whether a fragment still has its target is known when everything has left that will."""
    markup = article('<p>See <a href="#film">the film</a>.</p><object id="film"></object>')
    assert f'href="{URL}#film"' in later(markup, ORDER)
    assert 'href="#film"' in later(markup, swapped("normalize", "links"))
