"""One page in each of the languages that the rules know, and in scripts without spaces or from right to left: nothing is lost."""

from __future__ import annotations

import re

import pytest

from mainextract_beam import Document, extract_page
from mainextract_beam.clean.pattern_words import LINES, RELATED
from tests.page_pairs import OPTIONS, PAIRS, URL, Pair

LANGUAGES = {pair.name.removeprefix("patterns-language-"): pair for pair in PAIRS if pair.name.startswith("patterns-language-")}
OF_RULES = {"en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja"}
# Words; of scripts without spaces, characters.
WORDS = {
    "ar": 69, "de": 89, "en": 89, "es": 89, "fr": 89, "he": 61, "it": 84, "ja": 161, "pt": 86, "ru": 70, "th": 308, "zh": 134,
}  # fmt: skip
AUTHORS = {
    "de": "Ada Beispiel", "es": "Ada Ejemplo", "fr": "Ada Exemple", "it": "Ada Esempio", "ja": "山田花子", "pt": "Ada Exemplo",
    "ru": "Ада Примерова", "zh": "王小明",
}  # fmt: skip

each = pytest.mark.parametrize("language", WORDS)


def document(pair: Pair) -> Document:
    found = extract_page(pair.page, **OPTIONS)
    assert found is not None
    return found


def test_every_language_has_its_page_and_its_words() -> None:
    assert set(WORDS) == set(LANGUAGES)
    assert all(set(words) >= OF_RULES for words in (*LINES.values(), RELATED))


@each
def test_metadata(language: str) -> None:
    metadata = document(LANGUAGES[language]).metadata
    found = (metadata["language"], metadata["authors"], metadata["published"], metadata["word_count"])
    assert found == (language, (AUTHORS.get(language, "Ada Example"),), "2024-03-05", WORDS[language])


@each
@pytest.mark.parametrize("method", ["regions", "lines"])
def test_no_other_method_loses_a_sentence(language: str, method: str) -> None:
    # Long enough for `lines`, which is made for long texts.
    page = re.sub(r"<p>[^<]{40,}</p>", lambda paragraph: 4 * paragraph[0], LANGUAGES[language].page.decode())
    found = extract_page(page, method=method, url=URL)
    assert found is not None
    for paragraph in document(LANGUAGES[language]).text().split("\n\n"):
        assert found.text().count(paragraph) == 4


@each
def test_sentences_stay_without_any_sign_of_what_is_content(language: str) -> None:
    page = LANGUAGES[language].page.decode().replace("<article>", "<div>").replace("</article>", "</div>")
    found = extract_page(page, method="clean", url=URL)
    assert found is not None
    assert found.text() == document(LANGUAGES[language]).text()
