"""Markdown renderings: each construct as it is written, and as a CommonMark parser reads it back."""

from __future__ import annotations

import re
from pathlib import Path

import markdown_reader
import pytest
from test_render_properties import words

from mainextract_beam import Document, extract_page
from mainextract_beam.render.blocks import MAX_DEPTH, blocks_of
from mainextract_beam.render.markdown import to_markdown
from mainextract_beam.render.safe import safe_roots

SAMPLES = sorted((Path(__file__).parent.parent / "samples" / "pages").glob("*html"))
PAIRS = sorted((Path(__file__).parent / "pages").glob("*.html"))


def rendered(content: str) -> str:
    document = extract_page(f"<main>{content}</main>")
    assert document is not None
    return to_markdown(document)


def check(document: Document) -> None:
    """What a parser reads back is what was to be written."""
    content = blocks_of(safe_roots(document), notes=True)
    assert markdown_reader.plain(markdown_reader.read(to_markdown(document))) == markdown_reader.plain(content)


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        # Blocks
        ("<h1>a <b>b</b> #</h1><h6>c</h6><p>d", "# a b \\#\n\n###### c\n\nd\n"),
        ("<p>a<br>b<br><br>c", "a\\\nb\n\nc\n"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc\n"),
        ("<blockquote><p>a<p>b</blockquote><blockquote>c</blockquote>", "> a\n>\n> b\n\n> c\n"),
        ("<p>a<hr><p>b", "a\n\n___\n\nb\n"),
        ("<aside role=note data-callout=note><p class=callout-title>T<p>a</aside><p>b", "> T\n>\n> a\n\nb\n"),
        # Lists
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d\n"),
        ("<ol start=9><li>a<li><p>b<p>c</ol>", "9. a\n\n10. b\n\n    c\n"),
        ("<ol><li>a<ol start=2><li>b</ol></ol>", "1. a\n\n   2. b\n"),
        ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c\n"),
        ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b\n"),
        ("<ul><li></li><li>a<ul></ul></ul>", "- a\n"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a\n"),
        ("<ul><li data-task=done>a<li data-task=open>b</ul>", "- [x] a\n- [ ] b\n"),
        ("<ol><li value=0>a</ol><ol start=9999999999><li>b</ol>", "0. a\n\n1) b\n"),
        # Definitions
        ("<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd><p>d<p>e</dd><dt>f</dt><dd>g</dl>h", "**a**\n\n**b**\n\n- c\n\n- d\n\n  e\n\n**f**\n\n- g\n\nh\n"),
        ("<dl><dt>a<dd></dd><dd>b<ul><li>c</ul></dl>", "**a**\n\n- b\n  - c\n"),
        ("<dl><dt>a<dd>b</dl><ul><li>c</ul>", "**a**\n\n- b\n\n* c\n"),
        # Struck through
        ("<p>a <s>b</s> <del>c <b>d</b></del>e <strike>f", "a ~~b~~ c **d**e ~~f~~\n"),
        ("<p>was <s>$9.00</s>$5, in<del>side</del> ~~x~~", "was ~~\\$9.00~~\\$5, in~~side~~ \\~\\~x\\~\\~\n"),
        ("<p>a<s>.b</s> <s>c.</s>d <s>, </s>e <s><i>f</i> g</s>h", "a.b c.d ~~,~~ e ~~*f* g~~h\n"),
        ("<p><a href=x>a <s>b</s></a><s>c</s><br><s>~d</s>", "[a ~~b~~](x)~~c~~\\\n~~\\~d~~\n"),
        ("<table><tr><th>a<th>b<tr><td><s>c|d</s><td>e</table>", "| a | b |\n| --- | --- |\n| ~~c\\|d~~ | e |\n"),
        # Code
        ("<pre><code class='language-py x'>a\n\n\tb  \n</code></pre>", "```py\na\n\n\tb\n```\n"),
        ("<pre>```\na\n````</pre>", "`````\n```\na\n````\n`````\n"),
        ("<ul><li>a<pre>b\n  c</pre></ul>", "- a\n\n  ```\n  b\n    c\n  ```\n"),
        ("<p><code>a`b</code> <code>`</code> <kbd> c </kbd>d", "``a`b`` `` ` `` `c` d\n"),
        # Tables
        ("<table><tr><th>a|b<th>c<tr><td>d<br>e<td><code>f|g</code></table>", "| a\\|b | c |\n| --- | --- |\n| d e | `f\\|g` |\n"),
        ("<table><tr><td>a<td>b</table>", "|  |  |\n| --- | --- |\n| a | b |\n"),
        ("<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f</table>", "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f |\n"),
        ("<table><caption>T</caption><tr><th>a<th>b<tr><td>c<td>d</table>", "T\n\n| a | b |\n| --- | --- |\n| c | d |\n"),
        ("<table><tr><td><ul><li>a</ul><td>b</table>", "- a\n\nb\n"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb\n"),
        # Links and images
        ("<p>a<a href='https://example.com/b_(c)?d&amp;copy;'> b </a>c", "a [b](https://example.com/b_\\(c\\)?d&amp;copy;) c\n"),
        ("<p><a href='/a b<c>|`'>t</a>", "[t](/a%20b%3Cc%3E%7C%60)\n"),
        ("<p><a href=/b>^a: [b]: c</a>", "[\\^a: \\[b\\]: c](/b)\n"),
        ("<p>wow!<a href=/b>c</a>", "wow\\![c](/b)\n"),
        ("<p><a href='javascript:x()'>a</a><img src='data:text/html,x' alt=b>", "a\n"),
        ("<p><img src=/i.png alt='a]b*\"<'><a href=/c><img src=/j.png></a>", '![a\\]b\\*"\\<](/i.png)[![](/j.png)](/c)\n'),
        ("<p><img srcset='/a.png 1x, /b.png 2x' alt=a>", "![a](/a.png)\n"),
        ("<a href=/a><h2>b</h2><p>c</a>", "## [b](/a)\n\n[c](/a)\n"),
        ("<p><video src=/a.mp4 title=film></video>", "[film](/a.mp4)\n"),
        # Styles
        ("<p>a <b>b <i>c</i></b> <em>d</em>e f<i>g</i>h", "a **b *c*** *d*e f*g*h\n"),
        ("<p><b>Note:</b>a <b>「中」</b>文", "**Note**:a **「中**」文\n"),
        ("<p><b> a </b>b<b></b><b> </b>c", "**a** b c\n"),
        ("<p><b>a</b><i>b</i>", "**a**b\n"),
        ("<p>a<b><a href=/b>c</a></b>d", "a[**c**](/b)d\n"),
        ("<p>10<sup>6</sup> CO<sub>2</sub>", "10⁶ CO₂\n"),
        # Formulas
        ("<p>a <math data-latex='x_1 &lt; \\frac{1}{2}'><mi>x</mi></math>", "a $x_1 \\lt \\frac{1}{2}$\n"),
        ("<p>a<math display=block data-latex='x % c\ny'><mi>x</mi></math>b", "a\n\n$$x y$$\n\nb\n"),
        ("<p><math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mfrac><mn>1</mn><mi>sin</mi></mfrac></math>", "$x^{2} + \\frac{1}{\\mathrm{sin}}$\n"),
        ("<p><math data-latex='\\text{$x`}'><mi>x</mi></math>", "x\n"),
        ("<p><math data-latex='[a](javascript:x) &lt;img>'><mi>x</mi></math>", "$[a] (javascript:x) \\lt img \\gt$\n"),
    ],
)  # fmt: skip
def test_constructs(markup: str, markdown: str) -> None:
    assert rendered(markup) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("# a", "\\# a"),
        ("#a", "#a"),
        ("1. a", "1\\. a"),
        ("1) a", "1\\) a"),
        ("1.5 a", "1.5 a"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("-a", "-a"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("&gt; a", "\\> a"),
        ("* a", "\\* a"),
        ("``` a", "\\`\\`\\` a"),
        ("~~~ a", "\\~\\~\\~ a"),
        ("| a |", "\\| a |"),
        ("a_b _c_", "a_b \\_c\\_"),
        ("[a](b) [c]: d", "\\[a\\]\\(b) \\[c\\]: d"),
        ("![a](javascript:x)", "!\\[a\\]\\(javascript:x)"),
        ("&lt;b&gt; &lt;!-- --&gt;", "\\<b> \\<!-- -->"),
        ("AT&amp;T &amp;amp; &amp;#35;", "AT&T \\&amp; \\&#35;"),
        ("a\\b", "a\\\\b"),
        ("$5 and $6", "\\$5 and \\$6"),
    ],
)
def test_characters_that_would_be_markup_are_escaped(text: str, markdown: str) -> None:
    assert rendered(f"<p>{text}") == f"{markdown}\n"


NOTE = '<section role="doc-endnotes"><ol><li id="n" role="doc-footnote"><p>A note.<p>More. <a role="doc-backlink" href="#r">^</a></ol></section>'


def test_notes() -> None:
    assert rendered(f'<p>a<sup><a role="doc-noteref" href="#n" id="r">[1]</a></sup>: b{NOTE}') == (
        "a[^1]\\: b\n\n[^1]: A note.\n\n    More.\n"
    )


def test_brackets_around_a_link_back_leave_with_it() -> None:
    note = '<aside id="n" role="doc-footnote"><span>[<a role="doc-backlink" href="#r">1</a>]</span><p>A note.</aside>'
    assert rendered(f'<p>a<a role="doc-noteref" href="#n">1</a>{note}') == "a[^1]\n\n[^1]: A note.\n"


def test_empty_note_holds_its_label() -> None:
    note = '<ol><li id="n" role="doc-footnote"><a role="doc-backlink" href="#r">^</a></ol>'
    assert rendered(f'<p>a<a role="doc-noteref" href="#n">1</a>{note}') == "a[^1]\n\n[^1]: 1\n"


def test_reference_without_its_note_is_a_link() -> None:
    assert rendered('<p>a<sup><a role="doc-noteref" href="#n">1</a></sup>') == "a[1](#n)\n"


def test_note_without_a_reference_stays_where_it_is() -> None:
    assert rendered(f"<p>a{NOTE}") == "a\n\n1. A note.\n\n   More. [\\^](#r)\n"


def test_labels_are_told_apart() -> None:
    notes = "".join(f'<li id="n{number}" role="doc-footnote">note {number}' for number in range(3))
    references = "".join(f'<a role="doc-noteref" href="#n{number}">{label}</a>' for number, label in enumerate("**1"))
    assert rendered(f"<p>x{references}<ol>{notes}</ol>") == "x[^1][^2][^3]\n\n[^1]: note 0\n\n[^2]: note 1\n\n[^3]: note 2\n"


def test_clean_footnotes_are_notes() -> None:
    prose = "Words enough to be a paragraph of prose that any method keeps as the content of a page. " * 4
    markup = (
        f'<html><body><main><p>{prose}<sup id="r1"><a href="#f1">1</a></sup></p><p>{prose}</p>'
        '<div class="footnotes"><ol><li id="f1">The note itself. <a href="#r1">↩</a></li></ol></div></main></body></html>'
    )
    document = extract_page(markup, method="clean")
    assert document is not None
    assert to_markdown(document).endswith("\n\n[^1]: The note itself.\n")
    check(document)


def test_script_links_are_impossible() -> None:
    written = rendered("<p>[x](javascript:x()) <a href='JaVaScRiPt:x()'>]</a>(javascript:x())<b>](</b><i>javascript:</i>")
    assert "](" not in written


@pytest.mark.parametrize("path", [*SAMPLES, *PAIRS], ids=lambda path: path.name)
@pytest.mark.parametrize("method", ["regions", "clean"])
def test_pages_read_back(path: Path, method: str) -> None:
    document = extract_page(path.read_bytes(), method=method)
    if document is None:
        pytest.skip("no content")
    check(document)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_word_is_there(path: Path) -> None:
    document = extract_page(path.read_bytes(), method="clean")
    assert document is not None
    read = markdown_reader.read(to_markdown(document))
    found = " ".join(
        "".join(" " if each.kind == "break" else each.text for each in row) for row in markdown_reader.paragraphs(read)
    )
    missing = set(re.findall(r"\w{3,}", " ".join(words(document.text())))) - set(re.findall(r"\w{3,}", " ".join(words(found))))
    assert missing == set()


@pytest.mark.parametrize("name", ["blockquote", "ul", "b", "div", "table", "a", "span"])
def test_depth_is_bounded(name: str) -> None:
    depth = 2000
    inner = "<li>" if name == "ul" else "<tr><td>" if name == "table" else ""
    written = rendered(f"<{name}>{inner}" * depth + "word" + f"</{name}>" * depth)
    assert "word" in written
    assert max(map(len, written.splitlines())) < 4 * MAX_DEPTH + 40
