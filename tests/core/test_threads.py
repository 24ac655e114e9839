"""Blocking work that can be left, or is waited for."""

import asyncio
import subprocess
import sys
import threading

import pytest

from core.threads import aside, to_the_end
from tests.waggle_process import ROOT, TIMEOUT_S


async def test_the_result_comes_back() -> None:
    """From a thread of its own."""
    assert await aside(lambda _: threading.current_thread().name) == "aside"


async def test_an_error_comes_back() -> None:
    """The very one."""

    def fail(_stop: threading.Event) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await aside(fail)


async def test_a_missing_next_comes_back_too() -> None:
    """No future takes StopIteration as it is, and whoever waited would wait for ever."""
    async with asyncio.timeout(TIMEOUT_S):
        with pytest.raises(RuntimeError, match="StopIteration"):
            await aside(lambda _: next(iter(())))


async def test_work_is_seen_to_its_end() -> None:
    """A cancellation comes through once the work is done, however often it comes."""
    begun, goes_on, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        goes_on.wait()
        ended.set()

    task = asyncio.ensure_future(to_the_end(work))
    await asyncio.to_thread(begun.wait)
    for _ in range(3):
        task.cancel()
        await asyncio.wait([task], timeout=0)
        assert not task.done()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_cancelling_tells_the_work() -> None:
    """It can end early, and nobody has waited for it."""
    begun, ended = threading.Event(), threading.Event()

    def work(stop: threading.Event) -> None:
        begun.set()
        stop.wait()
        ended.set()

    task = asyncio.ensure_future(aside(work))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(ended.wait, TIMEOUT_S)


def test_a_program_ends_without_waiting() -> None:
    """Even if the work never ends."""
    code = (
        "import asyncio, threading\n"
        "from core.threads import aside\n"
        "async def main():\n"
        "    begun = threading.Event()\n"
        "    task = asyncio.ensure_future("
        "aside(lambda _: (begun.set(), threading.Event().wait())))\n"
        "    await asyncio.to_thread(begun.wait)\n"
        "    task.cancel()\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.call(command, cwd=ROOT, timeout=TIMEOUT_S) == 0  # noqa: S603 - lines above
