"""Finding each other on a local network, without a click and without a server.

A node announces ``_waggle._tcp.local.`` by multicast DNS (RFC 6762, 6763) and hears others do so.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from core.swarm.lan import interfaces
from core.swarm.lan.mdns import FAILURES, MdnsParser, MdnsTransport
from core.swarm.lan.neighbours import Claim, LanNotice, Neighbour, Neighbourhood
from core.swarm.membership import Address, Origin, Source

LOOK_EVERY_S: Final = 1.0
"""A look takes a millisecond, and a cable that is plugged in again is to be noticed soon."""


ASK_EVERY_S: Final = 60.0
"""Answers go to all, so one question of one node in this time serves everybody."""

DIAL_AGAIN_S: Final = 5.0
"""Until a transport that could not be opened is tried again."""

ECHO_S: Final = 5.0
"""By then an announcement has come back to the node that made it."""

ASK_AGAIN_S: Final = (1.0, 3.0, 9.0, 27.0)
"""Seconds after the first question: packets get lost, and a new network takes a while to carry any.

Not earlier, since those who just answered may not do so again at once (RFC 6762, section 6).
"""


class DiscoveryTransport(Protocol):
    """Carries announcements and queries; by multicast, ``core.swarm.lan.mdns.MdnsTransport``."""

    async def start(self, parser: MdnsParser) -> None:
        """Listen and announce; raises one of ``FAILURES``."""

    def ask(self) -> None:
        """Query who is there."""

    async def close(self, *, goodbye: bool) -> None:
        """Close the sockets, after a ``goodbye`` or without."""


@dataclass(frozen=True, slots=True)
class LanContext:
    """Interfaces, clock and callbacks of a node on a local network; tests bring their own."""

    look: Callable[[], interfaces.Judgement] = interfaces.look_around
    attempt: Callable[[interfaces.IpInterface], None] = interfaces.try_address  # raises OSError
    dial: Callable[
        [Sequence[interfaces.IpInterface], LanNotice, Sequence[str]], DiscoveryTransport
    ] = MdnsTransport
    steady: Callable[[], float] = time.monotonic  # seconds that never go back
    # Called when ``neighbours`` changed: tests wait for that, and rounds look by themselves.
    changed: Callable[[], None] = field(default=lambda: None)
    moved: Callable[[], None] = field(default=lambda: None)  # called on a new network


class Lan:
    """A node's place on the local network; no state of the network makes it raise."""

    def __init__(self, notice: LanNotice, around: LanContext | None = None) -> None:
        """Prepare to announce ``notice``; nothing is sent before ``open``."""
        self._notice = notice
        self._around = around or LanContext()
        self._near = Neighbourhood(notice, self._around.steady)
        self._parser = MdnsParser(self._on_records)
        self._turn = asyncio.Lock()
        self._judgement = interfaces.Judgement((), None)
        self._addresses: frozenset[interfaces.IpInterface] = frozenset()  # spoken from
        self._hosts: frozenset[str] = frozenset()  # announced
        self._failures: dict[interfaces.IpInterface, OSError] = {}  # of those that were tried last
        self._unheard: dict[interfaces.IpInterface, OSError] = {}  # without a transport
        self._transports: list[DiscoveryTransport] = []
        self._again: list[asyncio.TimerHandle] = []
        self._opened_at = self._asked_at = float("-inf")
        self._is_heard = False  # an own announcement came back
        self._is_closed = False

    @property
    def neighbours(self) -> tuple[Neighbour, ...]:
        """Others of this swarm who are near now, the one heard last first; at most 256."""
        return self._near.now()

    @property
    def refused(self) -> Counter[str]:
        """Announcements of others that were not used, by reason."""
        return self._near.refused

    @property
    def trouble(self) -> str | None:
        """Advice about what keeps others nearby from being found; None if all is well."""
        where = ", ".join(sorted({one.name for one in self._judgement.usable})[:3])
        failures = self._unheard | self._failures
        if self._judgement.usable and not self._transports and failures:
            first = min(failures, key=lambda address: not interfaces.is_four(address))
            return interfaces.explain_failure(failures[first], where)
        waited = self._around.steady() - self._opened_at
        if self._transports and not self._is_heard and waited > ECHO_S:
            return interfaces.explain_silence(where)
        return self._judgement.words

    async def open(self) -> None:
        """Begin to announce and to listen, where the network lets it; ``trouble`` says if not."""
        await self.refresh()

    async def refresh(self) -> None:
        """Follow what became of the interfaces, and ask again who is there when it is time.

        Cheap when nothing changed; meant to be called once a round.
        """
        async with self._turn:
            if self._is_closed:
                return
            self._judgement = await asyncio.to_thread(self._around.look)
            addresses = await asyncio.to_thread(self._choose_addresses)
            is_time = self._around.steady() - self._opened_at >= DIAL_AGAIN_S
            # A global address of IPv6 may change while the one that is spoken from stays.
            found = (addresses, frozenset(self._judgement.hosts))
            is_news = found != (self._addresses, self._hosts)
            if is_news or (addresses and not self._transports and is_time):
                await self._move(addresses)
            elif self._is_time_to_ask():
                self._ask()

    async def aclose(self) -> None:
        """Say goodbye and be silent, within two seconds."""
        self._is_closed = True
        async with self._turn:
            await self._hang_up(goodbye=True)

    def _choose_addresses(self) -> frozenset[interfaces.IpInterface]:
        """Those of the usable interfaces that work; those in use are not tried again."""
        working = set()
        self._failures = {}
        for address in [a for one in self._judgement.usable for a in one.source_addresses]:
            try:
                if address not in self._addresses:
                    self._around.attempt(address)
                working.add(address)
            except OSError as error:
                self._failures[address] = error
        return frozenset(working)

    async def _move(self, addresses: frozenset[interfaces.IpInterface]) -> None:
        """Speak from ``addresses`` instead.

        No goodbye is said, so that others keep this node in mind and only learn its new address.
        """
        has_moved = addresses != self._addresses
        await self._hang_up(goodbye=False)
        if self._near.keep_near(self._judgement.networks):
            self._around.changed()
        self._addresses, self._hosts = addresses, frozenset(self._judgement.hosts)
        self._unheard = {}
        self._is_heard = False
        self._opened_at = self._around.steady()
        for family in (True, False):
            chosen = [address for address in addresses if interfaces.is_four(address) is family]
            if chosen:
                await self._dial(chosen)
        self._ask()
        if addresses and has_moved:
            self._around.moved()
        loop = asyncio.get_running_loop()
        self._again = [loop.call_later(delay_s, self._ask) for delay_s in ASK_AGAIN_S]

    async def _dial(self, addresses: list[interfaces.IpInterface]) -> None:
        """Open the transport of one family; what goes wrong is kept for ``trouble``."""
        try:
            transport = self._around.dial(addresses, self._notice, self._judgement.hosts)
        except FAILURES as error:
            self._fail(addresses, error)
            return
        self._transports.append(transport)
        try:
            await transport.start(self._parser)
        except FAILURES as error:
            self._fail(addresses, error)
            self._transports.remove(transport)
            await transport.close(goodbye=False)

    def _fail(self, addresses: list[interfaces.IpInterface], error: Exception) -> None:
        known = error if isinstance(error, OSError) else OSError(str(error))
        # Without its traceback, which holds on to what zeroconf has opened by then.
        self._unheard |= dict.fromkeys(addresses, known.with_traceback(None))

    async def _hang_up(self, *, goodbye: bool) -> None:
        for timer in self._again:
            timer.cancel()
        transports, self._transports = self._transports, []
        self._addresses = frozenset()
        async with asyncio.TaskGroup() as closing:
            for transport in transports:
                closing.create_task(transport.close(goodbye=goodbye))

    def _is_time_to_ask(self) -> bool:
        waited = self._around.steady() - self._asked_at
        return min(waited, self._near.quiet_s()) >= ASK_EVERY_S

    def _ask(self) -> None:
        self._asked_at = self._around.steady()
        for transport in self._transports:
            transport.ask()

    def _on_records(self, claims: Iterable[Claim], goodbyes: Iterable[str]) -> None:
        """Take in what stood in one packet."""
        networks = self._judgement.networks
        changes = []
        for claim in claims:
            self._is_heard |= claim.name == self._notice.name
            changes.append(self._near.add(claim, networks))
        changes += [self._near.part(name) for name in goodbyes]
        if any(changes):
            self._around.changed()


class LanFinder:
    """Nodes that announce themselves on the local network."""

    origin: Origin = "lan"

    def __init__(self, lan: Lan, steady: Callable[[], float]) -> None:
        """``lan`` is open; ``steady`` is a clock in seconds that never goes back."""
        self._lan = lan
        self._steady = steady
        self._looked_at = float("-inf")

    async def look(self) -> Sequence[Source]:
        """The neighbours as sources."""
        if self._steady() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = self._steady()
            await self._lan.refresh()
        return [
            Source(
                Address(near.peer),
                "node",
                "lan",
                near.peer,
                near.hosts[0],
                near.port,
                near.announced_at,
            )
            for near in self._lan.neighbours
        ]

    @property
    def trouble(self) -> str | None:
        """Advice about what keeps neighbours from being found; None if nothing does."""
        return self._lan.trouble
