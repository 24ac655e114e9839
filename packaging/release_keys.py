"""The private keys of an update source; see docs/updates.md."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from securesystemslib.signer import CryptoSigner

PASSPHRASE: Final = "WAGGLE_KEY_PASSPHRASE"  # noqa: S105 - where it is found, not what it is
"""The environment variable that keys are locked and opened with; without it they lie open."""


class ReleaseError(Exception):
    """It cannot be done; the text says why."""


@dataclass(frozen=True)
class Keys:
    """The private keys of some folders, as ``role-number.pem``; not all have to be at hand."""

    folders: Sequence[Path]

    def save(self, role: str, key: Ed25519PrivateKey) -> None:
        """Keep a new key for ``role`` in the first folder, for its owner's eyes only."""
        self.folders[0].mkdir(parents=True, exist_ok=True, mode=0o700)
        found = [path for folder in self.folders for path in folder.glob(f"{role}-*.pem")]
        number = 1 + max((int(path.stem.rpartition("-")[2]) for path in found), default=0)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, _lock())
        path = self.folders[0] / f"{role}-{number}.pem"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)

    def signers(self) -> dict[str, CryptoSigner]:
        """All that are at hand, by the id of their public halves."""
        found = {}
        for folder in self.folders:
            for path in sorted(folder.glob("*.pem")):
                signer = CryptoSigner(_open_key(path))
                found[signer.public_key.keyid] = signer
        return found


def _lock() -> KeySerializationEncryption:
    phrase = os.environ.get(PASSPHRASE, "")
    return BestAvailableEncryption(phrase.encode()) if phrase else NoEncryption()


def _open_key(path: Path) -> Ed25519PrivateKey:
    phrase = os.environ.get(PASSPHRASE, "")
    try:
        key = load_pem_private_key(path.read_bytes(), phrase.encode() or None)
    except (TypeError, ValueError) as error:
        raise ReleaseError(f"{path} cannot be opened ({error}). Is {PASSPHRASE} right?") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ReleaseError(f"{path} is no Ed25519 key")
    return key
