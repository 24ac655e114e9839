"""The line that says what alone is shown."""

from pytestqt.qtbot import QtBot

from app.pages.practice.only_bar import OnlyBar
from tests.app.reading import press, text


def test_it_is_there_only_while_something_is_left_out(qtbot: QtBot) -> None:
    """With a way back to all."""
    bar = OnlyBar()
    qtbot.addWidget(bar)
    assert bar.isHidden()
    bar.show_title("Count legs, level 3")
    assert not bar.isHidden()
    assert "Only: Count legs, level 3" in text(bar)
    with qtbot.waitSignal(bar.every.clicked):
        press(bar, "Show all puzzles")
    bar.show_title("")
    assert bar.isHidden()
