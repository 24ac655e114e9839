"""Words without a window."""

import sys

import pytest

from app.desktop.plain_words import say_plainly


def test_words_go_where_a_terminal_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing pops up where somebody reads what a program writes."""
    shown: list[str] = []
    say_plainly("There is no screen.", shown.append)
    assert (capsys.readouterr().err, shown) == ("There is no screen.\n", [])


def test_words_are_shown_where_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A windowed build on Windows: stderr is None there."""
    shown: list[str] = []
    monkeypatch.setattr(sys, "stderr", None)
    say_plainly("There is no screen.", shown.append)
    assert shown == ["There is no screen."]
