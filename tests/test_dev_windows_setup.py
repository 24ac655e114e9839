"""What ``dev.py windows`` changes of the setup's script, and what it takes for done."""

from pathlib import Path

import pytest

import dev_windows_setup
from dev_system import ROOT
from dev_wine import WineError, windows_path


def test_only_the_place_of_the_setup_is_changed() -> None:
    """Everything else is compiled and run as it is shipped."""
    script = dev_windows_setup.SCRIPT.read_text(encoding="utf-8-sig")
    changed = zip(script.splitlines(), dev_windows_setup.moved(script).splitlines(), strict=True)
    assert [new for old, new in changed if old != new] == [
        r"DefaultDirName={localappdata}\Programs\Waggle",
        f"SourceDir={windows_path(ROOT)}",
    ]


def test_a_script_with_another_place_is_refused() -> None:
    """It would be installed where Wine knows no folder, and fail without a word."""
    with pytest.raises(WineError, match="no single line"):
        dev_windows_setup.moved("[Setup]\nSourceDir=..\\..\n")


def test_programs_on_the_disk_of_windows_have_its_names() -> None:
    """Below the prefix lies its disk C."""
    path = Path("/srv/prefix/drive_c/users/me/AppData/waggle.exe")
    assert dev_windows_setup.windows_program(path) == r"C:\users\me\AppData\waggle.exe"


def test_a_broken_setup_differs_in_one_bit_of_what_it_installs(tmp_path: Path) -> None:
    """Its own program is whole, so it is what is unpacked that has to be found wrong."""
    setup = tmp_path / "setup.exe"
    library = dev_windows_setup.library("0.1.0")
    setup.write_bytes(b"program" + library + b"end")
    dev_windows_setup.broken(windows_path(setup), "0.1.0")
    pairs = zip((tmp_path / "broken.exe").read_bytes(), setup.read_bytes(), strict=True)
    assert [at for at, (one, other) in enumerate(pairs) if one != other] == [7 + (1 << 21)]
    with pytest.raises(WineError, match="cannot be broken"):
        dev_windows_setup.broken(windows_path(setup), "0.2.0")
