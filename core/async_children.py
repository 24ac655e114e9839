"""Processes that an event loop has started: how they end."""

import asyncio
from asyncio.subprocess import Process
from contextlib import suppress
from typing import Final

_LOOK_S: Final = 0.01


async def kill_and_wait(process: Process) -> None:
    """End ``process``, unless it has ended, wait until it is gone, and close its pipes.

    ``Process.wait`` would also wait for whoever else holds these pipes, such as a process that it
    started itself: on Windows forever where it is killed while it starts (CPython issue 119710).
    """
    with suppress(ProcessLookupError):
        process.kill()
    while process.returncode is None:  # noqa: ASYNC110 - asyncio has no event for it alone
        await asyncio.sleep(_LOOK_S)
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 - nothing public does
