"""Private keys, open and locked."""

import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.update_source import load_script

script = load_script("release_keys")


def save(*folders: Path) -> None:
    """Keep a new root key in the first of ``folders``."""
    script.Keys(folders).save("root", Ed25519PrivateKey.generate())


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean little there")
def test_keys_are_for_their_owner_only(tmp_path: Path) -> None:
    """Nobody else on the computer may read them."""
    save(tmp_path / "keys")
    save(tmp_path / "keys")
    found = sorted((tmp_path / "keys").iterdir())
    assert [key.name for key in found] == ["root-1.pem", "root-2.pem"]
    assert all(key.stat().st_mode & 0o077 == 0 for key in found)


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    """Or a copy of a lost key would be taken for its successor."""
    save(tmp_path / "old")
    save(tmp_path / "new", tmp_path / "old")
    save(tmp_path / "new", tmp_path / "old")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "root-2.pem",
        "root-3.pem",
    ]


def test_what_was_made_is_at_hand(tmp_path: Path) -> None:
    """From all folders, by the id under which the root names it."""
    made = []
    for name in ("a", "b"):
        save(tmp_path / name)
        made += script.Keys([tmp_path / name]).signers()
    assert set(script.Keys([tmp_path / "a", tmp_path / "b"]).signers()) == set(made)
    assert len(set(made)) == 2


def test_keys_can_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the passphrase they are of no use."""
    keys = script.Keys([tmp_path])
    monkeypatch.setenv(script.PASSPHRASE, "open sesame")
    save(tmp_path)
    assert b"ENCRYPTED" in (tmp_path / "root-1.pem").read_bytes()
    assert len(keys.signers()) == 1
    for other in ("wrong", ""):
        monkeypatch.setenv(script.PASSPHRASE, other)
        with pytest.raises(script.ReleaseError, match="cannot be opened"):
            keys.signers()


def test_what_is_no_key_is_said(tmp_path: Path) -> None:
    """By its name."""
    (tmp_path / "root-1.pem").write_bytes(b"no key")
    with pytest.raises(script.ReleaseError, match="root-1"):
        script.Keys([tmp_path]).signers()
