"""Step 1: declarative shadow trees, slots, inert templates."""

from __future__ import annotations

import pytest
from lxml import etree

from mainextract_beam.clean.flatten import MAX_NESTING, flatten
from mainextract_beam.clean.journal import Journal
from mainextract_beam.clean.page import CleanPage


def flattened(markup: str) -> str:
    page = CleanPage(etree.fromstring(f"<body>{markup}</body>"))
    flatten(page)
    page.root.text = page.root.text or ""
    return etree.tostring(page.root, encoding="unicode").removeprefix("<body>").removesuffix("</body>")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param('<x-a><template shadowrootmode="open"><p>in</p></template></x-a>', "<x-a><p>in</p></x-a>", id="open"),
        pytest.param('<x-a><template shadowrootmode="CLOSED"><p>in</p></template></x-a>', "<x-a><p>in</p></x-a>", id="closed"),
        pytest.param('<div><template shadowroot="open">in</template></div>', "<div>in</div>", id="older name"),
        pytest.param(
            '<x-a><template shadowrootmode="open"><h2><slot name="t"/></h2><p><slot/></p></template>'
            '<b>one</b> two <i slot="t">title</i> three</x-a>',
            '<x-a><h2><i slot="t">title</i></h2><p><b>one</b> two  three</p></x-a>',
            id="named and default slots",
        ),
        pytest.param(
            '<x-a><x-b><template shadowrootmode="open"><i><slot/></i></template>in</x-b>'
            '<template shadowrootmode="open"><p><slot/></p></template></x-a>',
            "<x-a><p><x-b><i>in</i></x-b></p></x-a>",
            id="a host whose template stands behind one inside it",
        ),
        pytest.param(
            '<x-a><template shadowrootmode="open"><slot name="t">none given</slot></template></x-a>',
            "<x-a>none given</x-a>",
            id="fallback kept",
        ),
        pytest.param(
            '<x-a><template shadowrootmode="open"><slot>none given</slot></template>\n </x-a>',
            "<x-a>none given</x-a>",
            id="white space does not oust the fallback",
        ),
        pytest.param(
            '<x-a><template shadowrootmode="open"><slot>none <slot name="t">given</slot></slot></template>text'
            '<i slot="t">t</i></x-a>',
            "<x-a>text</x-a>",
            id="fallback ousted with the slot in it",
        ),
        pytest.param(
            '<x-a><template shadowrootmode="open"><slot/>|<slot>second</slot></template>text</x-a>',
            "<x-a>text|second</x-a>",
            id="the first of two equal slots takes all",
        ),
        pytest.param(
            '<x-a><template shadowrootmode="open"><p>in</p></template>not <b>shown</b></x-a>',
            "<x-a><p>in</p></x-a>",
            id="children no slot takes",
        ),
        pytest.param(
            '<x-o><template shadowrootmode="open"><x-i><template shadowrootmode="open"><em><slot/></em></template>'
            '<slot name="t"/></x-i></template><b slot="t">light</b></x-o>',
            '<x-o><x-i><em><b slot="t">light</b></em></x-i></x-o>',
            id="slot handed on to an inner host",
        ),
        pytest.param(
            '<x-o><template shadowrootmode="open"><div><slot/></div></template><x-i><template shadowrootmode="open">'
            "<p><slot/></p></template>light</x-i></x-o>",
            "<x-o><div><x-i><p>light</p></x-i></div></x-o>",
            id="host among the children of a host",
        ),
        pytest.param(
            '<x-a><template shadowrootmode="open">one</template><template shadowrootmode="open">two</template></x-a>',
            "<x-a>one</x-a>",
            id="a host has one shadow root",
        ),
        pytest.param("a<template><p>inert</p></template>b", "ab", id="inert template leaves, text after it stays"),
        pytest.param('<x-a><template shadowrootmode="">in</template></x-a>', "<x-a/>", id="no mode, no shadow root"),
        pytest.param('<template><x-a><template shadowrootmode="open"><slot/></template>t</x-a></template>', "", id="all inert"),
        pytest.param('<template id="B:0"/>', '<template id="B:0"/>', id="empty placeholder waits for step 2"),
        pytest.param("<p><slot>outside</slot></p>", "<p><slot>outside</slot></p>", id="slot outside a shadow tree"),
    ],
)
def test_flatten(markup: str, expected: str) -> None:
    assert flattened(markup) == expected


def test_children_no_slot_takes_are_in_the_journal() -> None:
    root = etree.fromstring('<body><x-a><template shadowrootmode="open"><p>in</p></template>not <b>shown</b></x-a></body>')
    page = CleanPage(root, journal=Journal(keep=True))
    page.journal.open(root)
    flatten(page)
    assert [(entry.rule, entry.action, entry.path, entry.reason) for entry in page.journal.entries] == [
        ("unassigned", "remove", "/body/x-a", "text 'not'"),
        ("unassigned", "remove", "/body/x-a/b", None),
        ("shadow-root", "unwrap", "/body/x-a/template", None),
    ]


def test_nesting_beyond_the_limit_keeps_every_text() -> None:
    depth = MAX_NESTING + 3
    opening = "".join(f'<x-a><template shadowrootmode="open">s{i} <slot/></template>' for i in range(depth))
    words = flattened(opening + "light" + "</x-a>" * depth)
    assert etree.fromstring(f"<b>{words}</b>").xpath("string()").split() == [*(f"s{i}" for i in range(depth)), "light"]


def test_hosts_and_children_without_number() -> None:
    host = '<x-a><template shadowrootmode="open"><slot/></template>t</x-a>'
    assert flattened(host * 20_000) == "<x-a>t</x-a>" * 20_000
    assert flattened(f'<x-a><template shadowrootmode="open"><slot/></template>{"<i/>t" * 100_000}</x-a>') == (
        "<x-a>" + "<i/>t" * 100_000 + "</x-a>"
    )


def test_templates_nested_without_end() -> None:
    chain = [etree.Element("body")]
    for _ in range(50_000):
        chain.append(etree.SubElement(chain[-1], "template", shadowrootmode="open"))
    chain[-1].text = "x"
    page = CleanPage(chain[0])
    flatten(page)
    assert etree.tostring(page.root) == b"<body>x</body>"
