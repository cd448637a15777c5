"""The places pages are worked on in: what one page may cost, and that it costs only itself."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from mainextract_beam.beam import isolate


def double(text: str) -> str:
    return text * 2


def where(_: str = "") -> tuple[int, int]:
    return os.getpid(), threading.get_ident()


def act(how: str) -> str:
    """Does what its argument says, as a page might."""
    if how == "sleep":
        time.sleep(60)
    elif how == "stuck":  # one call into C code that holds the interpreter lock for years
        re.match(r"(a+)+$", "a" * 60 + "b")
    elif how == "segfault":
        signal.raise_signal(signal.SIGSEGV)
    elif how == "exit":
        os._exit(7)
    elif how == "memory":
        hoard = [bytes(10 << 20) + b"x" for _ in range(100)]
        time.sleep(60)
        return str(len(hoard))
    elif how == "raise":
        raise LookupError("no such page")
    elif how == "system exit":
        sys.exit(3)
    elif how == "print":
        print("noise")
    elif how == "large":
        return "x" * 20_000_000
    return "fine"


@pytest.fixture
def helper() -> Iterator[isolate.HelperProcess[[str], str]]:
    process = isolate.HelperProcess(act, timeout=0.7, max_memory=300 << 20)
    yield process
    process.close()


@pytest.mark.parametrize("timeout", [None, 20.0])
def test_result_comes_back(timeout: float | None) -> None:
    place = isolate.place(double, timeout=timeout)
    assert [place.call("ab"), place.call("c" * 1_000_000)] == ["abab", "c" * 2_000_000]
    place.close()


def test_limits_choose_the_process() -> None:
    assert isinstance(isolate.place(double, timeout=None), isolate.RenewedThread)
    assert isinstance(isolate.place(double, timeout=5), isolate.HelperProcess)
    assert isinstance(isolate.place(double, timeout=None, max_memory=1 << 30), isolate.HelperProcess)


@pytest.mark.parametrize("timeout", [None, 20.0])
def test_what_the_function_raises_is_told(timeout: float | None) -> None:
    place = isolate.place(act, timeout=timeout)
    with pytest.raises(isolate.RaisedError) as caught:
        place.call("raise")
    assert (caught.value.kind, caught.value.text) == ("LookupError", "no such page")
    assert 'raise LookupError("no such page")' in caught.value.traceback
    with pytest.raises(isolate.RaisedError, match="SystemExit: 3"):
        place.call("system exit")
    assert place.call("on") == "fine"
    place.close()


@pytest.mark.parametrize("how", ["sleep", "stuck"])
def test_timeout_fires_in_c_code_too(helper: isolate.HelperProcess[[str], str], how: str) -> None:
    with pytest.raises(isolate.PageTimeoutError, match=r"^the page took longer than 0\.7 s$"):
        helper.call(how)
    assert helper.call("on") == "fine"


@pytest.mark.parametrize(("how", "told"), [("segfault", "by SIGSEGV"), ("exit", "with exit status 7")])
def test_page_that_ends_its_process(helper: isolate.HelperProcess[[str], str], how: str, told: str) -> None:
    with pytest.raises(isolate.ProcessDiedError, match=f"^the process working on the page ended, {told}$"):
        helper.call(how)
    assert helper.call("on") == "fine"


def test_page_that_takes_too_much_memory() -> None:
    helper = isolate.HelperProcess(act, timeout=60, max_memory=300 << 20)
    with pytest.raises(isolate.PageMemoryError, match=r"^the page took more than 300 MiB of memory \(\d+ MiB\)$"):
        helper.call("memory")
    assert helper.call("on") == "fine"
    helper.close()


def test_output_of_a_page_is_no_answer(helper: isolate.HelperProcess[[str], str]) -> None:
    assert helper.call("print") == "fine"
    assert helper.call("large") == "x" * 20_000_000


def test_process_killed_between_pages_costs_nothing() -> None:
    helper = isolate.HelperProcess(where, timeout=20)
    first, _ = helper.call()
    os.kill(first, signal.SIGKILL)
    second, _ = helper.call()
    assert second not in (first, os.getpid())
    helper.close()


def test_closed_process_is_gone() -> None:
    helper = isolate.HelperProcess(where, timeout=20)
    pid, _ = helper.call()
    helper.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_grown_process_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = isolate.HelperProcess(grow, timeout=20)
    pids = [helper.call(size) for size in (0, 0, 200, 0)]
    helper.close()
    assert pids[0] == pids[1] == pids[2] != pids[3]


HOARD: list[bytes] = []


def grow(megabytes: int) -> int:
    HOARD.append(b"x" * (megabytes << 20))
    return os.getpid()


def test_thread_is_renewed() -> None:
    for place in (isolate.RenewedThread(names, renew_every=2), isolate.HelperProcess(names, timeout=20, renew_every=2)):
        seen = [place.call() for _ in range(5)]
        place.close()
        assert seen == [0, 1, 0, 1, 0]


LOCAL = threading.local()


def names() -> int:
    """How often this thread has been here."""
    LOCAL.count = getattr(LOCAL, "count", -1) + 1
    return int(LOCAL.count)


def test_helper_that_cannot_start_is_no_page_error() -> None:
    helper = isolate.HelperProcess(double, timeout=20)
    helper._function = Missing()  # type: ignore[assignment]
    with pytest.raises(isolate.HelperStartError, match="ModuleNotFoundError: No module named 'not_there'"):
        helper.call("a")


class Missing:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return __import__, ("not_there",)
