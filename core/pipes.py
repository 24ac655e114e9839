"""The two pipes of a process behind the window: lines in, lines out.

The end of stdin is the leash: when the window dies, so does whoever reads here.
"""

import asyncio
import errno
import os
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from io import FileIO, RawIOBase
from typing import BinaryIO


def claim_stdout() -> BinaryIO:
    """Take file descriptor 1 for messages and point it at stderr.

    A native library that prints then cannot corrupt the channel.
    """
    channel = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return channel


def is_reader_gone(error: OSError) -> bool:
    """Whether a write to a pipe failed since nobody reads it any more.

    That is EPIPE on POSIX; C's library for Windows has EINVAL for it, which a write to a pipe never
    means otherwise.
    """
    return error.errno in (errno.EPIPE, errno.EINVAL)


def send_line(channel: BinaryIO | RawIOBase, line: bytes) -> None:
    """Write ``line``, or nothing where the reader is gone: the leash is about to say so, too.

    Raises:
        OSError: it cannot be written although somebody reads.
    """
    try:
        channel.write(line)
    except OSError as error:
        if not is_reader_gone(error):
            raise


class Leash(FileIO):
    """Stdin, ``grace_s`` after whose end the process ends, whatever it does.

    A thread at work would hold it up, and with it all that it holds, when there is no window any
    more to kill it. Cutting that off does no harm: files are written in one step.
    """

    def __init__(self, grace_s: float) -> None:
        super().__init__(0, closefd=False)
        self._grace_s = grace_s

    def readline(self, size: int | None = -1, /) -> bytes:
        """One line, empty at the end; the thread that reads is never held up by another."""
        line = b""
        try:
            line = super().readline(size)
        finally:
            if not line:  # the end, or a pipe that cannot be read any more
                guard = threading.Timer(self._grace_s, os._exit, (1,))
                guard.daemon = True
                guard.start()
        return line


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
