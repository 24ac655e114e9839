"""The process of a hub that the helper hosts: answers go out on what was stdout.

Its stdin is the leash: when that ends, so does the hub.
"""

import argparse
import asyncio
from collections.abc import Callable
from io import FileIO, RawIOBase
from pathlib import Path
from typing import Final

from core.api.pipe import encode
from core.api.requests import Refused, Reply, refused
from core.api.swarm import HubOpen
from core.errors import WaggleError
from core.hub.census import Census
from core.hub.run import HubOptions, run_hub
from core.logs import log_to_file
from core.paths import Home
from core.pipes import claim_stdout, read_lines, send_line
from core.services.hosting import addresses_of
from core.wire.identity import Identity, load_or_create_identity

LOOK_EVERY_S: Final = 2.0
"""Between two looks at who is there, and at this computer's addresses."""

Tell = Callable[[Reply], None]


def main() -> int:
    """Serve until stdin ends."""
    channel = claim_stdout()
    parser = argparse.ArgumentParser(prog="waggle-hub", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--listen", required=True)
    parser.add_argument("--url", default="")
    asked = parser.parse_args()
    home = Home(asked.home)
    store = f"sqlite:{home.root / 'hub.sqlite'}"
    choice = HubOptions(asked.listen, store, asked.url)
    trouble: Refused | None = None

    def tell(answer: Reply) -> None:
        send_line(channel, encode(answer))

    try:
        home.prepare()
        log_to_file(home, "hub")
        identity = load_or_create_identity(home.hub_identity)
        asyncio.run(host(choice, identity, tell, FileIO(0, closefd=False)))
    except* WaggleError as errors:
        trouble = refused(errors.exceptions[0])
    if trouble is not None:
        tell(trouble)
    return trouble is not None


async def host(choice: HubOptions, identity: Identity, tell: Tell, leash: RawIOBase) -> None:
    """Serve until ``leash`` ends, and tell who comes.

    Raises:
        ExceptionGroup: of the errors of ``run_hub``.
    """

    async def report(census: Census, port: int) -> None:
        base = f"http://{choice.listen.rpartition(':')[0]}:{port}"
        told = None
        while True:
            here = tuple(dict.fromkeys((choice.url or base, base)))
            addresses = tuple(place for one in here for place in addresses_of(one))
            now = HubOpen(addresses=addresses, peer=identity.peer_id, visitors=census.visitors())
            if now != told:
                told = now
                tell(now)
            await asyncio.sleep(LOOK_EVERY_S)

    async with asyncio.TaskGroup() as group:
        hub = group.create_task(run_hub(choice, identity, lambda _url: None, report))
        async for _ in read_lines(leash, 1):
            pass
        hub.cancel()
