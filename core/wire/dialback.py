"""Whether others can reach a node: it asks a hub to ring it back.

The hub dials the address that the request came from and nothing else, shakes hands, and says whom
it met. Whoever is behind a router that lets nobody in learns it here, before advertising itself.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta

from core.wire.codec import MAX_DIALBACK_BYTES, WireMessage, decode

MEDIA_TYPE = "application/vnd.waggle.dialback"


class DialbackRequest(WireMessage, frozen=True, tag="dial"):
    """A node's request that the hub connect back to ``port``."""

    port: Annotated[int, Meta(ge=1, le=65_535)]


class DialbackReply(WireMessage, frozen=True, tag="dialed"):
    """The public key that answered when the hub connected back."""

    host: Annotated[str, Meta(max_length=64)]  # the asker's address as the hub sees it
    peer: Annotated[bytes, Meta(max_length=32)]  # public key of who answered; empty: nobody


decode_dialback_request: Callable[[bytes], DialbackRequest] = partial(
    decode, msgspec.msgpack.Decoder(DialbackRequest), most_bytes=MAX_DIALBACK_BYTES
)
"""Reads what a node asks; raises WireError where it is too large or no request."""

decode_dialback_reply: Callable[[bytes], DialbackReply] = partial(
    decode, msgspec.msgpack.Decoder(DialbackReply), most_bytes=MAX_DIALBACK_BYTES
)
"""Reads what a hub answers; raises WireError where it is too large or no reply."""
