"""A hub as a program: from what stands on the command line until it is told to end."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from core.errors import UsageError
from core.hub.server import serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import Store

DEFAULT_LISTEN = "0.0.0.0:8765"
_MAX_PORT = 65_535


async def run_hub(listen: str, store: str, announce_ready: Callable[[str], None]) -> None:
    """Serve on ``listen`` (HOST:PORT) from ``store`` (sqlite:PATH) until cancelled.

    ``announce_ready`` is called with the base URL once nodes can come.

    Raises:
        UsageError: ``listen`` or ``store`` is not of that form.
        SwarmError: the address or the file cannot be used.
    """
    host, port = parse_listen(listen)
    async with aclosing(open_store(store)) as kept, serving(kept, host, port) as url:
        announce_ready(url)
        await asyncio.Event().wait()


def parse_listen(listen: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``; an IPv6 host stands in brackets.

    Raises:
        UsageError: it is not of that form.
    """
    host, _, port = listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > _MAX_PORT:
        raise UsageError(f"{listen!r} is no address. Write it like 0.0.0.0:8765 or [::]:8765.")
    return host, int(port)


def open_store(store: str) -> Store:
    """The store that ``sqlite:PATH`` names; ``sqlite::memory:`` keeps nothing on disk.

    Raises:
        UsageError: it is not of that form.
        SwarmError: the file cannot be used.
    """
    kind, _, path = store.partition(":")
    if kind != "sqlite" or not path:
        raise UsageError(f"{store!r} is no store. Write it like sqlite:hub.sqlite.")
    return SqliteStore(path if path == MEMORY else str(Path(path).expanduser()))
