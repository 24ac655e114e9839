"""A few words inside a card."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.inline_message import InlineMessage
from app.pages.models.view_model import RowAction


def buttons(message: InlineMessage) -> list[str]:
    return [b.text() for b in message.findChildren(QPushButton) if not b.isHidden()]


def test_words_come_with_ways_out(qtbot: QtBot) -> None:
    """At most two; what is pressed is told."""
    acts: list[RowAction] = []
    message = InlineMessage(acts.append)
    qtbot.addWidget(message)
    ways = (RowAction("Show the folder", "reveal", "out"), RowAction("Close", "dismiss"))
    message.say("Saved.", ways, is_grave=False)
    assert buttons(message) == ["Show the folder", "Close"]
    assert [label.text() for label in message.findChildren(QLabel)] == ["Saved."]
    assert message.accessibleName() == "Saved."
    message.findChildren(QPushButton)[0].click()
    assert acts == [ways[0]]


def test_without_words_it_is_not_there(qtbot: QtBot) -> None:
    """It comes and goes."""
    message = InlineMessage(lambda _act: None)
    qtbot.addWidget(message)
    assert message.isHidden()
    message.say("No.", (), is_grave=True)
    assert not message.isHidden()
    message.say("", (), is_grave=False)
    assert message.isHidden()
