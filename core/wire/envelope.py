"""One group, sealed: sign bytes, ship bytes.

    envelope = [tag, header, signature, payload]     msgpack; the last three are byte strings
    header   = [tag, version, swarm, author, round, slot, sequence, time, SHA-256 of the payload]
    signed   = DOMAIN + header                       Ed25519, by ``author``

Header and payload travel as the very bytes that were signed and are never encoded again, so no
two implementations have to agree on one canonical form. A hub hands on ``Envelope.data`` as it
came. What the payload says is read by ``core.wire.codec``.
"""

import hashlib
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from core.errors import WireError
from core.rollouts.types import PeerId, RolloutGroup
from core.wire.codec import (
    CLOCK_WINDOW_S,
    MAX_ENVELOPE_BYTES,
    Message,
    Reason,
    RoundNumber,
    Sequence63,
    Slot,
    SwarmName,
    UnixSeconds,
    decode,
    decode_group,
    encode,
    encode_group,
)
from core.wire.identity import KEY_BYTES, SIGNATURE_BYTES, Identity, is_signed_by

VERSION = 1
DOMAIN = b"waggle/envelope/1\x00"
"""Put before the header when signing: a signature made here means nothing elsewhere."""

Bytes32 = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]


class Header(Message, frozen=True, tag="head"):
    """What the author vouches for."""

    version: Annotated[int, Meta(ge=0, le=2**16)]
    swarm: SwarmName
    author: Bytes32
    round: RoundNumber
    slot: Slot  # place within the round
    sequence: Sequence63  # grows with every envelope of an author
    time: UnixSeconds  # when it was sealed
    payload_sha256: Bytes32


class _Sealed(Message, frozen=True, tag="seal"):
    header: bytes
    signature: Annotated[bytes, Meta(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)]
    payload: bytes


_headers = msgspec.msgpack.Decoder(Header)
_sealed = msgspec.msgpack.Decoder(_Sealed)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What goes on an envelope beside the group."""

    swarm: str
    ruleset: str  # which puzzles the group is about
    slot: int
    sequence: int
    time: float  # unix seconds


@dataclass(frozen=True, slots=True)
class Envelope:
    """An envelope whose header, signature and payload digest were checked."""

    header: Header
    payload: bytes
    data: bytes  # the whole envelope as it came

    @property
    def author(self) -> PeerId:
        """Who signed it."""
        return PeerId(self.header.author.hex())

    def read(self) -> tuple[str, RolloutGroup]:
        """Ruleset and group.

        Raises:
            WireError: the author signed something that is no group.
        """
        return decode_group(self.payload, self.author, self.header.round)


def seal(identity: Identity, group: RolloutGroup, stamp: Stamp) -> bytes:
    """Sign ``group`` with ``identity`` and pack it for shipping.

    Raises:
        WireError: group or stamp break a limit, so that no peer would accept them.
    """
    payload = encode_group(group, stamp.ruleset)
    header = encode(
        Header(
            version=VERSION,
            swarm=stamp.swarm,
            author=bytes.fromhex(identity.peer_id),
            round=group.round,
            slot=stamp.slot,
            sequence=stamp.sequence,
            time=int(stamp.time),
            payload_sha256=hashlib.sha256(payload).digest(),
        )
    )
    decode(_headers, header)
    data = encode(_Sealed(header, identity.sign(DOMAIN + header), payload))
    _check_size(data)
    return data


def open_envelope(data: bytes, swarm: str, now: float) -> Envelope:
    """Check everything about an envelope but its payload's meaning; cheap checks come first.

    Raises:
        WireError: it is too large or malformed, of another version or swarm, too old or from the
            future at ``now`` (unix seconds), altered, or not signed by the author it names.
    """
    _check_size(data)
    sealed = decode(_sealed, data)
    header = decode(_headers, sealed.header)
    if header.version != VERSION:
        raise WireError(Reason.VERSION, str(header.version))
    if header.swarm != swarm:
        raise WireError(Reason.SWARM, header.swarm)
    if abs(now - header.time) > CLOCK_WINDOW_S:
        raise WireError(Reason.CLOCK, f"{header.time - now:+.0f} s")
    if hashlib.sha256(sealed.payload).digest() != header.payload_sha256:
        raise WireError(Reason.DIGEST)
    if not is_signed_by(header.author, sealed.signature, DOMAIN + sealed.header):
        raise WireError(Reason.SIGNATURE)
    return Envelope(header, sealed.payload, data)


def _check_size(data: bytes) -> None:
    if len(data) > MAX_ENVELOPE_BYTES:
        raise WireError(Reason.SIZE, f"{len(data)} bytes")
