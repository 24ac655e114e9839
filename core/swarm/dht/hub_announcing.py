"""A hub tells the BitTorrent network which swarms meet there."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from core.swarm.dht.discovery import MOST_SWARMS, Dht
from core.swarm.dht.state import opened_dht, read_state

LOOK_EVERY_S: Final = 60.0
_log = logging.getLogger(__name__)


async def announce_hub(
    table: Path, port: int, swarms: Callable[[], Sequence[str]], dht: Dht | None = None
) -> None:
    """Announce the last of ``swarms``, by their names on the wire, until cancelled.

    Strangers may bring any number of swarms to a hub, so those that matter stand at the end; one
    named twice counts where it stands last. Whoever runs a hub knows that ``port`` can be reached
    from outside. ``table`` keeps the nodes of the network that were met.
    """
    dht = dht or Dht(state=read_state(table))
    announced: set[str] = set()
    told: str | None = None
    async with opened_dht(dht, table):
        while True:
            try:
                wanted = set(list(dict.fromkeys(reversed(swarms())))[:MOST_SWARMS])
                for name in announced - wanted:
                    dht.announce(name, 0)
                for name in wanted - announced:
                    dht.announce(name, port)
                announced = wanted
            except Exception:  # noqa: BLE001 - tried again; a hub does not end by it
                _log.exception("Announcing this hub failed")
            if dht.trouble not in (None, told):
                _log.warning("Others may not find this hub: %s", dht.trouble)
            told = dht.trouble
            await asyncio.sleep(LOOK_EVERY_S)
