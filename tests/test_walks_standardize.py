"""The walks in C of standardising and of assembling do what the Python functions they are named after do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from lxml import etree

from mainextract_beam import extract_page, parse_html
from mainextract_beam.clean import stated
from tests.test_walks import PAGES, TREES, compiled
from tests.trees import elements, pages


def gathered(gather: Any, root: Any) -> tuple[set[str], set[str], dict[str, set[str]]]:
    tags: set[str] = set()
    attributes: set[str] = set()
    values: dict[str, set[str]] = {"class": set(), "role": set(), "id": set()}
    gather(root, tags, attributes, values)
    return tags, attributes, values


def assert_gathered_alike(root: Any) -> None:
    assert gathered(compiled("clean._stated").gather, root) == gathered(stated._gather, root)


@pytest.mark.parametrize("page", PAGES)
def test_what_pages_state(page: bytes) -> None:
    assert_gathered_alike(parse_html(page).getroot())


@given(pages)
def test_what_any_page_states(page: str) -> None:
    assert_gathered_alike(parse_html(page).getroot())


@given(elements())
def test_what_any_tree_states(tree: Any) -> None:
    assert_gathered_alike(tree)


@pytest.mark.parametrize("tree", TREES)
def test_what_trees_of_all_kinds_state(tree: Any) -> None:
    for node in tree.getroot().iter():
        assert_gathered_alike(node)


@pytest.mark.parametrize(
    "tree",
    [
        "<p class role='' id=x {{y}}=1 {z}='' xml:id=w>",
        "<p xmlns:q='urn:q' q:class='a' class='b'><q:p q:class='c' q:q=''/></p>",
        "<!DOCTYPE p [<!ENTITY e 'x'>]><p class='a&e;b' role='&e;'><b class='&amp;&e;'/></p>",
    ],
)
def test_what_odd_attributes_state(tree: str) -> None:
    assert_gathered_alike(etree.fromstring(tree, etree.HTMLParser() if "{" in tree else etree.XMLParser(resolve_entities=False)))


def test_documents_are_the_same_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [extract_page(page, url="https://example.com/", method="clean", journal=True) for page in PAGES]
    for module in (stated,):
        monkeypatch.setattr(module, "compiled", None)
    assert documents == [extract_page(page, url="https://example.com/", method="clean", journal=True) for page in PAGES]
    assert any(document is not None for document in documents)
