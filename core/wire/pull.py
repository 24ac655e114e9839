"""Messages between two nodes: a signed request, and a reply with the server's own envelopes.

The server is known by its certificate, whose key is its identity; the client proves its own by
signing whom it asks, when, and a nonce, so that a request passed on elsewhere is worth nothing.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from core.errors import WireError
from core.wire import codec
from core.wire.exchange import Batch, MembershipProof, Receipts
from core.wire.hello import NONCE_BYTES
from core.wire.signed import SignedKind

DOMAIN = b"waggle/pull/1\x00"
MEDIA_TYPE = "application/vnd.waggle.pull"


class Pull(codec.WireMessage, frozen=True, tag="pull"):
    """``asker`` wants some of what ``server`` tried lately."""

    version: codec.ProtocolVersion
    swarm: codec.SwarmName
    asker: codec.Bytes32
    server: codec.Bytes32
    time: codec.UnixSeconds
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
    want: Annotated[int, Meta(ge=0, le=codec.MAX_EXCHANGE_ENVELOPES)]
    receipts: Receipts = ()  # for the server
    membership: MembershipProof | None = None  # of a private swarm


class PullReply(codec.WireMessage, frozen=True, tag="hand"):
    """Envelopes that the server itself sealed."""

    envelopes: Batch


_pulls = SignedKind(Pull, DOMAIN, codec.MAX_PULL_BYTES)
seal_pull = _pulls.seal
"""Signs a ``Pull`` as its asker; raises WireError where that breaks a limit."""


def open_pull(data: bytes, swarm: str, server: bytes, now: float) -> Pull:
    """Check who asks; whether the nonce was used before is the caller's to remember.

    Raises:
        WireError: it is malformed, of another version or swarm, meant for another server, made at
            another time than ``now`` (unix seconds), or not signed by the asker.
    """
    pull, body, signature = _pulls.read(data)
    if pull.swarm != swarm:
        raise WireError(codec.Reason.SWARM, pull.swarm)
    if pull.server != server:
        raise WireError(codec.Reason.REPLAYED, "meant for another")
    codec.check_fresh(pull.version, pull.time, now)
    _pulls.check(pull.asker, body, signature)
    return pull


decode_pull_reply: Callable[[bytes], PullReply] = partial(
    codec.decode, msgspec.msgpack.Decoder(PullReply)
)
"""Reads what a node hands out, still sealed; raises WireError where it is too large or none."""
