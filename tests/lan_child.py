"""A node on the local network as a process: says whom it sees, and does what it is told.

    python -m tests.lan_child PEER SWARM PORT

A JSON line for whatever changed; a line ``refresh`` on stdin has it look around; the end of stdin
has it say goodbye and leave.
"""

import asyncio
import sys
import time

import msgspec

from core.i18n import encodable
from core.rollouts.types import PeerId
from core.swarm.lan.discovery import Lan, LanContext
from core.swarm.lan.neighbours import LanNotice, Neighbour


class Sight(msgspec.Struct, frozen=True):
    """What the process sees."""

    at: float  # seconds of the machine's steady clock, the same in all processes on Linux
    after: str  # what happened: opened, changed, refreshed
    neighbours: tuple[Neighbour, ...]
    trouble: str | None
    refused: dict[str, int]  # announcements of others, by reason


async def _live(peer: str, swarm: str, port: str) -> None:
    def tell(after: str) -> None:
        sight = Sight(time.monotonic(), after, lan.neighbours, lan.trouble, lan.refused)
        sys.stdout.buffer.write(msgspec.json.encode(sight, enc_hook=encodable) + b"\n")
        sys.stdout.buffer.flush()

    notice = LanNotice(PeerId(peer), swarm, int(port))
    lan = Lan(notice, LanContext(changed=lambda: tell("changed")))
    await lan.open()
    tell("opened")
    while await asyncio.to_thread(sys.stdin.readline):
        await lan.refresh()
        tell("refreshed")
    await lan.aclose()


if __name__ == "__main__":
    asyncio.run(_live(*sys.argv[1:]))
