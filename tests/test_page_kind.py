"""What kind of page `clean` takes a page for, on pages of each kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mainextract_beam import extract_page
from mainextract_beam.clean.hints import COUNT
from mainextract_beam.metadata import kind as kind_module
from mainextract_beam.metadata.kind import kind_values, page_kind
from mainextract_beam.metadata.signs import BIAS, KINDS, SIGNS

SENTENCE = "The river rises in spring, and the villages along it have learned to build on stilts over the years. "
HEAD = "<html><head><title>A page</title></head><body><header><a href='/'>Home</a> <a href='/about'>About</a></header>"
FOOT = "<footer><a href='/imprint'>Imprint</a> All rights reserved</footer></body></html>"

ARTICLE = (
    HEAD
    + "<main><article><h1>How villages live with the river</h1><p class=byline>By Ada Author, <time>3 May 2024</time></p>"
    + "".join(f"<h2>Part {n}</h2><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p>" for n in range(5))
    + "</article></main>"
    + FOOT
)
FORUM = (
    HEAD
    + "<div class=thread><h1>Which pump for a small pond?</h1>"
    + "".join(
        f"<div class=post><div class=user-avatar>member{n}</div><time>2024-05-0{n}</time><div class=post-body>{SENTENCE * 2}</div><div class=vote-count>{n}</div>"
        "<div class=post-reply><a href='#'>Reply</a> <a href='#'>Quote</a></div></div>"
        for n in range(1, 9)
    )
    + "</div>"
    + FOOT
)
PRODUCT = (
    HEAD + "<main class=product-page><div class=product-gallery><img src=a.jpg><img src=b.jpg></div><h1>Garden chair</h1>"
    "<div class=product-price>€ 49.90</div><div class=product-rating>4.5</div><form class=add-to-cart>"
    "<label class=quantity>Pieces <input></label><button class=buy-button>Add</button></form>"
    f"<div class=product-description><p>{SENTENCE}</p></div><div class=stock-state>In stock</div></main>" + FOOT
)
COLLECTION = (
    HEAD
    + "<main><h1>Chairs</h1><div class=product-filter>Colour</div><ul class=product-grid>"
    + "".join(
        f"<li class=product-card><a href='/p{n}'><img src={n}.jpg><span class=product-title>Garden chair {n}</span></a>"
        f"<span class=price>${n}9.00</span></li>"
        for n in range(1, 25)
    )
    + "</ul></main>"
    + FOOT
)
LISTING = (
    HEAD
    + "<main><h1>News</h1>"
    + "".join(
        f"<div class=teaser><h3 class=headline><a href='/n{n}'>The village council met for session number {n}</a></h3>"
        f"<span class=date>{n} May 2024</span><p class=excerpt><a href='/n{n}'>What was said about the bridge</a></p></div>"
        for n in range(1, 21)
    )
    + "</main>"
    + FOOT
)
DOCUMENTATION = (
    HEAD
    + "<nav class=sidebar-toc><a href='a'>Install</a> <a href='b'>Use</a></nav><main class=docs-content><h1>read_lines</h1>"
    + "".join(
        f"<h2>Option {n}</h2><p>Takes <code>name{n}</code> and <code>size{n}</code>.</p><pre><code>read_lines({n})</code></pre>"
        for n in range(10)
    )
    + "</main>"
    + FOOT
)
SERVICE = (
    HEAD
    + "<section class=hero-section><h1>Roofs that last</h1><a class=cta-button href='/contact'>Ask us</a></section>"
    + "".join(
        f"<section class=feature-row><h3>Promise {n}</h3><p>We come on time.</p><ul><li>Quick.</li><li>Clean.</li></ul></section>"
        for n in range(8)
    )
    + "<section class=faq-list><h2>Questions</h2><h3>When?</h3><p>Soon.</p></section><div class=contact-box>Call us.</div>"
    + FOOT
)
PAGES = {
    "article": (ARTICLE, "https://example.com/how-villages-live-with-the-river"),
    "forum": (FORUM, "https://example.com/threads/4711"),
    "product": (PRODUCT, "https://example.com/products/garden-chair"),
    "collection": (COLLECTION, "https://example.com/shop/chairs"),
    "listing": (LISTING, "https://example.com/news"),
    "documentation": (DOCUMENTATION, "https://docs.example.com/reference/read_lines.html"),
    "service": (SERVICE, "https://example.com/services/roofs"),
}


def kind_of(html: str, url: str | None = None, **options: Any) -> tuple[str, str]:
    document = extract_page(html, url=url, method="clean", **options)
    assert document is not None
    return document.metadata["page_type"], document.metadata["page_type_reason"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_told(kind: str) -> None:
    html, url = PAGES[kind]
    assert kind_of(html, url)[0] == kind


@pytest.mark.parametrize("kind", ["article", "forum", "product", "collection", "listing"])
def test_without_a_url_the_page_itself_says_enough(kind: str) -> None:
    assert kind_of(PAGES[kind][0])[0] == kind


def test_a_script_without_spaces() -> None:
    line = "川は春に水かさを増し、村の人々は長い年月をかけて高床の家を建てることを学んできた。"
    article = f"<html><body><h1>川とともに生きる村</h1><p>2024年5月3日</p>{f'<p>{line * 4}</p>' * 8}</body></html>"
    assert kind_of(article, "https://example.com/blog/1")[0] == "article"
    cards = "".join(
        f"<li class=product-card><a href='/p{n}'><img src={n}.jpg><span>庭の椅子</span></a><span class=price>{n}900円</span></li>"
        for n in range(1, 25)
    )
    shop = f"<html><body><h1>椅子</h1><ul class=product-grid>{cards}</ul></body></html>"
    assert kind_of(shop, "https://example.com/shop/chairs")[0] == "collection"


def test_the_reason_names_the_signs() -> None:
    reason = kind_of(*PAGES["product"])[1]
    assert "the URL lies under a step of products" in reason
    assert "a price near the main heading" in reason


def test_structured_data_weighs() -> None:
    plain = "<html><head><title>A</title></head><body><h1>Chair</h1><p>Wood</p><p class=review>Good</p></body></html>"
    stated = plain.replace("</head>", '<script type="application/ld+json">{"@type": "Product"}</script></head>')
    url = "https://example.com/chair"
    assert kind_of(plain, url)[0] != "product"
    assert kind_of(stated, url)[0] == "product"


def test_a_selector_leaves_the_kind_of_the_page() -> None:
    html, url = PAGES["forum"]
    assert kind_of(html, url, selector=".post-body") == kind_of(html, url)


def test_step_switched_off_says_nothing() -> None:
    document = extract_page(ARTICLE, method="clean", skip=["detect"])
    assert document is not None
    assert "page_type" not in document.metadata


def test_no_text_and_no_url_are_no_error() -> None:
    kind, reason = page_kind(None, np.zeros(COUNT, dtype=np.float32), None)
    assert kind in KINDS
    assert reason


@pytest.mark.parametrize("url", ["http://[", "//", "mailto:a@example.com", "https://example.com/%00/\udcff?\u2028", ""])
def test_hostile_urls_are_no_error(url: str) -> None:
    assert page_kind(None, np.zeros(COUNT, dtype=np.float32), url).kind in KINDS


def test_every_sign_of_the_table_is_measured_once() -> None:
    names = [sign.name for sign in SIGNS]
    assert len(set(names)) == len(names)
    assert all(len(sign.points) == len(KINDS) and any(sign.points) and sign.reason for sign in SIGNS)
    assert len(BIAS) == len(KINDS)


def test_values_lie_between_0_and_1(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def watched(*args: object) -> kind_module.PageKind:
        seen.append(kind_values(*args))  # type: ignore[arg-type]
        return page_kind(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("mainextract_beam.clean.detect.page_kind", watched)
    for html, url in PAGES.values():
        extract_page(html, url=url, method="clean")
    assert len(seen) == len(PAGES)
    for values in seen:
        assert {sign.name for sign in SIGNS} <= set(values)
        assert all(0 <= value <= 1 for value in values.values()), values
