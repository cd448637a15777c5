"""Turns the pages of WARC files into XML files of their main content.

python pipelines/warc_to_xml.py --input 'crawl/*.warc.gz' --output out/documents
"""

from __future__ import annotations

import sys

from mainextract_beam.beam.run import run
from mainextract_beam.beam.sources import WARC

if __name__ == "__main__":
    sys.exit(run("warc_to_xml", __doc__, WARC, "xml"))
