"""What a checkpoint says of itself is read without torch, however damaged its neighbours are."""

import errno
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from core.engine.ports import Progress
from core.errors import CheckpointError, HomeError
from core.training.checkpoint_notes import LOOKS, CheckpointNote, newest_note, newest_whole
from core.training.checkpoints import CheckpointStore
from tests.core.training.test_checkpoints import checkpoint
from tests.present import present


def saved(folder: Path, *rounds: int) -> list[Path]:
    store = CheckpointStore(folder)
    for number in rounds:
        store.save(checkpoint(number))
    return sorted(folder.iterdir())


def test_the_newest_counts(tmp_path: Path) -> None:
    """An empty folder or a missing one has none."""
    assert newest_note(tmp_path / "nowhere") is None
    assert newest_note(tmp_path) is None
    saved(tmp_path, 3, 4)
    assert present(newest_note(tmp_path)) == checkpoint(4).note


@pytest.mark.parametrize("kept", [0, 7, 40, -1])
def test_a_cut_one_gives_way_to_the_one_before(tmp_path: Path, kept: int) -> None:
    """Wherever it was cut, in its header or in its tensors."""
    newest = saved(tmp_path, 3, 4)[-1]
    newest.write_bytes(newest.read_bytes()[:kept])
    assert present(newest_note(tmp_path)).progress.round == 3


def stored_note(folder: Path) -> CheckpointNote:
    return present(CheckpointStore(folder).newest()).note


@pytest.mark.parametrize("newest", [newest_note, stored_note])
def test_what_was_dropped_meanwhile_is_looked_for_again(
    newest: Callable[[Path], CheckpointNote], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A starter saves several times a second: what was listed is gone once it is opened."""
    saved(tmp_path / "here", 2)
    soon, list_folder = saved(tmp_path / "soon", 3, 4), Path.iterdir

    def practising(folder: Path) -> Iterator[Path]:
        listed = list(list_folder(folder))
        if soon:
            listed[0].unlink()
            soon[0].rename(folder / soon.pop(0).name)
        return iter(listed)

    monkeypatch.setattr(Path, "iterdir", practising)
    assert newest(tmp_path / "here").progress.round == 4


def test_a_name_that_leads_nowhere_is_not_looked_for_for_ever(tmp_path: Path) -> None:
    """Nor is it called damaged, or taken for none."""
    saved(tmp_path, 3)
    looks: list[Path] = []

    def read(path: Path) -> None:
        looks.append(path)
        raise FileNotFoundError(errno.ENOENT, "gone")

    with pytest.raises(HomeError, match="gone"):
        newest_whole(tmp_path, read)
    assert len(looks) == LOOKS


def test_where_all_are_damaged_that_is_said(tmp_path: Path) -> None:
    """With what to do."""
    for path in saved(tmp_path, 3, 4):
        path.write_bytes(b"no checkpoint")
    with pytest.raises(CheckpointError, match="Start over"):
        newest_note(tmp_path)


def test_a_note_of_an_earlier_version_says_less(tmp_path: Path) -> None:
    """What was not kept then begins as it does in a new model."""
    note = (
        b'{"model":"spark","base":"00","progress":{"seed":1,"round":7,"recipe":"sapo"},"format":1}'
    )
    save_file({"a": np.zeros(1)}, tmp_path / "00000007.safetensors", {"note": note.decode()})
    progress = Progress(seed=1, round=7, recipe="sapo")
    assert newest_note(tmp_path) == CheckpointNote("spark", "00", progress)


def test_torch_is_not_loaded(tmp_path: Path) -> None:
    """The helper answers at once, and stays small."""
    saved(tmp_path, 3)
    script = (
        "import sys; from pathlib import Path; from core.training.checkpoint_notes import *;"
        "print(newest_note(Path(sys.argv[1])).progress.round, 'torch' in sys.modules)"
    )
    command = (sys.executable, "-c", script, str(tmp_path))
    told = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert told.stdout.split() == ["3", "False"]
