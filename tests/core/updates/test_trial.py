"""Asking a Waggle what it is."""

import sys
from pathlib import Path

import pytest

from core.updates.trial import outside_environment, runs
from tests.update_source import answering, app_files, install

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (answering("0.2.0"), True),
        (answering("0.2.1"), False),
        ("#!/bin/sh\necho waggle 0.2.0\nexit 3\n", False),
        ("#!/nowhere/at/all\n", False),
        ("#!/bin/sh\nkill -SEGV $$\n", False),
        ("#!/bin/sh\nkill -KILL $$\n", None),
        ("#!/bin/sh\nkill -TERM $$\n", None),
        ("no script", False),
    ],
)
def test_it_has_to_answer_that_very_version(
    tmp_path: Path, script: str, *, expected: bool | None
) -> None:
    """And to end well; nothing is told where it was ended from outside."""
    here = install(tmp_path, app_files("0.2.0") | {"waggle": script})
    assert runs(here, here.place, "0.2.0") is expected


def test_a_window_that_lacks_a_library_does_not_run(tmp_path: Path) -> None:
    """It loads all of them before it says how it is called."""
    script = '#!/bin/sh\n[ "$1" = --help ] && exit 127\nexec /bin/sleep 100\n'
    here = install(tmp_path, app_files("0.2.0", script))
    assert not runs(here, here.place, "0.2.0")


@pytest.mark.parametrize("missing", ["waggle", "waggle-app"])
def test_a_program_that_is_not_there_does_not_run(tmp_path: Path, missing: str) -> None:
    """Rather than to raise."""
    here = install(tmp_path, app_files("0.2.0"))
    (tmp_path / missing).unlink()
    assert not runs(here, here.place, "0.2.0")


def test_another_waggle_does_not_load_our_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the frozen app changed for itself is as it was before."""
    monkeypatch.setenv("_PYI_APPLICATION_HOME_DIR", "/ours")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/ours")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    assert "LD_LIBRARY_PATH" not in outside_environment()
    assert "_PYI_APPLICATION_HOME_DIR" not in outside_environment()
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/theirs")
    assert outside_environment()["LD_LIBRARY_PATH"] == "/theirs"


def test_what_a_person_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside a frozen app nothing is taken away."""
    monkeypatch.delenv("_PYI_APPLICATION_HOME_DIR", raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/mine")
    assert outside_environment()["LD_LIBRARY_PATH"] == "/mine"
