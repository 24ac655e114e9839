"""Others found through BitTorrent's public network, without anybody's server.

A swarm's name becomes an infohash. Who can be reached announces under it, and who looks for
company asks for it. No torrent is ever added, and nothing is shared with BitTorrent's users but a
small part of their address book.

What announcing shows, to anybody who asks: this computer's address and the port of the node, under
a number that everybody who knows the swarm's name can work out. Looking up shows the address to
the nodes that are asked, together with that number. Taking part alone shows that a BitTorrent DHT
node is here, and libtorrent's version. No key, name or file of the user is ever sent.
"""

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random

from core.errors import SwarmError
from core.i18n import together, translatable, words_of
from core.swarm.backoff import Timing
from core.swarm.dht.alerts import DhtStats, Event, PeersSaid, SessionFailed
from core.swarm.dht.finds import Endpoint, Finds
from core.swarm.dht.port_mapping import PortMapping
from core.swarm.dht.session import DhtSession, DhtSettings, open_session
from core.threads import aside

MOST_SWARMS = 64
ANNOUNCE_EVERY_S = 900.0  # other nodes forget an announcement after half an hour


class Announcements:
    """Which swarms are to be announced, and when again."""

    def __init__(self, rng: Random) -> None:
        """``rng`` varies the time by a tenth, so that nodes started together drift apart."""
        self._rng = rng
        self._ports: dict[bytes, int] = {}
        self._next: dict[bytes, float] = {}

    def put(self, infohash: bytes, port: int) -> None:
        """Announce ``port`` as soon as possible; 0: no longer.

        Raises:
            ValueError: it is no port, or there are too many swarms.
        """
        others = len(self._ports.keys() - {infohash})
        if not 0 <= port < 1 << 16 or (port and others >= MOST_SWARMS):
            raise ValueError(f"cannot announce port {port} beside {others} other swarms")
        self._next.pop(infohash, None)
        self._ports.pop(infohash, None)
        if port:
            self._ports[infohash] = port

    def due(self, now: float) -> list[tuple[bytes, int]]:
        """Infohashes with ports to announce at ``now``, which count as announced from then on."""
        due = [item for item in self._ports.items() if self._next.get(item[0], now) <= now]
        for infohash, _ in due:
            self._next[infohash] = now + ANNOUNCE_EVERY_S * self._rng.uniform(0.9, 1.1)
        return due

    def start_over(self) -> None:
        """All are due: those to whom they were said may be gone."""
        self._next.clear()


CLOSE_S = 5.0
GRACE_S = 30.0
"""Without any node after so long, something keeps the network away."""

Opener = Callable[[DhtSettings, bytes], DhtSession]

_DOMAIN = b"waggle/dht/1\x00"
_LOOKING_S = 0.2  # between two looks at the session while somebody waits for a look-up
_STILL_TURNS = 10  # without a reply after the first find, that is, two seconds
_LONELY_S = 1.0  # while no node is known
_CALM_S = 5.0
_RETRY_S = 1.0  # a look-up that found no node to ask begins anew after so long


def infohash_of(swarm: str) -> bytes:
    """The 20 bytes under which the swarm of this name on the wire is announced."""
    name = _DOMAIN + swarm.encode()
    return hashlib.sha1(name, usedforsecurity=False).digest()  # SHA-1: the DHT knows no other


class DhtCounters:
    """Nodes and look-ups over all network interfaces, as of the last turn."""

    def __init__(self) -> None:
        self.nodes = 0
        self.walks: int | None = None  # None: not known
        self._answered: list[DhtStats] = []

    def add(self, stats: DhtStats) -> None:
        """One interface's answer to the last question."""
        self._answered.append(stats)

    def turn(self) -> None:
        """The question is about to be asked again: count what was answered."""
        self.walks = sum(one.walks for one in self._answered) if self._answered else None
        if self._answered:
            self.nodes = sum(one.nodes for one in self._answered)
        self._answered.clear()


class Dht:
    """A node of the DHT, and the port mapping of the same libtorrent session.

    The network makes it raise nothing. All methods belong to the event loop in which it was opened.
    """

    def __init__(
        self,
        settings: DhtSettings | None = None,
        state: bytes = b"",
        timing: Timing | None = None,
        opener: Opener = open_session,
    ) -> None:
        """``state`` is what ``state()`` gave an earlier one; if damaged it counts as none."""
        self._settings = settings or DhtSettings()
        self.is_local = self._settings.local
        self._state = state
        self._timing = timing or Timing()
        self._opener = opener
        self._announcements = Announcements(self._timing.rng)
        self._tally = DhtCounters()
        self._lookups: defaultdict[bytes, list[Finds]] = defaultdict(list)
        self._session: DhtSession | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._turned = asyncio.Event()
        self._opened_at = 0.0
        self._failure = ""  # the last thing that did not work
        self._never_opened: str | None = None
        self.ports = PortMapping()
        self.refused: Counter[str] = Counter()  # claims of strangers, by reason

    async def open(self) -> None:
        """Take part; returns at once. Whether it works is told by ``trouble`` and ``nodes``."""
        if self._session is not None:
            return
        try:
            session = await aside(lambda _: self._opener(self._settings, self._state))
        except SwarmError as error:
            self._never_opened = words_of(error)
            return
        self._never_opened, self._failure = None, ""
        self._session = session
        self._tally = DhtCounters()
        self._opened_at = self._timing.steady()
        self._announcements.start_over()
        self.ports.attach(session)
        self._tick()

    async def aclose(self) -> None:
        """Leave, within ``CLOSE_S`` seconds; look-ups that are under way end."""
        session = self._session
        if session is None:
            return
        self._state = self.state()
        self.ports.detach()
        self._session = None
        if self._timer is not None:
            self._timer.cancel()
        self._turned.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await aside(lambda _: session.end())

    @property
    def nodes(self) -> int:
        """About how many nodes are known, as of a few seconds ago."""
        return self._tally.nodes if self._session is not None else 0

    @property
    def trouble(self) -> str | None:
        """A sentence for a person about what keeps the DHT away; None where all is well."""
        if self._session is None:
            return self._never_opened
        if self.nodes or self._timing.steady() - self._opened_at < GRACE_S:
            return None
        advice = translatable("Check that this network lets UDP through, or add a meeting point.")
        if self._failure:
            silence = translatable("Nobody in the BitTorrent network answers ({}).", self._failure)
            return together(silence, advice)
        return together(translatable("Nobody in the BitTorrent network answers."), advice)

    def state(self) -> bytes:
        """The node table, with which a later start finds its way without the first doors.

        It holds addresses of nodes and of this computer: it stays on this computer.
        """
        return self._state if self._session is None else self._session.state()

    def announce(self, swarm: str, port: int) -> None:
        """Say that a node of ``swarm`` listens on ``port`` here, again and again; 0: no longer.

        Only call it once somebody else has reached that port: it shows this computer's address to
        the world, and an address that cannot be reached wastes everybody's time. After the end,
        others forget it within half an hour.

        Raises:
            ValueError: it is no port, or 64 other swarms are announced already.
        """
        self._announcements.put(infohash_of(swarm), port)
        self._announce_due()

    async def look_up(self, swarm: str, timeout_s: float = 10) -> tuple[Endpoint, ...]:
        """Up to 64 addresses under which ``swarm`` was announced, in random order, perhaps our own.

        Nothing of it is proven: each is to be asked for its signed hello. Ends early once every
        node on the way has answered, or two seconds after the last one that knew something.
        """
        infohash = infohash_of(swarm)
        with self._collecting(infohash) as finds, suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._walk(infohash, finds)
        self.refused.update(finds.refused)
        return finds.choose()

    @contextmanager
    def _collecting(self, infohash: bytes) -> Iterator[Finds]:
        finds = Finds(self._timing.rng, local=self._settings.local)
        self._lookups[infohash].append(finds)
        try:
            yield finds
        finally:
            self._lookups[infohash].remove(finds)
            if not self._lookups[infohash]:
                del self._lookups[infohash]

    async def _walk(self, infohash: bytes, finds: Finds) -> None:
        """Ask until every node on the way was asked; from the start again if none was known."""
        while self._session is not None:
            known = self.nodes  # those found while it runs may have come too late for it
            self._session.get_peers(infohash)
            self._tick()  # asks for statistics that have this walk in it
            await self._turn()
            await self._rest_of_walk(finds)
            if finds or known:
                return
            await asyncio.sleep(_RETRY_S)

    async def _rest_of_walk(self, finds: Finds) -> None:
        """Until it is over; or until nothing more comes, as nodes that are gone hold it up."""
        replies, still = finds.replies, 0
        while self._session is not None and self._tally.walks != 0 and still < _STILL_TURNS:
            await self._turn()
            still = still + 1 if finds and finds.replies == replies else 0
            replies = finds.replies

    async def _turn(self) -> None:
        if self._session is not None:
            await self._turned.wait()

    def _on_event(self, event: Event) -> None:
        match event:
            case PeersSaid(infohash, claims):
                for finds in self._lookups.get(infohash, ()):
                    finds.add(claims)
            case DhtStats():
                self._tally.add(event)
            case SessionFailed(words):
                self._failure = words
            case _:
                self.ports.on_event(event)

    def _tick(self) -> None:
        """Listen, count, ask anew, announce what is due, and come back soon enough."""
        if self._session is None:
            return
        if self._timer is not None:
            self._timer.cancel()
        for event in self._session.take():
            self._on_event(event)
        self._tally.turn()
        self._session.post_dht_stats()
        self._announce_due()
        self._turned.set()
        self._turned = asyncio.Event()
        waiting = _LOOKING_S if self._lookups else _CALM_S if self.nodes else _LONELY_S
        self._timer = asyncio.get_running_loop().call_later(waiting, self._tick)

    def _announce_due(self) -> None:
        """An announcement that nobody heard is not one: without nodes it waits."""
        if self._session is not None and self.nodes:
            for infohash, port in self._announcements.due(self._timing.steady()):
                self._session.announce(infohash, port)
