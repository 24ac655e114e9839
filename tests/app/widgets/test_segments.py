"""One of a few."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.widgets.segments import Segments


def test_one_at_a_time(qtbot: QtBot) -> None:
    """The one that is named at first; a click changes it once."""
    named = (("hour", "Hour", "Show an hour"), ("day", "Day", "Show a day"), (0, "All", "Show all"))
    segments = Segments(named, 0)
    qtbot.addWidget(segments)
    told: list[object] = []
    segments.changed.connect(told.append)
    hour, day, everything = segments.findChildren(QPushButton)
    assert everything.isChecked()
    hour.click()
    hour.click()
    day.click()
    assert told == ["hour", "day"]
    assert [b.isChecked() for b in (hour, day, everything)] == [False, True, False]
    assert [b.accessibleName() for b in (hour, day)] == ["Show an hour", "Show a day"]
