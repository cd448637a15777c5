"""The walks in C do what the Python functions they are named after do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from mainextract_beam import encodings, extract_page, line_layout, marked, parse, parse_html, regions, walks, xmlsafe
from mainextract_beam.clean import blocks, choose, features, model
from mainextract_beam.clean.hints import COUNT
from mainextract_beam.clean.model import block_model
from mainextract_beam.clean.name_tokens import LONGEST, SHORTEST, name_tokens
from mainextract_beam.marked import Judged
from mainextract_beam.metadata import name_families, signs, sources
from mainextract_beam.metadata.name_families import count_families
from mainextract_beam.methods import METHODS
from mainextract_beam.page import Page
from mainextract_beam.text import _normalize
from tests.page_pairs import PAIRS
from tests.test_damaged_pages import damaged
from tests.trees import elements, html5_tree, lxml_tree, pages, xml_tree

PAGES = [pair.page for pair in PAIRS] + [damaged(pair.page, seed) for seed, pair in enumerate(PAIRS)]


TREES = [
    html5_tree("<svg><title>t</title></svg><p>a<br>b<math><mi>x</mi></math><pre>\n a\nb</pre>"),
    lxml_tree("<p>a<o:p>b</o:p>c<img src=x>d"),
    xml_tree('<a xmlns:q="urn:q">one<q:pre>\n two</q:pre><![CDATA[ three ]]>four<!-- x --> five<?pi x?>six<br>seven</br></a>'),
    xml_tree('<!DOCTYPE p [<!ENTITY e "x"><!ENTITY nbsp "y">]><p>a&e;b&nbsp;<pre>\n&nbsp;\n</pre>&e;</p>'),
    xml_tree('<html xmlns="http://www.w3.org/1999/xhtml" xmlns:h="http://www.w3.org/1999/xhtml"><h:pre>a\nb</h:pre>c</html>'),
]


def compiled(name: str = "_walks") -> ModuleType:
    module = walks.load_compiled(name)
    if module is None:
        pytest.skip("nothing is compiled here")
    return module


@pytest.mark.skipif(bool(os.environ.get(walks.PURE)), reason="Python is asked for")
@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="there is no compiler")
def test_they_are_there_where_they_can_be_compiled() -> None:
    package = Path(walks.__file__).parent
    names = [path.relative_to(package).with_suffix("").as_posix().replace("/", ".") for path in package.rglob("_*.pyx")]
    assert {"_walks", "clean._blocks"} <= set(names)
    assert None not in map(walks.load_compiled, names)


def test_the_environment_keeps_to_python() -> None:
    code = "from mainextract_beam.walks import compiled; print(compiled)"
    environment = os.environ | {walks.PURE: "1"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout == b"None\n"


def assert_read_alike(root: Any) -> None:
    for whole in (True, False):
        for newlines in (True, False):
            kinds = line_layout._Kinds(line_layout._KINDS)
            plain = line_layout._read_text(root, whole, newlines, kinds)
            assert line_layout.Reading(*compiled().read_text(root, whole, newlines, kinds, *line_layout._ASKED)) == plain
            lines = compiled().block_lines(plain.atoms, line_layout.Line, line_layout._kept_lines)
            assert lines == line_layout._block_lines(plain.atoms)
            assert all(type(line) is line_layout.Line for line in lines)


@pytest.mark.parametrize("page", PAGES)
def test_text_of_pages_is_read_alike(page: bytes) -> None:
    assert_read_alike(parse_html(page).getroot())


@given(pages)
def test_text_of_any_page_is_read_alike(page: str) -> None:
    assert_read_alike(parse_html(page).getroot())
    for element in parse_html(page).getroot().iter("p", "pre", "br", "script"):
        assert_read_alike(element)


@given(elements(), st.booleans())
def test_text_of_any_tree_is_read_alike(tree: Any, wrapped: bool) -> None:
    assert_read_alike(tree)


@pytest.mark.parametrize("tree", TREES)
def test_text_of_trees_of_all_kinds_is_read_alike(tree: Any) -> None:
    assert_read_alike(tree.getroot())


PLAIN = "<html><head><title>t</title></head><body class='a b' data-x=\"'&lt;\">é\ufffd中\ud7ff\ue000\U0010ffff<!-- c -->\x7f<br></body></html>"
ODD = [
    "<p @click=x>",
    "<p a:b=x>",
    "<p xmlns=x>",
    "<p 1=x>",
    "<p é=x>",
    "<p a=\"&#1;\">",
    "<o:p>",
    "<v}%>",
    "<a\u00b7b>",
    "<!-- a -- b -->",
    "<!-- a --->",
    "<!--&#1;\x02-->",
    "&#1;",
    "\x0b",
    "\ufffe",
    "\uffff",
]  # fmt: skip


def test_plain_trees_are_plain() -> None:
    assert compiled().is_plain(parse_html(PLAIN).getroot())


@pytest.mark.parametrize("odd", ODD)
def test_odd_names_and_characters_are_not_plain(odd: str) -> None:
    assert not compiled().is_plain(parse_html(PLAIN.replace("<br>", odd)).getroot())


@pytest.mark.parametrize("node", [etree.PI("a"), etree.Entity("nbsp"), etree.Element("{urn:a}b"), etree.Element("b", nsmap={"a": "urn:a"})])
def test_what_html_parsers_do_not_make_is_not_plain(node: Any) -> None:
    root = parse_html(PLAIN).getroot()
    root[-1].append(node)
    assert not compiled().is_plain(root)


def test_an_element_called_xmlns_hides_no_attribute_of_that_name() -> None:
    root = parse_html("<div><xmlns>a</xmlns><p xmlns='b'>c</p></div>").getroot()
    assert not compiled().is_plain(root)


def assert_plain_is_well_formed(page: bytes | str) -> None:
    root = parse_html(page).getroot()
    if not root.nsmap and compiled().is_plain(root):
        xml = xmlsafe._serialized(root)
        assert xmlsafe.is_well_formed(xml, instructions=False)
        xmlsafe.mend(root)
        assert xmlsafe._serialized(root) == xml


@pytest.mark.parametrize("page", PAGES)
def test_what_is_plain_is_well_formed(page: bytes) -> None:
    assert_plain_is_well_formed(page)


@given(pages)
def test_what_is_plain_is_well_formed_in_any_page(page: str) -> None:
    assert_plain_is_well_formed(page)


@given(pages)
def test_pages_are_surveyed_alike(page: str) -> None:
    root = parse_html(page).getroot()
    assert compiled().survey(root, parse._SURVEYED, parse.MAX_DEPTH) == list(root.iter(*parse._SURVEYED))


def test_depth_is_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for depth in (63, 64, 65, parse.MAX_DEPTH - 1, parse.MAX_DEPTH, parse.MAX_DEPTH + 1, 1000):
        root = lxml_tree("<html><body>" + "<b>" * (depth - 2) + "x").getroot()
        found = parse.survey(root)
        assert (found is None) == (depth > parse.MAX_DEPTH)
        monkeypatch.setattr(parse, "compiled", None)
        assert parse.survey(root) == found
        monkeypatch.undo()


def assert_densest_alike(root: Any) -> None:
    for whole in (True, False):
        kinds = regions._Kinds(regions._KINDS)
        found = compiled().densest(root, whole, kinds, regions._kind_of_element)
        if any(isinstance(node, etree._Entity) for node in root.iter(etree.Entity)):
            assert found is NotImplemented
        else:
            assert found is regions._densest(Page(root, whole=whole), kinds)


@pytest.mark.parametrize("page", PAGES)
def test_the_densest_is_found_alike(page: bytes) -> None:
    assert_densest_alike(parse_html(page).getroot())


@given(pages)
def test_the_densest_of_any_page_is_found_alike(page: str) -> None:
    root = parse_html(page).getroot()
    assert_densest_alike(root)
    assert_densest_alike(root[-1] if len(root) else root)


@given(elements())
def test_the_densest_of_any_tree_is_found_alike(tree: Any) -> None:
    assert_densest_alike(tree)


@pytest.mark.parametrize("tree", TREES)
def test_the_densest_of_trees_of_all_kinds_is_found_alike(tree: Any) -> None:
    assert_densest_alike(tree.getroot())


@given(st.lists(st.text("a \t\n\x85\x7f\xa0\u1680\u2003\u200a\u200b\u2028\u202f\u205f\u3000\ufeff\ufffd中é\U0001f600", max_size=9), max_size=3))
def test_characters_are_counted_alike(texts: list[str]) -> None:
    root = etree.Element("body")
    for text in texts:
        etree.SubElement(root, "p").text = text
    assert_densest_alike(root)
    assert_read_alike(root)
    assert_cut_alike(root)


@pytest.mark.parametrize("node", [etree.Comment("c"), etree.PI("a", "b"), etree.Entity("nbsp")])
@pytest.mark.parametrize("markup", ["<p>a</p>", "<p>a</p>b<p>c</p>"])
def test_nodes_that_are_no_elements_hold_nothing(node: Any, markup: str) -> None:
    root = parse_html(f"<body>{markup}").getroot()
    node.tail = "after"
    root[-1].insert(1, node)
    assert_read_alike(node)
    assert_cut_alike(node)
    assert compiled().densest(node, True, regions._KINDS, regions._kind_of_element) is None
    assert compiled().stating_main(node, True) is None
    assert compiled().survey(node, parse._SURVEYED, parse.MAX_DEPTH) == []
    assert compiled().is_plain(node) == isinstance(node, etree._Comment)


@given(pages, st.booleans())
def test_the_main_role_is_found_alike(page: str, whole: bool) -> None:
    root = parse_html(page).getroot()
    lower = Page(root, whole=whole, lower_case=True)
    assert regions.stating_main(lower) is regions.stating_main(replace(lower, lower_case=False))


def assert_cut_alike(root: Any) -> None:
    found = blocks.Walked(*compiled("clean._blocks").walk(root, blocks._FLAGS))
    plain = blocks.walk(root)
    for name in blocks.Walked._fields:
        ours, theirs = getattr(found, name), getattr(plain, name)
        assert (np.frombuffer(ours, np.int32).tolist() if isinstance(ours, bytes) else ours) == theirs, name


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_cut_alike(page: bytes) -> None:
    assert_cut_alike(parse_html(page).getroot())


@given(pages)
def test_any_page_is_cut_alike(page: str) -> None:
    assert_cut_alike(parse_html(page).getroot())
    for element in parse_html(page).getroot().iter("a", "p", "body", "script"):
        assert_cut_alike(element)


@given(elements())
def test_any_tree_is_cut_alike(tree: Any) -> None:
    assert_cut_alike(tree)


def test_many_elements_alike_are_cut_alike() -> None:
    many = "".join(f'<div><p class="c{number % 7}">some words</p></div>' for number in range(5000))
    assert_cut_alike(parse_html(f"<body>{many}").getroot())


def test_deep_trees_are_cut_alike() -> None:
    root = etree.fromstring("<div>" + "<b class='x'>" * 200 + "a<p>b" + "</p>" + "</b>" * 200 + "</div>")
    assert_cut_alike(root)


@pytest.mark.parametrize("method", METHODS)
def test_documents_are_the_same_without_them(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"method": method, **({"journal": True} if method == "clean" else {})}
    documents = [extract_page(page, url="https://example.com/", **options) for page in PAGES]
    for name, module in sys.modules.items():
        if name.startswith("mainextract_beam.") and hasattr(module, "compiled"):
            monkeypatch.setattr(module, "compiled", None)
    assert documents == [extract_page(page, url="https://example.com/", **options) for page in PAGES]
    assert any(document is not None for document in documents)


def assert_marked_alike(root: Any) -> None:
    tags = {"p": 1, "a": 2, "{http://www.w3.org/1999/xhtml}p": 4, "o:p": 8, "q:pre": 16}
    judged = {"class": Judged(lambda value: 32 * (" " in value)), "id": Judged(len), "href": Judged(lambda value: 0), "src": 64}
    pieces = {**sources._VALUES, "class": 32, "id": {"": 64, "é": 128, "b": 256}}
    for attributes in ({}, judged, pieces):
        assert compiled().marked(root, tags, attributes) == marked._marked(root, tags, attributes)


@pytest.mark.parametrize("page", PAGES)
def test_elements_marked(page: str) -> None:
    assert_marked_alike(parse_html(page).getroot())


@pytest.mark.parametrize("root", TREES)
def test_elements_marked_in_any_tree(root: Any) -> None:
    for element in root.iter():
        assert_marked_alike(element)


@given(pages)
def test_elements_marked_of_any_page(page: str) -> None:
    assert_marked_alike(parse_html(page).getroot())


def assert_described_alike(root: Any, title: str) -> None:
    held = blocks.cut(root)
    if not held.texts:
        return
    said = features.describe(held, block_model().evidence, title, np.zeros(COUNT, dtype=np.float32))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "compiled", None)
        patch.setattr(model, "compiled", None)
        plain = features.describe(held, block_model().evidence, title, np.zeros(COUNT, dtype=np.float32))
    assert said.names == plain.names
    places = choose._structures(held).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "compiled", None)
        assert choose._structures(held).tolist() == places
    unlike = np.flatnonzero((said.matrix != plain.matrix).any(axis=0))
    assert [said.names[column] for column in unlike.tolist()] == []


@pytest.mark.parametrize("page", PAGES)
def test_blocks_are_described_alike(page: bytes) -> None:
    compiled("clean._features")
    assert_described_alike(parse_html(page).getroot(), "The title of a page")


@given(pages)
def test_blocks_of_any_page_are_described_alike(page: str) -> None:
    compiled("clean._features")
    assert_described_alike(parse_html(page).getroot(), "word")


@given(elements())
def test_blocks_of_any_tree_are_described_alike(tree: Any) -> None:
    compiled("clean._features")
    assert_described_alike(tree, "two words")


LETTERS = st.one_of(st.characters(exclude_characters="\n"), st.sampled_from("aZ9_ .,:!?»”’)。中あ\u0e01\U00020000\ud800"))


@given(st.lists(st.text(LETTERS, min_size=1, max_size=30), min_size=1, max_size=5))
def test_kinds_of_characters_are_counted_alike(texts: list[str]) -> None:
    counted = np.zeros((len(texts), features._COUNTED), dtype=np.int32)
    compiled("clean._features").count_text(texts, features._classes(), counted)
    assert counted.tolist() == features._counted(texts).tolist()


NAMES = st.lists(st.sampled_from([*"aZ-_7 é\u3000İ", "nav", "Nav", "NAV", "content", "postBody"]), max_size=8).map("".join)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_names_say_the_same(names: list[str]) -> None:
    compiled("clean._name_tokens")
    assert block_model().evidence(names).tolist() == block_model()._evidence(names).tolist()


@pytest.mark.parametrize("size", range(1, LONGEST + 3))
def test_tokens_are_of_the_same_lengths(size: int) -> None:
    out = np.empty((1, 3), dtype=np.float32)
    compiled("clean._name_tokens").Words({"a" * size: 1.0}).evidence(["a" * size], out)
    assert out[0, 2] == len(name_tokens("a" * size)) == (SHORTEST <= size <= LONGEST)


@given(st.lists(st.one_of(NAMES, st.sampled_from([*signs.NAMES["reply"].split(), "postBody post", "tagged-POSTS"])), max_size=5))
def test_families_of_names_are_counted_alike(names: list[str]) -> None:
    compiled("clean._name_tokens")
    found = count_families(names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(name_families, "compiled", None)
        assert found == count_families(names)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 2001])
def test_forests_judge_alike(rows: int) -> None:
    random = np.random.default_rng(rows)
    matrix = random.normal(scale=10, size=(rows, 12)).astype(np.float32)
    trees, depth = 30, 1 + rows % 8
    forest = model.Forest(
        random.integers(12, size=(trees, depth)).astype(np.int16),
        random.choice(matrix.ravel(), size=(trees, depth)),
        random.normal(size=(trees, 2**depth)).astype(np.float16).astype(np.float32),
        0.5,
    )
    compiled("clean._model")
    found = forest.scores(matrix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "compiled", None)
        assert found.tolist() == forest.scores(matrix).tolist()


def test_forests_of_deeper_trees_are_judged_without_it() -> None:
    forest = model.Forest(
        np.zeros((1, 9), dtype=np.int16), np.zeros((1, 9), dtype=np.float32), np.arange(512, dtype=np.float32)[None], 0
    )
    assert forest.scores(np.array([[1.0], [-1.0]], dtype=np.float32)).tolist() == [511, 0]


def test_values_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    judged = Judged(lambda value: asked.append(value) or len(value))
    monkeypatch.setattr(marked, "_MOST", 2)
    assert [judged[value] for value in ("a", "bc", "a", "def", "a")] == [1, 2, 1, 3, 1]
    assert asked == ["a", "bc", "def", "a"]
    assert len(judged) == 2
    long = "x" * (marked._LONGEST + 1)
    assert judged[long] == len(long)
    assert long not in judged


@given(st.text(st.one_of(st.characters(), st.sampled_from(" \t\n\x1c\x7f\x85\xa0\u2003\u200b\u3000\ufeffaé中\ud800"))))
def test_texts_are_made_normal_alike(text: str) -> None:
    assert compiled().normalized(text) == _normalize(text)


SEQUENCES = ["a", "é", "中", "\U0001f600", "\ud800", "\U0010ffff", "x" * 9]
BYTES = st.one_of(
    st.sampled_from(SEQUENCES).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from([b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xe4\xb8"]),
    st.binary(max_size=3),
)


@given(st.lists(BYTES, max_size=8).map(b"".join), st.integers(0, 40_000))
def test_utf8_is_told_alike(data: bytes, before: int) -> None:
    data = b"a" * before + data
    assert compiled().utf8_length(data) == encodings._utf8_length(data)
    assert (compiled().utf8_length(data) < 0) == (data.decode("utf-8", "replace").encode() != data)


def test_bytes_of_any_class_are_read() -> None:
    class Held(bytes):
        pass

    document = extract_page(Held("<main><p>é</p></main>".encode()))
    assert document is not None
    assert document.text() == "é"
