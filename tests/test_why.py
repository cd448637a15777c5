"""`--why`: each answer names what is proven by a run without it."""

from __future__ import annotations

from typing import Any

import pytest

from mainextract_beam.methods import METHODS
from mainextract_beam.page import Content, Page
from mainextract_beam.why import explain
from tests.demo_method import find_without_hidden

PAGE = (
    "<body><header>Menu</header><div id=main><p>Kept <b>well</b></p><p hidden>Gone</p>"
    "<section hidden><p>Inside it</p></section>"
    "<div class=ad hidden><p>Twice gone</p></div></div><aside>Beside</aside><script>Unread</script></body>"
)


@pytest.fixture(autouse=True)
def demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "demo", find_without_hidden)


def why(text: str, **options: Any) -> str:
    return explain(PAGE, text, method="demo", **options)


def test_text_in_the_document() -> None:
    assert why("Kept\n well") == "The text is in the document; in the page it is in /html/body/div/p[1]."


def test_text_that_the_page_does_not_hold() -> None:
    answer = "The page holds no such text (attributes, scripts and styles do not count)."
    assert why("Missing") == answer
    assert why("Unread") == answer


def test_step_that_removed_the_element_itself() -> None:
    assert why("Gone").splitlines() == [
        "Step hidden takes the text in /html/body/div/p[2].",
        "  remove /html/body/div/p[2] by rule hidden-rule, matching [hidden]: so it says",
        "With --skip hidden it is in the document.",
    ]


def test_step_that_removed_what_holds_it() -> None:
    assert why("Inside").splitlines()[1] == ("  remove /html/body/div/section by rule hidden-rule, matching [hidden]: so it says")


def test_two_steps_that_both_take_it() -> None:
    assert why("Twice gone").splitlines() == [
        "More than one step takes the text in /html/body/div/div/p: hidden, names.",
        "Step hidden takes the text in /html/body/div/div/p.",
        "  remove /html/body/div/div by rule hidden-rule, matching [hidden]: so it says",
        "Step names takes the text in /html/body/div/div/p.",
        "  remove /html/body/div/div by rule names-rule, matching [names]: so it says",
        "With --skip hidden --skip names it is in the document.",
    ]


def test_step_already_switched_off_is_not_blamed() -> None:
    assert why("Twice gone", skip=("hidden",)).splitlines()[0] == "Step names takes the text in /html/body/div/div/p."


def test_text_outside_the_root() -> None:
    assert why("Beside", selector="div").splitlines() == [
        "The text is in /html/body/aside, outside the content root:",
        "  /html/body/div, chosen by rule body",
        "Name its place by --selector, or look at why this root was chosen.",
    ]


def test_empty_text_is_an_error() -> None:
    with pytest.raises(ValueError, match="the text to look for is empty"):
        why(" \n")


def test_namespaced_page_has_plain_paths() -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>One</p><p>Two</p></body></html>'
    answer = explain(page, "Two", method="demo")
    assert answer == "The text is in the document; in the page it is in /html/body/p[2]."


def test_page_without_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(page: Page, *, skip: tuple[str, ...] = (), journal: bool = False) -> None:
        return None

    monkeypatch.setitem(METHODS, "demo", nothing)
    assert why("Kept") == "The text is in /html/body/div/p[1], but method 'demo' finds no content in the page."


def test_step_that_cannot_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def strict(page: Page, *, skip: tuple[str, ...] = (), journal: bool = False) -> Content | None:
        if skip:
            raise ValueError(f"{skip} cannot be switched off")
        return find_without_hidden(page, journal=journal)

    monkeypatch.setitem(METHODS, "demo", strict)
    assert why("Gone") == "The text is in /html/body/div/p[2]; switching steps off does not bring it back."


def test_method_clean() -> None:
    paragraph = "<p>A paragraph of prose that is long enough, with a comma or two, to be taken for content by any rule.</p>"
    page = f"<body><nav>Menu</nav><main>{paragraph * 5}<p style='display: none'>Not to be seen</p></main><div>Beside</div></body>"
    assert explain(page, "Not to be seen", method="clean").splitlines()[::2] == [
        "Step hidden takes the text in /html/body/main/p[6].",
        "With --skip hidden it is in the document.",
    ]
    assert "outside the content root" in explain(page, "Menu", method="clean").splitlines()[0]
