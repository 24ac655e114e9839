"""Private swarms: what follows from an invite's secret.

    secret (32 random bytes)
    ├── member key    Ed25519; its public half names the swarm on the wire, so a hub can see that
    │                 somebody knows the secret without knowing it
    ├── box key       one per author, ChaCha20-Poly1305: hubs and strangers see ciphertext
    ├── deck key      one per deck, likewise
    └── deck name     one per deck: what a hub calls it, and nobody else can tell which it is

All are derived by HKDF-SHA256. Whoever holds the secret is a member; there is nobody above the
members. To leave somebody out, make a new secret: see ``core.wire.invite``.
"""

import hashlib
import re
import secrets
from functools import cached_property

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.errors import WireError
from core.wire.codec import Reason
from core.wire.exchange import MembershipProof
from core.wire.identity import Identity, is_signed_by

SECRET_BYTES = 32
NONCE_BYTES = 12
_MEMBER = b"waggle/member/1\x00"
_NAME = b"waggle/private/1\x00"
_PRIVATE = re.compile(r"p-[0-9a-f]{32}", re.ASCII)


class SwarmKeys:
    """The keys of one private swarm."""

    def __init__(self, secret: bytes) -> None:
        """Derive them from an invite's ``secret``.

        Raises:
            ValueError: it is not ``SECRET_BYTES`` long.
        """
        if len(secret) != SECRET_BYTES:
            raise ValueError("a swarm's secret has 32 bytes")
        self._secret = secret

    @cached_property
    def _member(self) -> Identity:
        return Identity.of(Ed25519PrivateKey.from_private_bytes(self._derive(b"member")))

    @cached_property
    def swarm(self) -> str:
        """The swarm's name on the wire."""
        return _name_of(bytes.fromhex(self._member.peer_id))

    def membership(self, author: bytes) -> MembershipProof:
        """Proof that ``author`` (a public key) knows the secret; good for this author only."""
        return self.vouch(_MEMBER + author)

    def encrypt(self, payload: bytes, author: bytes, sequence: int) -> bytes:
        """Nonce and ciphertext of ``payload``, bound to its author and sequence.

        Raises:
            WireError: the sequence is none.
        """
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._box(author).encrypt(nonce, payload, self._bound(sequence))

    def decrypt(self, sealed: bytes, author: bytes, sequence: int) -> bytes:
        """The payload that ``encrypt`` sealed.

        Raises:
            WireError: no member made it, or made it for another author or sequence.
        """
        try:
            return self._box(author).decrypt(
                sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], self._bound(sequence)
            )
        except (InvalidTag, ValueError) as error:
            raise WireError(Reason.MEMBER, "cannot be decrypted") from error

    def deck_name(self, digest: bytes) -> str:
        """What hubs call the deck with the SHA-256 ``digest``, in 64 hex digits."""
        return self._derive(b"deckname" + digest).hex()

    def encrypt_deck(self, content: bytes, digest: bytes) -> bytes:
        """Ciphertext of ``content``, which follows from the deck with ``digest`` alone.

        Any two members make the same bytes of the same deck. The nonce is always the same, and may
        be: the key is this deck's alone, so that it never encrypts anything else, unless somebody
        finds two decks with one SHA-256.
        """
        return self._deck_box(digest).encrypt(bytes(NONCE_BYTES), content, self._deck_bound(digest))

    def decrypt_deck(self, sealed: bytes, digest: bytes) -> bytes:
        """What ``encrypt_deck`` sealed.

        Raises:
            WireError: no member made it, or made it of another deck.
        """
        try:
            return self._deck_box(digest).decrypt(
                bytes(NONCE_BYTES), sealed, self._deck_bound(digest)
            )
        except (InvalidTag, ValueError) as error:
            raise WireError(Reason.MEMBER, "cannot be decrypted") from error

    def vouch(self, statement: bytes) -> MembershipProof:
        """Proof that somebody who knows the secret made ``statement``, its domain in front."""
        proof = self._member.sign(statement)
        return MembershipProof(bytes.fromhex(self._member.peer_id), proof)

    def _deck_box(self, digest: bytes) -> ChaCha20Poly1305:
        return ChaCha20Poly1305(self._derive(b"deck" + digest))

    def _deck_bound(self, digest: bytes) -> bytes:
        return self.swarm.encode() + digest

    def _box(self, author: bytes) -> ChaCha20Poly1305:
        # A key for each author: random nonces then never wear a key out.
        return ChaCha20Poly1305(self._derive(b"box" + author))

    def _bound(self, sequence: int) -> bytes:
        try:
            return self.swarm.encode() + sequence.to_bytes(8, "big")
        except OverflowError as error:
            raise WireError(Reason.SCHEMA, f"sequence {sequence}") from error

    def _derive(self, purpose: bytes) -> bytes:
        return HKDF(hashes.SHA256(), 32, salt=b"waggle/swarm/1", info=purpose).derive(self._secret)

    def __repr__(self) -> str:
        return f"SwarmKeys({self.swarm})"


def new_secret() -> bytes:
    """A secret for a swarm that nobody knows yet."""
    return secrets.token_bytes(SECRET_BYTES)


def is_private(swarm: str) -> bool:
    """Whether this wire name is that of a private swarm."""
    return _PRIVATE.fullmatch(swarm) is not None


def check_membership(swarm: str, author: bytes, membership: MembershipProof | None) -> None:
    """Check that ``author`` may take part in ``swarm``; anybody may in an open one.

    Raises:
        WireError: the swarm is private, and the proof is missing or wrong.
    """
    if not is_private(swarm):
        return
    if membership is None:
        raise WireError(Reason.MEMBER, "no proof")
    check_voucher(swarm, membership, _MEMBER + author)


def check_voucher(swarm: str, membership: MembershipProof, statement: bytes) -> None:
    """Check that a member of the private ``swarm`` made ``statement``, its domain in front.

    Raises:
        WireError: nobody did who knows the secret.
    """
    if _name_of(membership.key) != swarm:
        raise WireError(Reason.MEMBER, "of another swarm")
    if not is_signed_by(membership.key, membership.proof, statement):
        raise WireError(Reason.MEMBER, "wrong proof")


def _name_of(member_key: bytes) -> str:
    return f"p-{hashlib.sha256(_NAME + member_key).hexdigest()[:32]}"
