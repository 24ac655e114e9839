"""What one node asks another directly: a signed request, and what it hands out of its own.

The server is known by its certificate, whose key is its identity; the client proves its own by
signing whom it asks, when, and a nonce, so that a request passed on elsewhere is worth nothing.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.errors import WireError
from core.wire.codec import (
    MAX_EXCHANGE_ENVELOPES,
    MAX_PULL_BYTES,
    Bytes32,
    ProtocolVersion,
    Reason,
    SwarmName,
    UnixSeconds,
    WireMessage,
    check_fresh,
    decode,
    encode,
)
from core.wire.exchange import Batch, MembershipProof, Receipts
from core.wire.hello import NONCE_BYTES
from core.wire.identity import Identity
from core.wire.signed import SignedKind

DOMAIN = b"waggle/pull/1\x00"
MEDIA_TYPE = "application/vnd.waggle.pull"


class Pull(WireMessage, frozen=True, tag="pull"):
    """``asker`` wants some of what ``server`` tried lately."""

    version: ProtocolVersion
    swarm: SwarmName
    asker: Bytes32
    server: Bytes32
    time: UnixSeconds
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
    want: Annotated[int, Meta(ge=0, le=MAX_EXCHANGE_ENVELOPES)]
    receipts: Receipts = ()  # for the server
    membership: MembershipProof | None = None  # of a private swarm


class Handout(WireMessage, frozen=True, tag="hand"):
    """Envelopes that the server itself sealed."""

    envelopes: Batch


_pulls = SignedKind(Pull, DOMAIN, MAX_PULL_BYTES)
_handouts = msgspec.msgpack.Decoder(Handout)


def seal_pull(identity: Identity, pull: Pull) -> bytes:
    """Sign ``pull`` as its asker.

    Raises:
        WireError: it breaks a limit.
    """
    return _pulls.seal(identity, pull)


def open_pull(data: bytes, swarm: str, server: bytes, now: float) -> Pull:
    """Check who asks; whether the nonce was used before is the caller's to remember.

    Raises:
        WireError: it is malformed, of another version or swarm, meant for another server, made at
            another time than ``now`` (unix seconds), or not signed by the asker.
    """
    pull, body, signature = _pulls.read(data)
    if pull.swarm != swarm:
        raise WireError(Reason.SWARM, pull.swarm)
    if pull.server != server:
        raise WireError(Reason.REPLAYED, "meant for another")
    check_fresh(pull.version, pull.time, now)
    _pulls.check(pull.asker, body, signature)
    return pull


def encode_handout(handout: Handout) -> bytes:
    """A handout as bytes."""
    return encode(handout)


def decode_handout(data: bytes) -> Handout:
    """Read what a node hands out; the envelopes in it are still sealed.

    Raises:
        WireError: ``data`` is too large or no handout.
    """
    return decode(_handouts, data)
