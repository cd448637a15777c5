"""Pages that do harm: the work on a page, where the page says what happens. No Beam, so that helpers start fast."""

from __future__ import annotations

import re
import signal
from typing import Any

from mainextract_beam.beam import work


def work_on_page(content: bytes, **details: Any) -> Any:
    if b"stuck" in content:  # one call into C code that holds the interpreter lock for years
        re.match(r"(a+)+$", "a" * 60 + "b")
    elif b"crash" in content:
        signal.raise_signal(signal.SIGSEGV)
    elif b"panic" in content:
        raise KeyboardInterrupt("a \ud800 panic")
    return work.work_on_page(content, **details)


class Work:
    """Stands in for the module `mainextract_beam.beam.work`."""

    STAGES = work.STAGES
    METADATA = work.METADATA
    Failed = work.Failed
    work_on_page = staticmethod(work_on_page)
