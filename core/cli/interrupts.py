"""Ctrl-C as people mean it: once to come to an end, twice to end."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Endable(Protocol):
    """What can come to an end."""

    def finish(self) -> None:
        """Complete the running round."""

    def stop(self) -> None:
        """Drop it."""


@contextmanager
def finish_then_stop(node: Endable) -> Iterator[None]:
    """The first interrupt finishes ``node``, the next one and a termination stop it.

    Call it on the event loop's thread; handlers are put back at the end.
    """
    loop = asyncio.get_running_loop()
    endings = iter([node.finish])

    def interrupt(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(next(endings, node.stop))

    def terminate(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(node.stop)

    before = (
        signal.signal(signal.SIGINT, interrupt),
        signal.signal(signal.SIGTERM, terminate),
    )
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
