"""Finds the pages of WARC files whose main content is nearly the same, and writes them, a cluster per line, as JSON.

python pipelines/near_duplicates.py --input 'crawl/*.warc.gz' --output out/clusters --near-duplicates 0.8
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions, StandardOptions

from mainextract_beam.beam import metrics
from mainextract_beam.beam.similar import NOT_COMPARED, DuplicateCluster, FindNearDuplicates
from mainextract_beam.beam.transforms import ExtractPages
from mainextract_beam.beam.warc import ReadFromWarc
from mainextract_beam.methods import METHODS
from mainextract_beam.similarity import check_threshold


def to_json(cluster: DuplicateCluster) -> str:
    """A cluster as a line of JSON."""
    return json.dumps({"pages": cluster.pages, "similarity": round(cluster.similarity, 4)}, ensure_ascii=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the pipeline; options it does not know are Beam's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="WARC files: a path or a pattern")
    parser.add_argument("--output", required=True, help="how the paths of the files to write begin")
    parser.add_argument("--method", default="regions", choices=list(METHODS), help="extraction method")
    parser.add_argument(
        "--near-duplicates",
        "--near_duplicates",
        type=float,
        default=0.8,
        metavar="THRESHOLD",
        help="similarity from which pages are near-duplicates, above 0 and at most 1 (default: 0.8)",
    )
    options, rest = parser.parse_known_args(arguments)
    try:
        check_threshold(options.near_duplicates)
    except ValueError as error:
        parser.error(f"--near-duplicates: {error}")
    beam_options = PipelineOptions(rest)
    # Beam's own default would first try to fetch a runner from the network.
    standard = beam_options.view_as(StandardOptions)
    standard.runner = standard.runner or "FnApiRunner"
    with beam.Pipeline(options=beam_options) as pipeline:
        pages = pipeline | "ReadFromWarc" >> ReadFromWarc(options.input)
        documents, _ = pages | "ExtractPages" >> ExtractPages(options.method)
        (
            documents
            | "FindNearDuplicates" >> FindNearDuplicates(options.near_duplicates)
            | "ToJson" >> beam.Map(to_json)
            | "Write" >> beam.io.WriteToText(options.output, file_name_suffix=".jsonl")
        )
    counts = metrics.counts(pipeline.result)
    print(metrics.table(metrics.report(counts)))
    if left := counts.get(NOT_COMPARED):
        print(f"{left:,} pairs of pages were left out where more than 50 met; clusters may be in parts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
