"""Room on a disk."""

from pathlib import Path

import pytest

from core.errors import DiskFullError
from core.storage.room import free_space, require_room, size_in_words


def test_what_has_no_room_is_told_with_how_much_it_needs(tmp_path: Path) -> None:
    """And how much there is; exactly enough is enough."""
    require_room("the update", 10**9, tmp_path, lambda _: 10**9)
    with pytest.raises(DiskFullError) as caught:
        require_room("the update", 3_100_000_000, tmp_path, lambda _: 995_000_000)
    assert str(caught.value) == (
        f"There is no room for the update: it needs 3.1 GB on the disk of {tmp_path}, and 995 MB "
        "are free. Free some space and try again."
    )


def test_the_disk_of_the_folder_is_asked(tmp_path: Path) -> None:
    """Nobody has a spare exabyte."""
    with pytest.raises(DiskFullError, match=f"and {size_in_words(free_space(tmp_path))} are free"):
        require_room("it", 10**18, tmp_path)
