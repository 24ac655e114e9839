"""What a checkpoint says of itself is read without torch, however damaged its neighbours are."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from core.engine.ports import Progress
from core.errors import CheckpointError
from core.training.checkpoint_notes import CheckpointNote, newest_note
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
