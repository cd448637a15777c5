"""Step 4: formulas."""

from __future__ import annotations

import pytest

from mainextract_beam.clean.math import standardize_math
from mainextract_beam.clean.protect import is_protected
from tests.clean_steps import after, page_of, protected

ANNOTATED = '<semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics>'


def tex(source: str, display: str = "inline") -> str:
    return f'<math data-latex="{source}" display="{display}"><mtext>{source}</mtext></math>'


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param(
            f"<p>a <math>{ANNOTATED}</math> b</p>",
            '<p>a <math data-latex="x^2" display="inline"><mrow><mi>x</mi></mrow></math> b</p>',
            id="MathML",
        ),
        pytest.param(
            '<math display="block"><mi>x</mi></math>', '<math display="block"><mi>x</mi></math>', id="MathML of its own"
        ),
        pytest.param(
            f'<p>a <span class="katex"><span class="katex-mathml"><math>{ANNOTATED}</math></span>'
            '<span class="katex-html" aria-hidden="true"><span>x2</span></span></span> b</p>',
            '<p>a <math data-latex="x^2" display="inline"><mrow><mi>x</mi></mrow></math> b</p>',
            id="KaTeX",
        ),
        pytest.param(
            f'<span class="katex-display"><span class="katex"><span class="katex-mathml"><math>{ANNOTATED}</math></span>'
            '<span class="katex-html">x2</span></span></span>',
            '<math data-latex="x^2" display="block"><mrow><mi>x</mi></mrow></math>',
            id="KaTeX, displayed",
        ),
        pytest.param(
            '<p>a <span class="MathJax_Preview"></span><span class="MathJax"><nobr>x2</nobr><span class="MJX_Assistive_MathML">'
            '<math><mi>x</mi></math></span></span><script type="math/tex">x^2</script> b</p>',
            '<p>a <math data-latex="x^2" display="inline"><mi>x</mi></math> b</p>',
            id="MathJax 2, drawn",
        ),
        pytest.param(
            r'<p><script type="math/tex; mode=display">\frac{a}{b}</script></p>',
            f"<p>{tex(chr(92) + 'frac{a}{b}', 'block')}</p>",
            id="MathJax 2, not drawn",
        ),
        pytest.param(
            '<mjx-container display="true"><mjx-math>x</mjx-math><mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml>'
            "</mjx-container>",
            '<math display="block"><mi>y</mi></math>',
            id="MathJax 3",
        ),
        pytest.param(
            '<mjx-container><mjx-math><mjx-msup><mjx-mi><mjx-c class="mjx-c1D450 TEX-I"></mjx-c></mjx-mi><mjx-script><mjx-mn>'
            '<mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-script></mjx-msup><mjx-mfrac><mjx-frac><mjx-num><mjx-mn>'
            '<mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-num><mjx-dbox><mjx-dtable><mjx-row><mjx-den><mjx-mn>'
            '<mjx-c class="mjx-c33"></mjx-c></mjx-mn></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac>'
            "</mjx-math></mjx-container>",
            '<math display="inline"><msup><mi>𝑐</mi><mrow><mn>2</mn></mrow></msup><mfrac><mrow><mn>1</mn></mrow>'
            "<mrow><mn>3</mn></mrow></mfrac></math>",
            id="MathJax 3 without MathML",
        ),
        pytest.param(
            '<span class="mwe-math-element"><span style="display:none"><math alttext="{\\displaystyle a}"><mi>a</mi></math>'
            '</span><img class="mwe-math-fallback-image-display" alt="{\\displaystyle a}" src="/a.svg"></span>',
            '<math alttext="{\\displaystyle a}" data-latex="{\\displaystyle a}" display="inline"><mi>a</mi></math>',
            id="MediaWiki",
        ),
        pytest.param(
            '<img src="https://example.com/latex.php?latex=E%3Dmc%5E2&amp;bg=fff" alt="E=mc^2" class="latex">',
            tex("E=mc^2"),
            id="picture with the TeX in its text",
        ),
        pytest.param(r'<img src="https://example.com/latex/gif.latex?\alpha^2">', tex(r"\alpha^2"), id="whole query"),
        pytest.param('<img src="https://example.com/chart?cht=tx&amp;chl=x%5E2+y">', tex("x^2 y"), id="one parameter"),
        pytest.param(r'<p><span data-math="\sum_i x_i">sum</span></p>', rf"<p>{tex(chr(92) + 'sum_i x_i')}</p>", id="attribute"),
        pytest.param(r"<d-math block>\int x</d-math>", tex(r"\int x", "block"), id="custom element"),
        pytest.param(r'<script type="math/tex">\(x^2\)</script>', tex("x^2"), id="delimiters"),
        pytest.param(
            '<script type="math/tex">a&#12;^2</script>'.replace("&#12;", "\x0c"), tex("a�^2"), id="character XML forbids"
        ),
        pytest.param(
            '<script type="math/tex">a<b</script>', '<math data-latex="a&lt;b" display="inline"><mtext>a&lt;b</mtext></math>',
            id="escaped",
        ),
        # What must stay as it is.
        pytest.param('<p><img src="/latex/boots.jpg" alt="Boots"/></p>', None, id="picture of something else"),
        pytest.param('<p><img src="/a.png" alt="x^2 grows"/></p>', None, id="text that only looks like TeX"),
        pytest.param('<p><span data-math="12">twelve</span></p>', None, id="attribute that is no TeX"),
        pytest.param(f'<div data-tex="x^2">{"prose " * 100}</div>', None, id="attribute of a whole passage"),
        pytest.param('<p><span class="katex-html">x2</span></p>', None, id="drawing alone"),
        pytest.param("<p>It costs $5 and $6.</p>", None, id="dollars"),
    ],
)  # fmt: skip
def test_formula(markup: str, expected: str | None) -> None:
    assert after(standardize_math, markup) == (markup if expected is None else expected)


def test_formulas_are_protected() -> None:
    page = page_of('<p>a <script type="math/tex">x</script></p><p>b</p>')
    standardize_math(page)
    assert protected(page) == [("math", "math")]
    assert [is_protected(page, element) for element in page.roots[0]] == [True, False]


def test_formulas_without_number() -> None:
    count = 5_000
    assert after(standardize_math, '<script type="math/tex">x</script>t' * count) == (tex("x") + "t") * count
    text = "<annotation>a</annotation>t" * count
    assert after(standardize_math, f"<math>{text}</math>") == f'<math display="inline">{"t" * count}</math>'
