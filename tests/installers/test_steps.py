"""A smoke test says what it does, and stops at the first thing that is wrong."""

import pytest

from installers.steps import SmokeError, refuse, step, until


def test_a_step_tells_its_name_and_its_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, once it is over."""
    with step("practising"):
        assert capsys.readouterr().out == ""
    told = capsys.readouterr().out
    assert told.startswith("smoke: practising")
    assert told.endswith(" s  ok\n")


def test_a_step_that_fails_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """And the error goes on to whoever runs it."""
    with pytest.raises(SmokeError), step("practising"):
        raise SmokeError("nothing was learnt")
    assert capsys.readouterr().out.endswith(" s  FAILED\n")


def test_what_is_true_in_the_end_is_returned() -> None:
    """It is looked at until it is."""
    seen = iter([None, "", "a window"])
    assert until(lambda: next(seen), "no window", 60) == "a window"


def test_what_never_becomes_true_is_an_error() -> None:
    """Which says what was waited for."""
    with pytest.raises(SmokeError, match="no window within 0 s"):
        until(lambda: None, "no window", 0)


def test_nothing_found_is_nothing_refused() -> None:
    """Only what is there is an error, named and not too long."""
    refuse("open doors", [])
    with pytest.raises(SmokeError, match=r"^100 open doors:\n    0\n    1\n") as refused:
        refuse("open doors", list(map(str, range(100))))
    assert str(refused.value).count("\n") == 10
