"""The line to one hub: who is there, when to try it, and one bounded HTTP request."""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp

from core.errors import WireError
from core.net.addresses import HubAddress
from core.net.asking import (
    AWAY,
    FAILURES,
    IMPOSTOR,
    NO_HUB,
    REFUSED,
    TIMEOUT,
    BoundedQuery,
    ask,
    retry_once,
    told_of,
)
from core.net.greeting import greet_hub
from core.rollouts.types import PeerId
from core.swarm.backoff import LONGEST_S, Backoff, Timing
from core.swarm.exchange.outbox import Letter, Outbox, tolerated
from core.wire.codec import ITEM_LIFE_S, MAX_EXCHANGE_BYTES, MAX_EXCHANGE_ENVELOPES, Reason, encode
from core.wire.exchange import (
    ACCEPTED,
    MEDIA_TYPE,
    ExchangeReply,
    ExchangeRequest,
    MembershipProof,
    decode_reply,
)

GREET_EVERY_S = 300.0

FEWEST = 8
"""Letters sent at once to a hub that just had too many, or over a line that was too slow."""

BUSY_S = 4.0
"""A hub that is asked too much from here is asked again after so long at most. Whoever waits longer
and longer gets nothing where many share an address, while the lucky ones go on as before."""

TAKES_NOTHING_S = 300.0
"""A hub is told of that refused all it was offered for so long; before, it may just be busy."""

OTHER_VERSION = "other version"
"""Whatever answers speaks another version of the protocol."""

_log = logging.getLogger(__name__)
_HAVE_IT = {ACCEPTED, str(Reason.REPLAYED)}


@dataclass(frozen=True, slots=True)
class Wish:
    """The parameters of an exchange with a hub."""

    asker: bytes  # public key
    want: int
    receipts: tuple[bytes, ...] = ()
    membership: MembershipProof | None = None
    score: float | None = None  # of the last round, for the hub's page


class HubLink:
    """HTTP client of one hub, with back-off."""

    def __init__(
        self, address: HubAddress, swarm: str, timing: Timing, peer: PeerId | None = None
    ) -> None:
        """``peer`` is who has to be there; None: whoever answers."""
        self.host = address.host
        self.peer = peer
        self.refused: Counter[str] = Counter()  # own envelopes that the hub did not take
        self.clock_is_wrong: bool | None = None  # all sent last came too early or late; None: none
        self.ahead_s: float | None = None  # the hub's clock before ours, when it was greeted
        self.answers = False  # whether the last exchange brought a reply
        self.failure = ""  # why the last one failed: as ``reason_of`` says; empty if it did not
        self.peers = 0  # that it claimed last
        self.key: PeerId | None = None  # by which it greeted last; None: it never did
        self._most = MAX_EXCHANGE_ENVELOPES  # letters sent at once
        self._took_at = float("-inf")  # an own envelope from here, unix seconds
        self._offered = -1  # the highest sequence of a letter that ever left for it
        self._refused: list[float] = []  # when all was, first and last in a row, as ``steady`` says
        self._base = address.url
        self._url = f"{address.url}/v1/swarms/{swarm}/exchange"
        self._timing = timing
        self._backoff = Backoff(timing)
        self._was_greeted = False
        self._greeted_at = float("-inf")  # unix seconds: a clock that was set is compared anew

    async def exchange(
        self, session: aiohttp.ClientSession, wish: Wish, outbox: Outbox
    ) -> ExchangeReply | None:
        """Send what waits in ``outbox`` and draw; None if the hub is away, or was just now.

        Where the outbox cannot be used, others are heard all the same; it is logged. An exchange
        that is cancelled, because nobody waits for it any longer, has failed.
        """
        self.clock_is_wrong = None
        batch: list[Letter] = []
        with tolerated():
            batch = outbox.batch(self._base, self._timing.wall())[: self._most]
        is_news = bool(batch) and batch[-1].sequence > self._offered
        reply = await self._try(session, wish, batch)
        if reply is None:
            return None
        verdicts = list(zip(batch, reply.verdicts, strict=True))
        taken = [letter for letter, verdict in verdicts if verdict in _HAVE_IT]
        with tolerated():
            outbox.sent(self._base, batch[: self._settled(reply.verdicts)], taken)
        if ACCEPTED in reply.verdicts:
            self._took_at, self._refused = self._timing.wall(), []
        elif batch and (is_news or not taken):
            self._note_refusal(self._timing.steady())
        self.clock_is_wrong = set(reply.verdicts) == {Reason.CLOCK} if batch else None
        known = set(Reason)
        self.refused.update(v if v in known else "other" for v in reply.verdicts if v != ACCEPTED)
        return reply

    def _note_refusal(self, now: float) -> None:
        """All was refused; a hub that was offered nothing for long may just be busy again.

        What was never offered before and it has all the same came from somebody else, or it lies.
        """
        if self._refused and now - self._refused[-1] > TAKES_NOTHING_S:
            self._refused = []
        self._refused[1:] = [now]

    def _settled(self, verdicts: Sequence[str]) -> int:
        """Number of letters with a final verdict; those at the end that came too fast go again."""
        settled = len(verdicts)
        while settled and verdicts[settled - 1] == Reason.RATE:
            settled -= 1
        if settled < len(verdicts):
            self._most = max(FEWEST, settled)
        else:
            self._most = min(MAX_EXCHANGE_ENVELOPES, 2 * self._most)
        return settled

    def hurry(self) -> None:
        """The network changed: try at once."""
        self._backoff.hurry()

    def holds_ours(self) -> bool:
        """Whether an own envelope surely lies at our own place there, not yet too old.

        What others brought there before us lies at theirs, and the hub says ``replayed`` of it.
        """
        return 0 <= self._timing.wall() - self._took_at < ITEM_LIFE_S / 2

    def takes_nothing(self) -> bool:
        """Whether it answers, and has long refused all that it was offered, for any reason."""
        return bool(self._refused) and self._refused[-1] - self._refused[0] >= TAKES_NOTHING_S

    async def sample(self, session: aiohttp.ClientSession, wish: Wish) -> ExchangeReply | None:
        """Draw and send nothing; None if that failed, which counts for nothing else."""
        try:
            return await self._ask(session, wish, ())
        except FAILURES as error:
            self._was_greeted = self._was_greeted and reason_of(error) == Reason.RATE
            _log.info("%s gave no sample: %s", self._base, told_of(error))
            return None

    async def _try(
        self, session: aiohttp.ClientSession, wish: Wish, batch: Sequence[Letter]
    ) -> ExchangeReply | None:
        self.answers = False
        if not self._backoff.is_over():
            return None
        try:
            reply = await self._ask(session, wish, batch)
        except asyncio.CancelledError:
            self._backoff.fail()
            self._most = max(FEWEST, self._most // 2)  # so many a slow line may manage
            if self.failure == Reason.RATE:  # it said so before, and nothing now
                self.failure = ""
            raise
        except FAILURES as error:
            failure = reason_of(error)
            is_busy = failure == Reason.RATE  # and there all the same, behind its own key
            self._backoff.fail(BUSY_S if is_busy else LONGEST_S)
            self._was_greeted = self._was_greeted and is_busy
            self._note(failure, error)
            return None
        self._backoff.succeed()
        self.answers, self.failure, self.peers = True, "", reply.peers
        return reply

    async def _ask(
        self, session: aiohttp.ClientSession, wish: Wish, batch: Sequence[Letter]
    ) -> ExchangeReply:
        """Greet if it is due, and talk; raises one of ``FAILURES``."""

        async def both() -> ExchangeReply:
            await self._greet(session)
            return await self._talk(session, wish, batch)

        async with asyncio.timeout(TIMEOUT.total):
            return await retry_once(both)

    def _note(self, failure: str, error: Exception) -> None:
        """Remember why, and log it where it is news."""
        if failure != self.failure:
            _log.warning("%s: %s (%s)", self._base, failure, told_of(error))
        self.failure = failure

    async def _greet(self, session: aiohttp.ClientSession) -> None:
        """Check the hub's signed hello, now and then, and again after every failure.

        Raises:
            WireError: it is no hub, or another one.
        """
        now = self._timing.wall()
        if self._was_greeted and abs(now - self._greeted_at) < GREET_EVERY_S:
            return
        self._was_greeted = False  # also if nobody waits for the hello any longer
        hello = await greet_hub(session, self._base, self.peer)
        self.ahead_s = hello.time - self._timing.wall()
        self._was_greeted, self._greeted_at, self.key = True, now, hello.peer_id

    async def _talk(
        self, session: aiohttp.ClientSession, wish: Wish, batch: Sequence[Letter]
    ) -> ExchangeReply:
        envelopes = tuple(letter.data for letter in batch)
        if batch:
            self._offered = max(self._offered, batch[-1].sequence)
        request = ExchangeRequest(
            wish.asker, wish.want, envelopes, wish.receipts, wish.membership, wish.score
        )
        question = BoundedQuery(encode(request), MEDIA_TYPE, MAX_EXCHANGE_BYTES)
        reply = decode_reply(await ask(session, self._url, question))
        if len(reply.verdicts) != len(batch):
            raise WireError(Reason.SCHEMA, "a verdict per envelope")
        return reply


def reason_of(error: Exception) -> str:
    """The reason of a failed exchange.

    ``AWAY``, ``OTHER_VERSION``, ``IMPOSTOR``, ``NO_HUB``, or ``Reason.RATE``: it is asked too much.
    """
    if not isinstance(error, WireError) or error.reason == REFUSED:
        return AWAY
    if error.reason == Reason.RATE:
        return Reason.RATE
    if error.reason == Reason.VERSION:
        return OTHER_VERSION
    return IMPOSTOR if error.reason == IMPOSTOR else NO_HUB
