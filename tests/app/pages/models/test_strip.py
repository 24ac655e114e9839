"""A few words inside a card."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.strip import Strip
from app.pages.models.view_model import RowAction


def buttons(strip: Strip) -> list[str]:
    return [b.text() for b in strip.findChildren(QPushButton) if not b.isHidden()]


def test_words_come_with_ways_out(qtbot: QtBot) -> None:
    """At most two; what is pressed is told."""
    acts: list[RowAction] = []
    strip = Strip(acts.append)
    qtbot.addWidget(strip)
    ways = (RowAction("Show the folder", "reveal", "out"), RowAction("Close", "dismiss"))
    strip.say("Saved.", ways, is_grave=False)
    assert buttons(strip) == ["Show the folder", "Close"]
    assert [label.text() for label in strip.findChildren(QLabel)] == ["Saved."]
    assert strip.accessibleName() == "Saved."
    strip.findChildren(QPushButton)[0].click()
    assert acts == [ways[0]]


def test_without_words_it_is_not_there(qtbot: QtBot) -> None:
    """It comes and goes."""
    strip = Strip(lambda _act: None)
    qtbot.addWidget(strip)
    assert strip.isHidden()
    strip.say("No.", (), is_grave=True)
    assert not strip.isHidden()
    strip.say("", (), is_grave=False)
    assert strip.isHidden()
