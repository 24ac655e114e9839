"""What a hub says of places: which are alike, and nothing else.

A node bounds what one place may give to its updates, and so must know what came from one. An
address is nobody's business, so whoever asks is told a label instead, which looks different to each
and the same in every round of a day, so that nobody can follow who shares a place for longer. All
processes of a hub that share its identity agree on them.
"""

import hashlib
import hmac
from typing import Final

from core.wire.codec import PLACE_BYTES
from core.wire.identity import Identity

LABEL_LIFE_S: Final = 86_400.0
"""Far longer than a group waits in anybody's pool."""

_DOMAIN = b"waggle/places/1\x00"


class Labels:
    """Labels of one hub."""

    def __init__(self, identity: Identity) -> None:
        # Signatures of Ed25519 are the same each time, and this one is never shown to anybody.
        self._key = hashlib.sha256(identity.sign(_DOMAIN)).digest()

    def kept(self, place: str) -> str:
        """What a store remembers of ``place``: hex digits that do not tell the address."""
        return self._label(place.encode()).hex()

    def told(self, asker: bytes, kept: str, now: float) -> bytes:
        """What ``asker``, by its public key, is told of a place that is ``kept`` so; unix time."""
        day = int(now // LABEL_LIFE_S)
        return self._label(asker + day.to_bytes(8, "big") + kept.encode())

    def _label(self, what: bytes) -> bytes:
        return hmac.digest(self._key, what, "sha256")[:PLACE_BYTES]
