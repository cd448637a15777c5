"""Taking things out of a page, the journal of it, and the protected predicate."""

from __future__ import annotations

from copy import deepcopy

from lxml import etree

from mainextract_beam.clean.edit import Edits, remove, replace, unwrap
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage
from mainextract_beam.clean.protect import is_protected


def page_of(markup: str, *, keep: bool = False) -> CleanPage:
    page = CleanPage(etree.fromstring(markup), journal=Journal(keep=keep))
    page.journal.open(page.root)
    return page


def written(page: CleanPage) -> str:
    return etree.tostring(page.root, encoding="unicode")


def find(page: CleanPage, path: str) -> etree._Element:
    found = page.root.find(path)
    assert found is not None
    return found


def test_remove_keeps_the_text_around() -> None:
    page = page_of("<body>a<p>b</p>c<i>d</i>e</body>")
    remove(page, find(page, "p"), step="s", rule="r")
    remove(page, find(page, "i"), step="s", rule="r")
    assert written(page) == "<body>ace</body>"


def test_unwrap_keeps_content_and_order() -> None:
    page = page_of("<body>a<p>b<i>c</i>d<b>e</b>f</p>g</body>")
    unwrap(page, find(page, "p"), step="s", rule="r")
    assert written(page) == "<body>ab<i>c</i>d<b>e</b>fg</body>"


def test_replace_keeps_the_text_after_and_the_roots() -> None:
    page = page_of("<html><body>a<p>b</p>c</body></html>")
    new = etree.Element("h2")
    replace(page, find(page, "body/p"), new, step="s", rule="r")
    assert written(page) == "<html><body>a<h2/>c</body></html>"
    body = etree.Element("body")
    replace(page, page.roots[0], body, step="s", rule="r")
    assert page.roots == [body]


def test_replace_by_its_own_child() -> None:
    page = page_of("<body>a<p>b<i>c</i>d</p>e</body>")
    replace(page, find(page, "p"), find(page, "p/i"), step="s", rule="r")
    assert written(page) == "<body>a<i>c</i>e</body>"


def test_content_roots_stay() -> None:
    page = page_of("<html><body>a</body></html>")
    remove(page, page.roots[0], step="s", rule="r")
    unwrap(page, page.roots[0], step="s", rule="r")
    with Edits(page, "s") as edits:
        edits.remove(page.roots[0], rule="r")
    assert written(page) == "<html><body>a</body></html>"


def test_edits_of_adjacent_and_nested_elements() -> None:
    page = page_of("<body>a<p>b</p>c<p>d<i>e</i></p>f<div>g<u>h<i>i</i>j</u>k</div>l</body>", keep=True)
    with Edits(page, "s") as edits:
        for element in page.root.iter("p", "i"):
            edits.remove(element, rule="out")
        for element in page.root.iter("div", "u", "i"):
            edits.unwrap(element, rule="off")
    assert written(page) == "<body>acfghjkl</body>"
    assert [(entry.action, entry.path) for entry in page.journal.entries] == [
        ("remove", "/body/p[1]"),
        ("remove", "/body/p[2]"),
        ("remove", "/body/div/u/i"),
        ("unwrap", "/body/div"),
        ("unwrap", "/body/div/u"),
    ]


def test_journal_entry() -> None:
    page = page_of("<body><p>one</p><p>two <b>words</b>\n</p></body>", keep=True)
    second = page.root[1]
    remove(page, page.root[0], step="s", rule="first")
    remove(page, second, step="s", rule="r", reason="why", selector="p")
    entry = page.journal.entries[1]
    assert (entry.step, entry.rule, entry.reason, entry.selector) == ("s", "r", "why", "p")
    assert (entry.path, entry.tag, entry.words, entry.sample) == ("/body/p[2]", "p", 2, "two words")


def test_new_element_bears_the_path_of_the_old() -> None:
    page = page_of("<body><p>one</p></body>", keep=True)
    new = etree.Element("h2")
    replace(page, page.root[0], new, step="s", rule="r")
    remove(page, new, step="s", rule="r")
    assert [entry.path for entry in page.journal.entries] == ["/body/p", "/body/p"]
    assert page.journal.path(etree.Element("p")) is None


def test_a_journal_not_kept_stays_empty() -> None:
    page = page_of("<body><p>one</p></body>")
    remove(page, page.root[0], step="s", rule="r")
    assert page.journal.entries == []


def test_deep_paths_are_cut_at_the_top() -> None:
    root = leaf = etree.Element("body")
    for _ in range(1000):
        leaf = etree.SubElement(leaf, "div")
    journal = Journal(keep=True)
    journal.open(root)
    assert journal.path(leaf) == "//" + "/".join(["div"] * 256)


def test_protected_looks_up_and_down() -> None:
    page = page_of("<body><div><table><tr><td>x</td></tr></table></div><p>y</p></body>")
    page.marks.protect(find(page, "div/table"), "table")
    assert is_protected(page, find(page, "div"))
    assert is_protected(page, find(page, "div/table"))
    assert is_protected(page, find(page, "div/table/tr/td"))
    assert not is_protected(page, find(page, "p"))
    assert page.marks.kind(find(page, "div/table")) == "table"
    assert page.marks.kind(find(page, "div")) is None


def test_marks_of_a_copy() -> None:
    page = page_of("<body><div><table><tr><td>x</td></tr></table></div><p>y</p></body>")
    page.marks.protect(find(page, "div/table"), "table")
    copied = deepcopy(page.root)
    page.marks.copy(page.root, copied)
    assert [(element.tag, page.marks.kind(element)) for element in copied.iter()] == [
        ("body", None), ("div", None), ("table", "table"), ("tr", None), ("td", None), ("p", None),
    ]  # fmt: skip
    page.roots = [copied]
    assert [is_protected(page, element) for element in copied] == [True, False]
    assert is_protected(page, copied[0][0][0])


def test_pre_and_math_are_protected_without_a_mark() -> None:
    page = page_of("<body><div><pre><i>x</i></pre></div><p><math/></p><p>y</p></body>")
    assert [is_protected(page, element) for element in page.root] == [True, True, False]
    assert is_protected(page, find(page, "div/pre/i"))


def test_many_edits_in_linear_time() -> None:
    root = etree.Element("body")
    for _ in range(100_000):
        etree.SubElement(root, "br").tail = "x"
    page = CleanPage(root)
    with Edits(page, "s") as edits:
        for element in list(root):
            edits.remove(element, rule="r")
    assert root.text == "x" * 100_000
    assert len(root) == 0
