"""One round of requests: every hub and node that was chosen is asked at the same time.

Nobody holds a round up for long by being slow: once somebody has answered, the others have
``GRACE_S``. Whoever takes longer is left, and counts as away; letters that may have arrived are
sent again, and a hub that has them says so. Far away is no crime, so hubs and nodes that the
person named are waited for in full now and then; and whoever is alone always is.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import aiohttp

from core.errors import UsageError
from core.net.addresses import parse_hub_url
from core.net.asking import open_session
from core.net.names import PublicNames
from core.rollouts.types import PeerId
from core.swarm.backoff import Timing
from core.swarm.exchange.direct_link import Asker, DirectLink, NodeAddress, PullWish
from core.swarm.exchange.hub_link import HubLink, Wish
from core.swarm.exchange.outbox import Outbox
from core.swarm.membership import Address, Membership, Source


class Sessions:
    """Opens each of the two where it is needed; close it."""

    def __init__(self, proxy: str = "") -> None:
        """``proxy`` leads to names outside, and looks them up; empty: none. It may be inside."""
        self._proxy = proxy
        self._opened: dict[bool, aiohttp.ClientSession] = {}  # by whether it only leads outside

    def to(self, source: Source) -> aiohttp.ClientSession:
        """The session by which ``source`` is asked."""
        outside = source.is_stranger or source.stays_outside
        if outside not in self._opened:
            names = PublicNames(self._proxy) if outside else None
            self._opened[outside] = open_session(names, self._proxy)
        return self._opened[outside]

    async def aclose(self) -> None:
        """Let go of all connections."""
        while self._opened:
            _, session = self._opened.popitem()
            await session.close()


GRACE_S: Final = 1.0
"""For how long others are waited for once somebody has answered."""

PATIENT_EVERY_S: Final = 60.0
"""Between two rounds that wait in full for what the person named."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """Envelopes and receipts that one source handed out, still sealed."""

    envelopes: tuple[bytes, ...]
    sites: tuple[str, ...] = ()  # where each came from; none where that is unknown
    receipts: tuple[bytes, ...] = ()
    peers: int = 0  # that a hub claims; see ``Contacts.alive`` for what is made of it
    thanked: tuple[PeerId, ...] = ()  # whose receipts were brought there


@dataclass(frozen=True, slots=True)
class FanoutRequest:
    """The request of one round: what is wanted, and the own envelopes and receipts to deliver."""

    wish: Wish  # for hubs
    outbox: Outbox
    receipts: dict[PeerId, bytes]  # for nodes, by whom they are for


class Fanout:
    """Keeps a link to each source, and asks all that were chosen at once."""

    def __init__(self, asker: Asker, timing: Timing) -> None:
        self._asker = asker
        self._timing = timing
        self.hubs: dict[Address, HubLink] = {}
        self.nodes: dict[Address, DirectLink] = {}
        self._patient_at = float("-inf")

    async def ask_all(
        self, sessions: Sessions, sources: Sequence[Source], request: FanoutRequest
    ) -> list[Found | None]:
        """Ask all ``sources`` at once; None for each that is away or too slow, in order."""
        nodes = sum(source.kind == "node" and not source.failures for source in sources)
        each = -(-request.wish.want // max(1, nodes))
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._ask(sessions.to(source), source, request, each))
                for source in sources
            ]
            await self._wait_for(dict(zip(tasks, sources, strict=True)))
            for task in tasks:
                task.cancel()
        return [None if task.cancelled() else task.result() for task in tasks]

    def hurry(self) -> None:
        """The network changed: whoever was away is tried at once."""
        links: list[HubLink | DirectLink] = [*self.hubs.values(), *self.nodes.values()]
        for link in links:
            link.hurry()

    def refusing(self, reason: str) -> set[Address]:
        """The sources whose last try brought nothing for this ``reason``."""
        links: dict[Address, HubLink | DirectLink] = {**self.hubs, **self.nodes}
        return {at for at, link in links.items() if link.failure == reason}

    def keep_only(self, members: Membership) -> None:
        """Drop the lines to sources that are no longer among ``members``."""
        self.hubs = {at: link for at, link in self.hubs.items() if members.get(at)}
        self.nodes = {at: link for at, link in self.nodes.items() if members.get(at)}

    async def _wait_for(self, tasks: dict[asyncio.Task[Found | None], Source]) -> None:
        """Wait until all have come back, or for as long as the late ones are worth it."""
        late = set(tasks)
        while late and not any(task.done() and task.result() for task in tasks):
            _, late = await asyncio.wait(late, return_when=asyncio.FIRST_COMPLETED)
        if late:
            _, late = await asyncio.wait(late, timeout=GRACE_S)
        named = {task for task in late if tasks[task].origin == "named"}
        now = self._timing.steady()
        if named and now - self._patient_at >= PATIENT_EVERY_S:
            self._patient_at = now
            await asyncio.wait(named)

    async def _ask(
        self, session: aiohttp.ClientSession, source: Source, request: FanoutRequest, each: int
    ) -> Found | None:
        """Ask one source; whatever a stranger brings about here stays here."""
        try:
            if source.kind == "hub":
                return await self._ask_hub(session, source, request)
            return await self._ask_node(session, source, request, each)
        except Exception:  # noqa: BLE001 - the training goes on, whatever a stranger found
            _log.exception("%s is taken for one that does not answer", source.address)
            return None

    async def _ask_hub(
        self, session: aiohttp.ClientSession, source: Source, request: FanoutRequest
    ) -> Found | None:
        link = self._hub(source)
        if link is None:
            return None
        reply = await link.exchange(session, request.wish, request.outbox)
        if reply is None:
            return None
        source.takes_nothing = link.takes_nothing() and not self._is_held_by_twin(link)
        # A label means something at this hub alone, the same at all its addresses. The key that a
        # stranger shows is no proof, see ``RoundReplies.add_hub``.
        hub = source.address if source.is_stranger else link.key or source.address
        sites = tuple(f"{hub} {label.hex()}" for label in reply.places[1:])
        want, thanked = request.wish.want, tuple(request.receipts)
        envelopes, sites = reply.envelopes[:want], sites[:want]
        return Found(envelopes, sites, reply.receipts, reply.peers, thanked)

    def _is_held_by_twin(self, link: HubLink) -> bool:
        """Whether the same hub took what is ours at another of its addresses, and sooner."""
        others = (other for other in self.hubs.values() if other is not link)
        return any(other.key == link.key and other.holds_ours() for other in others)

    async def _ask_node(
        self, session: aiohttp.ClientSession, source: Source, request: FanoutRequest, want: int
    ) -> Found | None:
        link = self._node(source)
        expected = link.peer
        theirs = {peer: data for peer, data in request.receipts.items() if peer == expected}
        wish = PullWish(want, tuple(theirs.values()))
        pull_reply = await link.pull(session, wish)
        if pull_reply is None:
            return None
        source.peer = link.peer
        # Whoever was met only now got none.
        thanked = tuple(theirs) if link.peer == expected else ()
        sites = (link.place,) * len(pull_reply.envelopes)
        return Found(pull_reply.envelopes, sites, thanked=thanked)

    def _hub(self, source: Source) -> HubLink | None:
        link = self.hubs.get(source.address)
        if link is None or link.peer != source.peer:  # it was found again with another key
            try:
                where = parse_hub_url(source.address)
            except UsageError:  # a stranger named it
                return None
            link = HubLink(where, self._asker.swarm, self._timing, source.peer)
            self.hubs[source.address] = link
        return link

    def _node(self, source: Source) -> DirectLink:
        link = self.nodes.get(source.address)
        if link is None:
            where = NodeAddress(source.host, source.port, source.peer)
            link = self.nodes[source.address] = DirectLink(where, self._asker, self._timing)
        link.move(source.host, source.port)
        link.announced(source.announced_at)
        return link
