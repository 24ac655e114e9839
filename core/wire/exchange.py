"""Messages between a node and a hub: one request, one reply, once a round."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from core.errors import WireError
from core.wire import codec

MEDIA_TYPE = "application/vnd.waggle.exchange"
"""Not one that a web page may send to another site without asking first."""

ACCEPTED = "ok"
"""The verdict on an envelope that was taken; any other is a ``Reason``."""

Batch = Annotated[tuple[bytes, ...], Meta(max_length=codec.MAX_EXCHANGE_ENVELOPES)]
Receipts = Annotated[
    tuple[Annotated[bytes, Meta(max_length=codec.MAX_RECEIPT_BYTES)], ...],
    Meta(max_length=codec.MAX_EXCHANGE_RECEIPTS),
]


Place = Annotated[bytes, Meta(min_length=codec.PLACE_BYTES, max_length=codec.PLACE_BYTES)]


class MembershipProof(codec.WireMessage, frozen=True, tag="member"):
    """Proof that an author knows the secret of a private swarm; see ``core.wire.secrecy``."""

    key: codec.Bytes32  # public; it names the swarm
    proof: codec.Bytes64


class ExchangeRequest(codec.WireMessage, frozen=True, tag="ask"):
    """Own envelopes up, and how many of others are wanted."""

    author: codec.Bytes32  # who asks: whose envelopes are left out, and whom receipts are for
    want: Annotated[int, Meta(ge=0, le=codec.MAX_EXCHANGE_ENVELOPES)]
    envelopes: Batch  # in the order of their sequence numbers
    receipts: Receipts = ()  # what the asker learnt from, a receipt for each author
    membership: MembershipProof | None = None  # of a private swarm
    score: Annotated[float, Meta(ge=0, le=1)] | None = None  # of the asker's last round, it says


class ExchangeReply(codec.WireMessage, frozen=True, tag="tell"):
    """Envelopes of others down, and what became of the own ones."""

    peers: codec.PeerCount  # authors alive in the swarm, the asking one not counted
    verdicts: Annotated[
        tuple[Annotated[str, Meta(max_length=32)], ...],
        Meta(max_length=codec.MAX_EXCHANGE_ENVELOPES),
    ]  # one per envelope sent, in order
    envelopes: Batch
    receipts: Receipts = ()  # for the asker
    places: Annotated[tuple[Place, ...], Meta(max_length=1 + codec.MAX_EXCHANGE_ENVELOPES)] = ()
    """Labels: of the asker's own place, then of each envelope's; or none. Equal ones are alike."""


_replies = msgspec.msgpack.Decoder(ExchangeReply)


decode_request: Callable[[bytes], ExchangeRequest] = partial(
    codec.decode, msgspec.msgpack.Decoder(ExchangeRequest)
)
"""Reads what a node asks, the envelopes still sealed; raises WireError where it is no request."""


def decode_reply(data: bytes) -> ExchangeReply:
    """Read what a hub answers; the envelopes in it are still sealed.

    Raises:
        WireError: ``data`` is too large or no reply.
    """
    reply = codec.decode(_replies, data)
    if len(reply.places) not in (0, 1 + len(reply.envelopes)):
        raise WireError(codec.Reason.SCHEMA, "a place per envelope")
    return reply
