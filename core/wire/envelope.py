"""One group, sealed: sign bytes, ship bytes.

    envelope = [tag, header, signature, payload]     msgpack; the last three are byte strings
    payload  = a group, or in a private swarm [tag, ciphertext of a group]
    header   = [tag, version, swarm, author, round, slot, sequence, time, SHA-256 of the payload]
    signed   = DOMAIN + header                       Ed25519, by ``author``

Header and payload travel as the very bytes that were signed and are never encoded again, so no
two implementations have to agree on one canonical form. A hub hands on ``Envelope.data`` as it
came. What the payload says is read by ``core.wire.codec``.
"""

import hashlib
from dataclasses import dataclass

import msgspec

from core.errors import WireError
from core.rollouts.types import PeerId, RolloutGroup
from core.wire import codec
from core.wire.identity import Identity, is_signed_by
from core.wire.secrecy import SwarmKeys, is_private

DOMAIN = b"waggle/envelope/1\x00"
"""Put before the header when signing: a signature made here means nothing elsewhere."""


class Header(codec.WireMessage, frozen=True, tag="head"):
    """The header of an envelope, which the author signs."""

    version: codec.ProtocolVersion
    swarm: codec.SwarmName
    author: codec.Bytes32
    round: codec.RoundNumber
    slot: codec.Slot  # place within the round
    sequence: codec.Sequence63  # grows with every envelope of an author
    time: codec.UnixSeconds  # when it was sealed
    payload_sha256: codec.Bytes32


class _Sealed(codec.WireMessage, frozen=True, tag="seal"):
    header: bytes
    signature: codec.Bytes64
    payload: bytes


class _Box(codec.WireMessage, frozen=True, tag="box"):
    """A payload that only members of a private swarm can read."""

    sealed: bytes


_boxes = msgspec.msgpack.Decoder(_Box)
_headers = msgspec.msgpack.Decoder(Header)
_sealed = msgspec.msgpack.Decoder(_Sealed)


@dataclass(frozen=True, slots=True)
class Stamp:
    """The fields of an envelope beside the group."""

    swarm: str
    ruleset: str  # which puzzles the group is about
    slot: int
    sequence: int
    time: float  # unix seconds
    keys: SwarmKeys | None = None  # of a private swarm


@dataclass(frozen=True, slots=True)
class Envelope:
    """An envelope whose header, signature and payload digest were checked."""

    header: Header
    payload: bytes
    data: bytes  # the whole envelope as it came

    @property
    def author(self) -> PeerId:
        """The public key that signed it."""
        return PeerId(self.header.author.hex())

    def read(self, keys: SwarmKeys | None = None) -> tuple[str, RolloutGroup]:
        """Ruleset and group; ``keys`` are those of the swarm, if it is private.

        Raises:
            WireError: the author signed something that is no group, or no member made it.
        """
        payload = self.payload
        if is_private(self.header.swarm):
            box = codec.decode(_boxes, payload)
            if keys is None:
                raise WireError(codec.Reason.MEMBER, "the secret is not known here")
            payload = keys.decrypt(box.sealed, self.header.author, self.header.sequence)
            try:
                return codec.decode_group(payload, self.author, self.header.round)
            except WireError as error:  # no hub could have seen it
                raise WireError(codec.Reason.MEMBER, str(error)) from error
        return codec.decode_group(payload, self.author, self.header.round)

    def check_payload(self) -> None:
        """Check that the payload is a group, or in a private swarm may be one.

        Raises:
            WireError: the author signed something else.
        """
        if is_private(self.header.swarm):
            codec.decode(_boxes, self.payload)
        else:
            self.read()


def seal(identity: Identity, group: RolloutGroup, stamp: Stamp) -> bytes:
    """Sign ``group`` with ``identity`` and pack it for shipping.

    Raises:
        WireError: group or stamp break a limit, so that no peer would accept them.
    """
    _check_keys(stamp)
    author = bytes.fromhex(identity.peer_id)
    payload = codec.encode_group(group, stamp.ruleset)
    if stamp.keys is not None:
        payload = codec.encode(_Box(stamp.keys.encrypt(payload, author, stamp.sequence)))
    header = codec.encode(
        Header(
            version=codec.PROTOCOL,
            swarm=stamp.swarm,
            author=author,
            round=group.round,
            slot=stamp.slot,
            sequence=stamp.sequence,
            time=int(stamp.time),
            payload_sha256=hashlib.sha256(payload).digest(),
        )
    )
    codec.decode(_headers, header)
    data = codec.encode(_Sealed(header, identity.sign(DOMAIN + header), payload))
    if len(data) > codec.MAX_ENVELOPE_BYTES:
        raise WireError(codec.Reason.SIZE, f"{len(data)} bytes")
    return data


def open_envelope(data: bytes, swarm: str, now: float | None) -> Envelope:
    """Check everything about an envelope but its payload's meaning; cheap checks come first.

    ``now`` is in unix seconds; None: it may be of any time.

    Raises:
        WireError: it is too large or malformed, of another version or swarm, too old or from the
            future at ``now``, altered, or not signed by the author it names.
    """
    sealed = codec.decode(_sealed, data, codec.MAX_ENVELOPE_BYTES)
    header = codec.decode(_headers, sealed.header)
    if header.swarm != swarm:
        raise WireError(codec.Reason.SWARM, header.swarm)
    codec.check_fresh(header.version, header.time, header.time if now is None else now)
    if hashlib.sha256(sealed.payload).digest() != header.payload_sha256:
        raise WireError(codec.Reason.DIGEST)
    if not is_signed_by(header.author, sealed.signature, DOMAIN + sealed.header):
        raise WireError(codec.Reason.SIGNATURE)
    return Envelope(header, sealed.payload, data)


def _check_keys(stamp: Stamp) -> None:
    """Check that nothing private leaves in the clear, nor under keys that its readers lack.

    Raises:
        WireError: swarm and keys do not belong together.
    """
    if stamp.keys is None and is_private(stamp.swarm):
        raise WireError(codec.Reason.MEMBER, "the secret is not known here")
    if stamp.keys is not None and stamp.keys.swarm != stamp.swarm:
        raise WireError(codec.Reason.SWARM, f"{stamp.swarm} has other keys")


def open_own(data: bytes) -> Envelope:
    """Read an envelope that was sealed and kept here; nothing is checked but its form.

    Raises:
        WireError: it is malformed.
    """
    sealed = codec.decode(_sealed, data)
    return Envelope(codec.decode(_headers, sealed.header), sealed.payload, data)
