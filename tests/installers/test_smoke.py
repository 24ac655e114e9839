"""The smoke test fails where something is left, or missing."""

from pathlib import Path

import pytest

from installers.clean_root import CleanRoot
from installers.smoke import check_files, check_left, main
from installers.steps import SmokeError

DATA = "srv/newcomer/.local/share/waggle"


@pytest.fixture
def root(tmp_path: Path) -> CleanRoot:
    """A system on which somebody has practised."""
    for name in ("etc/passwd", f"{DATA}/identity", f"{DATA}/ledger.sqlite"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return CleanRoot(tmp_path)


BEFORE = {"etc", "etc/passwd", "srv", "srv/newcomer"}


def test_the_data_folder_alone_may_stay(root: CleanRoot) -> None:
    """And nothing is left once that is gone."""
    check_left(root, root.folder / DATA, BEFORE)
    assert root.listing() == BEFORE | {"srv/newcomer/.local", "srv/newcomer/.local/share"}


def test_what_the_system_knows_of_fonts_may_stay(root: CleanRoot) -> None:
    """Every program that writes on a screen makes it, or finds it made."""
    (root.folder / "srv/newcomer/.cache/fontconfig").mkdir(parents=True)
    (root.folder / "srv/newcomer/.cache/fontconfig/CACHEDIR.TAG").touch()
    check_left(root, root.folder / DATA, BEFORE)


@pytest.mark.parametrize(
    "name", ["usr/lib/waggle/old.so", "srv/newcomer/.cache/waggle", f"{DATA}2"]
)
def test_anything_else_that_stays_is_an_error(root: CleanRoot, name: str) -> None:
    """Be it of the package or of the person."""
    (root.folder / name).mkdir(parents=True)
    with pytest.raises(SmokeError, match="left beside the data folder"):
        check_left(root, root.folder / DATA, BEFORE)


def test_practice_that_went_with_the_package_is_an_error(root: CleanRoot) -> None:
    """Removing a program must not remove what somebody did with it."""
    (root.folder / DATA / "identity").unlink()
    with pytest.raises(SmokeError, match="went with the package"):
        check_left(root, root.folder / DATA, BEFORE)


def test_a_file_of_the_system_that_is_gone_is_an_error(root: CleanRoot) -> None:
    """Removing Waggle removes nothing that was there before."""
    with pytest.raises(SmokeError, match="missing"):
        check_left(root, root.folder / DATA, BEFORE | {"etc/shadow"})


def test_a_package_that_does_not_know_what_it_is_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would offer updates that the package manager does not know of."""
    monkeypatch.setattr("installers.audit.writable", lambda _place: [])
    place = tmp_path / "usr" / "lib" / "waggle"
    place.mkdir(parents=True)
    (place / "install.toml").write_text('kind = "tarball"\n', "ascii")
    with pytest.raises(SmokeError, match="does not know"):
        check_files(CleanRoot(tmp_path))


def test_a_package_that_is_not_there_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told in a line, with an exit code; no root is needed to find out."""
    (tmp_path / "base").mkdir()
    assert main([str(tmp_path / "none.deb"), "--base", str(tmp_path / "base")]) == 1
    assert "FAILED" in capsys.readouterr().out
