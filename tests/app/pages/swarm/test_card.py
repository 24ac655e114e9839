"""What all cards have in common."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.pages.swarm.card import Card


def test_a_card_has_its_heading_first(qtbot: QtBot) -> None:
    """And none where it is given none."""
    card, bare = Card("Meeting points"), Card(role="notice")
    for widget in (card, bare):
        qtbot.addWidget(widget)
    assert [one.text() for one in card.findChildren(QLabel)] == ["Meeting points"]
    assert (bare.findChildren(QLabel), bare.property("role")) == ([], "notice")
