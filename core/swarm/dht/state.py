"""The DHT's node table on disk, so that a later start finds its way without the first doors."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path

from core.errors import HomeError
from core.storage.files import read_bounded, replace_file
from core.swarm.background import kept
from core.swarm.dht.discovery import Dht
from core.swarm.dht.session import MOST_STATE_BYTES


def read_state(path: Path) -> bytes:
    """The node table kept at ``path``; empty where there is none, or what is no such table."""
    try:
        return read_bounded(path, MOST_STATE_BYTES)
    except (OSError, ValueError):
        return b""


def write_state(path: Path, state: bytes) -> None:
    """Keep ``state`` at ``path``, if that works: it is a help only."""
    with suppress(HomeError):
        replace_file(path, state)


@asynccontextmanager
async def opened_dht(dht: Dht, table: Path) -> AsyncIterator[None]:
    """Take part in the DHT within the block, and keep its node table at ``table``."""
    async with aclosing(dht):
        await dht.open()
        async with kept(lambda: write_state(table, dht.state())):
            yield
