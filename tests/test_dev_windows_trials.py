"""What ``dev.py windows`` takes for a round, an end and a frozen app."""

import sys
from pathlib import Path

import pytest

import dev_windows_trials
import dev_wine
from dev_wine import Wine
from tests.fake_checkout import FakeTools


@pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")
def test_what_made_no_program_has_not_frozen_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wine ends with 0 what was ended from outside; the last step is told."""
    tools = FakeTools(tmp_path / "bin")
    tools.add("wine", says="12 INFO: Looking for libraries")
    monkeypatch.setenv("PATH", str(tools.folder))
    for module in (dev_windows_trials, dev_wine):
        monkeypatch.setattr(module, "WORK", tmp_path)
    (found,) = dev_windows_trials.freeze(Wine(tmp_path / "prefix"), tmp_path / "python.exe")
    assert (found.name, found.state) == ("freezing", "failed")


def test_a_failure_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """With what the program said."""
    assert dev_windows_trials.outcome("it runs", is_so=False, words="no").state == "failed"
    assert "it runs: NO\nno" in capsys.readouterr().out
    assert dev_windows_trials.outcome("it runs", is_so=True).state == "passed"
