"""Making a package ready beside the installation."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Event

import pytest

from core.errors import UpdateError
from core.updates.installation import Installation
from core.updates.staging import stage
from core.updates.transport import StoppedError
from tests.update_source import app_files, install, pack

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    return install(tmp_path / "apps" / "waggle", app_files("0.1.0"))


def left(here: Installation) -> list[str]:
    return sorted(path.name for path in here.place.parent.iterdir())


def test_a_good_package_is_ready(here: Installation, tmp_path: Path) -> None:
    """Beside the one that runs, which is not touched."""
    stage(pack(tmp_path / "p.tar", app_files("0.2.0")), "0.2.0", here, Event())
    assert left(here) == ["waggle", "waggle.new"]
    assert "0.2.0" in (here.place.parent / "waggle.new" / "waggle").read_text()
    assert "0.1.0" in here.console().read_text()


GOOD = app_files("0.2.0")
BAD: dict[str, Mapping[str, str]] = {
    "another version": app_files("0.3.0"),
    "no window": {name: text for name, text in GOOD.items() if name != "waggle-app"},
    "no console": {name: text for name, text in GOOD.items() if name != "waggle"},
    "no note": {name: text for name, text in GOOD.items() if name != "install.toml"},
    "a window that lacks something": app_files("0.2.0", "#!/bin/sh\nexit 127\n"),
    "one that does not run": app_files("0.2.0") | {"waggle": "#!/nowhere\n"},
}


@pytest.mark.parametrize("what", BAD)
def test_what_does_not_run_here_is_thrown_away(
    here: Installation, tmp_path: Path, what: str
) -> None:
    """Whoever signed it."""
    with pytest.raises(UpdateError, match="does not run"):
        stage(pack(tmp_path / "p.tar", BAD[what]), "0.2.0", here, Event())
    assert left(here) == ["waggle"]


def test_a_package_of_two_folders_is_none(here: Installation, tmp_path: Path) -> None:
    """Nobody guesses which of them is meant."""
    files = {f"waggle/{n}": t for n, t in app_files("0.2.0").items()} | {"other/a": "x"}
    with pytest.raises(UpdateError, match="not packed"):
        stage(pack(tmp_path / "p.tar", files, top="."), "0.2.0", here, Event())
    assert left(here) == ["waggle"]


def test_an_older_one_that_was_ready_makes_way(here: Installation, tmp_path: Path) -> None:
    """And what an interrupted try left behind goes."""
    stage(pack(tmp_path / "p.tar", app_files("0.2.0")), "0.2.0", here, Event())
    cut = here.place.with_name(".waggle.part-cut")
    cut.mkdir()
    os.utime(cut, (1.0, 1.0))
    stage(pack(tmp_path / "q.tar", app_files("0.3.0")), "0.3.0", here, Event())
    assert left(here) == ["waggle", "waggle.new"]
    assert "0.3.0" in (here.place.parent / "waggle.new" / "waggle").read_text()


def test_a_folder_of_somebodys_own_is_in_the_way(here: Installation, tmp_path: Path) -> None:
    """It is named, and stays as it is."""
    own = here.place.parent / "waggle.old"
    own.mkdir()
    (own / "letters").write_text("mine")
    with pytest.raises(UpdateError, match=r"waggle\.old is in the way"):
        stage(pack(tmp_path / "p.tar", app_files("0.2.0")), "0.2.0", here, Event())
    assert left(here) == ["waggle", "waggle.old"]
    assert (own / "letters").read_text() == "mine"


def test_all_is_on_the_disk_before_it_has_its_name(
    here: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut must not leave the name without what it stands for."""
    flushed: list[list[str]] = []
    monkeypatch.setattr(os, "sync", lambda: flushed.append(left(here)))
    stage(pack(tmp_path / "p.tar", app_files("0.2.0")), "0.2.0", here, Event())
    ((draft, place),) = flushed
    assert (draft[:13], place) == (".waggle.part-", "waggle")


def test_a_stopped_one_leaves_nothing(here: Installation, tmp_path: Path) -> None:
    """The folders are as before."""
    stop = Event()
    stop.set()
    with pytest.raises(StoppedError):
        stage(pack(tmp_path / "p.tar", app_files("0.2.0")), "0.2.0", here, stop)
    assert left(here) == ["waggle"]
