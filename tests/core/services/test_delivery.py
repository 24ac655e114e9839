"""Files that a person asked for."""

import errno
import os
import stat
from pathlib import Path

import pytest

from core.errors import DiskFullError, HomeError
from core.services.delivery import deliver


def test_only_what_was_asked_for_is_replaced(tmp_path: Path) -> None:
    """Whatever else lies there stays, also what has the name of a draft."""
    (tmp_path / "thesis.draft").write_text("years of work")
    deliver(tmp_path / "thesis.pem", b"first")
    deliver(tmp_path / "thesis.pem", b"second")
    assert (tmp_path / "thesis.pem").read_bytes() == b"second"
    assert (tmp_path / "thesis.draft").read_text() == "years of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["thesis.draft", "thesis.pem"]


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """Among what is delivered is a private key."""
    deliver(tmp_path / "key", b"secret")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "folder", "nowhere/file", "x" * 300])
def test_what_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    """With the way out; nothing is left behind."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(HomeError, match="Choose another place"):
        deliver(tmp_path / name, b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert not any((tmp_path / "folder").iterdir())


def test_without_room_the_older_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is said as such; no draft is left behind."""
    deliver(tmp_path / "mine.csv", b"older")

    def no_room(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(DiskFullError, match="try again"):
        deliver(tmp_path / "mine.csv", b"newer")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]
    assert (tmp_path / "mine.csv").read_bytes() == b"older"
