"""Noticing a hub that withholds: does what was left there come out again?

Now and then a node asks a hub under a name made up for once, as somebody who has shared nothing
and so is owed everybody's items, the node's own among them. An honest hub that knows ``n`` places
hands out items of ``k`` of them at random: the node's own place is missing with probability
1 - k / n. If the place is there with ``m`` of its ``a`` authors, own items are missing with
probability 1 - m / a. (It is asked from where the items were just left, so their place is the
asker's; what others brought there first is at theirs, and nothing is concluded from it.) Asked
often enough, silence becomes improbable; below ``IMPROBABLE`` it is called withholding.

A hub may claim any number of authors to excuse its silence, so the claim is believed only as far
as the hub's own samples bear it out: of few authors some come again soon (birthdays). Old signed
envelopes, replayed, excuse silence as new authors do, since clocks may be wrong. By false labels of
places it gains time: it has to show others as neighbours, who come again soon as well. One that
answers every exchange and no question under a made-up name is found, too: no chance is like that.

This finds a hub that treats all alike. One that knows what is done here gets away with it: it makes
up new authors for every sample, as anybody can in an open swarm, or withholds from those alone who
ever shared something, since a name made up for once never did.
"""

import logging
import math
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

import aiohttp

from core.errors import WireError
from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict
from core.swarm.backoff import Timing
from core.swarm.exchange.hub_link import HubLink, Wish
from core.swarm.exchange.validation import Self
from core.swarm.membership import Address, Source
from core.wire.codec import PROTOCOL, check_fresh
from core.wire.envelope import open_envelope
from core.wire.exchange import ExchangeReply

SAMPLE: Final = 16
"""Envelopes asked for."""

AUDIT_EVERY: Final = 8
"""Exchanges between two questions under a made-up name."""

AUDIT_EVERY_S: Final = 60.0
"""At least, between two: a starter exchanges every half second, and each question may accuse."""

MOST_HUBS: Final = 32


IMPROBABLE: Final = 1e-8
"""Of a silence, whereof each sighting begins a new one: what is improbable happens by and by.

With 1e-4 a fair hub of 24 places was accused once in 10,000 questions, some hours of a starter;
with this not once in 300,000, simulated with 20, 24, 30, 50 and 200 places each.
"""

MOST_AUTHORS: Final = 4_096
"""Remembered at once; with so many different ones the hub is large indeed."""

EMPTY_HANDED: Final = 0.1
"""How probable it is at most that a hub that claims authors has nothing of them to hand out.

However many it claims; the rest is for what an honest one may just have lost.
"""

MOST_UNHEARD: Final = 9
"""Samples in a row that fail while each exchange in between, eight at least for each, succeeds.

Of a hub that fails to answer one time in nine, which is the worst case, that is less probable than
``IMPROBABLE`` a thousand times over.
"""

_Z: Final = 3.0
"""Standard deviations by which the repeats seen may exceed those expected."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Population:
    """Estimates the size of a population by how many of its members come again in samples."""

    seen: set[PeerId] = field(default_factory=set)
    _pairs: int = 0  # of authors, one of a sample and one of those before
    _repeats: int = 0

    def add(self, sample: set[PeerId]) -> float:
        """An upper limit of the population after one more sample: pairs / n repeats are expected.

        The lower limit of a Poisson mean is that of Wilson and Hilferty. Places are no more than
        authors seem to be, as authors who share a place come less often.
        """
        self._pairs += len(self.seen) * len(sample)
        self._repeats += len(self.seen & sample)
        if len(self.seen) < MOST_AUTHORS:
            self.seen |= sample
        r = self._repeats
        if not r:
            return math.inf
        least = r * max(0.0, 1.0 - 1.0 / (9.0 * r) - _Z / (3.0 * math.sqrt(r))) ** 3
        return self._pairs / least if least else math.inf


@dataclass(slots=True)
class Audit:
    """Record of what one hub handed out to made-up names since own items were last seen there."""

    # Probabilities that an honest hub would have been silent so far: of the own place since it was
    # last seen, and of own items wherever their place was seen.
    _silence: float = 1.0
    _passed_over: float = 1.0
    _authors: _Population = field(default_factory=_Population)
    _same_place: _Population = field(default_factory=_Population)

    def add_sample(
        self, own: PeerId, authors: Sequence[PeerId], claimed: int, places: Sequence[bytes] = ()
    ) -> bool:
        """A sample came while own items were surely there; True if the hub withholds them.

        ``authors`` are those of the sample, ``claimed`` how many the hub says there are; ``places``
        are its labels, of the own place and then of each author's, or none: everybody has one.
        """
        labels = places[1:] or [author.encode() for author in authors]
        here = places[0] if places else own.encode()
        others = {who: at for who, at in zip(authors, labels, strict=True) if who != own}
        near = {who for who, at in others.items() if at == here}
        away = {at for at in others.values() if at != here}
        neighbours = self._same_place.add(near)
        everybody = self._authors.add(set(others))
        if own in authors:
            self._silence = self._passed_over = 1.0
        elif near:
            self._silence = 1.0
            self._passed_over *= _missing(len(near), min(claimed, neighbours))
        elif away:
            self._silence *= _missing(len(away), min(claimed, everybody))
        elif claimed:
            self._silence *= EMPTY_HANDED
        return min(self._silence, self._passed_over) < IMPROBABLE


def _missing(drawn: int, of: float) -> float:
    """The probability that one of so many is not among those drawn."""
    return 1.0 - drawn / max(drawn + 1.0, of)


@dataclass(slots=True)
class _Watch:
    audit: Audit = field(default_factory=Audit)
    exchanges: int = 0
    unheard: int = 0  # samples in a row that failed, while no exchange did
    asked_at: float = float("-inf")  # in seconds that never go back


class Auditor:
    """Remembers what each hub answered to made-up names."""

    def __init__(self, own: Self, timing: Timing) -> None:
        self._own = own
        self._timing = timing
        self._watched = BoundedDict[Address, _Watch](MOST_HUBS)

    async def finds_fault(
        self, session: aiohttp.ClientSession, source: Source, link: HubLink
    ) -> bool:
        """Ask ``link`` if it is due; True if it withholds what is surely there.

        Whatever a stranger brings about here stays here.
        """
        try:
            return await self._finds_fault(session, source, link)
        except Exception:  # noqa: BLE001 - the training goes on, whatever a stranger found
            _log.exception("%s is not audited this time", source.address)
            return False

    async def _finds_fault(
        self, session: aiohttp.ClientSession, source: Source, link: HubLink
    ) -> bool:
        watch = self._watch(source.address)
        watch.exchanges += 1
        if not link.answers:
            watch.unheard = 0
            return False
        if watch.exchanges % AUDIT_EVERY or not link.holds_ours():
            return False
        now = self._timing.steady()
        if now - watch.asked_at < AUDIT_EVERY_S:
            return False
        watch.asked_at = now
        reply = await link.sample(session, self._stranger())
        watch.unheard = 0 if reply is not None else watch.unheard + 1
        is_found = watch.unheard == MOST_UNHEARD
        if reply is not None:
            authors, places = self._signed(reply)
            is_found = watch.audit.add_sample(self._own.peer, authors, reply.peers, places)
        if is_found:
            watch.audit, watch.unheard = Audit(), 0
        return is_found

    def _watch(self, address: Address) -> _Watch:
        """The record of a hub; the one turned to longest ago is forgotten for a new one."""
        watch = self._watched[address] = self._watched.get(address, _Watch())
        return watch

    def _stranger(self) -> Wish:
        made_up = secrets.token_bytes(32)
        membership = None if self._own.keys is None else self._own.keys.membership(made_up)
        return Wish(made_up, SAMPLE, membership=membership)

    def _signed(self, reply: ExchangeReply) -> tuple[list[PeerId], list[bytes]]:
        """Authors whose signatures hold, and labels, as ``Audit.add_sample`` takes them."""
        now = self._timing.wall()
        authors, places = list[PeerId](), list(reply.places[:1])
        for data, place in zip_longest(reply.envelopes, reply.places[1:], fillvalue=b""):
            with suppress(WireError):
                authors.append(self._author(data, now))
                places += [place] if reply.places else []
        return authors, places

    def _author(self, data: bytes, now: float) -> PeerId:
        """Who signed ``data``, whenever that was: here or at the hub the clock may be wrong.

        Raises:
            WireError: nobody did, or it is an own one that is of no use to anybody any more.
        """
        envelope = open_envelope(data, self._own.swarm, None)
        if envelope.author == self._own.peer:
            check_fresh(PROTOCOL, envelope.header.time, now)
        return envelope.author
