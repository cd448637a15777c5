"""Cutting a page into blocks, describing and judging them, and choosing the roots."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from mainextract_beam.clean.blocks import Floats, cut
from mainextract_beam.clean.choose import Blocks, apply_drops, choose_roots, even_out, expected_best, judge, keep_best, score_blocks
from mainextract_beam.clean.features import count_text, describe, wider
from mainextract_beam.clean.hints import COUNT, page_hints
from mainextract_beam.clean.model import BlockModel, Forest, block_model, load_model, save_model
from mainextract_beam.clean.name_tokens import START, name_tokens, tokens_of
from mainextract_beam.clean.noscript import stated_in_noscript
from mainextract_beam.clean.rules import RULES, reasons, rule_values
from mainextract_beam.text import block_text

NO_HINTS = np.zeros(COUNT, dtype=np.float32)


def body(markup: str) -> etree._Element:
    return html.document_fromstring(f"<html><body>{markup}</body></html>").body


def silent(names: Iterable[str], *_: object) -> Floats:
    return np.zeros((len(list(names)), 3), dtype=np.float32)


def judged(markup: str, keep: list[bool]) -> Blocks:
    held = cut(body(markup))
    described = describe(held, silent, "", NO_HINTS)
    kept = np.array(keep)
    return Blocks(held, described, kept.astype(np.float32), kept, 1.0, "rules")


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<p>one <b>two</b> three</p>", ["one two three"]),
        ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
        ("one<br>two<br><br>three", ["one two", "three"]),
        ("<p>a<script>b</script>c</p>", ["ac"]),
        ("<p>a<!-- b -->c</p>", ["ac"]),
        ("<ul><li>a<li><a href=x>b</a></ul>", ["a", "b"]),
        ("<a href=x><h2>a</h2><p>b</p></a>c", ["a", "b", "c"]),
        ("<select><option>a</select><svg><title>b</title></svg>c", ["c"]),
        (" \n<p> </p>", []),
    ],
)
def test_blocks_end_at_block_level_boundaries(markup: str, texts: list[str]) -> None:
    assert cut(body(markup)).texts == texts


def test_each_element_knows_the_blocks_it_spans() -> None:
    held = cut(body("<div><p>a</p><p>b</p></div><p>c</p>"))
    spans = {tag: (start, end) for tag, start, end in zip(held.tags[:2], held.start, held.end, strict=False)}
    assert spans == {"body": (0, 3), "div": (0, 2)}
    assert held.owner.tolist() == [2, 3, 4]


def test_links_bold_and_headings_are_counted_by_block() -> None:
    held = cut(body("<h2>a</h2><p><a href=x>bcd</a> e <b>fg</b></p><a href=y><p>hi</p></a>"))
    assert held.linked.tolist() == [0, 3, 2]
    assert held.links.tolist() == [0, 1, 1]
    assert held.bold.tolist() == [0, 2, 0]
    assert held.level.tolist() == [2, 0, 0]


def test_roles_count_as_elements_and_hidden_is_seen() -> None:
    held = cut(body('<div role="navigation">a</div><div style="color:red; display : none">b</div><p hidden>c</p>'))
    assert held.kind.tolist()[1] == cut(body("<nav>a</nav>")).kind.tolist()[1]
    assert held.hidden.tolist() == [False, False, True, True]


def test_wider_containers_hold_more_blocks() -> None:
    held = cut(body("<div><section><div><p>a</p></div></section><p>b</p></div><p>c</p>"))
    names = [held.tags[i] for i in wider(held)]
    assert dict(zip(held.tags, names, strict=True))["section"] == "div"
    assert names[4] == "div"  # the p of a: past the div and the section around it, which hold nothing else


def test_deep_and_wide_trees_are_cut_in_linear_time() -> None:
    deep = body("")
    inner = deep
    for _ in range(20_000):
        inner = etree.SubElement(inner, "div")
    inner.text = "text"
    assert cut(deep).texts == ["text"]
    assert len(cut(body("<p>a" * 5_000)).texts) == 5_000


@pytest.mark.parametrize(
    ("names", "tokens"),
    [("post-Body main_col2", ["post", "body", "main", "col"]), ("sideBar", ["side", "bar"]), ("x 12", [])],
)
def test_names_are_split_at_edges(names: str, tokens: list[str]) -> None:
    assert name_tokens(names) == tokens
    assert sorted(token for token in tokens_of([names]).tokens if token != START and len(token) > 1) == sorted(tokens)


def test_characters_are_counted_in_any_script() -> None:
    counts = count_text(["One, two. Three!", "一二三，四五。", "v1.5"])
    assert counts.stops.tolist() == [2, 1, 0]
    assert counts.commas.tolist() == [1, 1, 0]
    assert counts.ends.tolist() == [1, 1, 0]
    assert counts.words.tolist() == pytest.approx([3, 3, 2])
    assert counts.size[1] > len("一二三，四五。")


@given(st.lists(st.text(min_size=1).map(lambda text: " ".join(text.split())).filter(bool), min_size=1, max_size=8))
def test_every_text_can_be_described(texts: list[str]) -> None:
    root = etree.Element("body")
    for text in texts:
        clean = "".join(c for c in text if c.isprintable() and not 0xD800 <= ord(c) < 0xE000)
        etree.SubElement(root, "p").text = clean
    held = cut(root)
    if held.texts:
        assert np.isfinite(describe(held, silent, texts[0], NO_HINTS).matrix).all()


def test_a_forest_gives_the_leaf_its_questions_lead_to() -> None:
    forest = Forest(
        np.array([[0, 1]], dtype=np.int16),
        np.array([[0.5, 2.0]], dtype=np.float32),
        np.array([[10, 20, 30, 40]], dtype=np.float32),
        1.0,
    )
    rows = np.array([[0, 0], [1, 0], [0, 3], [1, 3]], dtype=np.float32)
    assert forest.scores(rows).tolist() == [11, 21, 31, 41]


def test_a_model_survives_its_file() -> None:
    forest = Forest(np.array([[0]], dtype=np.int16), np.ones((1, 1), np.float32), np.ones((1, 2), np.float32), 0.5)
    model = BlockModel({"blocks": forest}, {"blocks": ("size",)}, {"nav": -2.0, "post": 1.0})
    again = load_model(save_model(model))
    assert again.tokens == model.tokens
    assert again.columns == model.columns
    assert again.forests["blocks"].leaf.tolist() == [[1, 1]]
    assert save_model(model) == save_model(model)
    assert again.evidence(["top-nav post", ""]).tolist() == [[-2, 1, -1], [0, 0, 0]]


def test_the_shipped_model_knows_the_features() -> None:
    held = cut(body("<p>a</p>"))
    described = describe(held, silent, "", NO_HINTS)
    assert 0 <= judge(described, block_model())[0] <= 1
    described.names[0] = "other"
    with pytest.raises(ValueError, match="other features"):
        judge(described, block_model())


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 100)), min_size=1, max_size=7))
def test_no_choice_of_blocks_has_a_larger_expected_f1(blocks: list[tuple[float, int]]) -> None:
    p = np.array([probability for probability, _ in blocks], dtype=np.float32)
    words = np.array([size for _, size in blocks], dtype=np.float32)
    best = expected_best(p, words)
    for choice in range(1, 1 << len(blocks)):
        kept = np.array([choice >> i & 1 for i in range(len(blocks))], dtype=bool)
        f1 = 2 * float((p * words)[kept].sum()) / (float(words[kept].sum()) + float((p * words).sum()) + 1e-9)
        assert f1 <= best + 0.02


PAGE = "<nav>n</nav><div><p>a</p><aside>x</aside><p>b</p></div><footer>f</footer>"


def test_blocks_of_one_structure_are_drawn_to_one_judgement() -> None:
    held = cut(body("<p class=a>1</p><p class=a>2</p><p class=a>3</p><p class=a>4</p><p>5</p><div><p class=a>6</p></div>"))
    said = np.array([0.9, 0.9, 0.9, 0.1, 0.1, 0.1], dtype=np.float32)
    evened = even_out(held, said)
    assert evened.round(2).tolist() == pytest.approx([0.84, 0.84, 0.84, 0.37, 0.1, 0.1])


def test_few_blocks_of_one_structure_stay_as_they_are_judged() -> None:
    held = cut(body("<p>1</p><p>2</p><p>3</p><div>4</div>"))
    said = np.array([0.9, 0.9, 0.1, 0.5], dtype=np.float32)
    assert even_out(held, said).tolist() == said.tolist()
    assert even_out(cut(body("<p>1</p>")), said[:1]).tolist() == said[:1].tolist()


def test_articles_are_kept_to_more_certain_blocks() -> None:
    said, words = np.array([0.99, 0.99, 0.7, 0.6, 0.01], dtype=np.float32), np.array([99, 99, 9, 9, 99], dtype=np.float32)
    assert keep_best(said, words)[0].tolist() == [True, True, True, True, False]
    assert keep_best(said, words, strict=True)[0].tolist() == [True, True, False, False, False]


def test_the_root_is_the_innermost_element_of_all_that_is_kept() -> None:
    choice = choose_roots(judged(PAGE, [False, True, False, True, False]))
    assert choice is not None
    assert [root.tag for root in choice.roots] == ["div"]
    assert [drop.element.tag for drop in choice.drops if drop.element is not None] == ["aside"]
    apply_drops(choice.drops)
    assert block_text(choice.roots) == "a\n\nb"


def test_what_is_kept_far_apart_gives_several_roots() -> None:
    clutter = "<div>" + "<p>x y z</p>" * 5 + "</div>"
    choice = choose_roots(judged(f"<div><p>a</p></div>{clutter}<div><p>b</p></div>", [True, *[False] * 5, True]))
    assert choice is not None
    assert block_text(choice.roots) == "a\n\nb"
    assert choice.drops == []


def test_text_leaves_where_no_element_holds_it_alone() -> None:
    choice = choose_roots(judged("<div>x<p>a</p>y <i>z</i><p>b</p></div>", [False, True, False, True]))
    assert choice is not None
    apply_drops(choice.drops)
    assert block_text(choice.roots) == "a\n\nb"


def test_neighbours_that_all_leave_take_no_text_between_them_along() -> None:
    choice = choose_roots(judged("<div><p>x</p>a<p>y</p>b<p>z</p></div>", [False, True, False, True, False]))
    assert choice is not None
    apply_drops(choice.drops)
    assert block_text(choice.roots).split() == ["ab"] or block_text(choice.roots).split() == ["a", "b"]


def test_nothing_kept_is_no_choice() -> None:
    assert choose_roots(judged("<p>a</p>", [False])) is None
    assert score_blocks(body("")) is None


@pytest.mark.parametrize("by_rules", [False, True])
def test_an_article_is_found_among_navigation_in_any_script(by_rules: bool) -> None:
    links = "<nav><ul>" + "".join(f"<li><a href='/{i}'>項目{i}</a></li>" for i in range(20)) + "</ul></nav>"
    prose = "<p>" + "これは本文の文章であり、長く続く説明を含んでいます。" * 6 + "</p>"
    page = body(f"{links}<div class='content'><h1>題名</h1>{prose * 5}</div><footer><p>著作権</p>{links}</footer>")
    blocks = score_blocks(page, by_rules=by_rules)
    assert blocks is not None
    choice = choose_roots(blocks)
    assert choice is not None
    apply_drops(choice.drops)
    text = block_text(choice.roots)
    assert text.count("これは本文") == 30
    assert "項目" not in text


def test_each_rule_has_a_value_and_the_worst_are_told() -> None:
    held = cut(body("<main><p>a longer text</p></main><footer><p>b</p></footer>"))
    values = rule_values(describe(held, silent, "", NO_HINTS))
    assert values.shape == (2, len(RULES))
    told = reasons(values[1])
    assert told[0] == "in a footer that holds the lesser part of the page"
    assert "outside the main element of the page" in told


def test_hints_read_types_and_the_url() -> None:
    hints = page_hints(None, ['{"@type": "Product"}'], "https://example.com/a/b-c-1")
    assert hints.tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 2, 5, 2, 0, 1, 0]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        (f"<noscript><p>{'long text ' * 30}</p></noscript>", 1),
        (f"<noscript><p>{'long text ' * 30}</p></noscript><p>{'more text ' * 40}</p>", 0),
        ("<noscript><p>short</p></noscript>", 0),
    ],
)
def test_noscript_counts_where_it_holds_the_pages_text(markup: str, found: int) -> None:
    root = body(markup).getroottree().getroot()
    assert len(stated_in_noscript(root, list(root.iter("noscript")))) == found
