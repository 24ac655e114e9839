"""How ``dev.py windows`` tells what became of a trial, and follows a program."""

import sys
from pathlib import Path

import pytest

import dev_windows
import dev_windows_trials
from dev_wine import Wine, WineError
from tests.fake_checkout import FakeTools

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")


def fake_wine(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Wine:
    """A Wine that runs ``script`` whatever it is asked for, until it is told to end."""
    tools = FakeTools(folder / "bin")
    tools.write("wine", f"echo $$ > {folder}/pid; {script}")
    tools.write("wineserver", f"kill $(/bin/cat {folder}/pid)")
    monkeypatch.setenv("PATH", str(tools.folder))
    return Wine(folder / "prefix")


def test_a_failure_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """With what the program said."""
    assert dev_windows_trials.outcome("it runs", is_so=False, words="no").state == "failed"
    assert "it runs: NO\nno" in capsys.readouterr().out
    assert dev_windows_trials.outcome("it runs", is_so=True).state == "passed"


@on_posix
def test_a_line_that_was_cut_off_is_no_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the program was killed while it said something; nor is what is no JSON."""
    line = '{"type": "round_finished", "round": 1}'
    wine = fake_wine(tmp_path, monkeypatch, f"echo hello; echo '{line}'; printf '{line[:20]}'")
    assert dev_windows_trials.finished(dev_windows_trials.events(wine, ["join"])) == [1]


@on_posix
def test_a_program_that_says_nothing_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the limit is over; it has failed, and the next parts are tried."""
    wine = fake_wine(tmp_path, monkeypatch, "exec /bin/sleep 600")
    monkeypatch.setattr(dev_windows_trials, "ROUND_LIMIT_S", 0.2)
    monkeypatch.setattr(dev_windows_trials, "WORK", tmp_path)
    with pytest.raises(WineError, match="0 rounds took"):
        dev_windows_trials.events(wine, ["join"])
    known = dev_windows.Known({}, {})
    (found,) = dev_windows.tried(wine, tmp_path / "python.exe", "rounds", known)
    assert (found.name, found.state) == ("rounds", "failed")
