"""A pause that ends by itself."""

from pytestqt.qtbot import QtBot

from app.pages.home.snooze_button import SnoozeButton


def test_a_span_that_is_chosen_is_told(qtbot: QtBot) -> None:
    """By a button that has a name though it has no words."""
    snooze = SnoozeButton()
    qtbot.addWidget(snooze)
    assert snooze.accessibleName() == "Pause for a while"
    with qtbot.waitSignal(snooze.chosen) as told:
        snooze.menu().actions()[0].trigger()
    assert told.args == [1_800]
