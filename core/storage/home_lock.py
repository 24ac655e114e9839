"""One Waggle at a time on a home."""

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from core.errors import HomeInUseError
from core.i18n import translatable
from core.paths import Home, explain_os_error


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
