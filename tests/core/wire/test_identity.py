"""Who a node is, and where that is kept."""

import base64
import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from core.errors import HomeError
from core.wire.identity import Identity, is_signed_by, load_or_create_identity


def test_an_identity_is_made_once_and_kept(tmp_path: Path) -> None:
    """The second start finds the first one's key, and no draft is left behind."""
    path = tmp_path / "identity"
    first = load_or_create_identity(path)
    assert load_or_create_identity(path).peer_id == first.peer_id
    assert [file.name for file in tmp_path.iterdir()] == ["identity"]


def test_a_peer_id_is_the_public_key() -> None:
    """64 hex characters, by which anybody can check a signature; no two are alike."""
    anne, bob = Identity.generate(), Identity.generate()
    assert len(anne.peer_id) == 64
    assert anne.peer_id != bob.peer_id
    signature = anne.sign(b"message")
    assert is_signed_by(bytes.fromhex(anne.peer_id), signature, b"message")
    assert not is_signed_by(bytes.fromhex(anne.peer_id), signature, b"massage")
    assert not is_signed_by(bytes.fromhex(bob.peer_id), signature, b"message")


def test_broken_keys_and_signatures_are_just_wrong() -> None:
    """No length or content of a stranger's key or signature raises."""
    for key in (b"", b"\0" * 32, b"\xff" * 32, b"x" * 33):
        for signature in (b"", b"\xff" * 64, b"x" * 65):
            assert not is_signed_by(key, signature, b"message")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits; the profile folder guards")
def test_the_key_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    """0600 from the start, and again after a careless restore of a backup."""
    path = tmp_path / "identity"
    load_or_create_identity(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    load_or_create_identity(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_damaged_key_is_explained_and_kept(tmp_path: Path) -> None:
    """Nobody becomes somebody new without being asked."""
    foreign = X25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = tmp_path / "identity"
    for content in (b"", b"not a key", os.urandom(10_000), foreign):
        path.write_bytes(content)
        with pytest.raises(HomeError, match=r"damaged.*backup"):
            load_or_create_identity(path)
        assert path.read_bytes() == content


@pytest.mark.parametrize(("byte", "flipped"), [(9, 1), (11, 1)])
def test_a_flipped_bit_is_damage_whatever_the_library_calls_it(
    tmp_path: Path, byte: int, flipped: int
) -> None:
    """A key of an unknown kind, or one that confuses OpenSSL, is no unexplained crash."""
    key = bytearray(
        Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    key[byte] ^= flipped
    body = base64.b64encode(key).decode()
    path = tmp_path / "identity"
    path.write_text(f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n")
    with pytest.raises(HomeError, match="damaged"):
        load_or_create_identity(path)


def test_a_home_that_cannot_be_used_is_explained(tmp_path: Path) -> None:
    """A folder in the key's place, or none around it, gives a sentence."""
    (tmp_path / "identity").mkdir()
    with pytest.raises(HomeError):
        load_or_create_identity(tmp_path / "identity")
    with pytest.raises(HomeError):
        load_or_create_identity(tmp_path / "missing" / "identity")


def test_the_private_key_is_not_printed() -> None:
    """An identity in a log line shows its public half only."""
    identity = Identity.generate()
    assert repr(identity) == f"Identity({identity.peer_id})"
