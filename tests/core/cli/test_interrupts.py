"""Ctrl-C."""

import asyncio
import os
import signal
import sys

import pytest

from core.cli.interrupts import finish_then_stop


class Node:
    def __init__(self) -> None:
        self.heard: list[str] = []
        self.news = asyncio.Event()

    def finish(self) -> None:
        self.heard.append("finish")
        self.news.set()

    def stop(self) -> None:
        self.heard.append("stop")
        self.news.set()


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
async def test_the_first_interrupt_finishes_and_the_next_stops() -> None:
    """Once means come to an end, twice means now; a termination always means now."""
    node = Node()
    before = signal.getsignal(signal.SIGINT)
    with finish_then_stop(node):
        for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
            node.news.clear()
            os.kill(os.getpid(), number)
            await node.news.wait()
    assert node.heard == ["finish", "stop", "stop"]
    assert signal.getsignal(signal.SIGINT) is before
