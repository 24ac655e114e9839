"""How ``dev.py windows`` tells what became of a trial."""

import pytest

import dev_windows_trials


def test_a_failure_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """With what the program said."""
    assert dev_windows_trials.outcome("it runs", is_so=False, words="no").state == "failed"
    assert "it runs: NO\nno" in capsys.readouterr().out
    assert dev_windows_trials.outcome("it runs", is_so=True).state == "passed"
