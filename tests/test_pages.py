"""The rows of the pipelines cross stage and process boundaries as what they are."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import apache_beam as beam
import pytest
from apache_beam import coders
from apache_beam.portability.api import schema_pb2
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.typehints.arrow_type_compatibility import arrow_schema_from_beam_schema
from apache_beam.typehints.schemas import named_tuple_from_schema, schema_from_element_type

from mainextract_beam.beam.pages import ExtractedPage, Failure, WebPage
from mainextract_beam.beam.source_items import SourceItem

PAGE = WebPage(
    url="https://example.com/1",
    content=b"<!DOCTYPE html><title>A page</title><p>caf\xe9 \xff\0",
    content_type="text/html",
    charset="windows-1252",
    http_status=200,
    fetch_date="2024-05-01T12:00:00Z",
    record_id="urn:example:1",
    digest="sha1:ABC",
    source_file="a.warc.gz",
    offset=5_000_000_000,
    headers={"link": "<a>", "content-language": "fr"},
    truncated=True,
)
EXTRACTED = ExtractedPage("https://example.com/1", title="T", xml=b"<p/>", authors=["A", "B"], coverage=0.5)
FAILURE = Failure("https://example.com/1", None, "a.warc", 7, "read", "corrupt", "a message")
ROWS = [PAGE, WebPage("", b""), EXTRACTED, ExtractedPage(""), FAILURE, SourceItem(PAGE, None), SourceItem(None, FAILURE)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
def test_rows_survive_coding_and_pickling(row: Any) -> None:
    coder = coders.registry.get_coder(type(row))
    assert isinstance(coder, coders.RowCoder)
    for copy in (coder.decode(coder.encode(row)), pickle.loads(pickle.dumps(row))):
        assert copy == row
        assert type(copy) is type(row)


def test_the_schemas_are_known_by_ids_that_every_process_has() -> None:
    rows = [WebPage, ExtractedPage, Failure, SourceItem]
    schemas = [schema_from_element_type(row) for row in rows]
    for row, schema in zip(rows, schemas, strict=True):
        assert named_tuple_from_schema(schema_pb2.Schema.FromString(schema.SerializeToString())) is row
    program = (
        "from mainextract_beam.beam.source_items import Failure, SourceItem, WebPage\n"
        "from mainextract_beam.beam.pages import ExtractedPage\n"
        "from apache_beam.typehints.schemas import schema_from_element_type\n"
        "for row in (WebPage, ExtractedPage, Failure, SourceItem): print(schema_from_element_type(row).id)"
    )
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert there.stdout.split() == [schema.id for schema in schemas]


def test_every_field_has_a_type_that_other_systems_have() -> None:
    for row in (WebPage, ExtractedPage, Failure):
        schema = schema_from_element_type(row)
        assert [field.name for field in schema.fields] == list(row._fields)
        assert not [field.name for field in schema.fields if field.type.HasField("logical_type")]
        assert arrow_schema_from_beam_schema(schema).names == list(row._fields)
    nullable = {field.name for field in schema_from_element_type(WebPage).fields if field.type.nullable}
    assert nullable == set(WebPage._fields) - {"url", "content", "headers", "truncated"}


def test_the_tree_is_parsed_once_and_is_no_part_of_the_page() -> None:
    page = WebPage(*PAGE)
    tree = page.tree()
    assert tree.findtext(".//title") == "A page"
    assert page.tree() is tree
    assert page == PAGE
    assert hash(page) == hash(PAGE)
    assert pickle.loads(pickle.dumps(page)).tree() is not tree
    assert page._replace(content=b"<title>Another").tree().findtext(".//title") == "Another"


def test_the_tree_is_parsed_by_what_http_said() -> None:
    assert WebPage("", b"<p>caf\xe9", charset="windows-1252").tree().findtext(".//p") == "caf\xe9"
    xhtml = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><P/></body></html>'
    assert WebPage("", xhtml, "application/xhtml+xml").tree().getroot().find(".//{*}P") is not None


def test_a_page_with_a_parsed_tree_crosses_a_shuffle() -> None:
    def parsed(page: WebPage) -> WebPage:
        page.tree()
        return page

    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        pages = pipeline | beam.Create([PAGE]).with_output_types(WebPage)
        pages |= beam.Map(parsed).with_output_types(WebPage) | beam.Reshuffle()
        titles = pages | beam.Map(lambda page: page.tree().findtext(".//title"))
        assert_that(titles, equal_to(["A page"]))


def test_repr_is_short() -> None:
    assert repr(PAGE) == f"WebPage(url='https://example.com/1', {len(PAGE.content)} bytes, a.warc.gz:5000000000)"
