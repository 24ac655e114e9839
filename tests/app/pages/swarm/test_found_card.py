"""Describing a swarm of one's own."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.found_card import FoundCard
from core.api.requests import Refused
from core.api.swarm import MakeInvite
from tests.app.pages.swarm.samples import HUB, MADE
from tests.fake_actions import FakeActions


class Played:
    """The card with what it asked."""

    def __init__(self, actions: FakeActions, qtbot: QtBot) -> None:
        self.actions = actions
        self.qtbot = qtbot
        self.card = FoundCard(actions)
        qtbot.addWidget(self.card)
        self.card.show()
        self.name, self.hubs = self.card.findChildren(QLineEdit)
        self.private, self.open = self.card.findChildren(QRadioButton)
        (self.make,) = self.card.findChildren(QPushButton)

    @property
    def asked(self) -> list[MakeInvite]:
        return self.actions.of(MakeInvite)

    def describe(self, name: str, hubs: str = "") -> None:
        QTest.keyClicks(self.name, name)
        QTest.keyClicks(self.hubs, hubs)
        QTest.mouseClick(self.make, Qt.MouseButton.LeftButton)

    def texts(self) -> str:
        return "\n".join(one.text() for one in self.card.findChildren(QLabel) if one.isVisible())


@pytest.fixture
def played(actions: FakeActions, qtbot: QtBot) -> Played:
    return Played(actions, qtbot)


def test_a_swarm_is_private_unless_the_person_opens_it(played: Played) -> None:
    """An own swarm is rarely meant for everybody."""
    played.describe("our-class")
    QTest.mouseClick(played.open, Qt.MouseButton.LeftButton)
    QTest.mouseClick(played.make, Qt.MouseButton.LeftButton)
    assert [(one.swarm, one.is_private) for one in played.asked] == [
        ("our-class", True),
        ("our-class", False),
    ]


def test_meeting_points_may_be_separated_by_spaces_or_commas(played: Played) -> None:
    """As people write lists."""
    played.describe("our-class", f" {HUB},  http://10.0.0.5:1 ")
    assert played.asked[0].hubs == (HUB, "http://10.0.0.5:1")


def test_without_a_name_nothing_is_asked(played: Played) -> None:
    """It is said what is missing, and the cursor is there."""
    played.describe("  ")
    assert played.asked == []
    assert "Give it a name first" in played.texts()


def test_too_many_meeting_points_are_said_here(played: Played) -> None:
    """They would not even get to the helper."""
    played.describe("our-class", " ".join([HUB] * 9))
    assert played.asked == []
    assert "up to 8" in played.texts()


def test_what_is_wrong_is_said_until_the_next_try(played: Played) -> None:
    """In the words of the helper."""
    played.describe("Our Class")
    played.actions.reply(Refused(words="'Our Class' is no name of a swarm."))
    assert "no name of a swarm" in played.texts()
    QTest.mouseClick(played.make, Qt.MouseButton.LeftButton)
    assert "no name of a swarm" not in played.texts()


def test_the_invite_is_handed_on(played: Played, qtbot: QtBot) -> None:
    """And the card is ready for another one."""
    played.describe("our-class")
    with qtbot.waitSignal(played.card.made) as made:
        played.actions.reply(MADE)
    assert made.args is not None
    assert made.args[0].link == MADE.link
    assert played.name.text() == ""
