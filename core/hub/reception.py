"""What a hub does with a request, from bytes to bytes; HTTP stays outside.

The hub checks signature, clock, swarm, size and schema, and judges nothing: whether an answer is
right is for every receiver to find out.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import WireError
from core.hub.limits import Rates, TokenBuckets
from core.hub.metrics import Tally
from core.hub.store import Store
from core.rollouts.types import PeerId
from core.wire.codec import Reason
from core.wire.envelope import Envelope, open_envelope
from core.wire.exchange import ACCEPTED, ExchangeReply, decode_request, encode_exchange

Checked = Envelope | Reason
"""An envelope found good, or why it is not taken."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What time it is."""

    wall: Callable[[], float] = time.time  # unix seconds, for envelopes
    steady: Callable[[], float] = time.monotonic  # seconds that never go back, for rates


class Reception:
    """Takes envelopes in and hands others out, within the rates."""

    def __init__(self, store: Store, rates: Rates, clocks: Clocks) -> None:
        self.tally = Tally()
        self._store = store
        self._clocks = clocks
        self._authors = TokenBuckets(rates.author, clocks.steady)
        self._envelopes = TokenBuckets(rates.address_envelopes, clocks.steady)
        self._exchanges = TokenBuckets(rates.address_exchanges, clocks.steady)

    def may_come(self, site: str) -> bool:
        """Whether ``site`` may make one more exchange now; asked before its body is read."""
        return self._exchanges.take(site)

    async def serve(self, swarm: str, body: bytes, site: str) -> bytes:
        """The reply to the request ``body``, that came from ``site`` for ``swarm``.

        Raises:
            WireError: the body is no request; envelopes in it are refused one by one instead.
            SwarmError: the store cannot be used.
        """
        request = decode_request(body)
        verdicts = await self._take_in(swarm, request.envelopes, site)
        author = PeerId(request.author.hex())
        drawn = await self._store.draw(swarm, request.want, author)
        self.tally.exchanges += 1
        self.tally.served += len(drawn.envelopes)
        return encode_exchange(ExchangeReply(drawn.peers, tuple(verdicts), drawn.envelopes))

    async def _take_in(self, swarm: str, sent: Sequence[bytes], site: str) -> list[str]:
        """A verdict for every envelope; the cheapest checks come first."""
        allowed = [data for data in sent if self._envelopes.take(site)]
        # Checking a full request takes some 20 ms: too long for the event loop to stand still.
        checked = await asyncio.to_thread(check_all, allowed, swarm, self._clocks.wall())
        paced = [self._pace(one, site) for one in checked]
        good = [one for one in paced if isinstance(one, Envelope)]
        are_new = iter(await self._store.append(good) if good else [])
        verdicts = [
            (ACCEPTED if next(are_new) else Reason.REPLAYED) if isinstance(one, Envelope) else one
            for one in paced
        ]
        verdicts += [Reason.RATE] * (len(sent) - len(allowed))
        self._count(verdicts)
        return verdicts

    def _pace(self, one: Checked, site: str) -> Checked:
        """Keep an author to its rate.

        Site and author share the key: whoever sends Anne's old envelopes again from elsewhere must
        not use up what Anne may send.
        """
        if isinstance(one, Reason) or self._authors.take(f"{site} {one.author}"):
            return one
        return Reason.RATE

    def _count(self, verdicts: Sequence[str]) -> None:
        self.tally.accepted += verdicts.count(ACCEPTED)
        self.tally.rejected.update(verdict for verdict in verdicts if verdict != ACCEPTED)


def check_all(envelopes: Sequence[bytes], swarm: str, now: float) -> list[Checked]:
    """Open and read each envelope; what is found good is not changed. Safe on any thread."""
    return [_check(data, swarm, now) for data in envelopes]


def _check(data: bytes, swarm: str, now: float) -> Checked:
    try:
        envelope = open_envelope(data, swarm, now)
        envelope.read()
    except WireError as error:
        return Reason(error.reason)
    return envelope
