"""Text renderings, for reading."""

from __future__ import annotations

import json

import pytest

from mainextract_beam import extract_page
from mainextract_beam.render import FORMATS, renderer


def rendered(content: str) -> str:
    document = extract_page(f"<main>{content}</main>")
    assert document is not None
    return renderer("text")(document)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a <b>b</b>c<p>d<br>e", "a bc\n\nd\ne\n"),
        ("<ul><li>a<li>b<ol><li>c<li>d</ol></ul>", "- a\n- b\n  1. c\n  2. d\n"),
        ("<ol start=9><li>a<li value=12>b<li><p>c<p>d</ol>", "9. a\n\n12. b\n\n13. c\n\n    d\n"),
        ("<table><caption>T</caption><tr><th>a<th>b<tr><td>c<td>d</table>", "T\n\na\tb\nc\td\n"),
        ("<pre>  a\n\n\tb</pre>", "  a\n\n\tb\n"),
        ("<p>10<sup>6</sup> H<sub>2</sub>O 1<sup>st</sup>", "10⁶ H₂O 1st\n"),
        ("<blockquote>q</blockquote><hr><p>a<img src=i alt=x>b", "q\n\nab\n"),
        ("<dl><dt>t<dd>d</dl>", "t\n\n- d\n"),
        ("<p>中文</p><div>字</div>", "中文\n\n字\n"),
    ],
)
def test_text(markup: str, text: str) -> None:
    assert rendered(markup) == text


def test_json() -> None:
    document = extract_page("<title>T</title><main><ul><li>é</ul></main>")
    assert document is not None
    assert json.loads(document.to_json()) == {
        "title": "T", "base": None, "rule": "main", "metadata": dict(document.metadata), "text": "é",
        "xml": document.to_xml().decode(),
    }  # fmt: skip


def test_every_format_renders() -> None:
    document = extract_page("<main>words</main>")
    assert document is not None
    assert all("words" in renderer(form)(document) for form in FORMATS)
    with pytest.raises(ValueError, match="unknown format 'pdf'; formats are xml, html, text, markdown, json"):
        renderer("pdf")
