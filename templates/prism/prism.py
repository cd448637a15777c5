"""Prism, Beam's small portable runner, built from its Go module.

    python templates/prism/prism.py -- pipelines/warc_to_xml.py --input ...

builds the runner (once, into `.cache/`; a Go toolchain is needed) and runs the pipeline on it. The exit status is the
pipeline's.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cluster import CACHE, run_pipeline

MODULE = "github.com/apache/beam/sdks/v2/go/cmd/prism"


def prism_binary() -> Path:
    """The runner of the same version as the installed Beam, built where it is not there yet."""
    import apache_beam

    folder = CACHE / f"prism-{apache_beam.__version__}"
    binary = folder / "prism"
    if not binary.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["go", "install", f"{MODULE}@v{apache_beam.__version__}"]
        subprocess.run(command, check=True, env={**os.environ, "GOBIN": str(folder)})
    return binary


def prism_options() -> list[str]:
    """Pipeline options that run a pipeline on Prism; Beam starts and stops it."""
    return ["--runner=PrismRunner", f"--prism_location={prism_binary()}"]


def main() -> int:
    """The command line; returns the pipeline's exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipeline", nargs="+", help="the pipeline's script and its options, after --")
    return run_pipeline(parser.parse_args().pipeline, prism_options())


if __name__ == "__main__":
    sys.exit(main())
