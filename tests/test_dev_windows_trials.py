"""What ``dev.py windows`` changes of the setup's script, and what it takes for done."""

from pathlib import Path

import pytest

import dev_windows_trials as trials
from dev_wine import ROOT, WineError, windows_path


def test_only_the_place_of_the_setup_is_changed() -> None:
    """Everything else is compiled and run as it is shipped."""
    script = trials.SCRIPT.read_text(encoding="utf-8-sig")
    changed = zip(script.splitlines(), trials.moved(script).splitlines(), strict=True)
    assert [new for old, new in changed if old != new] == [
        r"DefaultDirName={localappdata}\Programs\Waggle",
        f"SourceDir={windows_path(ROOT)}",
    ]


def test_a_script_with_another_place_is_refused() -> None:
    """It would be installed where Wine knows no folder, and fail without a word."""
    with pytest.raises(WineError, match="no single line"):
        trials.moved("[Setup]\nSourceDir=..\\..\n")


def test_programs_on_the_disk_of_windows_have_its_names() -> None:
    """Below the prefix lies its disk C."""
    path = Path("/srv/prefix/drive_c/users/me/AppData/waggle.exe")
    assert trials.windows_program(path) == r"C:\users\me\AppData\waggle.exe"
