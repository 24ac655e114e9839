"""Who a node is, and where that is kept."""

import base64
import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from core.errors import HomeError
from core.wire.identity import Identity, is_key, is_signed_by, load_or_create_identity
from tests.posix import mode_of

IDENTITY_POINT = b"\1" + bytes(31)
FITS_ALL = IDENTITY_POINT + bytes(32)  # R is the same point, S is zero


def test_an_identity_is_made_once_and_kept(tmp_path: Path) -> None:
    """The second start finds the first one's key, and no draft is left behind."""
    path = tmp_path / "identity"
    first = load_or_create_identity(path)
    assert load_or_create_identity(path).peer_id == first.peer_id
    assert [file.name for file in tmp_path.iterdir()] == ["identity"]


def test_all_who_start_at_once_are_the_same(tmp_path: Path) -> None:
    """Eight at a time in a fresh home: one key is made, and everybody has it."""
    for number in range(20):
        path, start = tmp_path / str(number) / "identity", threading.Barrier(8)
        path.parent.mkdir()

        def begin(path: Path = path, start: threading.Barrier = start) -> str:
            start.wait()
            return load_or_create_identity(path).peer_id

        with ThreadPoolExecutor(8) as pool:
            made = [future.result() for future in [pool.submit(begin) for _ in range(8)]]
        assert len(set(made)) == 1
        assert [file.name for file in path.parent.iterdir()] == ["identity"]


def test_a_disk_on_which_a_file_has_one_name_keeps_a_key_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a memory stick: the key is moved to its place."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("core.wire.identity.add", refuse)
    path = tmp_path / "identity"
    assert load_or_create_identity(path).peer_id == load_or_create_identity(path).peer_id


def test_a_peer_id_is_the_public_key() -> None:
    """64 hex characters, by which anybody can check a signature; no two are alike."""
    anne, bob = Identity.generate(), Identity.generate()
    assert len(anne.peer_id) == 64
    assert anne.peer_id != bob.peer_id
    signature = anne.sign(b"message")
    assert is_signed_by(bytes.fromhex(anne.peer_id), signature, b"message")
    assert not is_signed_by(bytes.fromhex(anne.peer_id), signature, b"massage")
    assert not is_signed_by(bytes.fromhex(bob.peer_id), signature, b"message")


P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def plus(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of edwards25519 (RFC 8032, 5.1.4)."""
    (x1, y1), (x2, y2) = one, other
    t = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + y1 * x2) * pow(1 + t, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P,
    )


def small_points() -> set[tuple[int, int]]:
    """The eight points whose order divides 8, found by multiplying others with the large order."""
    order = 2**252 + 27742317777372353535851937790883648493
    found = set[tuple[int, int]]()
    for y in range(2, 40):
        x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
        x = pow(x2, (P + 3) // 8, P)
        x = x if x * x % P == x2 else x * pow(2, (P - 1) // 4, P) % P
        if x * x % P != x2:
            continue
        result, power, left = (0, 1), (x, y), order
        while left:
            result = plus(result, power) if left & 1 else result
            power, left = plus(power, power), left >> 1
        found.add(result)
    return found


def test_nobody_has_a_key_of_small_order() -> None:
    """In none of its encodings: the signature below would fit every message."""
    points = small_points()
    assert len(points) == 8
    for x, y in points:
        for spelling in (y, y + P):
            if spelling < 2**255:
                for sign in (0, 1):
                    key = (spelling | sign << 255).to_bytes(32, "little")
                    assert not is_key(key), (x, y)
                    assert not is_signed_by(key, FITS_ALL, b"anything at all")


def test_a_key_that_everybody_could_sign_for_was_one() -> None:
    """The library takes it: so the check is ours."""
    Ed25519PublicKey.from_public_bytes(IDENTITY_POINT).verify(FITS_ALL, b"anything at all")
    assert not is_key(IDENTITY_POINT)


def test_every_key_that_is_made_is_one() -> None:
    """Only spelt as it should be."""
    for _ in range(50):
        key = bytes.fromhex(Identity.generate().peer_id)
        assert is_key(key)
        assert not is_key(key + b"\0")
        assert not is_key(key[:-1])


def test_broken_keys_and_signatures_are_just_wrong() -> None:
    """No length or content of a stranger's key or signature raises."""
    for key in (b"", b"\0" * 32, b"\xff" * 32, b"x" * 33):
        for signature in (b"", b"\xff" * 64, b"x" * 65):
            assert not is_signed_by(key, signature, b"message")


def test_the_key_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    """0600 from the start, and again after a careless restore of a backup."""
    path = tmp_path / "identity"
    load_or_create_identity(path)
    assert mode_of(path) == 0o600
    path.chmod(0o644)
    load_or_create_identity(path)
    assert mode_of(path) == 0o600


def test_a_damaged_key_is_explained_and_kept(tmp_path: Path) -> None:
    """Nobody becomes somebody new without being asked."""
    foreign = X25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
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
