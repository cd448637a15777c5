"""Files that were there when a pipeline was built and that its workers do not see: the run fails, instead of reading nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import apache_beam as beam
import pytest

from mainextract_beam.beam.files import ReadPagesFromFiles
from mainextract_beam.beam.parquet import ReadPagesFromParquet
from mainextract_beam.beam.warc import ReadFromWarc

SAMPLES = Path(__file__).parents[1] / "samples"


@pytest.mark.parametrize(
    ("read", "sample"),
    [
        (ReadFromWarc, "pages.warc.gz"),
        (ReadPagesFromParquet, "pages.parquet"),
        (ReadPagesFromFiles, "pages/news-article.html"),
    ],
)
def test_files_that_the_workers_do_not_see_fail_the_run(read: type[beam.PTransform], sample: str, tmp_path: Path) -> None:
    shutil.copy(SAMPLES / sample, tmp_path)
    pipeline = beam.Pipeline(runner="FnApiRunner")
    _ = pipeline | read(str(tmp_path / "*"))
    (tmp_path / Path(sample).name).unlink()
    with pytest.raises((OSError, RuntimeError), match=r"[Nn]o file|Empty match"):
        pipeline.run().wait_until_finish()


def test_an_empty_match_that_was_allowed_reads_nothing(tmp_path: Path) -> None:
    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        _ = pipeline | ReadFromWarc(str(tmp_path / "*"), validate=False)
