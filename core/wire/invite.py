"""An invite: all that somebody needs to take part in a swarm, as one link.

    waggle://join/ + base64url(msgpack of ``Invite`` + first 4 bytes of its SHA-256), unpadded

The checksum catches a link that was cut or mistyped; it proves nothing. A link with a secret *is*
the membership: whoever has it can read along. To leave somebody out, hand a renewed one to all
others.
"""

import base64
import binascii
import hashlib
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.errors import UsageError, WireError
from core.i18n import translatable
from core.rollouts.types import PeerId
from core.wire import codec
from core.wire.identity import is_key
from core.wire.secrecy import SECRET_BYTES, SwarmKeys, is_private, new_secret

VERSION: Final = 1
"""Of invites alone: a printed one is good for as long as its swarm, whatever else has changed."""

PREFIX: Final = "waggle://join/"
_CHECKSUM_BYTES: Final = 4
_ARRAY_OF_FIVE: Final = b"\x95"  # as msgpack begins it


class InvitedHub(codec.WireMessage, frozen=True, tag="at"):
    """A meeting point, and whom to find there."""

    url: Annotated[str, Meta(min_length=1, max_length=codec.MAX_URL_CHARS)]
    peer: Annotated[bytes, Meta(max_length=32)] = b""  # its public key, or empty


class Invite(codec.WireMessage, frozen=True, tag="invite"):
    """The content of an invite's link."""

    version: codec.ProtocolVersion
    name: codec.SwarmName  # as its members call it
    hubs: Annotated[tuple[InvitedHub, ...], Meta(max_length=codec.MAX_HUBS_IN_INVITE)] = ()
    secret: Annotated[bytes, Meta(max_length=SECRET_BYTES)] = b""  # empty: an open swarm
    decks: Annotated[  # what is practised, each by the SHA-256 of its bytes; where there are none,
        # what is built in, and this element is left out: see ``_encode``
        tuple[codec.Bytes32, ...],
        Meta(min_length=1, max_length=codec.MAX_DECKS_IN_INVITE),
    ] = ()

    @property
    def keys(self) -> SwarmKeys | None:
        """The keys of a private swarm; None if it is open."""
        return SwarmKeys(self.secret) if self.secret else None

    @property
    def swarm(self) -> str:
        """The swarm's name on the wire."""
        keys = self.keys
        return self.name if keys is None else keys.swarm

    def renewed(self) -> "Invite":
        """An invite to this swarm under a new secret, for those who stay."""
        return msgspec.structs.replace(self, secret=new_secret())


_invites = msgspec.msgpack.Decoder(Invite)


def write_invite(invite: Invite) -> str:
    """The link of ``invite``.

    Raises:
        UsageError: it breaks a limit, or is too long for a link.
    """
    try:
        data = _encode(invite)
        _check(codec.decode(_invites, data))
    except WireError as error:
        raise UsageError(
            translatable("This makes no invite ({}). Choose another name or address.", error)
        ) from error
    link = PREFIX + _to_text(data + _checksum(data))
    if len(link) > codec.MAX_LINK_CHARS:
        raise UsageError(
            translatable("The invite is too long for a link. Name fewer meeting points.")
        )
    return link


def read_invite(link: str) -> Invite:
    """The invite in ``link``.

    Raises:
        UsageError: it is no invite, was cut or mistyped, or is of another release.
    """
    link = link.strip()
    if not link.startswith(PREFIX) or len(link) > codec.MAX_LINK_CHARS:
        raise UsageError(
            translatable("This is no invite. One begins with {}; copy all of it.", PREFIX)
        )
    text = link.removeprefix(PREFIX).rstrip("/")
    try:
        padded = text + "=" * (-len(text) % 4)
        data = base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise _broken() from error
    if _to_text(data) != text:  # base64 has several spellings of the same bytes
        raise _broken()
    data, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    if checksum != _checksum(data):
        raise _broken()
    try:
        return _check(codec.decode(_invites, data))
    except WireError as error:
        raise UsageError(
            translatable(
                "This invite cannot be read by this release. Update Waggle, or ask for a new one."
            )
        ) from error


def read_swarm(text: str) -> Invite:
    """The swarm that a person names: the link of an invite, or the name of an open swarm.

    Raises:
        UsageError: it is neither.
    """
    if ":" in text:
        return read_invite(text)
    try:
        return _check(codec.decode(_invites, _encode(Invite(VERSION, text))))
    except WireError as error:
        raise UsageError(
            translatable(
                "{} is no name of a swarm. Use up to 40 small letters, digits and hyphens, "
                "such as meadow, or an invite that begins with {}.",
                f"{text!r}",
                PREFIX,
            )
        ) from error


def peer_of(hub: InvitedHub) -> PeerId | None:
    """Whom the invite says is there; None where it does not say."""
    return PeerId(hub.peer.hex()) if hub.peer else None


def _check(invite: Invite) -> Invite:
    """Check what types cannot say.

    Raises:
        WireError: a rule is broken.
    """
    if invite.version != VERSION:
        raise WireError("version", str(invite.version))
    if len(invite.secret) not in (0, SECRET_BYTES):
        raise WireError("schema", "a secret has 32 bytes")
    if not all(is_key(hub.peer) for hub in invite.hubs if hub.peer):
        raise WireError("schema", "a hub's public key is none")
    if is_private(invite.name):
        raise WireError("schema", "this name belongs to a private swarm")
    if len(set(invite.decks)) < len(invite.decks):
        raise WireError("schema", "a deck is named twice")
    return invite


def _encode(invite: Invite) -> bytes:
    """The bytes of ``invite``; without decks those that it had before there were any.

    So earlier releases read it, and a printed link stays the same. One with decks has an element
    more than they know, and they say that Waggle has to be updated.

    Raises:
        WireError: a text of it is not valid Unicode.
    """
    data = codec.encode(invite)
    if invite.decks:
        return data
    return _ARRAY_OF_FIVE + data[1:-1]  # an array of six, whose last element is an empty one


def _to_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_CHECKSUM_BYTES]


def _broken() -> UsageError:
    return UsageError(
        translatable("This invite was cut or mistyped. Copy all of it, from waggle:// to the end.")
    )
