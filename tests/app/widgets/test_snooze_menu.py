"""Pauses that end by themselves."""

from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.widgets.snooze_menu import fill_snoozes


def test_every_span_is_offered(qtbot: QtBot) -> None:
    """Half an hour, an hour, and until the next morning."""
    menu = QMenu()
    qtbot.addWidget(menu)
    told: list[int] = []
    fill_snoozes(menu, told.append)
    for action in menu.actions():
        action.trigger()
    assert told[:2] == [1_800, 3_600]
    assert 1 <= told[2] <= 86_400 + 3_600  # a day may have 25 hours
