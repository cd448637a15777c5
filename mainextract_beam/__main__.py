"""`python -m mainextract_beam` is the command `mainextract`."""

from __future__ import annotations

import sys

from mainextract_beam.cli import main

if __name__ == "__main__":
    sys.exit(main())
