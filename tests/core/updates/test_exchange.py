"""Two folders that change names."""

import sys
from pathlib import Path

import pytest

from core.updates.exchange import exchange


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot")
def test_two_folders_change_names(tmp_path: Path) -> None:
    """In one step; where the disk cannot, nothing has changed."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "name").write_text(name)
    could = exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a" / "name").read_text() == ("b" if could else "a")
    assert (tmp_path / "b" / "name").read_text() == ("a" if could else "b")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot")
def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """And no reason to try another way."""
    (tmp_path / "a").mkdir()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "a", tmp_path / "b")
