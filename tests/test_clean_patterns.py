"""Step 9: lines and lists that read like clutter, in nine languages and by structure; what they resemble stays."""

from __future__ import annotations

import pytest
from lxml import etree, html

from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage, Facts
from mainextract_beam.clean.pattern_words import LINES, RELATED
from mainextract_beam.clean.patterns import patterns

TEXT = "A sentence of the text that everyone who opens this page can read without doing anything. "
LONG = TEXT * 12
LANGUAGES = {"en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja"}
FACTS = Facts(title="A plain title", authors=("Ada Example",), published="2024-03-05", site="Example News")


def cleaned(body: str, *, facts: Facts = FACTS, keep: bool = False, kind: str = "") -> CleanPage:
    root = html.document_fromstring(f"<html><body><main>{body}</main></body></html>")
    page = CleanPage(root, roots=[root.find("body/main")], journal=Journal(keep=keep), facts=facts, url="https://example.com/")
    page.kind = {"page_type": kind} if kind else {}
    page.journal.open(root)
    patterns(page)
    return page


def inner(page: CleanPage) -> str:
    main = page.roots[0]
    return (main.text or "") + "".join(etree.tostring(child, encoding="unicode") for child in main)


def around(before: str = "", after: str = "") -> str:
    """What is left before and after a text."""
    prose = f"<p>{LONG}</p>"
    left = inner(cleaned(f"{before}{prose}{after}"))
    assert prose in left
    return left.replace(prose, "|")


def around_article(after: str) -> str:
    """What is left behind the text of an article."""
    prose = f"<p>{LONG}a</p><p>{LONG}b</p><p>{LONG}c</p>"
    left = inner(cleaned(prose + after, kind="article"))
    assert left.startswith(prose)
    return left.removeprefix(prose)


@pytest.mark.parametrize(
    "line",
    [
        "<h1>A plain title</h1>",
        "<h2>A plain title!</h2>",
        "<p>By Ada Example</p>",
        "<p>Ada Example</p>",
        "<div>Von Ada Example, 5. März 2024</div>",
        "<p>Published on March 5, 2024</p>",
        "<p>5 mars 2024 à 10:30</p>",
        "<p>2024年3月5日</p>",
        "<p>更新日：2024年3月5日</p>",
        "<p>Опубликовано 5 марта 2024</p>",
        "<p>By <a href='/a'>Ada Example</a> | Mar 5, 2024 | 4 min read</p>",
        "<p>4 min read</p>",
        "<p>Lesezeit: 4 Minuten</p>",
        "<p>Temps de lecture : 4 min</p>",
        "<p>この記事は約4分で読めます</p>",
        "<p>Example News · March 5, 2024</p>",
    ],
)
def test_what_is_metadata_already_leaves_before_the_text(line: str) -> None:
    assert around(line) == "|"


@pytest.mark.parametrize(
    "line",
    [
        "<h1>Another title</h1>",
        "<p>By sea and by land</p>",
        "<p>March 5, 2024 was a day like any other</p>",
        "<p>Ada Example writes</p>",
        "<p>4 min readable text</p>",
        "<p>By Bob Sample</p>",
        "<table><tr><td>March 5, 2024</td></tr></table>",
        "<h3>March 5, 2024</h3>",
    ],
)
def test_what_only_resembles_it_stays_before_the_text(line: str) -> None:
    assert around(line) == f"{line.replace(chr(39), chr(34))}|"


@pytest.mark.parametrize(
    "line",
    [
        "<p>{}</p>",
        "<div>{}</div>",
        "<p><a href='/x'>{}</a></p>",
        "<p>{}…</p>",
        "<h3>{}</h3>",
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        "Read more",
        "Weiterlesen",
        "Lire la suite",
        "Leer más",
        "Leia mais",
        "Leggi tutto",
        "Читать далее",
        "阅读全文",
        "続きを読む",
    ],
)
def test_whole_lines_leave_in_every_language(line: str, words: str) -> None:
    assert around(after=line.format(words)) == "|"


@pytest.mark.parametrize(
    "line",
    [
        "<p>Read more about it in the next chapter</p>",
        "<h2>Comments</h2><p>{}</p>",
        "<h2>Share</h2><ul><li>one</li></ul>",
        "<ul><li>Share</li><li>Bond</li></ul>",
        "<table><tr><td>More</td></tr></table>",
        "<p>Originally published in 1984, the book has been read ever since.</p>",
        "<p>Save 20% - 30%</p>",
        "<pre>Share</pre>",
        "<dl><dt>Menu</dt><dd>a list of dishes</dd></dl>",
    ],
)
def test_text_that_holds_such_words_stays(line: str) -> None:
    line = line.format(TEXT.strip())
    assert around(after=line) == f"|{line}"


def test_nothing_that_follows_a_line_leaves_with_it() -> None:
    after = f"<p>Comments</p><p>{TEXT}</p><p>Originally published in the morning paper.</p><p>{TEXT}b</p>"
    assert around(after=after) == f"|<p>{TEXT}</p><p>Originally published in the morning paper.</p><p>{TEXT}b</p>"


@pytest.mark.parametrize(
    "line",
    [
        "<p>12 comments</p>",
        "<p>Comments (12)</p>",
        "<p>1.2K shares</p>",
        "<p>3 Kommentare</p>",
        "<p>12 评论</p>",
        "<p>5 likes</p>",
    ],
)
def test_counters_leave(line: str) -> None:
    assert around(after=line) == "|"


def test_rows_of_links_that_hand_the_page_on_leave_in_any_language() -> None:
    row = (
        '<p>Jaa: <a href="https://www.facebook.com/sharer/sharer.php?u=x">A</a>'
        ' <a href="https://x.com/intent/tweet?url=x">B</a> <a href="mailto:?subject=x">C</a></p>'
    )
    assert around(after=row) == "|"
    kept = '<p>See <a href="https://www.facebook.com/example">our page</a>, which has more of it.</p>'
    assert around(after=kept) == f"|{kept}"


@pytest.mark.parametrize(
    "heading",
    [
        "Related articles",
        "Das könnte Sie auch interessieren",
        "À lire aussi",
        "Te puede interesar",
        "Leia também",
        "Potrebbe interessarti anche",
        "Читайте также",
        "相关阅读",
        "関連記事",
        "More from Example",
    ],
)
def test_related_lists_leave(heading: str) -> None:
    links = '<ul><li><a href="/1">One other text</a></li><li><a href="/2">Two other texts</a></li></ul>'
    assert around(after=f"<h2>{heading}</h2>{links}") == "|"
    assert around(after=f"<div><div><h4>{heading}</h4></div><div>{links}</div></div>") == "|"
    end = "<h2>And then</h2><p>the rest</p>"
    assert around(after=f"<h2>{heading}</h2>{links}{end}") == f"|{end}"


def test_related_cards_leave() -> None:
    title = '<a href="/{0}"><img src="/{0}.png"></a><h3><a href="/{0}">Title {0} of it</a></h3>'
    card = f'<div class="c">{title}<p>A few words.</p></div>'
    cards = "".join(card.format(n) for n in range(3))
    assert around(after=f"<div><h2>Related posts</h2>{cards}</div>") == "|"


@pytest.mark.parametrize(
    "after",
    [
        "<h2>Related work</h2><p>{}</p>",
        "<h2>Related</h2><p>{}</p>",
        "<h2>Related</h2><ul><li>one</li><li>two</li></ul>",
        '<h2>See also</h2><ul><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul>',
        '<h2>References</h2><ol><li><a href="/1">One</a></li></ol>',
        '<ul><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul>',
        "<h2>Glossary</h2><dl><dt>One</dt><dd>first</dd></dl>",
        "<h2>Conclusion</h2><p>It is so.</p><p>And that is that.</p>",
        "<h2>Header files</h2><p>They come first.</p>",
        '<h2>Topics</h2><p>In this part: <a href="#a">one</a>, <a href="#b">two</a>.</p>',
    ],
)
def test_ends_of_texts_stay(after: str) -> None:
    after = after.format(TEXT.strip())
    assert around(after=after) == f"|{after}"


def test_links_in_sentences_that_are_in_no_paragraph_stay() -> None:
    after = '<h2>At last</h2>The packers have <a href="/1">a service</a> for it. <a href="/2">Ask them</a> and see what they say.'
    assert around_article(after) == after
    after = '<h2>At last</h2><a href="/1">A service</a> of the packers does it.'
    assert around_article(after) == after
    assert around_article('<h2>At last</h2><a href="/1">One other text</a> | <a href="/2">Two others</a>') == " | "


def test_a_related_section_before_more_prose_takes_only_itself() -> None:
    figures = "".join(f'<figure><img src="/{n}.png"/><figcaption>Figure {n} shows it</figcaption></figure>' for n in range(3))
    more = f'<h3>Related</h3><ul><li><a href="/1">One</a></li></ul><p>{TEXT}</p>{figures}<p>{TEXT}c</p>'
    assert around(after=more) == f"|<p>{TEXT}</p>{figures}<p>{TEXT}c</p>"


def test_a_page_made_of_lists_keeps_its_headings() -> None:
    body = '<h2>Latest news</h2><ul><li><a href="/1">One</a></li></ul><h2>Most read</h2><ul><li><a href="/2">Two</a></li></ul>'
    assert inner(cleaned(body)) == body


def test_copies_leave() -> None:
    part = "".join(f"<p>{n} {TEXT}</p>" for n in range(3))
    assert inner(cleaned(f"<div>{part}</div><div>{part}</div>")) == f"<div>{part}</div><div/>"
    assert around(after=f"<p>{TEXT}d</p><p>{TEXT}d</p>") == f"|<p>{TEXT}d</p>"
    chinese = "".join(f"<p>{n}这是任何打开这个页面的人都可以阅读的一句话，不需要做任何别的事情。</p>" for n in "一二三")
    assert inner(cleaned(f"<div>{chinese}</div><div>{chinese}</div>")) == f"<div>{chinese}</div><div/>"


@pytest.mark.parametrize(
    "body",
    [
        # a refrain; a note that comes back; a quotation of what was said
        "<p>One verse of it.</p>{0}<p>Another verse of it.</p>{0}".format("<p>The refrain that returns, again.</p>"),
        f"<p>{TEXT}</p><p>b</p><p>{TEXT}</p>",
        f"<p>{TEXT}1</p><blockquote><p>{TEXT}1</p></blockquote>",
        "<p>Yes.</p><p>Yes.</p>",
    ],
)
def test_what_is_stated_again_on_purpose_stays(body: str) -> None:
    assert inner(cleaned(body)) == body


def test_boxes_around_a_field_for_an_address_leave() -> None:
    box = '<div><h3>Ещё письма</h3><p>Раз в неделю.</p><form><input type="email"></form></div>'
    assert around(after=box) == "|"
    assert around(after='<div><input name="EMAIL" type="text"><b>Go</b></div>') == "|"


def test_a_form_around_the_text_stays() -> None:
    body = f'<form><p>{LONG}</p><p><input type="email"></p></form>'
    assert LONG in inner(cleaned(body))


def test_rows_of_tags_leave() -> None:
    row = '<p>Tags: <a href="/tag/a" rel="tag">a</a>, <a href="/tag/b" rel="tag">b</a></p>'
    assert around(after=row) == "|"
    assert around(after='<ul><li><a href="/kategorie/a">a</a></li><li><a href="/kategorie/b">b</a></li></ul>') == "|"
    kept = '<p>It is kept under <a href="/tag/a">a</a>, where the others are to be found as well.</p>'
    assert around(after=kept) == f"|{kept}"


@pytest.mark.parametrize(
    "words",
    [
        "We use cookies to give you the best experience.",
        "Wir verwenden Cookies, um Ihnen alles zu bieten.",
        "Nous utilisons des cookies pour vous servir.",
        "Utilizamos cookies para ofrecerle lo mejor.",
        "Мы используем файлы cookie для вашего удобства.",
        "当サイトはクッキーを使用しています。",
    ],
)
def test_cookie_notices_leave(words: str) -> None:
    assert "p>" not in around(after=f"<div><p>{words} {TEXT}</p><button>OK</button></div>")
    assert around(after=f"<div><p>{words}</p><div><button>OK</button></div></div>") == "|"
    about = f"<p>{words} {TEXT}</p>"
    assert around(after=about) == f"|{about}"


def test_a_button_of_the_text_makes_no_notice_of_a_sentence_in_it() -> None:
    text = f"<div><p>We use cookies as every baker does.</p><p>{TEXT * 3}</p><button>Print</button></div>"
    assert around(after=text) == f"|{text}"


@pytest.mark.parametrize(
    "line",
    [
        '<p>Related: <a href="/a">The castle on the lake</a></p>',
        '<div><b>Read more:</b> <a href="/a">The castle on the lake</a></div>',
        '<p>À lire aussi : <a href="/a">Le château du lac</a></p>',
        '<p>Читайте также: <a href="/a">Замок на озере</a></p>',
        '<p>相关阅读：<a href="/a">湖边的城堡</a></p>',
    ],
)
def test_lines_of_a_word_and_a_link_leave(line: str) -> None:
    assert around(before=f"<p>{LONG}b</p>{line}") == f"<p>{LONG}b</p>|"


@pytest.mark.parametrize(
    "line",
    [
        '<p>Related: the <a href="/a">castle</a> on the lake, and its mill</p>',
        '<p>The way: <a href="/a">over the ridge</a></p>',
        '<li>Related: <a href="/a">over the ridge</a>, or so they say there</li>',
    ],
)
def test_other_lines_with_a_colon_stay(line: str) -> None:
    assert around(before=f"<p>{LONG}b</p>{line}") == f"<p>{LONG}b</p>{line}|"


@pytest.mark.parametrize(
    "words",
    [
        "Photo: Ada Example",
        "(Image credit: Ada Example)",
        "Foto: Ada Example",
        "Crédit photo : Ada Example",
        "© Ada Example",
        "Photo by Ada Example",
        "Источник: Пример",
        "图片来源：某某",
        "写真：某某",
        "Source: example.com",
    ],
)
def test_credits_of_pictures_leave(words: str) -> None:
    assert words not in around(before=f"<figure><img src='m.png'><figcaption>{words}</figcaption></figure>")
    assert words not in around(before=f"<div><img src='m.png'></div><p>{words}</p>")


def test_sources_of_the_text_stay() -> None:
    assert around(before="<p>Source: Ada Example</p>") == "<p>Source: Ada Example</p>|"


@pytest.mark.parametrize(
    "words", ["The mill. Photo: Ada Example", "The source of the river", "Photo: The mill stands still. It is old."]
)
def test_captions_stay(words: str) -> None:
    figure = f'<figure><img src="m.png"/><figcaption>{words}</figcaption></figure>'
    assert around(before=figure) == f"{figure}|"


BIO = "has told of rivers for years, in three books, and now and then on the radio as well, where she is heard at night."


@pytest.mark.parametrize(
    "after",
    [
        f"<p>Ada Example {BIO}</p>",
        f"<div><img src='a.png'><p>Dr. Ada Example {BIO}</p></div>",
        f"<p>Ada Example {BIO}</p><p>Ada has a dog, and a boat in the harbour, and goes out whenever the weather lets her do so.</p>",
        f"<div><h3>About the author</h3><p>She {BIO}</p></div>",
        f"<div><p>Über die Autorin</p><p>Sie {BIO}</p></div>",
        f"<div><h3>关于作者</h3><p>{BIO}</p></div>",
    ],
)
def test_what_an_article_says_of_its_author_leaves(after: str) -> None:
    assert around_article(after) == ""
    assert BIO in around(after=after)


@pytest.mark.parametrize(
    "after",
    [
        f"<p>Bob Example {BIO}</p>",
        f"<p>At Ada Example they {BIO}</p>",
        f"<p>The mill was built long before Ada Example {BIO}</p>",
        f"<p>Ada Example {BIO} {TEXT * 12}</p>",
    ],
)
def test_other_paragraphs_behind_an_article_stay(after: str) -> None:
    assert around_article(f"{after}<p>{TEXT}b</p>") == f"{after}<p>{TEXT}b</p>"


def test_an_article_that_begins_with_its_author_stays() -> None:
    body = f"<p>Ada Example {BIO}</p><p>{LONG}</p>"
    assert inner(cleaned(body, kind="article")) == body


LIST = '<ul><li><a href="/a">The castle</a></li><li><a href="https://www.example.com/b">The ridge</a></li><li><a href="c">The fair</a></li></ul>'


@pytest.mark.parametrize("after", [LIST, f"<h2>Walks of this summer</h2>{LIST}", f"<div><h3>Wege</h3><div>{LIST}</div></div>"])
def test_links_of_the_site_behind_an_article_leave(after: str) -> None:
    assert "<a" not in around_article(after)
    assert around(after=after) == f"|{after}"
    assert around_article(f"{after}<p>{TEXT}b</p>") == f"{after}<p>{TEXT}b</p>"


def test_a_heading_of_nothing_leaves_behind_an_article() -> None:
    assert around_article("<h2>More of it</h2>") == ""
    for kept in ("<h2>One</h2><h2>Two</h2>", '<h2>The map</h2><p><img src="m.png"/></p>', "<h2>The way</h2><p>and back</p>"):
        assert around_article(kept) == kept


@pytest.mark.parametrize(
    "after",
    [
        LIST.replace('"/a"', '"https://example.org/a"').replace("https://www.example.com/b", "http://example.net"),
        LIST.replace('"/a"', '"#a"').replace("https://www.example.com/b", "#b"),
        LIST.replace("</a>", "</a>, which is what the third of the books tells of"),
    ],
)
def test_sources_and_contents_stay(after: str) -> None:
    assert around_article(after) == after


def test_protected_elements_stay() -> None:
    root = html.document_fromstring(f"<main><p>{LONG}</p><p>Share</p></main>")
    page = CleanPage(root, roots=[next(root.iter("main"))])
    line = root.findall(".//p")[1]
    page.marks.protect(line, "note")
    patterns(page)
    assert line.getparent() is not None


def test_no_removal_takes_much_of_the_prose() -> None:
    body = f"<p>{TEXT}</p><h2>Related</h2><div>{'<p>words of it, <a href=/x>a link that leads away to there</a></p>' * 40}</div>"
    page = cleaned(body, keep=True)
    assert all(entry.words < 100 for entry in page.journal.entries if entry.accepted)


def test_keeping_a_journal_changes_nothing() -> None:
    body = f"<h1>A plain title</h1><p>By Ada Example</p><p>{LONG}</p><p>Share</p>"
    kept = cleaned(body, keep=True)
    assert inner(kept) == inner(cleaned(body)) == f"<p>{LONG}</p>"
    assert [(entry.step, entry.rule) for entry in kept.journal.entries] == [
        ("patterns", "title-repeated"),
        ("patterns", "byline"),
        ("patterns", "share"),
    ]


def test_tables_of_words_know_every_language() -> None:
    assert {rule: set(by) for rule, by in LINES.items()} == dict.fromkeys(LINES, LANGUAGES)
    assert set(RELATED) == LANGUAGES


@pytest.mark.parametrize("rule", LINES)
def test_every_line_of_the_tables_is_taken(rule: str) -> None:
    for lines in LINES[rule].values():
        for line in lines.split("|"):
            assert around(after=f"<p>{line.upper()}</p>") == "|", line


def test_hostile_input() -> None:
    body = "<div>" * 150 + "Share" + "</div>" * 150 + "<p>Share</p>" * 20_000 + f"<p>{'a ' * 500_000}</p>"
    assert "<p>Share</p>" not in inner(cleaned(body))
