"""What a command of ``release_repository.py`` signs before it writes the first file."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from release_keys import ReleaseError
from securesystemslib.signer import CryptoSigner
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, Targets, Timestamp

LIFE_DAYS: Final = {"root": 730, "targets": 365, "snapshot": 30, "timestamp": 30}
KEYS_OF: Final = {"root": 3, "targets": 1, "snapshot": 1, "timestamp": 1}

AnySigned = TypeVar("AnySigned", Root, Targets, Snapshot, Timestamp)


@dataclass
class Draft:
    """What a command signs, and the keys that it makes: all in memory, in the order of writing."""

    root: Root
    signers: dict[str, CryptoSigner]
    now: datetime
    files: dict[str, bytes] = field(default_factory=dict)
    new_keys: list[tuple[str, Ed25519PrivateKey]] = field(default_factory=list)

    def make_keys(self, role: str) -> None:
        """Keys for ``role`` that the root names from now on."""
        for _ in range(KEYS_OF[role]):
            key = Ed25519PrivateKey.generate()
            signer = CryptoSigner(key)
            self.root.add_key(signer.public_key, role)
            self.signers[signer.public_key.keyid] = signer
            self.new_keys.append((role, key))

    def has_keys(self, role: str) -> bool:
        """Whether enough keys of ``role`` are at hand."""
        named = self.root.roles[role]
        return len(self.signers.keys() & set(named.keyids)) >= named.threshold

    def sign(self, role: str, metadata: Metadata[AnySigned], *judges: Root) -> MetaFile:
        """Sign with every key at hand that a judge names for ``role``; each must be satisfied.

        What comes back is what the list above says of this one: its version, length and SHA-256.

        Raises:
            ReleaseError: too few keys are at hand.
        """
        judges = judges or (self.root,)
        metadata.signed.expires = self.now + timedelta(days=LIFE_DAYS[role])
        metadata.signatures.clear()
        for keyid in {keyid for judge in judges for keyid in judge.roles[role].keyids}:
            if keyid in self.signers:
                metadata.sign(self.signers[keyid], append=True)
        for judge in judges:
            if not is_signed(role, metadata, judge):
                raise ReleaseError(
                    f"{role} needs {judge.roles[role].threshold} of its keys, and not so many are "
                    "in the folders that --keys names. Nothing was changed in the repository."
                )
        name = "timestamp.json" if role == "timestamp" else f"{metadata.signed.version}.{role}.json"
        data = self.files[name] = metadata.to_bytes()
        if role == "root":
            self.files["root.json"] = data
        return MetaFile.from_data(metadata.signed.version, data, ["sha256"])


def is_signed(role: str, metadata: Metadata[AnySigned], judge: Root) -> bool:
    """Whether enough of the keys that ``judge`` names for ``role`` have signed it."""
    try:
        judge.verify_delegate(role, metadata.signed_bytes, metadata.signatures)
    except UnsignedMetadataError:
        return False
    return True
