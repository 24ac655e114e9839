"""The two pipes of a process behind the window: lines in, lines out.

The end of stdin is the leash: when the window dies, so does whoever reads here.
"""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from io import RawIOBase
from typing import BinaryIO


def claim_stdout() -> BinaryIO:
    """Take file descriptor 1 for messages and point it at stderr.

    A native library that prints then cannot corrupt the channel.
    """
    channel = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return channel


async def read_lines(source: RawIOBase, most: int) -> AsyncIterator[bytes]:
    """Lines from ``source`` until it ends, longer ones cut after ``most`` bytes and one.

    A thread reads, since not every system lets asyncio wait on stdin. It reads without a buffer:
    a thread that waits inside one would hold its lock, and Python could not shut down.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        with suppress(OSError, RuntimeError):  # the pipe or the loop is gone: nobody listens
            while line := source.readline(most + 1):
                loop.call_soon_threadsafe(lines.put_nowait, line)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(lines.put_nowait, b"")

    threading.Thread(target=read, name="lines", daemon=True).start()
    while line := await lines.get():
        yield line
