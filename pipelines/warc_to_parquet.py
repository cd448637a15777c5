"""Turns the pages of WARC files into Parquet tables of their main content, or, by --format, other files.

python pipelines/warc_to_parquet.py --input 'crawl/*.warc.gz' --output out/documents
"""

from __future__ import annotations

import sys

from mainextract_beam.beam.run import run
from mainextract_beam.beam.sources import WARC

if __name__ == "__main__":
    sys.exit(run("warc_to_parquet", __doc__, WARC, "parquet"))
