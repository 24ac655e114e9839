"""The line to one node: whom to find where, when to try it, and one bounded pull.

Nothing is said before the handshake has shown the right key. A node has a new certificate after
every start, so one that does not fit is no alarm yet: whoever is there is met again, and only
another *key* than the expected one is an impostor.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import aiohttp

from core.errors import SwarmError, WireError
from core.net.asking import AWAY, IMPOSTOR, TIMEOUT, BoundedQuery, ask, retry_once
from core.net.limits import place_of_host
from core.net.tls import Pin, meet
from core.rollouts.types import PeerId
from core.settings import in_url
from core.swarm.backoff import Backoff, Timing
from core.swarm.exchange.validation import PeerRollout
from core.wire.codec import MAX_ENVELOPE_BYTES, MAX_EXCHANGE_ENVELOPES, PROTOCOL, Reason
from core.wire.exchange import MembershipProof
from core.wire.hello import NONCE_BYTES
from core.wire.identity import Identity
from core.wire.pull import MEDIA_TYPE, Pull, PullReply, decode_pull_reply, seal_pull

HURRY_EVERY_S: Final = 30.0
"""Between two signs of life that end the waiting for a node which does not answer."""

_FRAME_BYTES: Final = 16  # around an envelope in a reply, and around the reply


@dataclass(frozen=True, slots=True)
class Asker:
    """The identity by which other nodes are asked, and the swarm."""

    identity: Identity
    swarm: str  # its name on the wire
    membership: MembershipProof | None = None  # of a private swarm


@dataclass(frozen=True, slots=True)
class NodeAddress:
    """Where a node is said to be."""

    host: str  # a name or a number; one of IPv6 with or without brackets
    port: int
    peer: PeerId | None = None  # who has to be there; None: whoever is


@dataclass(frozen=True, slots=True)
class PullWish:
    """The parameters of one pull."""

    want: int  # envelopes, at most
    receipts: tuple[bytes, ...] = ()  # for the node, sealed


class DirectLink:
    """Pulls from one node, one pull at a time; the network makes it raise nothing."""

    def __init__(self, address: NodeAddress, asker: Asker, timing: Timing | None = None) -> None:
        """Nothing is sent yet."""
        self.address = address
        self.failed: Counter[str] = Counter()  # pulls that brought nothing, by reason
        self.failure = ""  # why the last one did; empty if it did not
        self._asker = asker
        self._timing = timing or Timing()
        self._backoff = Backoff(self._timing)
        self._pin: Pin | None = None
        self._announced_at = 0.0
        self._hurried_at = float("-inf")

    @property
    def peer(self) -> PeerId | None:
        """The public key that answered last, or else the one expected."""
        return self._pin.peer if self._pin else self.address.peer

    @property
    def place(self) -> str:
        """Where it is, as far as shares are bounded by it."""
        return place_of_host(self.address.host)

    def move(self, host: str, port: int) -> None:
        """The node was heard of at ``host`` and ``port``; at a new place it is tried at once."""
        if (host, port) != (self.address.host, self.address.port):
            self.address = replace(self.address, host=host, port=port)
            self._hurry_for_news()

    def announced(self, at: float) -> None:
        """The node announced itself at that time: after a new sign of life it is tried at once."""
        if at > self._announced_at:
            self._announced_at = at
            self._hurry_for_news()

    def _hurry_for_news(self) -> None:
        """Try at once; but not each time, since anybody nearby can announce anything."""
        now = self._timing.steady()
        if now - self._hurried_at >= HURRY_EVERY_S:
            self._hurried_at = now
            self._backoff.hurry()

    def hurry(self) -> None:
        """The network changed: try at once."""
        self._backoff.hurry()

    async def pull(self, session: aiohttp.ClientSession, wish: PullWish) -> PullReply | None:
        """Envelopes, still sealed; None if the node is away, or was just now.

        No more than ``TIMEOUT`` is spent; a pull that is cancelled, because nobody waits for it any
        longer, has failed.
        """
        if not self._backoff.is_over():
            return None
        wish = replace(wish, want=min(wish.want, MAX_EXCHANGE_ENVELOPES))
        try:
            async with asyncio.timeout(TIMEOUT.total):
                pull_reply = await retry_once(lambda: self._pull(session, wish))
        except asyncio.CancelledError:
            self._fail(AWAY)
            raise
        except WireError as error:
            self._fail(error.reason)
            return None
        except (SwarmError, aiohttp.ClientError, OSError, ValueError):
            # OSError includes timeouts and TLS; ValueError what a resolver thinks of a host's name.
            self._fail(AWAY)
            return None
        self._backoff.succeed()
        self.failure = ""
        return PullReply(pull_reply.envelopes[: wish.want])

    def _fail(self, reason: str) -> None:
        self.failed[reason] += 1
        self.failure = reason
        self._backoff.fail()

    async def _pull(self, session: aiohttp.ClientSession, wish: PullWish) -> PullReply:
        """One pull; another one if the node has started anew since the last.

        Raises:
            SwarmError, aiohttp.ClientError, OSError, ValueError: nobody can be reached.
            WireError: somebody else is there, or the node refuses, or answers nonsense.
        """
        if self._pin is not None:
            try:
                return await self._ask(session, self._pin, wish)
            except aiohttp.ServerFingerprintMismatch:
                self._pin = None  # it was noticed before anything was said
        self._pin = await self._meet()
        return await self._ask(session, self._pin, wish)

    async def _meet(self) -> Pin:
        pin = await meet(self.address.host, self.address.port)
        if pin.peer == self._asker.identity.peer_id:
            raise WireError(Reason.OWN)
        if self.address.peer not in (None, pin.peer):
            raise WireError(IMPOSTOR)
        return pin

    async def _ask(self, session: aiohttp.ClientSession, pin: Pin, wish: PullWish) -> PullReply:
        host = in_url(self.address.host)
        url = f"https://{host}:{self.address.port}/v1/swarms/{self._asker.swarm}/pull"
        body = seal_pull(self._asker.identity, self._request(pin, wish))
        most = _FRAME_BYTES + wish.want * (MAX_ENVELOPE_BYTES + _FRAME_BYTES)
        question = BoundedQuery(body, MEDIA_TYPE, most)
        reply = await ask(session, url, question, aiohttp.Fingerprint(pin.fingerprint))
        return decode_pull_reply(reply)

    def _request(self, pin: Pin, wish: PullWish) -> Pull:
        return Pull(
            version=PROTOCOL,
            swarm=self._asker.swarm,
            asker=bytes.fromhex(self._asker.identity.peer_id),
            server=bytes.fromhex(pin.peer),
            time=int(self._timing.wall()),
            nonce=secrets.token_bytes(NONCE_BYTES),
            want=wish.want,
            receipts=wish.receipts,
            membership=self._asker.membership,
        )


def own_of(peer: PeerId | None, received: Sequence[PeerRollout]) -> list[PeerRollout]:
    """Those that ``peer`` itself wrote: in direct mode nobody speaks for others."""
    return [one for one in received if one.group.author == peer]
