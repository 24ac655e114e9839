"""Where things live."""

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import DiskFullError, HomeError
from core.paths import RESOURCES, Home, default_home, explain_os_error
from tests.posix import is_private


def test_a_prepared_home_is_private_and_complete(tmp_path: Path) -> None:
    """Folders exist and only their owner may look in; preparing again changes nothing."""
    home = Home(tmp_path / "deep" / "home")
    home.prepare()
    home.prepare()
    assert is_private(home.root)
    assert {path.name for path in home.root.iterdir()} == {"cache", "checkpoints", "models", "logs"}


@pytest.mark.parametrize("place", ["", "home", "home/models", "home/cache", "home/logs"])
def test_a_file_in_place_of_a_folder_is_named(tmp_path: Path, place: str) -> None:
    """That of a home, one that it lies in or one within it; with what to do about it."""
    file = tmp_path / "place" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("in the way")
    with pytest.raises(HomeError, match="Move it away") as refused:
        Home(tmp_path / "place" / "home").prepare()
    assert str(refused.value).startswith(f"{file} is a file, ")


def test_a_full_disk_is_told_apart() -> None:
    """ENOSPC means free some space; anything else means another folder."""
    full = explain_os_error(OSError(errno.ENOSPC, "No space left on device"), Path("x"))
    assert isinstance(full, DiskFullError)
    other = explain_os_error(OSError(errno.EACCES, "Permission denied"), Path("x"))
    assert not isinstance(other, DiskFullError)
    assert "Permission denied" in str(other)


def test_a_full_disk_keeps_what_the_work_says() -> None:
    """Rounds, unless it was something else."""
    full = OSError(errno.ENOSPC, "No space left on device")
    assert "the last finished round is kept." in str(explain_os_error(full, Path("x")))
    other = str(explain_os_error(full, Path("x"), then="go on; all is kept"))
    assert other.endswith("Free some space and go on; all is kept.")


def test_the_home_can_be_moved_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """WAGGLE_HOME wins over the platform's folder."""
    monkeypatch.setenv("WAGGLE_HOME", "elsewhere")
    assert default_home().root == Path("elsewhere")


def test_the_program_finds_its_resources() -> None:
    """The catalogues lie where the code looks for them."""
    assert (RESOURCES / "tasks.toml").is_file()
    assert (RESOURCES / "models.toml").is_file()


def test_two_may_prepare_a_home_at_once(tmp_path: Path) -> None:
    """A second Waggle that starts in the same moment does not take the first one's probe away."""
    home = Home(tmp_path)
    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(home.prepare) for _ in range(400)]:
            done.result()
