"""What ``dev.py windows`` takes for a frozen app."""

import json
import sys
from pathlib import Path

import pytest

import dev_windows_freeze
import dev_windows_setup
import dev_wine
from dev_windows_python import ADDED
from dev_wine import Wine
from tests.fake_checkout import FakeTools

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")


def add_wine(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let Wine be a shell script, and the only program there is."""
    tools = FakeTools(folder / "bin")
    tools.write("wine", script)
    monkeypatch.setenv("PATH", str(tools.folder))
    for module in (dev_windows_freeze, dev_wine):
        monkeypatch.setattr(module, "WORK", folder)


def test_what_made_no_program_has_not_frozen_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wine ends with 0 what was ended from outside; the last step is told."""
    add_wine(tmp_path, monkeypatch, "echo 12 INFO: Looking for libraries")
    (found,) = dev_windows_freeze.freeze(Wine(tmp_path / "prefix"), tmp_path / "python.exe")
    assert (found.name, found.state) == ("freezing", "failed")


@pytest.mark.parametrize(("rounds", "state"), [((1, 2), "passed"), ((1,), "failed")])
def test_what_is_frozen_has_to_practise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: tuple[int, ...], state: str
) -> None:
    """With the libraries beside it that Wine lacks; a setup is made where Wine has 32 bits."""
    made = tmp_path / "frozen" / "waggle" / "waggle.exe"
    told = "\\n".join(json.dumps({"type": "round_finished", "round": n}) for n in rounds)
    frozen = f"/bin/mkdir -p {made.parent}; : > {made}"
    script = f"""case "$*" in
        *PyInstaller*) {frozen};;
        *join*) printf '{told}\\n';;
    esac"""
    add_wine(tmp_path, monkeypatch, script)
    monkeypatch.setattr(dev_windows_setup, "_machine_of_32_bits", lambda _wine: None)
    for name in ADDED:
        (tmp_path / name).write_bytes(b"library")
    found = dev_windows_freeze.freeze(Wine(tmp_path / "prefix"), tmp_path / "python.exe")
    states = {one.name: one.state for one in found}
    assert states == {
        "freezing": "passed",
        "the frozen program starts": "passed",
        "the frozen program practises": state,
        "its setup": "skipped",
    }
    assert all((made.parent / name).is_file() for name in ADDED)
