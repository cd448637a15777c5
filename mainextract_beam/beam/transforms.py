"""The transforms that extract: pages or trees in, documents out, nothing shuffled."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from typing import Any

import apache_beam as beam
from apache_beam.typehints import typehints

from mainextract_beam.beam import coders as _coders  # noqa: F401 - registers them
from mainextract_beam.beam import isolate, metrics, work
from mainextract_beam.beam.pages import ExtractedPage, Failure, WebPage
from mainextract_beam.beam.work import storable
from mainextract_beam.document import Document
from mainextract_beam.methods import bind_method, extract

DOCUMENTS = "documents"
"""Tag of the main output of `ExtractPages`."""
FAILURES = "failures"
"""Tag of the output of `ExtractPages` that takes the pages that could not be worked on."""

MAX_BYTES = 20 << 20
MAX_ELEMENTS = 1_000_000
TIMEOUT = 60.0
MAX_MEMORY = 450 << 20


class ExtractContentFn(beam.DoFn):  # type: ignore[misc]
    """Draws the main content from one tree: zero or one document. Stateless.

    Elements are lxml trees (an ElementTree, or an element that holds the tree below it), `WebPage`s, or pairs of a key
    and one of these, which give pairs of the key and the document. Trees are left as they are.
    """

    def __init__(self, method: str = "regions", **options: Any) -> None:
        """Takes the method and its options; an unknown one is a ValueError that names those there are."""
        check_method(method, options)
        self._method = method
        self._options = options

    def process(self, element: Any) -> Iterator[Any]:
        """Yields the document of the tree, if it holds content."""
        keyed = _is_pair(element)
        tree = element[1] if keyed else element
        if isinstance(tree, WebPage):
            document = extract(tree.tree(), method=self._method, url=tree.url, **self._options)
        else:
            document = extract(tree, method=self._method, **self._options)
        if document is not None:
            yield (element[0], document) if keyed else document


class ExtractContent(beam.PTransform):  # type: ignore[misc]
    """Draws the main content from each tree: `ExtractContentFn` with the right types.

    Trees, or (key, tree) pairs, in; Documents, or (key, Document) pairs, out; trees without content give nothing.
    Timestamps and windows pass through. What is no tree, or a method that fails on one, fails the bundle; append
    `.with_exception_handling()` to a `beam.ParDo(ExtractContentFn(...))` to set such trees aside, or read pages and
    use `ExtractPages`, which does.
    """

    def __init__(self, method: str = "regions", **options: Any) -> None:
        """Takes the method and its options; an unknown one is a ValueError that names those there are."""
        super().__init__()
        self._fn = ExtractContentFn(method, **options)

    def expand(self, pcoll: beam.PCollection[Any]) -> beam.PCollection[Any]:
        """Extracts."""
        return pcoll | "Extract" >> beam.ParDo(self._fn).with_output_types(_output_type(pcoll, Document))


class ExtractPagesFn(beam.DoFn):  # type: ignore[misc]
    """Parses a page, extracts its main content and serialises it, apart from the worker's own threads."""

    def __init__(
        self,
        method: str,
        options: Mapping[str, Any],
        *,
        max_bytes: int | None,
        max_elements: int | None,
        timeout: float | None,
        max_memory: int | None,
        text: bool,
        metadata: str,
    ) -> None:
        self._method = method
        self._text = text
        self._metadata = metadata
        self._options = dict(options)
        self._max_bytes = max_bytes
        self._max_elements = max_elements
        self._timeout = timeout
        self._max_memory = max_memory
        self._place: isolate.Place[..., work.Extracted | work.Failed] | None = None

    def setup(self) -> None:
        """Prepares the place where pages are worked on; a helper process starts with the first page."""
        self._place = isolate.place(work.work_on_page, timeout=self._timeout, max_memory=self._max_memory)

    def teardown(self) -> None:
        """Ends it."""
        if self._place is not None:
            self._place.close()

    def process(self, element: Any) -> Iterator[Any]:
        """Yields the extracted page, if the page holds content, or a failure under the tag `failures`."""
        keyed = _is_pair(element)
        page: WebPage = element[1] if keyed else element
        metrics.count(metrics.PAGES)
        metrics.count(metrics.BYTES_IN, len(page.content))
        outcome = self.work(page)
        if isinstance(outcome, work.Failed):
            metrics.count(metrics.FAILURES + outcome.exception)
            yield beam.pvalue.TaggedOutput(FAILURES, Failure(page.url, page.record_id, page.source_file, page.offset, *outcome))
            return
        for stage, spent in zip(work.STAGES, outcome.microseconds, strict=True):
            metrics.count(metrics.MICROSECONDS + stage, spent)
        if outcome.fields is None:
            metrics.count(metrics.WITHOUT_CONTENT)
            return
        extracted = ExtractedPage(
            url=page.url,
            fetch_date=page.fetch_date,
            truncated=page.truncated,
            record_id=page.record_id,
            digest=page.digest,
            source_file=page.source_file,
            offset=page.offset,
            **outcome.fields,
        )
        metrics.count(metrics.DOCUMENTS)
        metrics.count(metrics.RULE + (extracted.rule or "unnamed"))
        metrics.count(metrics.BYTES_OUT, len(extracted.xml))
        yield (element[0], extracted) if keyed else extracted

    def work(self, page: WebPage) -> work.Extracted | work.Failed:
        """Works on one page, within the limits."""
        if self._max_bytes is not None and len(page.content) > self._max_bytes:
            message = f"page of {len(page.content):,} bytes is larger than max_bytes={self._max_bytes:,}"
            return work.Failed("limits", "PageTooLarge", message, None)
        assert self._place is not None, "setup() comes first"
        try:
            return self._place.call(
                page.content,
                url=page.url,
                charset=page.charset,
                content_type=page.content_type,
                method=self._method,
                options=self._options,
                max_elements=self._max_elements,
                text=self._text,
                metadata=self._metadata,
            )
        except isolate.RaisedError as error:
            return work.Failed("extract", error.kind, storable(error.text), storable(error.traceback))
        except isolate.PageError as error:
            return work.Failed("limits", type(error).__name__, str(error), None)


class ExtractPages(beam.PTransform):  # type: ignore[misc]
    """Turns crawled pages into extracted pages in one step, each with its limits: bytes in, bytes out.

    WebPages, or (key, WebPage) pairs, in. Out come two collections, `documents` (ExtractedPages, or pairs) and
    `failures` (Failure rows: pages that raised an error or went over a limit)::

        documents, failures = pages | ExtractPages(method="clean")

    Pages without content give nothing; the metrics count them. A limit in time or memory makes each worker keep a
    helper process, which is killed with the page that goes over it and started anew; without, pages are worked on in a
    thread of the worker. Timestamps and windows pass through.
    """

    def __init__(
        self,
        method: str = "regions",
        *,
        max_bytes: int | None = MAX_BYTES,
        max_elements: int | None = MAX_ELEMENTS,
        timeout: float | None = TIMEOUT,
        max_memory: int | None = MAX_MEMORY,
        text: bool = True,
        metadata: str = "stated",
        **options: Any,
    ) -> None:
        """Checks the options.

        Args:
            method: The extraction method.
            max_bytes: Bytes of a page beyond which it is a failure. None, here and below: no limit.
            max_elements: Elements of a page beyond which it is a failure.
            timeout: Seconds of wall time for one page.
            max_memory: Bytes of memory for the process that works on it, looked at a few times a second.
            text: Whether `ExtractedPage.text` is wanted; without, extraction is faster.
            metadata: What methods other than `clean`, which always fills all of it, read of the page's metadata: `stated`,
                what the page states, and counts; `all`, the page's type as well, which costs about as much as `clean`;
                `none`, which is fastest.
            **options: The method's options.

        Raises:
            ValueError: An unknown method or option, a limit that is no positive number, or another value of `metadata`.
        """
        super().__init__()
        check_method(method, options)
        if metadata not in work.METADATA:
            raise ValueError(f"metadata must be one of {', '.join(work.METADATA)}, not {metadata!r}")
        limits: dict[str, Any] = {
            "max_bytes": max_bytes,
            "max_elements": max_elements,
            "timeout": timeout,
            "max_memory": max_memory,
        }
        for name, value in limits.items():
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value > 0):
                raise ValueError(f"{name} must be a positive number or None, not {value!r}")
        self.fn = ExtractPagesFn(method, options, text=text, metadata=metadata, **limits)

    def expand(self, pcoll: beam.PCollection[Any]) -> beam.pvalue.DoOutputsTuple:
        """Extracts."""
        extracted = beam.ParDo(self.fn).with_output_types(_output_type(pcoll, ExtractedPage))
        outputs = pcoll | "Extract" >> extracted.with_outputs(FAILURES, main=DOCUMENTS)
        outputs[FAILURES].element_type = Failure
        return outputs


def check_method(method: str, options: Mapping[str, Any]) -> None:
    """Raises a ValueError that names the valid ones where a method or one of its options is unknown."""
    bind_method(method, dict(options))


def _is_pair(element: Any) -> bool:
    return isinstance(element, tuple) and not isinstance(element, WebPage) and len(element) == 2


def _output_type(pcoll: beam.PCollection[Any], value: type[Any]) -> Any:
    """The type of what comes out: `value`, paired with the key's type where pairs go in."""
    given = pcoll.element_type
    if isinstance(given, typehints.TupleConstraint) and len(given.tuple_types) == 2:
        return typing.Tuple[given.tuple_types[0], value]  # noqa: UP006 - Beam's own hints
    return Any if given in (Any, typehints.Any, None, object) else value
