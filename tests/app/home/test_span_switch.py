"""Hour, day, all."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.home.span_switch import SpanSwitch


def test_one_span_at_a_time(qtbot: QtBot) -> None:
    """All of it at first; a click changes it once."""
    switch = SpanSwitch()
    qtbot.addWidget(switch)
    told: list[str] = []
    switch.changed.connect(told.append)
    hour, day, everything = switch.findChildren(QPushButton)
    assert everything.isChecked()
    hour.click()
    hour.click()
    day.click()
    assert told == ["hour", "day"]
    assert [b.isChecked() for b in (hour, day, everything)] == [False, True, False]
    assert all(b.accessibleName().startswith("Show ") for b in (hour, day, everything))
