"""The DHT's node table on disk."""

from pathlib import Path

from core.swarm.dht.session import MOST_STATE_BYTES
from core.swarm.dht.state import read_state, write_state


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    """Byte for byte; where nothing was kept there is nothing."""
    path = tmp_path / "dht"
    assert read_state(path) == b""
    write_state(path, b"table")
    write_state(path, b"a newer table")
    assert read_state(path) == b"a newer table"
    assert [file.name for file in tmp_path.iterdir()] == ["dht"]


def test_a_giant_file_is_not_read(tmp_path: Path) -> None:
    """It is none that we wrote, and does not fill the memory."""
    path = tmp_path / "dht"
    path.write_bytes(bytes(MOST_STATE_BYTES))
    assert len(read_state(path)) == MOST_STATE_BYTES
    path.write_bytes(bytes(MOST_STATE_BYTES + 1))
    assert read_state(path) == b""


def test_what_cannot_be_kept_is_let_go(tmp_path: Path) -> None:
    """It is a help only: no folder, or a folder in its place, raises nothing."""
    write_state(tmp_path / "no" / "such" / "dht", b"table")
    (tmp_path / "dht").mkdir()
    write_state(tmp_path / "dht", b"table")
    assert read_state(tmp_path / "dht") == b""
