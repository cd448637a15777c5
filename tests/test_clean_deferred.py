"""Step 2: streamed parts, pictures in noscript, lazily loaded pictures."""

from __future__ import annotations

import pytest
from lxml import etree

from mainextract_beam.clean.deferred import MAX_NESTING, deferred, is_real
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage


def settled(markup: str) -> str:
    page = CleanPage(etree.fromstring(f"<body>{markup}</body>"))
    deferred(page)
    for script in list(page.root.iter("script")):
        page.root.remove(script)
    page.root.text = page.root.text or ""
    return etree.tostring(page.root, encoding="unicode").removeprefix("<body>").removesuffix("</body>")


def boundary(name: str, fallback: str = "wait") -> str:
    return f'<!--$?--><template id="{name}"/>{fallback}<!--/$-->'


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param(
            f"<main>{boundary('B:0', 'wait<i>w</i>w')}after</main>"
            '<div hidden="" id="S:0"><p>late</p> text</div><script>$RC=function(){};$RC("B:0","S:0")</script>',
            "<main><!--$?--><p>late</p> text<!--/$-->after</main>",
            id="completed boundary",
        ),
        pytest.param(
            f'<main>{boundary("B:1f")}</main><div hidden="" id="S:1f">late</div><script>$RC("B:1f","S:1f")</script>',
            "<main><!--$?-->late<!--/$--></main>",
            id="hexadecimal",
        ),
        pytest.param(
            f"<main>{boundary('app:xB:a')}</main>"
            '<div hidden="" id="app:xS:a">late</div><script>$RC("app:xB:a","app:xS:a")</script>',
            "<main><!--$?-->late<!--/$--></main>",
            id="prefixed",
        ),
        pytest.param(
            f"<main>{boundary('B:0')}</main>"
            """<div hidden="" id="S:0">late</div><script>$RR("B:0","S:0",[["a.css"]])</script>""",
            "<main><!--$?-->late<!--/$--></main>",
            id="with style sheets",
        ),
        pytest.param(
            f"<main>{boundary('B:0')}</main>"
            '<div hidden="" id="S:0"><p>one</p><template id="P:2"/><p>three</p></div>'
            '<div hidden="" id="S:2"><p>two</p></div><script>$RS("S:2","P:2");$RC("B:0","S:0")</script>',
            "<main><!--$?--><p>one</p><p>two</p><p>three</p><!--/$--></main>",
            id="segment in a part not yet moved",
        ),
        pytest.param(
            f"<main>{boundary('B:0')}</main>"
            f'<div hidden="" id="S:0">one {boundary("B:1")}</div><script>$RC("B:0","S:0")</script>'
            '<div hidden="" id="S:1">two</div><script>$RC("B:1","S:1")</script>',
            "<main><!--$?-->one <!--$?-->two<!--/$--><!--/$--></main>",
            id="boundary in a streamed part",
        ),
        pytest.param(
            "<main>" + boundary("B:0", "w<!--$-->a<!--/$-->b<!--&amp;-->c<!--/&amp;-->d").replace("&amp;", "&") + "</main>"
            '<div hidden="" id="S:0">late</div><script>$RC("B:0","S:0")</script>',
            "<main><!--$?-->late<!--/$--></main>",
            id="nested boundaries counted",
        ),
        pytest.param(
            '<main><template id="B:0"/>stays<i>too</i></main><div hidden="" id="S:0">late</div><script>$RC("B:0","S:0")</script>',
            "<main>latestays<i>too</i></main>",
            id="no comments, nothing taken out",
        ),
        pytest.param(
            f'<main>{boundary("B:0")}</main><div hidden="" id="S:0">late</div>',
            "<main><!--$?-->late<!--/$--></main>",
            id="the call is lost, the numbers agree",
        ),
        pytest.param(
            f"<main>{boundary('B:0')}</main>"
            '<div hidden="" id="S:0">late</div><template data-rci="" data-bid="B:0" data-sid="S:0"/>',
            "<main><!--$?-->late<!--/$--></main>",
            id="instructions as data",
        ),
        pytest.param(
            '<main><!--$!--><template data-dgst="x"/>shown instead<!--/$--></main>',
            "<main><!--$!-->shown instead<!--/$--></main>",
            id="failed boundary keeps its fallback",
        ),
        pytest.param(f"<main>{boundary('B:0')}</main>", "<main><!--$?-->wait<!--/$--></main>", id="never completed"),
        pytest.param('<p id="S:0">prose</p><script>$RC("B:0","S:0")</script>', '<p id="S:0">prose</p>', id="no such place"),
        pytest.param(
            '<div id="S:0"><template id="B:0"/>x</div><script>$RC("B:0","S:0")</script>',
            '<div id="S:0">x</div>',
            id="a part inside itself stays",
        ),
        pytest.param(
            f"<main>{boundary('B:0', boundary('B:1'))}</main>"
            '<div hidden="" id="S:0">late</div><div hidden="" id="S:1">gone</div>'
            '<script>$RC("B:0","S:0");$RC("B:1","S:1")</script>',
            '<main><!--$?-->late<!--/$--></main><div hidden="" id="S:1">gone</div>',
            id="a place in a fallback that left",
        ),
    ],
)
def test_streamed(markup: str, expected: str) -> None:
    assert settled(markup) == expected


def test_streamed_parts_in_the_journal() -> None:
    root = etree.fromstring(f'<body><p>{boundary("B:0", "<i>wait</i>")}</p><div hidden="" id="S:0">late</div></body>')
    page = CleanPage(root, journal=Journal(keep=True))
    page.journal.open(root)
    deferred(page)
    assert [(entry.rule, entry.action, entry.path, entry.sample) for entry in page.journal.entries] == [
        ("fallback", "remove", "/body/p/i", "wait"),
        ("streamed", "merge", "/body/div", "late"),
        ("streamed", "unwrap", "/body/div", "late"),
    ]


@pytest.mark.parametrize("order", [1, -1])
def test_parts_in_parts_without_end(order: int) -> None:
    count = 2000
    parts = [f'<div hidden="" id="S:{i:x}"><p>t{i}</p><div><template id="P:{i + 1:x}"/></div></div>' for i in range(count)]
    page = CleanPage(etree.fromstring(f'<body><template id="P:0"/>{"".join(parts[::order])}</body>'))
    deferred(page)
    assert sorted(page.root.itertext()) == sorted(f"t{i}" for i in range(count))
    assert page.root.xpath("string(//p[count(ancestor::*) > 3][1])") != ""
    assert max(len(list(p.iterancestors())) for p in page.root.iter("p")) == MAX_NESTING


IMG = '<img src="https://example.com/a.jpg" alt="A boat"/>'


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param(
            f'<p><img src="data:image/gif;base64,AAAA" class="lazy" alt="A boat"/><noscript>{IMG}</noscript>t</p>',
            '<p><img src="https://example.com/a.jpg" class="lazy" alt="A boat"/>t</p>',
            id="placeholder beside it",
        ),
        pytest.param(
            f'<p><span><img src="data:image/gif;base64,AAAA"/></span><noscript>{IMG}</noscript></p>',
            '<p><span><img src="https://example.com/a.jpg" alt="A boat"/></span></p>',
            id="placeholder in a wrapper",
        ),
        pytest.param(
            f'<p><noscript>{IMG}</noscript><img data-src="https://example.com/a.jpg"/></p>',
            '<p><img data-src="https://example.com/a.jpg" src="https://example.com/a.jpg" alt="A boat"/></p>',
            id="placeholder after it",
        ),
        pytest.param(
            '<p><img src="data:,"/><noscript>&lt;img src="/a.jpg" srcset="/a.jpg 1x, /b.jpg 2x"&gt;</noscript></p>',
            '<p><img src="/a.jpg" srcset="/a.jpg 1x, /b.jpg 2x"/></p>',
            id="as text",
        ),
        pytest.param(
            f"<figure><noscript>{IMG}</noscript><figcaption>c</figcaption></figure>",
            f"<figure>{IMG}<figcaption>c</figcaption></figure>",
            id="alone in a figure",
        ),
        pytest.param(
            f"<figure><noscript><picture><source srcset='/a.webp'/>{IMG}</picture></noscript></figure>",
            f'<figure><picture><source srcset="/a.webp"/>{IMG}</picture></figure>',
            id="picture as a whole",
        ),
        pytest.param(
            f'<figure><img src="/b.jpg"/><div><noscript>{IMG}</noscript></div></figure>',
            '<figure><img src="/b.jpg"/><div/></figure>',
            id="the figure has its picture",
        ),
        pytest.param(
            '<p><img src="/a-300.jpg" alt="A boat"/><noscript><img src="/a.jpg" alt="A boat"/></noscript></p>',
            '<p><img src="/a-300.jpg" alt="A boat"/></p>',
            id="already there in another size",
        ),
        pytest.param(f"<p><noscript>{IMG}</noscript></p>", f"<p>{IMG}</p>", id="with a text of its own"),
        pytest.param(
            '<p><noscript><img src="/a.jpg" width="640" height="480"/></noscript></p>',
            '<p><img src="/a.jpg" width="640" height="480"/></p>',
            id="with a size of its own",
        ),
        pytest.param(
            '<p>a<noscript><img src="https://example.com/hit" width="1" height="1" alt="hit"/></noscript>b</p>',
            "<p>ab</p>",
            id="pixel",
        ),
        pytest.param(
            '<p>a<noscript><img src="https://example.com/hit" style="display: none" alt="hit"/></noscript>b</p>',
            "<p>ab</p>",
            id="hidden",
        ),
        pytest.param("<p>a<noscript><img src='/hit?x=1'/></noscript>b</p>", "<p>ab</p>", id="nothing speaks for it"),
        pytest.param("<p>a<noscript>Turn scripts on</noscript>b</p>", "<p>ab</p>", id="no picture"),
        pytest.param(f"<head><noscript>{IMG}</noscript></head>", "<head/>", id="in the head"),
    ],
)
def test_noscript(markup: str, expected: str) -> None:
    assert settled(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<img data-src="/a.jpg"/>', "/a.jpg"),
        ('<img src="" data-lazy-src="/a.jpg"/>', "/a.jpg"),
        ('<img src="data:image/svg+xml;base64,AAAA" data-original="/a.jpg"/>', "/a.jpg"),
        ('<img src="/img/spacer.gif" data-original=" /a.jpg "/>', "/a.jpg"),
        ('<img src="/img/lazy_placeholder.png?x=1" data-src="/a.jpg"/>', "/a.jpg"),
        ('<img src="about:blank" data-actualsrc="/a.jpg"/>', "/a.jpg"),
        ('<iframe data-src="https://example.com/v"/>', "https://example.com/v"),
        ('<img src="/real.jpg" data-src="/other.jpg"/>', "/real.jpg"),
        ('<img src="/blankenship.jpg" data-src="/other.jpg"/>', "/blankenship.jpg"),
        ('<img src="data:image/png;base64,AAAA"/>', "data:image/png;base64,AAAA"),
        ('<img src="data:," data-src="{{url}}"/>', "data:,"),
        ('<img src="data:," data-src="javascript:alert(1)"/>', "data:,"),
        ('<img src="data:," data-lazy="true"/>', "data:,"),
        ('<img src="data:," data-page="/gallery/a.jpg"/>', "data:,"),
    ],
)
def test_lazy_url(markup: str, expected: str) -> None:
    page = CleanPage(etree.fromstring(f"<body>{markup}</body>"))
    deferred(page)
    assert page.root[0].get("src") == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<img data-srcset="/a.jpg 1x, /b.jpg 2x"/>', "/a.jpg 1x, /b.jpg 2x"),
        ('<img srcset="data:image/gif;base64,AAAA 1w" data-lazy-srcset="/a.jpg 1x"/>', "/a.jpg 1x"),
        ('<source data-srcset="/a.webp"/>', "/a.webp"),
        ('<img srcset="/real.jpg 1x" data-srcset="/a.jpg 1x"/>', "/real.jpg 1x"),
    ],
)
def test_lazy_srcset(markup: str, expected: str) -> None:
    page = CleanPage(etree.fromstring(f"<body>{markup}</body>"))
    deferred(page)
    assert page.root[0].get("srcset") == expected


def test_lazy_poster() -> None:
    assert settled('<video data-poster="/a.jpg"/>') == '<video data-poster="/a.jpg" poster="/a.jpg"/>'


def test_attributes_of_megabytes() -> None:
    assert is_real("https://example.com/" + "a" * 5_000_000)
    assert not is_real("data:" + "a" * 5_000_000)


def test_noscripts_without_number() -> None:
    assert settled(f"<p>{'<noscript><i>n</i></noscript>t' * 50_000}</p>") == f"<p>{'t' * 50_000}</p>"
    assert settled(f"<figure>{f'<noscript>{IMG}</noscript>' * 5_000}</figure>") == f"<figure>{IMG * 5_000}</figure>"
