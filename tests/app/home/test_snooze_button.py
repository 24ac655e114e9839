"""A pause that ends by itself."""

from pytestqt.qtbot import QtBot

from app.home.snooze_button import SnoozeButton


def test_every_span_is_offered(qtbot: QtBot) -> None:
    """Half an hour, an hour, and until the next morning."""
    snooze = SnoozeButton()
    qtbot.addWidget(snooze)
    told: list[int] = []
    snooze.chosen.connect(told.append)
    for action in snooze.menu().actions():
        action.trigger()
    assert told[:2] == [1_800, 3_600]
    assert 1 <= told[2] <= 86_400 + 3_600  # a day may have 25 hours
    assert snooze.accessibleName() == "Pause for a while"
