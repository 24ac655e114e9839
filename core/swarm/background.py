"""Work that goes on beside a block of code, and ends with it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

SAVED_EVERY_S = 120.0
_log = logging.getLogger(__name__)


@asynccontextmanager
async def kept(save: Callable[[], None]) -> AsyncIterator[None]:
    """Have ``save`` called now and then, as a killed process has no end, and at the block's end."""

    async def now_and_then() -> None:
        while True:
            await asyncio.sleep(SAVED_EVERY_S)
            try:
                save()
            except Exception:  # noqa: BLE001 - a help only: nothing ends by it
                _log.exception("Who was met could not be written down")

    try:
        async with running(now_and_then):
            yield
    finally:
        save()


@asynccontextmanager
async def running(work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Have ``work`` done beside the block, until it ends.

    What the block raises is raised as it is: the group would wrap it, and nobody would know it.
    """
    failure: Exception | None = None
    async with asyncio.TaskGroup() as group:

        async def do() -> None:
            await work()

        task = group.create_task(do())
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised again below
            failure = error
        finally:
            task.cancel()
    if failure is not None:
        raise failure
