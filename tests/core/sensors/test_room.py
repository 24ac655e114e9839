"""Free memory and disk."""

from pathlib import Path

import pytest

from core.sensors.reading import softly
from core.sensors.room import read_disk, read_memory


def test_this_machine_has_some_memory_and_disk_left(tmp_path: Path) -> None:
    """Both in bytes, and in words."""
    for reading in (read_memory(), read_disk(tmp_path)):
        assert reading.value is not None
        assert reading.value > 1 << 20
        assert "B of memory" in reading.words or "B are free" in reading.words


def test_a_folder_that_is_gone_is_no_reason_to_die(tmp_path: Path) -> None:
    """Its disk is unknown."""
    assert softly(lambda: read_disk(tmp_path / "nowhere")).value is None
    with pytest.raises(OSError, match="nowhere"):
        read_disk(tmp_path / "nowhere")
