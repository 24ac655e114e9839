"""Asking a hub under a made-up name, now and then: see ``core.swarm.exchange.audit``."""

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

import aiohttp

from core.errors import WireError
from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict
from core.swarm.backoff import Timing
from core.swarm.exchange.audit import Audit
from core.swarm.exchange.hub_link import HubLink, Wish
from core.swarm.exchange.validation import Self
from core.swarm.membership import Address, Source
from core.wire.envelope import open_envelope
from core.wire.exchange import ExchangeReply

MOST_SKEW_S: Final = 60.0
"""With another clock than the hub's, good envelopes look too old, and the hub would be blamed."""

SAMPLE: Final = 16
"""Envelopes asked for."""

AUDIT_EVERY: Final = 8
"""Exchanges between two questions under a made-up name."""

MOST_HUBS: Final = 32


@dataclass(slots=True)
class _Watch:
    audit: Audit = field(default_factory=Audit)
    exchanges: int = 0


class Auditor:
    """Remembers what each hub answered to made-up names."""

    def __init__(self, own: Self, timing: Timing) -> None:
        self._own = own
        self._timing = timing
        self._watched = BoundedDict[Address, _Watch](MOST_HUBS)

    async def finds_fault(
        self, session: aiohttp.ClientSession, source: Source, link: HubLink
    ) -> bool:
        """Ask ``link`` if it is due; True if it withholds what is surely there."""
        watch = self._watch(source.address)
        watch.exchanges += 1
        clocks_agree = abs(link.ahead_s or 0.0) <= MOST_SKEW_S
        if watch.exchanges % AUDIT_EVERY or not (link.holds_ours() and clocks_agree):
            return False
        reply = await link.sample(session, self._stranger())
        if reply is None:
            return False
        authors, places = self._signed(reply)
        if not watch.audit.add_sample(self._own.peer, authors, reply.peers, places):
            return False
        watch.audit = Audit()
        return True

    def _watch(self, address: Address) -> _Watch:
        """What is known of a hub; the one turned to longest ago is forgotten for a new one."""
        watch = self._watched[address] = self._watched.get(address, _Watch())
        return watch

    def _stranger(self) -> Wish:
        made_up = secrets.token_bytes(32)
        membership = None if self._own.keys is None else self._own.keys.membership(made_up)
        return Wish(made_up, SAMPLE, membership=membership)

    def _signed(self, reply: ExchangeReply) -> tuple[list[PeerId], list[bytes]]:
        """Who really signed what came, and the labels, as ``Audit.add_sample`` wants them."""
        now = self._timing.wall()
        authors, places = list[PeerId](), list(reply.places[:1])
        for data, place in zip_longest(reply.envelopes, reply.places[1:], fillvalue=b""):
            with suppress(WireError):
                authors.append(open_envelope(data, self._own.swarm, now).author)
                places += [place] if reply.places else []
        return authors, places
