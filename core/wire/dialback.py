"""Whether others can reach a node: it asks a hub to ring it back.

The hub dials the address that the request came from and nothing else, shakes hands, and says whom
it met. Whoever is behind a router that lets nobody in learns it here, before advertising itself.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.wire.codec import MAX_DIALBACK_BYTES, WireMessage, decode, encode

MEDIA_TYPE = "application/vnd.waggle.dialback"


class DialbackRequest(WireMessage, frozen=True, tag="dial"):
    """Ring me back."""

    port: Annotated[int, Meta(ge=1, le=65_535)]


class DialbackReply(WireMessage, frozen=True, tag="dialed"):
    """Whom the hub met there."""

    host: Annotated[str, Meta(max_length=64)]  # the asker's address as the hub sees it
    peer: Annotated[bytes, Meta(max_length=32)]  # public key of who answered; empty: nobody


_requests = msgspec.msgpack.Decoder(DialbackRequest)
_replies = msgspec.msgpack.Decoder(DialbackReply)


def encode_dialback(message: DialbackRequest | DialbackReply) -> bytes:
    """A request or reply as bytes."""
    return encode(message)


def decode_dialback_request(data: bytes) -> DialbackRequest:
    """Read what a node asks.

    Raises:
        WireError: ``data`` is too large or no request.
    """
    return decode(_requests, data, MAX_DIALBACK_BYTES)


def decode_dialback_reply(data: bytes) -> DialbackReply:
    """Read what a hub answers.

    Raises:
        WireError: ``data`` is too large or no reply.
    """
    return decode(_replies, data, MAX_DIALBACK_BYTES)
