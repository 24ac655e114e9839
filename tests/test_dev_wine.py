"""Programs of Windows, and the names of files there."""

import sys
from pathlib import Path

import pytest

import dev_wine
from tests.fake_checkout import FakeTools

needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")


def test_windows_finds_files_of_this_system_on_z() -> None:
    """Wine's name for the root folder."""
    assert dev_wine.windows_path(Path("/srv/a b/c.py")) == r"Z:\srv\a b\c.py"


@needs_sh
def test_a_program_that_takes_too_long_is_ended(tmp_path: Path, tools: FakeTools) -> None:
    """With all that it started there, and what it said is kept."""
    tools.add("wineserver")
    tools.write("wine", "echo begun\nexec /bin/sleep 60")
    log = tmp_path / "logs" / "part.txt"
    done = dev_wine.Wine(tmp_path).run("python.exe", limit_s=1, log=log)
    assert done == dev_wine.Done(124, "begun\n")
    assert log.read_text(encoding="utf-8") == "begun\n"
    assert "wineserver -k" in tools.calls()


@needs_sh
def test_what_a_program_leaves_behind_is_ended(
    tmp_path: Path, tools: FakeTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would hold up everything that follows, and the program's own end counts."""
    monkeypatch.setattr(dev_wine, "LEFT_S", 0.1)
    left = tmp_path / "left"
    tools.write("wine", f"echo begun\n/bin/sleep 600 &\necho $! > {left}\nexit 3")
    tools.write("wineserver", f"read number < {left}\nkill $number")
    done = dev_wine.Wine(tmp_path).run("python.exe", limit_s=60)
    assert done == dev_wine.Done(3, "begun\n")


@needs_sh
def test_what_a_program_says_can_be_read_while_it_runs(tmp_path: Path, tools: FakeTools) -> None:
    """Line by line, so that nobody wonders for an hour whether it does anything."""
    log = tmp_path / "part.txt"
    seen = f"until [ -s {log} ]; do /bin/sleep 0.01; done; echo seen"
    tools.write("wine", f"echo begun\n{seen}\nexit 3")
    done = dev_wine.Wine(tmp_path).run("python.exe", limit_s=60, log=log)
    assert done == dev_wine.Done(3, "begun\nseen\n")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    """A PATH that holds what a test puts there, and nothing else."""
    made = FakeTools(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(made.folder))
    return made
