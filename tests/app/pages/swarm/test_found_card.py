"""Describing a swarm of one's own."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.found_card import FoundCard
from core.api.requests import Refused
from core.api.swarm import MakeInvite
from tests.app.pages.swarm.samples import HUB, MADE


class Desk:
    """The card with what it asked."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.card = FoundCard()
        qtbot.addWidget(self.card)
        self.card.show()
        self.asked: list[MakeInvite] = []
        self.card.asked.connect(self.asked.append)
        self.name, self.hubs = self.card.findChildren(QLineEdit)
        self.private, self.open = self.card.findChildren(QRadioButton)
        (self.make,) = self.card.findChildren(QPushButton)

    def describe(self, name: str, hubs: str = "") -> None:
        QTest.keyClicks(self.name, name)
        QTest.keyClicks(self.hubs, hubs)
        QTest.mouseClick(self.make, Qt.MouseButton.LeftButton)

    def texts(self) -> str:
        return "\n".join(one.text() for one in self.card.findChildren(QLabel) if one.isVisible())


@pytest.fixture
def helper(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_a_swarm_is_private_unless_the_person_opens_it(helper: Desk) -> None:
    """An own swarm is rarely meant for everybody."""
    helper.describe("our-class")
    QTest.mouseClick(helper.open, Qt.MouseButton.LeftButton)
    QTest.mouseClick(helper.make, Qt.MouseButton.LeftButton)
    assert [(one.swarm, one.is_private) for one in helper.asked] == [
        ("our-class", True),
        ("our-class", False),
    ]


def test_meeting_points_may_be_separated_by_spaces_or_commas(helper: Desk) -> None:
    """As people write lists."""
    helper.describe("our-class", f" {HUB},  http://10.0.0.5:1 ")
    assert helper.asked[0].hubs == (HUB, "http://10.0.0.5:1")


def test_without_a_name_nothing_is_asked(helper: Desk) -> None:
    """It is said what is missing, and the cursor is there."""
    helper.describe("  ")
    assert helper.asked == []
    assert "Give it a name first" in helper.texts()


def test_too_many_meeting_points_are_said_here(helper: Desk) -> None:
    """They would not even get to the helper."""
    helper.describe("our-class", " ".join([HUB] * 9))
    assert helper.asked == []
    assert "up to 8" in helper.texts()


def test_what_is_wrong_is_said_until_the_next_try(helper: Desk) -> None:
    """In the words of the helper; what others are refused is not shown here."""
    helper.describe("Our Class")
    helper.card.hear(Refused(id=helper.asked[0].id + 1, words="The disk is full."))
    helper.card.hear(Refused(id=helper.asked[0].id, words="'Our Class' is no name of a swarm."))
    assert "no name of a swarm" in helper.texts()
    assert "disk" not in helper.texts()
    QTest.mouseClick(helper.make, Qt.MouseButton.LeftButton)
    assert "no name of a swarm" not in helper.texts()


def test_the_invite_is_handed_on(helper: Desk, qtbot: QtBot) -> None:
    """And the card is ready for another one."""
    helper.describe("our-class")
    with qtbot.waitSignal(helper.card.made) as made:
        helper.card.hear(replace(MADE, id=helper.asked[0].id))
    assert made.args is not None
    assert made.args[0].link == MADE.link
    assert helper.name.text() == ""
