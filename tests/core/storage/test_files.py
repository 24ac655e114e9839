"""Writing a file in one step."""

import errno
import os
import sys
from pathlib import Path

import pytest

from core.errors import DiskFullError, HomeError
from core.storage.files import (
    DRAFT_SUFFIX,
    add,
    deliver,
    draft_beside,
    move,
    publish,
    read_bounded,
    replace_file,
    size_of,
)
from tests.posix import mode_of

posix_only = pytest.mark.skipif(os.name == "nt", reason="rights and devices of POSIX")


def test_what_is_written_is_there_and_no_draft_is_left(tmp_path: Path) -> None:
    """A second writing replaces the first."""
    path = tmp_path / "notes.json"
    replace_file(path, b"first")
    replace_file(path, b"second")
    assert path.read_bytes() == b"second"
    assert [file.name for file in tmp_path.iterdir()] == ["notes.json"]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    """Among what is kept is a private key."""
    replace_file(tmp_path / "key", b"secret")
    assert mode_of(tmp_path / "key") == 0o600


@pytest.mark.skipif(sys.platform != "linux", reason="a device of Linux")
def test_a_full_disk_replaces_nothing(tmp_path: Path) -> None:
    """The kernel itself says that no space is left: the draft's name leads to /dev/full."""
    path = tmp_path / "notes.json"
    replace_file(path, b"old")
    path.with_suffix(DRAFT_SUFFIX).symlink_to("/dev/full")
    with pytest.raises(DiskFullError, match=r"full\. Free some space"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["notes.json"]


def test_a_finished_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut could keep the new name without the content."""
    flushed: list[set[str]] = []
    monkeypatch.setattr(os, "fsync", lambda _: flushed.append({p.name for p in tmp_path.iterdir()}))
    (tmp_path / "a.part").write_bytes(b"all of it")
    publish(tmp_path / "a.part", tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"all of it"
    assert flushed[0] == {"a.part"}


def test_a_missing_folder_is_explained(tmp_path: Path) -> None:
    """The sentence names the place."""
    with pytest.raises(HomeError, match="nowhere"):
        replace_file(tmp_path / "nowhere" / "notes.json", b"")


def scan(monkeypatch: pytest.MonkeyPatch, times: int, winerror: int) -> list[float]:
    """Hold what is new as Windows knows it: the next ``times`` moves fail, by ``winerror``.

    The pauses that are made from now on; none of them takes any time.
    """
    replace, left, pauses = Path.replace, [None] * times, list[float]()

    def replace_unless_held(source: Path, target: Path) -> Path:
        if not left:
            return replace(source, target)
        left.pop()
        held = PermissionError(errno.EACCES, "held by another process", str(source), winerror)
        if sys.platform != "win32":  # which has no place for it
            vars(held)["winerror"] = winerror
        raise held

    monkeypatch.setattr("time.sleep", pauses.append)
    monkeypatch.setattr(Path, "replace", replace_unless_held)
    return pauses


@pytest.mark.parametrize("winerror", [5, 32])
def test_a_file_that_is_held_for_a_moment_is_replaced_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, winerror: int
) -> None:
    """Windows lets nobody replace what a virus scanner looks into."""
    replace_file(tmp_path / "notes.json", b"old")
    pauses = scan(monkeypatch, 3, winerror)
    replace_file(tmp_path / "notes.json", b"new")
    deliver(tmp_path / "notes.json", b"newer")
    assert (tmp_path / "notes.json").read_bytes() == b"newer"
    assert len(pauses) == 3


def test_a_file_that_stays_held_is_told_within_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever holds it for long is no scanner; the old one is as it was, and no draft is left."""
    replace_file(tmp_path / "notes.json", b"old")
    pauses = scan(monkeypatch, 1_000, 32)
    with pytest.raises(HomeError):
        replace_file(tmp_path / "notes.json", b"new")
    assert 1 < sum(pauses) < 3
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize("winerror", [0, 17])
def test_what_no_waiting_mends_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, winerror: int
) -> None:
    """A right that is missing, another disk: they will be so in two seconds, too."""
    (tmp_path / "draft").touch()
    pauses = scan(monkeypatch, 1, winerror)
    with pytest.raises(PermissionError):
        move(tmp_path / "draft", tmp_path / "file")
    assert pauses == []


def test_what_is_added_replaces_nothing(tmp_path: Path) -> None:
    """Of two that add a file at once the first one's is kept."""
    for name in ("first", "second"):
        (tmp_path / name).write_text(name)
    add(tmp_path / "first", tmp_path / "file")
    with pytest.raises(FileExistsError):
        add(tmp_path / "second", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "first"


def test_what_is_read_is_bounded(tmp_path: Path) -> None:
    """All of it, or an error; never a part of it."""
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(ValueError, match="more than 4 bytes"):
        read_bounded(path, 4)
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "nothing", 5)


@pytest.mark.skipif(os.name == "nt", reason="Windows opens no folder as a file")
def test_a_folder_is_refused_and_not_held_open(tmp_path: Path) -> None:
    """By what it is, and the next file that is opened has the number that it had."""
    free = os.dup(0)
    os.close(free)
    with pytest.raises((IsADirectoryError, PermissionError)):  # the latter on Windows
        read_bounded(tmp_path, 5)
    os.close(after := os.dup(0))
    assert after == free


def test_sizes_are_of_a_file_or_of_all_below_a_folder(tmp_path: Path) -> None:
    """However deep they lie; what is not there has none."""
    (tmp_path / "some" / "deep").mkdir(parents=True)
    (tmp_path / "some" / "deep" / "weights").write_bytes(bytes(500))
    (tmp_path / "some" / "notes").write_bytes(bytes(30))
    assert size_of(tmp_path) == size_of(tmp_path / "some") == 530
    assert size_of(tmp_path / "some" / "notes") == 30
    assert size_of(tmp_path / "nothing") == 0


def test_what_goes_while_it_is_measured_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that practises replaces its checkpoints meanwhile."""
    for name in ("stays", "goes"):
        (tmp_path / name).write_bytes(bytes(7))
    look = Path.lstat

    def too_late(path: Path) -> os.stat_result:
        if path.name == "goes":
            path.unlink()
        return look(path)

    monkeypatch.setattr(Path, "lstat", too_late)
    assert size_of(tmp_path) == 7


def test_only_what_was_asked_for_is_replaced(tmp_path: Path) -> None:
    """Whatever else lies there stays, also what has the name of a draft."""
    (tmp_path / "thesis.draft").write_text("years of work")
    deliver(tmp_path / "thesis.pem", b"first")
    deliver(tmp_path / "thesis.pem", b"second")
    assert (tmp_path / "thesis.pem").read_bytes() == b"second"
    assert (tmp_path / "thesis.draft").read_text() == "years of work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["thesis.draft", "thesis.pem"]


def test_only_the_owner_may_read_it_delivery(tmp_path: Path) -> None:
    """Among what is delivered is a private key."""
    deliver(tmp_path / "key", b"secret")
    assert mode_of(tmp_path / "key") == 0o600


@pytest.mark.parametrize("name", ["", "folder", "nowhere/file", "x" * 300])
def test_what_cannot_be_written_is_told(tmp_path: Path, name: str) -> None:
    """With the way out; nothing is left behind."""
    (tmp_path / "folder").mkdir()
    with pytest.raises(HomeError, match="Choose another place"):
        deliver(tmp_path / name, b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert not any((tmp_path / "folder").iterdir())


@pytest.mark.parametrize("path", [Path(), Path(Path.cwd().anchor)])
def test_what_has_no_name_cannot_be_written(path: Path) -> None:
    """``.`` and the root of a disk are folders, however they are asked for."""
    with pytest.raises(HomeError, match="Choose another place"):
        deliver(path, b"data")
    with pytest.raises(IsADirectoryError), draft_beside(path):
        pass


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


def test_a_draft_of_any_kind_lies_in_nobodys_way(tmp_path: Path) -> None:
    """It has the rights of all that is new, and what is left of it goes, whatever happens."""
    (tmp_path / "plain").mkdir()

    def fail() -> None:
        with draft_beside(tmp_path / "thesis") as draft:
            draft.mkdir()
            assert mode_of(draft) == mode_of(tmp_path / "plain")
            (draft / "half").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(tmp_path.iterdir()) == [tmp_path / "plain"]
