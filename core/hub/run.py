"""A hub as a program: from what stands on the command line until it is told to end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from core.errors import SwarmError, UsageError
from core.hub.census import Census
from core.hub.redis_link import SCHEMES
from core.hub.redis_store import RedisStore
from core.hub.server import HubFace, HubLimits, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import Store
from core.i18n import translatable
from core.net.listening import ListenAddress
from core.settings import MOST_PORT
from core.wire.identity import Identity

DEFAULT_LISTEN = "0.0.0.0:8765"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HubOptions:
    """Address, store and URL of a hub, as the command line gives them."""

    listen: str = DEFAULT_LISTEN  # HOST:PORT
    store: str = f"sqlite:{MEMORY}"
    url: str = ""  # where nodes find it from outside, if not at ``listen``
    behind_proxy: bool = False


Announcer = Callable[[Census, int], Awaitable[None]]
"""Tells the world about the swarms of a census and the port they are at, until cancelled."""


async def run_hub(
    choice: HubOptions,
    identity: Identity,
    announce_ready: Callable[[str], None],
    announcer: Announcer | None = None,
) -> None:
    """Serve until cancelled; ``announce_ready`` is told the base URL once nodes can come.

    Raises:
        UsageError: ``listen`` or ``store`` is not of its form.
        SwarmError: the address or the store cannot be used.
    """
    address = ListenAddress(*parse_listen(choice.listen))
    limits = HubLimits(behind_proxy=choice.behind_proxy)
    face = HubFace(identity, choice.url)
    async with (
        aclosing(open_store(choice.store)) as kept,
        serving(kept, address, limits, face=face) as url,
    ):
        announce_ready(url)
        try:
            await kept.stats()
        except SwarmError as error:  # it may come yet
            _log.warning("%s Nobody can be served until then.", error)
        if announcer is not None:
            await announcer(face.census, int(url.rpartition(":")[2]))
        await asyncio.Event().wait()


def parse_listen(listen: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``; an IPv6 host stands in brackets.

    Raises:
        UsageError: it is not of that form.
    """
    host, _, port = listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > MOST_PORT:
        raise UsageError(
            translatable(
                "{} is no address. Write it like 0.0.0.0:8765 or [::]:8765.", f"{listen!r}"
            )
        )
    return host, int(port)


def open_store(store: str) -> Store:
    """The store that ``sqlite:PATH`` or a Redis URL names; ``sqlite::memory:`` keeps no file.

    Raises:
        UsageError: it is not of that form, or what it needs is not installed.
        SwarmError: the file cannot be used.
    """
    kind, _, path = store.partition(":")
    if kind in SCHEMES:
        return RedisStore(store)
    if kind != "sqlite" or not path:
        raise UsageError(
            translatable(
                "{} is no store. Write it like sqlite:hub.sqlite or redis://127.0.0.1:6379.",
                f"{store!r}",
            )
        )
    return SqliteStore(path if path == MEMORY else str(Path(path).expanduser()))
