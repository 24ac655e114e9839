"""Blocking work beside the event loop: it can be left at any time, or is seen to its end.

The threads of ``asyncio.to_thread`` are waited for at the end of a program: Ctrl-C would have to
wait for a hub that does not answer.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Result = TypeVar("Result")


async def aside(work: Callable[[threading.Event], Result]) -> Result:
    """Call ``work`` in a thread that the program does not wait for; what it raises is raised here.

    On cancellation the event is set, so that work in small steps comes to an end soon.
    """
    loop, stop = asyncio.get_running_loop(), threading.Event()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if future.done():  # nobody waits any more
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # without an error there is one

    def run() -> None:
        result: Result | None = None
        error: BaseException | None = None
        try:
            result = work(stop)
        except StopIteration as raised:  # no future takes it, and whoever waits would wait for ever
            error = RuntimeError("the work raised StopIteration")
            error.__cause__ = raised
        except BaseException as raised:  # noqa: BLE001 - whoever waits gets it, whatever it is
            error = raised
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="aside", daemon=True).start()
    try:
        return await future
    finally:
        stop.set()


async def to_the_end(work: Callable[[], Result]) -> Result:
    """Call ``work`` in a thread that a cancellation waits for; what it raises is raised here.

    For files that are being moved or removed: whoever comes next must find them at rest.
    """
    task = asyncio.ensure_future(aside(lambda _: work()))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():  # however often it is cancelled
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        raise
