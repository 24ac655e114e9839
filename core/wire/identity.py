"""The identity of a node: an Ed25519 key, made at first start, that never leaves the machine."""

from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from core.errors import HomeError
from core.i18n import translatable
from core.paths import explain_os_error
from core.rollouts.types import PeerId
from core.storage.files import (
    add,
    draft_beside,
    flush_folder,
    move,
    read_bounded,
    replace_file,
)

_MAX_FILE_BYTES = 4_096

_PRIME = 2**255 - 19
_Y_OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_Y_OF_SMALL_ORDER = frozenset({0, 1, _PRIME - 1, _Y_OF_ORDER_8, _PRIME - _Y_OF_ORDER_8})
"""The y of all points whose order divides 8; each but 1 and -1 with two x."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A private key and the peer id that belongs to it."""

    key: Ed25519PrivateKey
    peer_id: PeerId

    @classmethod
    def of(cls, key: Ed25519PrivateKey) -> "Identity":
        """The identity that ``key`` makes."""
        return cls(key, PeerId(key.public_key().public_bytes_raw().hex()))

    @classmethod
    def generate(cls) -> "Identity":
        """A new identity, kept nowhere."""
        return cls.of(Ed25519PrivateKey.generate())

    def sign(self, message: bytes) -> bytes:
        """The 64-byte signature of ``message``."""
        return self.key.sign(message)

    def __repr__(self) -> str:
        return f"Identity({self.peer_id})"


def is_key(public_key: bytes) -> bool:
    """Whether ``public_key`` may be somebody's: 32 bytes, canonical, and no point of small order.

    Anybody can sign for a point of small order, and one signature of theirs fits about every
    message (Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs", 2020, section 3); RFC 8032
    leaves it to the verifier to refuse them.
    """
    y = int.from_bytes(public_key, "little") & (2**255 - 1)  # the last bit is the sign of x
    return len(public_key) == 32 and y < _PRIME and y not in _Y_OF_SMALL_ORDER  # noqa: PLR2004 - of Ed25519


def is_signed_by(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether ``signature`` of ``message`` was made with the private half of ``public_key``."""
    if not is_key(public_key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_or_create_identity(path: Path) -> Identity:
    """The identity kept at ``path``; made there at first start, readable by its owner only.

    Of several processes that make one at the same time, all get that of the first.

    Raises:
        HomeError: the file cannot be read or written, or holds no such key.
    """
    try:
        return _load(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise explain_os_error(error, path) from error
    try:
        with draft_beside(path) as draft:
            save_identity(Identity.generate(), draft)
            _give_name(draft, path)
        flush_folder(path.parent)
        return _load(path)
    except OSError as error:
        raise explain_os_error(error, path) from error


def read_identity(path: Path) -> Identity:
    """The identity kept at ``path``, or in a backup; text before the key is passed over.

    Raises:
        ValueError: the file holds no such key.
        OSError: it cannot be read.
    """
    data = read_bounded(path, _MAX_FILE_BYTES)
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except Exception as error:  # a flipped bit raises anything, down to InternalError
        raise ValueError("no key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("a key of another kind")  # noqa: TRY004 - of the file, not of a type here
    return Identity.of(key)


def save_identity(identity: Identity, path: Path) -> None:
    """Write the key in one step: a crash leaves the old file or the new one, 0600.

    Raises:
        HomeError: it cannot be written.
    """
    replace_file(path, pem_of(identity))


def pem_of(identity: Identity) -> bytes:
    """The private key as it is kept in files."""
    return identity.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _give_name(draft: Path, path: Path) -> None:
    """Keep ``draft`` as ``path``, unless somebody else was quicker.

    Raises:
        OSError: it cannot be done.
    """
    try:
        add(draft, path)
    except FileExistsError:
        return
    except OSError:  # where a file has one name, as on a memory stick
        move(draft, path)


def _load(path: Path) -> Identity:
    try:
        identity = read_identity(path)
    except ValueError as error:
        raise HomeError(
            translatable(
                "The identity of this node, {}, is damaged. "
                "Put a backup in its place, or delete it to start as somebody new.",
                path,
            )
        ) from error
    path.chmod(0o600)  # a restored backup may have come with looser rights
    return identity
