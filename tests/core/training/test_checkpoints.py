import logging
import os
import stat
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.engine.ports import Progress
from core.errors import CheckpointError, HomeError
from core.training.checkpoint_notes import CheckpointNote, newest_note
from core.training.checkpoints import (
    FLUSHED_BYTES_PER_S,
    FLUSHED_EVERY_S,
    Checkpoint,
    CheckpointStore,
)
from tests.posix import files_no_larger, mode_of
from tests.present import present

ROOT = Path(__file__).parents[3]
posix_only = pytest.mark.skipif(os.name == "nt", reason="uses signals and limits of POSIX")


def checkpoint(round_number: int) -> Checkpoint:
    """A checkpoint whose tensors tell its round."""
    note = CheckpointNote("tiny", "0123456789abcdef", Progress(7, round_number, "sapo"))
    tensors = {
        "adapter/a": torch.full((4, 3), float(round_number)),
        "adapter/b": torch.arange(6.0).reshape(2, 3),
        "adam/step/a": torch.tensor(float(round_number)),
    }
    return Checkpoint(note, tensors)


def _newest_round(store: CheckpointStore) -> int:
    newest = present(store.newest())
    assert newest.tensors["adapter/a"][0, 0] == newest.note.progress.round
    return newest.note.progress.round


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_empty_folder_holds_none(tmp_path: Path) -> None:
    """Neither a missing folder nor an empty one is an error."""
    assert CheckpointStore(tmp_path).newest() is None
    assert CheckpointStore(tmp_path / "nowhere").newest() is None


def test_what_was_saved_is_read(tmp_path: Path) -> None:
    """Note and tensors come back bit for bit."""
    saved = checkpoint(3)
    CheckpointStore(tmp_path).save(saved)
    read = present(CheckpointStore(tmp_path).newest())
    assert read.note == saved.note
    assert read.tensors.keys() == saved.tensors.keys()
    assert all(torch.equal(read.tensors[name], saved.tensors[name]) for name in saved.tensors)


def test_the_newest_two_are_kept(tmp_path: Path) -> None:
    """Older ones and left-over drafts go; nothing else in the folder is touched."""
    store = CheckpointStore(tmp_path, count(step=FLUSHED_EVERY_S).__next__)  # each is flushed
    (tmp_path / "00000001.draft").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    for round_number in (8, 9, 10, 11):
        store.save(checkpoint(round_number))
    assert _files(tmp_path) == ["00000010.safetensors", "00000011.safetensors", "notes.txt"]
    assert _newest_round(store) == 11


def test_an_old_one_that_is_read_meanwhile_stays_for_a_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows does not remove what somebody has open; the new one is safe all the same."""
    store = CheckpointStore(tmp_path, count(step=FLUSHED_EVERY_S).__next__)
    held, unlink = tmp_path / "00000008.safetensors", Path.unlink

    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        if path == held:
            raise PermissionError(13, "in use", str(path))
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        for round_number in (8, 9, 10):
            store.save(checkpoint(round_number))
        assert held.exists()
        assert _newest_round(store) == 10
    store.save(checkpoint(11))
    assert _files(tmp_path) == ["00000010.safetensors", "00000011.safetensors"]


def test_one_of_a_while_is_flushed_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut takes what was not, and the older one counts; quick rounds cost no disk."""
    now = [0.0]
    store = CheckpointStore(tmp_path, lambda: now[0])
    for round_number in range(1, 6):
        store.save(checkpoint(round_number))
        now[0] += FLUSHED_EVERY_S / 4
    assert _files(tmp_path) == [f"0000000{n}.safetensors" for n in (4, 5)]
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    for round_number in range(6, 9):
        store.save(checkpoint(round_number))
    assert not flushed
    assert _files(tmp_path) == [f"0000000{n}.safetensors" for n in (5, 7, 8)]
    for cut in (7, 8):
        path = tmp_path / f"0000000{cut}.safetensors"
        path.write_bytes(bytes(path.stat().st_size))
    after = CheckpointStore(tmp_path)
    assert _newest_round(after) == 5
    for round_number in (6, 7):
        after.save(checkpoint(round_number))
    assert _files(tmp_path) == [f"0000000{n}.safetensors" for n in (6, 7)]
    assert _newest_round(after) == 7


def test_a_large_one_is_flushed_more_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice as many bytes as are flushed in the usual while wait twice as long."""
    now = [0.0]
    store = CheckpointStore(tmp_path, lambda: now[0])
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", flushed.append)
    size = int(2 * FLUSHED_EVERY_S * FLUSHED_BYTES_PER_S)
    large = replace(checkpoint(1), tensors={"a": torch.zeros(size, dtype=torch.uint8)})
    store.save(large)
    assert flushed
    flushed.clear()
    now[0] += 1.9 * FLUSHED_EVERY_S
    store.save(large)
    assert not flushed
    now[0] += 0.2 * FLUSHED_EVERY_S
    store.save(large)
    assert flushed


def test_a_round_can_be_saved_again(tmp_path: Path) -> None:
    """A round repeated after a crash replaces its checkpoint."""
    store = CheckpointStore(tmp_path)
    store.save(checkpoint(1))
    store.save(checkpoint(1))
    assert _newest_round(store) == 1


def test_only_the_owner_may_look(tmp_path: Path) -> None:
    """A new folder of checkpoints is private."""
    CheckpointStore(tmp_path / "new").save(checkpoint(1))
    assert mode_of(tmp_path / "new") == 0o700


def test_a_truncated_newest_falls_back_to_the_one_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Half a file is skipped, and the log says so."""
    store = CheckpointStore(tmp_path)
    store.save(checkpoint(1))
    store.save(checkpoint(2))
    newest = tmp_path / "00000002.safetensors"
    newest.write_bytes(newest.read_bytes()[:-7])
    with caplog.at_level(logging.WARNING):
        assert _newest_round(store) == 1
    assert "00000002" in caplog.text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_damage_is_ever_loaded(tmp_path: Path, data: st.DataObject) -> None:
    """Whatever byte is changed, cut or added, the older whole checkpoint is what loads."""
    store = CheckpointStore(tmp_path)
    store.save(checkpoint(1))
    store.save(checkpoint(2))
    newest = tmp_path / "00000002.safetensors"
    original = newest.read_bytes()
    at = data.draw(st.integers(0, len(original) - 1))
    flip = data.draw(st.integers(1, 255))
    changed = bytearray(original)
    changed[at] ^= flip
    damaged = data.draw(st.sampled_from([bytes(changed), original[:at], original + b"\0" * flip]))
    newest.write_bytes(damaged)
    read = present(store.newest())
    whole = checkpoint(read.note.progress.round)
    assert read.note == whole.note
    assert all(torch.equal(read.tensors[name], whole.tensors[name]) for name in whole.tensors)


def test_only_damaged_ones_are_an_error(tmp_path: Path) -> None:
    """Starting from nothing in silence would lose what was learnt; the person decides."""
    store = CheckpointStore(tmp_path)
    store.save(checkpoint(1))
    (tmp_path / "00000001.safetensors").write_bytes(b"not a checkpoint")
    with pytest.raises(CheckpointError, match=r"damaged\..*Start over….*backup.*away\."):
        store.newest()


def test_another_format_is_refused(tmp_path: Path) -> None:
    """A file of a later Waggle is whole, so it is named and not skipped; of a note alone, too."""
    saved = checkpoint(1)
    later = CheckpointNote(saved.note.model, saved.note.base, saved.note.progress, format=2)
    CheckpointStore(tmp_path).save(Checkpoint(later, saved.tensors))
    with pytest.raises(CheckpointError, match="another version of Waggle"):
        CheckpointStore(tmp_path).newest()
    with pytest.raises(CheckpointError, match="another version of Waggle"):
        newest_note(tmp_path)


@posix_only
def test_a_power_cut_finds_the_file_before_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draft reaches the disk before the rename, and the folder after it."""
    steps: list[str] = []
    flush, rename = os.fsync, Path.replace

    def watched_flush(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        flush(descriptor)

    def watched_rename(path: Path, target: Path) -> Path:
        steps.append("rename")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", watched_flush)
    monkeypatch.setattr(Path, "replace", watched_rename)
    CheckpointStore(tmp_path).save(checkpoint(1))
    assert steps == ["file", "rename", "folder"]


@posix_only
def test_a_kill_before_the_rename_leaves_the_old_one(tmp_path: Path) -> None:
    """The new file is complete, not yet in place, and the process dies by SIGKILL."""
    child = f"""
import os, signal
from pathlib import Path
from core.training.checkpoints import CheckpointStore
from tests.core.training.test_checkpoints import checkpoint
store = CheckpointStore(Path({str(tmp_path)!r}))
store.save(checkpoint(1))
Path.replace = lambda self, target: os.kill(os.getpid(), signal.SIGKILL)
store.save(checkpoint(2))
"""
    assert subprocess.call([sys.executable, "-c", child], cwd=ROOT) == -9  # noqa: S603 - as above
    assert _files(tmp_path) == ["00000001.safetensors", "00000002.draft"]
    store = CheckpointStore(tmp_path)
    assert _newest_round(store) == 1
    store.save(checkpoint(2))
    assert _files(tmp_path) == ["00000001.safetensors", "00000002.safetensors"]


@posix_only
def test_a_file_that_may_not_grow_is_reported_and_replaces_nothing(tmp_path: Path) -> None:
    """A write that stops half-way, here by the process's own limit, leaves no half file."""
    store = CheckpointStore(tmp_path)
    store.save(checkpoint(1))
    with files_no_larger(100), pytest.raises(HomeError):
        store.save(checkpoint(2))
    assert _files(tmp_path) == ["00000001.safetensors"]


def test_a_folder_that_cannot_be_is_explained(tmp_path: Path) -> None:
    """A file where the folder should be becomes a sentence, not a traceback."""
    (tmp_path / "checkpoints").write_text("in the way")
    with pytest.raises(HomeError, match="is a file, where Waggle needs a folder"):
        CheckpointStore(tmp_path / "checkpoints").save(checkpoint(1))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_was_read_lets_go_of_its_file(tmp_path: Path) -> None:
    """Windows removes no file that is mapped into memory, and old checkpoints must go."""
    store = CheckpointStore(tmp_path)
    store.save(checkpoint(3))
    read = store.newest()
    assert read is not None
    assert str(tmp_path) not in Path("/proc/self/maps").read_text()


def test_what_cannot_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    """Nobody is told to delete progress that is only out of reach, nor is it taken for none."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(HomeError):
        CheckpointStore(tmp_path / "file").newest()
    (tmp_path / "folder" / "00000003.safetensors").mkdir(parents=True)
    with pytest.raises(HomeError):
        CheckpointStore(tmp_path / "folder").newest()
