"""A node without a model: real identity, envelopes, greetings, exchanges and receipts.

What comes back is opened and screened as a node does. Its texts are random letters.
"""

import secrets
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import aiohttp

from core.errors import WireError
from core.net.asking import BoundedQuery, ask, open_session
from core.net.greeting import greet
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.swarm.exchange.audit import AUDIT_EVERY, SAMPLE
from core.swarm.exchange.receipts import ReceiptSender
from core.swarm.exchange.validation import EnvelopeValidator, Self
from core.wire.codec import MAX_EXCHANGE_BYTES, Reason, encode
from core.wire.envelope import Stamp, seal
from core.wire.exchange import (
    ACCEPTED,
    MEDIA_TYPE,
    ExchangeReply,
    ExchangeRequest,
    decode_reply,
)
from core.wire.identity import Identity

RULESET: Final = "lab"
TASK: Final = TaskId("filler")
COMPLETIONS: Final = 8
CHARS: Final = 600  # of a completion: an envelope of about 5 KB
LEARNT: Final = 8
"""Groups of others that an update learns from, and their authors get receipts for."""

_WORDS: Final = "".join(Random(1).choices("abcdefghij klmnop 0123456789", k=1 << 16))  # noqa: S311 - filler
_SITE_STEP: Final = 8  # addresses apart: 32 clients in a /24 network


@dataclass(slots=True)
class ClientStats:
    """What all clients together saw."""

    latencies_s: list[float] = field(default_factory=list)  # of exchanges, connection included
    late_s: list[float] = field(default_factory=list)  # how late this program began a round
    requests: int = 0
    rounds: int = 0
    bytes_up: int = 0  # of bodies
    bytes_down: int = 0
    failures: Counter[str] = field(default_factory=Counter)  # requests, by reason
    not_taken: Counter[str] = field(default_factory=Counter)  # own envelopes, by verdict
    not_good: Counter[str] = field(default_factory=Counter)  # envelopes of others, by reason
    authors: Counter[PeerId] = field(default_factory=Counter)  # whose groups came


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """How every client behaves."""

    swarm: str
    groups: int  # left in a round
    want: int  # drawn in a round


class LightClient:
    """One identity at one address, which asks one hub."""

    def __init__(self, number: int, options: ClientOptions, base: str) -> None:
        """``number`` makes its address, ``base`` is the hub's URL."""
        self._identity = Identity.generate()
        self._own = bytes.fromhex(self._identity.peer_id)
        self._options = options
        self._base = base
        self._site = _site(number)
        self._screen = EnvelopeValidator(Self(self._identity.peer_id, options.swarm, RULESET))
        self._thanks = ReceiptSender(self._identity, options.swarm)
        self._rng = Random(number)  # noqa: S311 - filler texts
        self._round = 0
        self._audit_phase = number  # not all audit in the same round
        self._was_greeted = False

    async def play(self, stats: ClientStats) -> None:
        """One round: leave groups, draw others, and now and then audit the hub."""
        self._round += 1
        stats.rounds += 1
        now = time.time()
        receipts = tuple(self._thanks.write(now).values())
        ask_for = ExchangeRequest(self._own, self._options.want, self._seal_all(now), receipts)
        async with open_session() as session:
            session.headers["X-Forwarded-For"] = self._site
            try:
                await self._greet(session, stats)
                began = time.perf_counter()
                reply = await self._talk(session, ask_for, stats)
                stats.latencies_s.append(time.perf_counter() - began)
                self._screen_all(reply, stats)
                if (self._round + self._audit_phase) % AUDIT_EVERY == 0:
                    stranger = ExchangeRequest(secrets.token_bytes(32), SAMPLE, ())
                    await self._talk(session, stranger, stats)
            except (aiohttp.ClientError, OSError, WireError) as error:
                self._was_greeted = False
                reason = str(error) if isinstance(error, WireError) else type(error).__name__
                stats.failures[reason] += 1

    async def _greet(self, session: aiohttp.ClientSession, stats: ClientStats) -> None:
        if not self._was_greeted:
            stats.requests += 1
            await greet(session, self._base)
            self._was_greeted = True

    async def _talk(
        self, session: aiohttp.ClientSession, request: ExchangeRequest, stats: ClientStats
    ) -> ExchangeReply:
        body = encode(request)
        stats.requests += 1
        stats.bytes_up += len(body)
        url = f"{self._base}/v1/swarms/{self._options.swarm}/exchange"
        said = await ask(session, url, BoundedQuery(body, MEDIA_TYPE, MAX_EXCHANGE_BYTES))
        stats.bytes_down += len(said)
        reply = decode_reply(said)
        if len(reply.verdicts) != len(request.envelopes):
            raise WireError(Reason.SCHEMA, "a verdict per envelope")
        stats.not_taken.update(verdict for verdict in reply.verdicts if verdict != ACCEPTED)
        return reply

    def _screen_all(self, reply: ExchangeReply, stats: ClientStats) -> None:
        good, refused = self._screen.open_all(reply.envelopes, time.time())
        stats.not_good += refused
        stats.authors.update(one.group.author for one in good)
        fresh = [one for one in good if self._screen.take(one)]
        self._thanks.note(fresh)
        self._thanks.learnt(one.group for one in fresh[:LEARNT])

    def _seal_all(self, now: float) -> tuple[bytes, ...]:
        first = self._round * self._options.groups
        return tuple(
            seal(self._identity, self._group(slot), Stamp(*self._stamp(slot, first + slot), now))
            for slot in range(self._options.groups)
        )

    def _stamp(self, slot: int, sequence: int) -> tuple[str, str, int, int]:
        return self._options.swarm, RULESET, slot, sequence

    def _group(self, slot: int) -> RolloutGroup:
        key = PuzzleKey(TASK, 1, self._rng.getrandbits(32), slot)
        return RolloutGroup(
            key,
            f"{self._rng.getrandbits(64):016x}",
            self._identity.peer_id,
            ModelId("light"),
            self._round,
            tuple(Completion(text, ended=True) for text in self._texts()),
        )

    def _texts(self) -> Sequence[str]:
        starts = (self._rng.randrange(len(_WORDS) - CHARS) for _ in range(COMPLETIONS))
        return [_WORDS[start : start + CHARS] for start in starts]


def _site(number: int) -> str:
    """An address of its own, as a proxy would name it."""
    host = number * _SITE_STEP
    return f"10.{host >> 16 & 255}.{host >> 8 & 255}.{host & 255}"
