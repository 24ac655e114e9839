"""A node hands out what it tried itself, directly, under a certificate that is its identity.

It runs beside the training on somebody's laptop, so little is spent on visitors:

====================================  ==========  =================================================
limit                                 value       constant
====================================  ==========  =================================================
connections, of one site              64, 8       DirectLimits; over and above them,
before anything is said, of one site  512, 8      so that they push out each other
handshakes under way, of one site     128, 64     ServerLimits
requests at work, of one site         32, 4       DirectLimits
bytes of their bodies                 2,097,152   DirectLimits
seconds to read, write, sit idle      5, 10, 5    DirectLimits
requests per site                     4/s, 32     SITE_RATE: refill, burst; of a /48 four times
pulls per asker and site              3/s, 16     ASKER_RATE: refill, burst
bytes per reply                       524,288     of ``ServedItems.pick``; one envelope at least
receipts looked at per pull           8           MOST_RECEIPTS
nonces remembered                     24,000      MOST_NONCES; for REPLAY_MEMORY_S
====================================  ==========  =================================================

Forgetting a nonce is no way in for others: only asker and server ever see a pull.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from aiohttp import web

from core.errors import WireError
from core.net.greeting import HelloHandler
from core.net.limits import SiteBuckets, TokenBuckets, place_of
from core.net.listening import ListenAddress, listening
from core.net.serving import Dialect, RequestGate, ServerLimits
from core.net.tls import server_context
from core.storage.bounded import BoundedDict
from core.swarm.backoff import Timing
from core.swarm.exchange.receipts import Delivery
from core.swarm.exchange.served import ServedItems
from core.wire.codec import MAX_PULL_BYTES, REPLAY_MEMORY_S, Rate, Reason, encode
from core.wire.identity import Identity
from core.wire.pull import MEDIA_TYPE, Pull, PullReply, open_pull
from core.wire.receipt import open_receipt
from core.wire.secrecy import check_membership, is_private

SITE_RATE: Final = Rate(4, 32)
ASKER_RATE: Final = Rate(3, 16)
"""More than anybody pulls who keeps to ``core.swarm.membership.PULL_EVERY_S``, and less than a site
may: a node in a hurry leaves something to its neighbour."""

MOST_RECEIPTS: Final = 8
"""Whoever pulls has one for this node; a few more may wait from rounds while it was away."""

MOST_NONCES: Final = 24_000
"""More than all sites of one holder bring in ``REPLAY_MEMORY_S``: no single one makes us forget."""

PULL: Final = Dialect(MEDIA_TYPE, MAX_PULL_BYTES)


@dataclass(frozen=True, slots=True)
class DirectLimits(ServerLimits):
    """Limits of connections, requests and rates that suit a laptop."""

    silent: int = 512
    connections: int = 64
    connections_per_site: int = 8
    requests: int = 32
    requests_per_site: int = 4
    body_bytes: int = 32 * MAX_PULL_BYTES
    read_s: float = 5.0
    write_s: float = 10.0
    idle_s: float = 5.0
    site: Rate = SITE_RATE
    asker: Rate = ASKER_RATE


@dataclass(slots=True)
class DirectCounters:
    """Counters of requests served and refused since the start."""

    pulls: int = 0
    refused: Counter[str] = field(default_factory=Counter)  # whole requests, by reason
    rejected: Counter[str] = field(default_factory=Counter)  # receipts, by reason


class UsedNonces:
    """Nonces of earlier pulls, kept for as long as their clocks would still be believed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._clock = clock
        self._used = BoundedDict[bytes, float](MOST_NONCES)  # asker and nonce: until when

    def __contains__(self, pull: Pull) -> bool:
        return self._used.get(pull.asker + pull.nonce, float("-inf")) > self._clock()

    def add(self, pull: Pull) -> None:
        """Remember ``pull``; those remembered the longest make room."""
        now = self._clock()
        self._used[pull.asker + pull.nonce] = now + REPLAY_MEMORY_S
        self._used.drop_while(lambda until: until <= now)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Limits, clocks and random numbers of a server."""

    limits: DirectLimits = field(default_factory=DirectLimits)
    timing: Timing = field(default_factory=Timing)
    folder: Path | None = None  # where the key may lie for a moment; None: the system's choice


class DirectServer:
    """Answers pulls in one swarm from ``served``; ``serving`` listens for them."""

    def __init__(
        self,
        identity: Identity,
        swarm: str,
        served: ServedItems,
        take_receipt: Callable[[Delivery], None],
        options: ServerOptions | None = None,
    ) -> None:
        """``take_receipt`` is told who learnt from this node, perhaps more than once."""
        options = options or ServerOptions()
        self.tally = DirectCounters()
        named = () if is_private(swarm) else (swarm,)  # a private one is named to nobody
        self._hello_handler = HelloHandler(identity, "node", named)
        self._identity = identity
        self._key = bytes.fromhex(identity.peer_id)
        self._swarm = swarm
        self._served = served
        self._take_receipt = take_receipt
        self._limits = options.limits
        self._timing = options.timing
        self._folder = options.folder
        self._gate = RequestGate(options.limits, self._refused)
        self._sites = SiteBuckets(options.limits.site, options.timing.steady)
        self._askers = TokenBuckets(options.limits.asker, options.timing.steady)
        self._nonces = UsedNonces(options.timing.steady)

    @asynccontextmanager
    async def serving(self, host: str = "", port: int = 0) -> AsyncIterator[int]:
        """Serve on ``host`` ("": everywhere) and ``port`` (0: any free one) within the block.

        Yields the port.

        Raises:
            SwarmError: the address cannot be listened on.
        """
        address = ListenAddress(host, port, server_context(self._identity, self._folder))
        async with listening(self.application(), address, self._limits) as bound:
            yield bound

    def application(self) -> web.Application:
        """The HTTP routes of a node: hello and pull."""
        app = web.Application()
        limited, admits = self._gate.limited, self._sites.take
        app.router.add_get(r"/v1/hello/{nonce:[0-9a-f]{32}}", limited(self._hello, admits))
        app.router.add_post(f"/v1/swarms/{self._swarm}/pull", limited(self._pull, admits))
        return app

    def hand_out(self, body: bytes, site: str) -> bytes:
        """The reply to the pull ``body`` that came from ``site``.

        Raises:
            WireError: it is no pull for this node, of somebody who may not pull, or too often.
        """
        now = self._timing.wall()
        pull = open_pull(body, self._swarm, self._key, now)
        self._admit(pull, site)
        for data in pull.receipts[:MOST_RECEIPTS]:
            self._look_at(data, pull.asker, place_of(site), now)
        envelopes = self._served.pick(pull.want, now, self._timing.rng)
        self.tally.pulls += 1
        return encode(PullReply(envelopes))

    def _admit(self, pull: Pull, site: str) -> None:
        if pull.asker == self._key:
            raise WireError(Reason.OWN)
        if pull in self._nonces:
            raise WireError(Reason.REPLAYED)
        check_membership(self._swarm, pull.asker, pull.membership)
        if not self._askers.take(f"{site} {pull.asker.hex()}"):
            raise WireError(Reason.RATE)
        self._nonces.add(pull)

    def _look_at(self, data: bytes, asker: bytes, place: str, now: float) -> None:
        """Take a receipt for this node by the asker itself; anything else is only counted."""
        try:
            receipt = open_receipt(data, self._swarm, now)
        except WireError as error:
            self.tally.rejected[error.reason] += 1
            return
        if (receipt.learner, receipt.author) != (asker, self._key):
            self.tally.rejected["foreign"] += 1
            return
        self._take_receipt(Delivery(receipt, place))

    async def _pull(self, request: web.Request) -> web.StreamResponse:
        async def answer(body: bytes, site: str) -> bytes:
            return self.hand_out(body, site)

        return await self._gate.handle(request, PULL, answer)

    async def _hello(self, request: web.Request) -> web.Response:
        return self._hello_handler.answer(request, self._timing.wall())

    def _refused(self, reason: str) -> None:
        self.tally.refused[reason] += 1
