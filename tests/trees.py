"""Trees for tests: from each parser, and random ones."""

from __future__ import annotations

from typing import Any

import html5lib
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html

NAMES = (
    "html head body title main article aside nav header footer div section p h1 ul li table tr td a span em pre figure figcaption"
    " br img script style template noscript svg button form my-card o:p blockquote dl dt dd details summary base"
).split()
TEXTS = [
    "",
    " ",
    "\n\t",
    "\xa0",
    "word",
    "two words",
    "a longer run of text, with a comma. And more",
    "中文字符",
    "x\x85y",
    "\ufeff",
    "é",
]


def lxml_tree(markup: str) -> Any:
    return lxml_html.document_fromstring(markup).getroottree()


def xml_tree(markup: str | bytes) -> Any:
    parser = etree.XMLParser(resolve_entities=False)
    return etree.ElementTree(etree.fromstring(markup, parser=parser))


def html5_tree(markup: str) -> Any:
    return html5lib.parse(markup, treebuilder="lxml")


@st.composite
def elements(draw: st.DrawFn, depth: int = 4) -> Any:
    """A random element tree as the HTML parser might have left it."""
    name = draw(st.sampled_from(NAMES))
    element = etree.HTML("<x/>").find(".//x").makeelement(name if ":" not in name else "span")
    text = draw(st.sampled_from(TEXTS))
    element.text = text or None
    if draw(st.booleans()):
        element.set(draw(st.sampled_from(["class", "role", "id", "lang"])), draw(st.sampled_from(["main", "a b", "MAIN x", ""])))
    if depth:
        for child in draw(st.lists(elements(depth - 1), max_size=3)):
            child.tail = draw(st.sampled_from(TEXTS)) or None
            element.append(child)
        if draw(st.integers(0, 9)) == 0:
            comment = etree.Comment(" note ")
            comment.tail = draw(st.sampled_from(TEXTS)) or None
            element.insert(draw(st.integers(0, len(element))), comment)
    return element


# Bytes of pages, well-formed or not, with the odd names and characters crawls bring.
_TOKENS = [
    "<html>", "<html lang=en xml:lang=fr>", "</html>", "<head>", "</head>", "<title>", "</title>", "<body dir=rtl>", "</body>", "<main>",
    "</main>", "<article>", "</article>", "<div role='x main'>", "</div>", "<p>", "</p>", "<nav>", "</nav>", "<svg xmlns='http://www.w3.org/2000/svg'>",
    "</svg>", "<a @click=x href='a&b' xlink:href=c>", "</a>", "<o:p>", "</o:p>", "<!-- a -- b --->", "<!doctype html>", "<?php x ?>", "&nbsp;",
    "&#1;", "&#xD800;", "\x0c", "\x00", "text", "more text here.", " ", "\n", "<base href='http://example.com/b/'>", "<b xml:base='c/' xmlns:q=r q:s=t>",
    "</b>", "<script>if (a<b) x()</script>", "<style>p{}</style>", "<template>", "</template>", "<table><tr><td>", "</table>", "<img \"=1 a'=2>",
    "<x-y>", "</x-y>", "é", "中", "\ufffe", "<", ">", "&", "<br/>", "<textarea>", "<p {{x}}=1 {a}b=2 {q=3 q}=4>", "<v}%>", "</v}%>", "<p \x01a=1>", "</textarea>", "<plaintext>",
]  # fmt: skip
pages = st.lists(st.sampled_from(_TOKENS), max_size=25).map("".join)
