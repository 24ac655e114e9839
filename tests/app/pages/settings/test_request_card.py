"""A card that sends somebody on requests."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.request_card import RequestCard
from core.api.maintenance import LookAround
from core.api.requests import Done
from tests.fake_actions import FakeActions


def test_a_button_begins_an_request_and_the_card_says_how_it_went(
    actions: FakeActions, qtbot: QtBot
) -> None:
    """Buttons stand in the order in which they were added."""
    card = RequestCard(actions, "Health", "Looks at everything.")
    qtbot.addWidget(card)
    card.add_button("Look", lambda: card.line.begin(LookAround(), "Looking…"))
    card.add_button("Leave", lambda: None)
    look, leave = card.findChildren(QPushButton)
    assert (look.text(), leave.text()) == ("Look", "Leave")
    look.click()
    actions.reply(Done(id=actions.last(LookAround).id, words="All is well."))
    texts = [one.text() for one in card.findChildren(QLabel)]
    assert {"Health", "Looks at everything.", "All is well."} <= set(texts)


def test_without_words_there_is_no_empty_line(actions: FakeActions, qtbot: QtBot) -> None:
    """It would look like a gap."""
    card = RequestCard(actions, "Health", "")
    qtbot.addWidget(card)
    assert [one.text() for one in card.findChildren(QLabel) if one.isVisibleTo(card)] == ["Health"]
