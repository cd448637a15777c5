"""Turns the pages of Parquet tables into XML files of their main content.

python pipelines/parquet_to_xml.py --input 'crawl/*.parquet' --html_column html --url_column url --output out/documents
"""

from __future__ import annotations

import sys

from mainextract_beam.beam.run import run
from mainextract_beam.beam.sources import PARQUET

if __name__ == "__main__":
    sys.exit(run("parquet_to_xml", __doc__, PARQUET, "xml"))
