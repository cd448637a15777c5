"""Step 4: notes and references."""

from __future__ import annotations

import pytest
from lxml import etree

from mainextract_beam.clean.footnotes import MAX_NOTES, standardize_footnotes
from mainextract_beam.clean.protect import is_protected
from tests.clean_steps import after, page_of, protected, written


def ref(note: str, identifier: str, label: str = "1", more: str = "") -> str:
    return f'<sup><a href="#{note}"{more} id="{identifier}" role="doc-noteref">{label}</a></sup>'


def section(*items: str) -> str:
    return f'<section role="doc-endnotes"><ol>{"".join(items)}</ol></section>'


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param(
            '<p>T<sup id="r1"><a href="#n1">1</a></sup></p><ol><li id="n1"><p>Note <a href="#r1">↩</a></p></li></ol>',
            '<p>T<sup id="r1"><a href="#n1" role="doc-noteref">1</a></sup></p><section role="doc-endnotes"><ol>'
            '<li id="n1" role="doc-footnote"><p>Note <a href="#r1" role="doc-backlink">↩</a></p></li></ol></section>',
            id="list with links back",
        ),
        pytest.param(
            '<p>T<a href="#fn1"><sup>1</sup></a></p><div class="notes"><h2>Notes</h2><p id="fn1">1. Note</p></div>',
            f'<p>T{ref("fn1", "fnref-fn1")}</p><section class="notes" role="doc-endnotes"><h2>Notes</h2><ol>'
            '<li id="fn1" role="doc-footnote"><p>1. Note</p></li></ol></section>',
            id="paragraphs under a heading",
        ),
        pytest.param(
            '<p>T<sup>[<a id="r" href="#d">1</a>]</sup></p><div id="footnotes"><hr><div id="d"><a href="#r">1</a>. N</div></div>',
            '<p>T<sup>[<a id="r" href="#d" role="doc-noteref">1</a>]</sup></p><section id="footnotes" '
            'role="doc-endnotes"><hr/><ol><li id="d" role="doc-footnote"><a href="#r" role="doc-backlink">1</a>. N</li>'
            "</ol></section>",
            id="divs under a rule, as Asciidoctor writes",
        ),
        pytest.param(
            '<p>T<a href="#id2" id="id1" role="doc-noteref">1</a></p><aside class="footnote-list"><aside id="id2" '
            'role="doc-footnote"><span>[<a role="doc-backlink" href="#id1">1</a>]</span><p>N</p></aside></aside>',
            '<p>T<sup><a href="#id2" id="id1" role="doc-noteref">1</a></sup></p><section class="footnote-list" '
            'role="doc-endnotes"><ol><li id="id2" role="doc-footnote"><span>[<a role="doc-backlink" href="#id1">1</a>]'
            "</span><p>N</p></li></ol></section>",
            id="asides, as docutils writes",
        ),
        pytest.param(
            '<p>T<a href="#_ftn1" name="_ftnref1">[1]</a> U<a href="#_ftn2" name="_ftnref2">[2]</a></p><div><div id="ftn1"><p>'
            '<a href="#_ftnref1" name="_ftn1">[1]</a> N</p></div><div id="ftn2"><p><a href="#_ftnref2" name="_ftn2">'
            "[2]</a> M</p></div></div>",
            '<p>T<sup><a href="#_ftn1" name="_ftnref1" id="_ftnref1" role="doc-noteref">[1]</a></sup> '
            'U<sup><a href="#_ftn2" name="_ftnref2" id="_ftnref2" role="doc-noteref">[2]</a></sup></p>'
            '<section role="doc-endnotes"><ol><li id="ftn1" role="doc-footnote"><p><a href="#_ftnref1" name="_ftn1" '
            'role="doc-backlink">[1]</a> N</p></li><li id="ftn2" role="doc-footnote"><p><a href="#_ftnref2" name="_ftn2" '
            'role="doc-backlink">[2]</a> M</p></li></ol></section>',
            id="as word processors write",
        ),
        pytest.param(
            '<p>T<sup id="c1"><a href="#n">[1]</a></sup> U<sup id="c2"><a href="#n">[1]</a></sup></p><ol class="references">'
            '<li id="n">^ <a href="#c1">a</a> <a href="#c2">b</a> N</li><li id="m">Not cited</li></ol>',
            '<p>T<sup id="c1"><a href="#n" role="doc-noteref">[1]</a></sup> U<sup id="c2"><a href="#n" role="doc-noteref">[1]'
            '</a></sup></p><section role="doc-endnotes"><ol class="references"><li id="n" role="doc-footnote">^ <a href="#c1" '
            'role="doc-backlink">a</a> <a href="#c2" role="doc-backlink">b</a> N</li><li id="m">Not cited</li></ol></section>',
            id="one note cited twice, one not at all",
        ),
        pytest.param(
            '<p>T<sup><a href="#n1">1</a></sup> U<sup><a href="#n2">2</a></sup></p>'
            '<p><a name="n1"></a>1. N<br><a name="n2"></a>2. M</p>',
            f'<p>T{ref("n1", "fnref-n1")} U{ref("n2", "fnref-n2", "2")}</p><section role="doc-endnotes"><ol>'
            '<li role="doc-footnote" id="n1"><p><a/>1. N</p></li><li role="doc-footnote" id="n2"><p><a/>2. M</p></li>'
            "</ol></section>",
            id="notes parted by line breaks",
        ),
        pytest.param(
            "<p>A first sentence<sup>1</sup> and one more<sup>2</sup>.</p><p>x</p><hr><p><sup>1</sup> N one.</p>"
            "<p><sup>2</sup> N two.</p>",
            f"<p>A first sentence{ref('fn-1', 'fnref-fn-1')} and one more{ref('fn-2', 'fnref-fn-2', '2')}.</p><p>x</p><hr/>"
            '<section role="doc-endnotes"><ol><li id="fn-1" role="doc-footnote"><p><a role="doc-backlink" '
            'href="#fnref-fn-1">1</a> N one.</p></li><li id="fn-2" role="doc-footnote"><p><a role="doc-backlink" '
            'href="#fnref-fn-2">2</a> N two.</p></li></ol></section>',
            id="numbers without links",
        ),
        pytest.param(
            '<p>T<label for="s" class="margin-toggle"></label><input type="checkbox" id="s" class="margin-toggle">'
            '<span class="sidenote">A <i>note</i>.</span> goes on.</p>',
            '<p>T<sup><a role="doc-noteref" href="#sn-1" id="snref-1">1</a></sup> goes on.</p>'
            '<section role="doc-endnotes"><ol><li role="doc-footnote" id="sn-1">A <i>note</i>.</li></ol></section>',
            id="side note in the text",
        ),
        pytest.param(
            '<p>T<a href="#n1" class="fn">1</a></p><dl><dt id="n1"><a href="#x">1</a></dt><dd><p>N</p></dd></dl>',
            '<p>T<sup><a href="#n1" class="fn" id="fnref-n1" role="doc-noteref">1</a></sup></p>'
            '<section role="doc-endnotes"><ol><li id="n1" role="doc-footnote"><a href="#x">1</a> <p>N</p></li></ol></section>',
            id="definition list",
        ),
        pytest.param(
            '<p>T<sup><a href="#n1">1</a></sup></p><table id="n1"><tr><td>[1]</td><td>N</td></tr></table>',
            f'<p>T{ref("n1", "fnref-n1")}</p>{section("""<li id="n1" role="doc-footnote">[1] N</li>""")}',
            id="table of one row",
        ),
        pytest.param(
            '<p>T<sup><a href="#n5">5</a></sup></p><ol><li id="n5">N</li></ol>',
            f'<p>T{ref("n5", "fnref-n5", "5")}</p>{section("""<li id="n5" role="doc-footnote" value="5">N</li>""")}',
            id="numbers as the page states them",
        ),
        pytest.param(
            '<p>T<sup><a href="#n1">1</a></sup> U<sup><a href="#n2">2</a></sup></p><p id="n1">N</p><p>goes on</p><p id="n2">M</p>',
            f"<p>T{ref('n1', 'fnref-n1')} U{ref('n2', 'fnref-n2', '2')}</p>"
            + section(
                '<li id="n1" role="doc-footnote"><p>N</p><p>goes on</p></li>', '<li id="n2" role="doc-footnote"><p>M</p></li>'
            ),
            id="note of two paragraphs",
        ),
        pytest.param(
            '<p>T<a href="https://example.com/a#fn1" class="footnote">*</a></p><p id="fn1">* N</p>',
            f"<p>T{ref('fn1', 'fnref-fn1', '*', ' class=' + chr(34) + 'footnote' + chr(34))}</p>"
            f'{section("""<li id="fn1" role="doc-footnote"><p>* N</p></li>""")}',
            id="full URL of the page, sign for a label",
        ),
    ],
)
def test_footnotes(markup: str, expected: str) -> None:
    assert after(standardize_footnotes, markup, url="https://example.com/a") == expected


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param('<p>See (<a href="#eq1">1</a>).</p><div id="eq1">E=mc (1)</div>', id="equation"),
        pytest.param('<p><a href="#s1">1</a> <a href="#s2">2</a></p><h2 id="s1">One</h2><h2 id="s2">Two</h2>', id="contents"),
        pytest.param('<p id="n1">N</p><p>T<sup><a href="#n1">1</a></sup></p>', id="leads back, not ahead"),
        pytest.param('<p>T<sup><a href="#gone">1</a></sup></p>', id="leads nowhere"),
        pytest.param('<p>T<sup><a href="https://example.org/#n1">1</a></sup></p><p id="n1">N</p>', id="another page"),
        pytest.param(f'<p>T<sup><a href="#n">1</a></sup></p><div id="n">{"long " * 1000}</div>', id="a section"),
        pytest.param("<p>10<sup>2</sup> and 10<sup>3</sup> and m<sup>2</sup> or m<sup>3</sup></p>", id="powers"),
        pytest.param('<p><a href="#a">A</a> <a href="#b">B</a></p><p id="a">Ash</p><p id="b">Birch</p>', id="register"),
    ],
)
def test_no_footnotes(markup: str) -> None:
    page = page_of(markup, url="https://example.com/a")
    before = written(page)
    standardize_footnotes(page)
    assert written(page) == before
    assert protected(page) == []


def test_notes_outside_the_content_root_are_fetched() -> None:
    markup = '<main><p>A text<sup><a href="#n">1</a></sup></p></main><div><p id="n">N</p></div>'
    page = page_of(markup, root=".//main", keep=True)
    standardize_footnotes(page)
    note = '<li id="n" role="doc-footnote"><p>N</p></li>'
    assert written(page) == f'<main><p>A text{ref("n", "fnref-n")}</p><section role="doc-endnotes"><ol>{note}</ol></section></main>'
    assert [(entry.rule, entry.action) for entry in page.journal.entries] == [
        ("footnotes", "replace"),
        ("footnotes-outside", "merge"),
    ]


def test_terms_as_long_as_the_text_are_not_fetched() -> None:
    markup = '<main><p>A text<sup><a href="#n">1</a></sup></p></main><div><p id="n">Terms apply</p></div>'
    page = page_of(markup, root=".//main")
    standardize_footnotes(page)
    assert page.roots[0].xpath("string()") == "A text1"


def test_notes_and_references_are_protected() -> None:
    page = page_of('<p>T<sup><a href="#n">1</a></sup></p><ol><li id="n">N</li></ol>')
    standardize_footnotes(page)
    assert protected(page) == [("sup", "noteref"), ("section", "note"), ("li", "note")]
    assert all(is_protected(page, element) for element in page.roots[0].iter("sup", "a", "section", "li"))


def test_every_reference_has_its_target() -> None:
    page = page_of(
        '<p>T<sup><a href="#n1">1</a></sup> U<sup><a href="#n2">2</a></sup></p>'
        '<p><a name="n1"></a>1. N<br><a name="n2"></a>2. M</p>'
    )
    standardize_footnotes(page)
    ids = [element.get("id") for element in page.root.iter(etree.Element) if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(link.get("href", "")[1:] in ids for link in page.root.iter("a") if link.get("href"))


def test_notes_without_number() -> None:
    count = MAX_NOTES + 10
    refs = "".join(f'<sup><a href="#n{i}">{i % 1000}</a></sup>' for i in range(count))
    page = page_of(f"<p>{refs}</p>" + "".join(f'<p id="n{i}">N{i}</p>x' for i in range(count)))
    standardize_footnotes(page)
    assert [p.text for p in page.root.iter("p")][1:] == [f"N{i}" for i in range(count)]
    page = page_of(f"<p>{refs}</p><div>" + "".join(f'<i id="n{i}">N</i>x' for i in range(count)) + "</div>")
    before = written(page)
    standardize_footnotes(page)
    assert written(page) == before
