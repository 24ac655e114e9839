"""Proof of who answers at an address: the asker's nonce, signed by whoever is there.

Addresses come from strangers (the DHT, invites, other nodes). Before one is used, it is asked for
its hello; a recording of an old one has the wrong nonce.
"""

from typing import Annotated, Literal

from msgspec import Meta

from core.errors import WireError
from core.rollouts.types import PeerId
from core.wire import codec
from core.wire.signed import SignedKind

DOMAIN = b"waggle/hello/1\x00"
MEDIA_TYPE = "application/vnd.waggle.hello"
NONCE_BYTES = 16

Kind = Literal["hub", "node"]


class Hello(codec.WireMessage, frozen=True, tag="hello"):
    """The signed self-description of whoever answers at an address."""

    version: codec.ProtocolVersion
    kind: Kind
    peer: codec.Bytes32
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
    time: codec.UnixSeconds
    swarms: Annotated[  # what a node takes part in; a hub that is open to all names none
        tuple[codec.SwarmName, ...], Meta(max_length=codec.MAX_SWARMS_IN_HELLO)
    ]
    url: Annotated[
        str, Meta(max_length=codec.MAX_URL_CHARS)
    ]  # where it wants to be asked; "": here

    @property
    def peer_id(self) -> PeerId:
        """The public key that signed it."""
        return PeerId(self.peer.hex())


_kind = SignedKind(Hello, DOMAIN, codec.MAX_HELLO_BYTES)
seal_hello = _kind.seal
"""Signs a ``Hello`` as its peer; raises WireError where that breaks a limit."""


def open_hello(data: bytes, nonce: bytes) -> Hello:
    """Check that ``data`` answers ``nonce``, which alone shows that it is fresh.

    Its time is what the peer's clock says, right or wrong.

    Raises:
        WireError: it is malformed, of another version, for another nonce, or not signed by the
            peer that it names.
    """
    hello, body, signature = _kind.read(data)
    if hello.version != codec.PROTOCOL:
        raise WireError(codec.Reason.VERSION, str(hello.version))
    if hello.nonce != nonce:
        raise WireError(codec.Reason.REPLAYED)
    _kind.check(hello.peer, body, signature)
    return hello
