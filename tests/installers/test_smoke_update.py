"""A frozen folder that cannot update itself is told apart from one that can."""

import sys
from pathlib import Path

import pytest

from installers.smoke_update import main
from tests.frozen_lookalike import make_lookalike

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the lookalike is made of scripts")

QUICKLY = ("--starting-s", "0.5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_lookalike(tmp_path / "frozen")


def test_a_folder_that_goes_and_comes_back_passes(folder: Path) -> None:
    """All steps, with the real helper and the real switch; nothing is left of what they made."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert main([str(folder), *QUICKLY]) == 0
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_folder_whose_window_does_not_stay_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is taken back already from what should be good."""
    (folder / "waggle-app").write_text('#!/bin/sh\n[ "$1" = --help ]\n')
    assert main([str(folder), *QUICKLY]) == 1
    assert "exit code of the switch: 1, and not 0" in capsys.readouterr().out


def test_a_folder_that_the_system_updates_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the helper says stands in the last line."""
    (folder / "install.toml").write_text('kind = "deb"\n')
    assert main([str(folder), *QUICKLY]) == 1
    assert "does not update itself here" in capsys.readouterr().out


def test_a_folder_without_a_version_fails(tmp_path: Path) -> None:
    """In words, not with a traceback."""
    assert main([str(tmp_path)]) == 1
