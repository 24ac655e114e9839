"""A file that grows over several tries."""

import shutil
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from tuf.api.exceptions import DownloadError, DownloadLengthMismatchError

from core.errors import DiskFullError
from core.storage.files import size_of
from core.updates.parts import append
from core.updates.transport import Transport
from tests.update_source import UpdateSource

DATA = bytes(range(256)) * 100


@pytest.fixture
def url(source: UpdateSource) -> str:
    (source.web / "data").write_bytes(DATA)
    return f"{source.url}data"


def take(url: str, part: Path, size: int = len(DATA)) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    append(Transport(Event()), url, part, size, lambda *sizes: told.append(sizes))
    return told


def test_the_rest_is_written_behind_what_is_there(url: str, tmp_path: Path) -> None:
    """And progress counts both."""
    part = tmp_path / "part"
    part.write_bytes(DATA[:1_000])
    assert take(url, part)[-1] == (len(DATA), len(DATA))
    assert part.read_bytes() == DATA


def test_what_came_before_the_line_broke_is_kept(
    source: UpdateSource, url: str, tmp_path: Path
) -> None:
    """It is told as a failed download."""
    source.trouble.cuts["data"] = [5_000]
    with pytest.raises(DownloadError):
        take(url, tmp_path / "part")
    assert (tmp_path / "part").read_bytes() == DATA[:5_000]


def test_more_than_was_signed_is_refused(url: str, tmp_path: Path) -> None:
    """Before any of it is written."""
    with pytest.raises(DownloadLengthMismatchError):
        take(url, tmp_path / "part", 100)
    assert size_of(tmp_path / "part") == 0


def test_a_full_disk_is_told_first(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what is needed, and what is free."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**8))
    with pytest.raises(DiskFullError, match=r"5\d\d MB .* 100 MB are free"):
        take(url, tmp_path / "part")
