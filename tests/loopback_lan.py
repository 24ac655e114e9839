"""A local network that is this computer alone, for tests of finding each other."""

import asyncio
import hashlib
import ipaddress
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from core.rollouts.types import PeerId
from core.swarm.lan.discovery import DiscoveryTransport, Lan, LanContext
from core.swarm.lan.interfaces import Interface, IpInterface, Judgement, try_address
from core.swarm.lan.mdns import MdnsTransport
from core.swarm.lan.neighbours import LanNotice, Neighbour
from tests.envelopes import FakeClock

TIMEOUT_S = 10.0
SWARM = f"meadow-{os.getpid()}"
"""Of this process: others that test at the same time are on the same network."""


def peer(letter: str) -> PeerId:
    """The id of a node of this process, for the same reason."""
    return PeerId(hashlib.sha256(f"{letter} {os.getpid()}".encode()).hexdigest())


def at(*addresses: str) -> Judgement:
    """As if the local network was at ``addresses`` (with prefix)."""
    one = Interface("lan0", is_up=True, addresses=tuple(map(ipaddress.ip_interface, addresses)))
    return Judgement((one,), None)


LOOPBACK = at("127.0.0.1/8")
NO_NETWORK = Judgement((), "This computer is on no local network. Join one.")


@dataclass
class Place:
    """What a node finds itself in, until a test changes it."""

    judgement: Judgement = LOOPBACK
    attempt: Callable[[IpInterface], None] = try_address
    dial: Callable[[Sequence[IpInterface], LanNotice, Sequence[str]], DiscoveryTransport] = (
        MdnsTransport
    )
    clock: FakeClock = field(default_factory=FakeClock)


class LoopbackNode:
    """A node on that network, within a block; it waits for events and never for time."""

    def __init__(self, letter: str, place: Place | None = None, swarm: str = SWARM) -> None:
        self.place = place or Place()
        self.notice = LanNotice(peer(letter), swarm, 4_000 + ord(letter))
        self._changed = asyncio.Event()
        around = LanContext(
            look=lambda: self.place.judgement,
            attempt=self._attempt,
            dial=self._dial,
            steady=self.place.clock,
            changed=self._changed.set,
        )
        self.lan = Lan(self.notice, around)

    def _attempt(self, address: IpInterface) -> None:
        self.place.attempt(address)

    def _dial(
        self, addresses: Sequence[IpInterface], notice: LanNotice, hosts: Sequence[str]
    ) -> DiscoveryTransport:
        return self.place.dial(addresses, notice, hosts)

    @property
    def neighbour(self) -> Neighbour:
        """As others see it."""
        return Neighbour(self.notice.peer, ("127.0.0.1",), self.notice.port)

    async def sees(self, *others: "LoopbackNode") -> None:
        """Until exactly ``others`` are near."""
        wanted = {other.neighbour for other in others}
        async with asyncio.timeout(TIMEOUT_S):
            while set(self.lan.neighbours) != wanted:
                self._changed.clear()
                await self._changed.wait()

    async def __aenter__(self) -> Self:
        await self.lan.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.lan.aclose()
