"""Runners that need no cluster give what one process gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.conftest import OPTIONS, needs
from tests.engines.outcome import Outcome, finished

pytestmark = pytest.mark.engines


def test_three_processes(crawl: str, expected: Outcome, tmp_path: Path) -> None:
    assert finished(crawl, tmp_path, [*OPTIONS, "--workers=3"]) == expected


@needs("go")
def test_prism(crawl: str, expected: Outcome, tmp_path: Path) -> None:
    from prism import prism_options

    assert finished(crawl, tmp_path, [*OPTIONS, *prism_options()]) == expected
