"""One Waggle at a time on a home."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager

from filelock import FileLock, Timeout

from core.errors import HomeInUseError
from core.i18n import translatable
from core.paths import Home, explain_os_error

LOOK_EVERY_S = 0.1


@contextmanager
def hold(home: Home) -> Iterator[None]:
    """Keep every other Waggle off ``home``; the system lets go when this process dies.

    Raises:
        HomeInUseError: another one holds it.
        HomeError: the lock cannot be made.
    """
    lock = FileLock(home.lock, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise HomeInUseError(
            translatable(
                "Another Waggle is already running on {}. "
                "Use that one, or give this one a folder of its own.",
                home.root,
            )
        ) from error
    except OSError as error:
        raise explain_os_error(error, home.lock) from error
    try:
        yield
    finally:
        lock.release()


@asynccontextmanager
async def hold_within(home: Home, patience_s: float) -> AsyncIterator[None]:
    """Like ``hold``, but wait ``patience_s`` for another one that may be about to end.

    Raises:
        HomeInUseError: it still holds ``home`` then.
        HomeError: the lock cannot be made.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + patience_s
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(hold(home))
                break
            except HomeInUseError:
                if loop.time() >= until:
                    raise
            await asyncio.sleep(LOOK_EVERY_S)
        yield
