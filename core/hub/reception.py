"""A hub's answer to an exchange, from bytes to bytes; HTTP stays outside.

The hub checks signature, clock, swarm, size and schema, and judges nothing: whether an answer is
right is for every receiver to find out. Of a private swarm it sees who knows the secret, and
nothing of what they say.
"""

import asyncio
import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from core.errors import SwarmError, WireError
from core.hub.census import Census, Word
from core.hub.metrics import HubCounters
from core.hub.store import HubNote, Store
from core.net.limits import DistinctLimit, Rates, SiteBuckets, TokenBuckets, place_of
from core.rollouts.types import PeerId
from core.wire.codec import PLACE_BYTES, Reason, encode
from core.wire.envelope import Envelope, open_envelope
from core.wire.exchange import (
    ACCEPTED,
    ExchangeReply,
    ExchangeRequest,
    decode_request,
)
from core.wire.identity import Identity
from core.wire.receipt import open_receipt
from core.wire.secrecy import check_membership, is_private

_log = logging.getLogger(__name__)

Checked = Envelope | Reason
"""An envelope found good, or why it is not taken."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The two clocks of a hub; tests bring their own."""

    wall: Callable[[], float] = time.time  # unix seconds, for envelopes
    steady: Callable[[], float] = time.monotonic  # seconds that never go back, for rates


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A request whose parts were checked one by one."""

    envelopes: list[Checked]
    notes: list[HubNote]
    refused_receipts: list[Reason]


TROUBLE_S: Final = 10.0
"""So long a failed exchange counts against the store's health.

Whoever passes on only to healthy hubs brings no exchange that could show that it works again.
"""

LABEL_LIFE_S: Final = 86_400.0
"""Far longer than a group waits in anybody's pool."""


_DOMAIN = b"waggle/places/1\x00"


class Labels:
    """Labels of places: they tell which are alike, and nothing else.

    A node bounds what one place may give to its updates, and so must know what came from one. An
    address is nobody's business, so whoever asks is told a label instead, which looks different to
    each and the same in every round of a day, so that nobody can follow who shares a place for
    longer. All processes of a hub that share its identity agree on them.
    """

    def __init__(self, identity: Identity) -> None:
        # Signatures of Ed25519 are the same each time, and this one is never shown to anybody.
        self._key = hashlib.sha256(identity.sign(_DOMAIN)).digest()

    def kept(self, place: str) -> str:
        """The name under which a store keeps ``place``: hex digits that do not tell the address."""
        return self._label(place.encode()).hex()

    def told(self, asker: bytes, kept: str, now: float) -> bytes:
        """The label that ``asker``, a public key, gets at ``now`` for a place kept as ``kept``."""
        day = int(now // LABEL_LIFE_S)
        return self._label(asker + day.to_bytes(8, "big") + kept.encode())

    def _label(self, what: bytes) -> bytes:
        return hmac.digest(self._key, what, "sha256")[:PLACE_BYTES]


class Reception:
    """Takes envelopes in and hands others out, within the rates."""

    def __init__(
        self,
        store: Store,
        rates: Rates,
        clocks: Clocks,
        labels: Labels,
        census: Census,
    ) -> None:
        """Accepted groups are counted by ``census``; ``labels`` name the places of others."""
        self.tally = HubCounters()
        self._failed_at: float | None = None  # the last exchange, if the store failed
        self._census = census
        self._store = store
        self._labels = labels
        self._clocks = clocks
        self._authors = TokenBuckets(rates.author, clocks.steady)
        self._envelopes = SiteBuckets(rates.address_envelopes, clocks.steady)
        self._exchanges = SiteBuckets(rates.address_exchanges, clocks.steady)
        self._distinct = DistinctLimit(rates, clocks.steady)

    def admits(self, site: str) -> bool:
        """Whether ``site`` may make one more exchange now; asked before its body is read."""
        return self._exchanges.take(site)

    def place(self, site: str) -> str:
        """The name under which the store keeps the place of ``site``."""
        return self._labels.kept(place_of(site))

    def refused(self, reason: str) -> None:
        """Count a whole request that was not served."""
        self.tally.refused[reason] += 1

    def store_failed(self, error: SwarmError | None) -> None:
        """The store could not be used, or it can again: told in the log where it is news."""
        if error is not None and self._failed_at is None:
            _log.warning("%s", error)
        if error is None and self._failed_at is not None:
            _log.warning("The store can be used again.")
        self._failed_at = None if error is None else self._clocks.steady()

    def failed_lately(self) -> bool:
        """Whether the store failed in the last exchange, less than ``TROUBLE_S`` ago."""
        since = self._failed_at
        return since is not None and self._clocks.steady() < since + TROUBLE_S

    async def serve(self, swarm: str, body: bytes, site: str) -> bytes:
        """The reply to the request ``body``, that came from ``site`` for ``swarm``.

        Raises:
            WireError: the body is no request, or of nobody who belongs to a private swarm;
                envelopes and receipts in it are refused one by one instead.
            SwarmError: the store cannot be used.
        """
        try:
            reply = await self._serve(swarm, decode_request(body), site)
        except SwarmError as error:
            self.store_failed(error)
            raise
        self.store_failed(None)
        return reply

    async def _serve(self, swarm: str, request: ExchangeRequest, site: str) -> bytes:
        # Up to the first that is too much: the verdicts of the rest stand at the end.
        envelopes = list(takewhile(lambda _: self._envelopes.take(site), request.envelopes))
        receipts = list(takewhile(lambda _: self._envelopes.take(site), request.receipts))
        allowed = ExchangeRequest(
            request.author, request.want, tuple(envelopes), tuple(receipts), request.membership
        )
        # Checking a full request takes some 20 ms: too long for the event loop to stand still.
        opened = await asyncio.to_thread(open_request, allowed, swarm, self._clocks.wall())
        verdicts = await self._take_in(opened.envelopes, site)
        verdicts += [Reason.RATE] * (len(request.envelopes) - len(envelopes))
        self._count(verdicts, opened)
        place = self.place(site)
        self._take_note(swarm, request, opened.envelopes, verdicts, place)
        if opened.notes:
            await self._store.leave(swarm, opened.notes)
        return await self._hand_out(swarm, request, tuple(verdicts), place)

    async def _take_in(self, checked: Sequence[Checked], site: str) -> list[str]:
        """Store the checked envelopes; a verdict for each."""
        paced = [self._pace(one, site) for one in checked]
        good = [one for one in paced if isinstance(one, Envelope)]
        are_new = iter(await self._store.append(good, self.place(site)) if good else [])
        return [
            (ACCEPTED if next(are_new) else Reason.REPLAYED) if isinstance(one, Envelope) else one
            for one in paced
        ]

    def _pace(self, one: Checked, site: str) -> Checked:
        """Keep an author to its rate, and a place to its number of authors.

        Site and author share the key: whoever sends Anne's old envelopes again from elsewhere must
        not use up what Anne may send.
        """
        if isinstance(one, Reason):
            return one
        fits = self._distinct.admit(site, f"{one.header.swarm}/{one.author}")
        return one if fits and self._authors.take(f"{site} {one.author}") else Reason.RATE

    async def _hand_out(
        self, swarm: str, request: ExchangeRequest, verdicts: tuple[str, ...], place: str
    ) -> bytes:
        asker = PeerId(request.author.hex())
        # First: while a draw's megabytes are held, nobody else's work on the store is waited for.
        receipts = await self._store.collect(swarm, asker)
        drawn = await self._store.draw(swarm, request.want, asker)
        self.tally.exchanges += 1
        self.tally.served += len(drawn.envelopes)
        now = self._clocks.wall()
        places = tuple(
            self._labels.told(request.author, one, now) for one in (place, *drawn.places)
        )
        return encode(ExchangeReply(drawn.peers, verdicts, drawn.envelopes, receipts, places))

    def _take_note(
        self,
        swarm: str,
        request: ExchangeRequest,
        checked: Sequence[Checked],
        verdicts: Sequence[str],
        place: str,
    ) -> None:
        """Count what was left in its author's name, with the score that was said beside it.

        In an open swarm a request is not signed: who brings an author's items first can say one.
        """
        left = [
            one
            for one, verdict in zip(checked, verdicts, strict=False)
            if verdict == ACCEPTED
            and isinstance(one, Envelope)
            and one.header.author == request.author
        ]
        if left:
            self._census.hear(swarm, left[0].author, place, Word(len(left), request.score))

    def _count(self, verdicts: Sequence[str], opened: CheckedRequest) -> None:
        self.tally.accepted += verdicts.count(ACCEPTED)
        self.tally.rejected.update(verdict for verdict in verdicts if verdict != ACCEPTED)
        self.tally.receipts += len(opened.notes)
        self.tally.refused_receipts.update(opened.refused_receipts)


def open_request(request: ExchangeRequest, swarm: str, now: float) -> CheckedRequest:
    """Check who asks, and every envelope and receipt. Safe on any thread.

    Raises:
        WireError: the swarm is private, and whoever asks does not know its secret.
    """
    check_membership(swarm, request.author, request.membership)
    envelopes = [_check(data, swarm, request.author, now) for data in request.envelopes]
    notes: list[HubNote] = []
    refused: list[Reason] = []
    for data in request.receipts:
        try:
            notes.append(_note(data, swarm, request.author, now))
        except WireError as error:
            refused.append(Reason(error.reason))
    return CheckedRequest(envelopes, notes, refused)


def _check(data: bytes, swarm: str, asker: bytes, now: float) -> Checked:
    try:
        envelope = open_envelope(data, swarm, now)
        envelope.check_payload()
    except WireError as error:
        return Reason(error.reason)
    if is_private(swarm) and envelope.header.author != asker:
        return Reason.MEMBER  # only the asker has proved to be one
    return envelope


def _note(data: bytes, swarm: str, asker: bytes, now: float) -> HubNote:
    """The note to an author that a receipt makes.

    Raises:
        WireError: it is no good receipt, or of somebody else than the asker.
    """
    receipt = open_receipt(data, swarm, now)
    if receipt.learner != asker:
        raise WireError(Reason.SIGNATURE, "of another learner")
    return HubNote(PeerId(receipt.author.hex()), PeerId(asker.hex()), data)
