"""What is remembered between two looks."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given
from hypothesis import strategies as st

from core.updates.memory import Known, recall, remember


def test_what_is_remembered_is_recalled(tmp_path: Path) -> None:
    """All of it."""
    known = Known(looked_at=5.0, newest="0.2.0", size=7, staged="0.2.0", failed="0.1.9")
    remember(tmp_path, known)
    assert recall(tmp_path) == known


def test_nothing_is_known_at_first(tmp_path: Path) -> None:
    """Also without a folder."""
    assert recall(tmp_path / "nowhere") == Known()


@given(garbage=st.binary(max_size=200))
@example(garbage=b'{"newest":"\xff"}')  # no UTF-8, which is another error than bad JSON
def test_garbage_is_as_if_nothing_were_known(garbage: bytes) -> None:
    """A damaged file costs a look, and nothing else."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "known.json").write_bytes(garbage)
        assert recall(Path(folder)) == Known()


def test_a_version_is_a_version(tmp_path: Path) -> None:
    """It becomes part of a command line."""
    (tmp_path / "known.json").write_text('{"staged": "--home=x"}')
    assert recall(tmp_path) == Known()
