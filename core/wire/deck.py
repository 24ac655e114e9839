"""Decks on their way by hubs: as they are in an open swarm, sealed in a private one.

    swarm     name at a hub                     bytes at a hub
    open      SHA-256 of the deck               the deck
    private   derived from secret and SHA-256   ``SealedDeck``

A hub checks that bytes belong to their name, or that a member says so, before it keeps them, and
whoever receives them checks them again. Sealing leaves nothing to chance, so any member makes the
very bytes that another left: what a hub has lost, anybody can bring back.
"""

import hashlib
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.decks.limits import MAX_DECK_BYTES
from core.errors import WireError
from core.wire import codec
from core.wire.exchange import MembershipProof
from core.wire.secrecy import SwarmKeys, check_voucher, is_private

DOMAIN: Final = b"waggle/deck/1\x00"
MEDIA_TYPE: Final = "application/vnd.waggle.deck"

_LEAST_STEP: Final = 1_024
_KEPT_BITS: Final = 5
"""Of a deck's size; the rest is padded away, so that it tells little of which deck it is."""


class SealedDeck(codec.WireMessage, frozen=True, tag="deck"):
    """A deck of a private swarm, and a member's word for it."""

    key: codec.Bytes32  # public, of the members; it names the swarm
    proof: codec.Bytes64  # over the name at the hub and the SHA-256 of ``sealed``
    sealed: Annotated[bytes, Meta(max_length=codec.MAX_PACKED_DECK_BYTES)]


_sealed = msgspec.msgpack.Decoder(SealedDeck)


def deck_name(keys: SwarmKeys | None, digest: bytes) -> str:
    """What hubs call the deck with the SHA-256 ``digest``; ``keys`` are those of the swarm."""
    return digest.hex() if keys is None else keys.deck_name(digest)


def pack_deck(keys: SwarmKeys | None, data: bytes) -> bytes:
    """What a hub is given of the deck ``data``; the same every time."""
    if keys is None:
        return data
    digest = hashlib.sha256(data).digest()
    sealed = keys.encrypt_deck(_padded(data), digest)
    vouched = keys.vouch(_statement(keys.deck_name(digest), sealed))
    return codec.encode(SealedDeck(vouched.key, vouched.proof, sealed))


def unpack_deck(keys: SwarmKeys | None, digest: bytes, packed: bytes) -> bytes:
    """The deck with the SHA-256 ``digest`` that a hub handed out as ``packed``.

    Raises:
        WireError: it is something else.
    """
    data = packed
    if keys is not None:
        data = keys.decrypt_deck(_read(packed).sealed, digest).rstrip(b"\0")
    if hashlib.sha256(data).digest() != digest:
        raise WireError(codec.Reason.DIGEST)
    return data


def check_packed(swarm: str, name: str, packed: bytes) -> None:
    """Check that ``packed`` may be kept as ``name`` in ``swarm``; it need not be a deck.

    Raises:
        WireError: in an open swarm, the name is of other bytes; in a private one, no member says
            that it is of these; or it is larger than it may be there.
    """
    if is_private(swarm):
        deck = _read(packed)
        vouched = MembershipProof(deck.key, deck.proof)
        check_voucher(swarm, vouched, _statement(name, deck.sealed))
    elif len(packed) > MAX_DECK_BYTES:
        raise WireError(codec.Reason.SIZE)
    elif hashlib.sha256(packed).hexdigest() != name:
        raise WireError(codec.Reason.DIGEST)


def _read(packed: bytes) -> SealedDeck:
    return codec.decode(_sealed, packed, codec.MAX_PACKED_DECK_BYTES)


def _statement(name: str, sealed: bytes) -> bytes:
    return DOMAIN + bytes.fromhex(name) + hashlib.sha256(sealed).digest()


def _padded(data: bytes) -> bytes:
    """``data`` and zero bytes, with which no deck ends: at most a sixteenth more, or 1,023."""
    step = max(_LEAST_STEP, 1 << max(0, len(data).bit_length() - _KEPT_BITS))
    return data + bytes(-len(data) % step)
