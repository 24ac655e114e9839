"""Pasting an invite of others."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.swarm.join_card import JoinCard
from core.engine.desk.base import Refused
from core.engine.desk.swarm import InviteShown, ShowInvite
from tests.app.swarm.samples import CLASS

LINK = "waggle://join/abc"


class Desk:
    """The card with what it asked."""

    def __init__(self, qtbot: QtBot) -> None:
        self.card = JoinCard()
        qtbot.addWidget(self.card)
        self.card.show()
        self.asked: list[ShowInvite] = []
        self.card.asked.connect(self.asked.append)
        self.line = self.card.findChild(QLineEdit)

    def paste(self, link: str) -> None:
        assert self.line is not None
        self.line.clear()
        QTest.keyClicks(self.line, link)
        QTest.keyClick(self.line, Qt.Key.Key_Return)

    def answer(self) -> InviteShown:
        """What leads to the class."""
        return InviteShown(id=self.asked[-1].id, link=LINK, swarm=CLASS)

    def texts(self) -> str:
        return "\n".join(one.text() for one in self.card.findChildren(QLabel) if one.isVisible())

    def join(self) -> QPushButton | None:
        buttons = [one for one in self.card.findChildren(QPushButton) if one.isVisible()]
        return next((one for one in buttons if one.text() == "Join this swarm"), None)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_a_link_is_read_before_anybody_joins(desk: Desk, qtbot: QtBot) -> None:
    """Name, who may take part, and where they meet; then a click joins."""
    desk.paste(f" {LINK} ")
    assert [one.link for one in desk.asked] == [LINK]
    assert desk.join() is None
    desk.card.hear(desk.answer())
    for words in ("our-class", "Private", "hub.example.org"):
        assert words in desk.texts()
    join = desk.join()
    assert join is not None
    with qtbot.waitSignal(desk.card.join_asked) as asked:
        QTest.mouseClick(join, Qt.MouseButton.LeftButton)
    assert asked.args == [desk.answer()]
    assert desk.join() is None, "it is done"


def test_a_broken_link_is_said_in_words(desk: Desk) -> None:
    """Those of the desk, until something else is typed."""
    desk.paste("waggle://join/x")
    desk.card.hear(Refused(id=desk.asked[0].id, words="This invite was cut or mistyped."))
    assert "cut or mistyped" in desk.texts()
    assert desk.line is not None
    QTest.keyClicks(desk.line, "y")
    assert "cut or mistyped" not in desk.texts()


def test_what_was_read_does_not_count_for_another_link(desk: Desk) -> None:
    """Nobody joins a swarm other than the one in the field; late answers are left alone."""
    desk.paste(LINK)
    late = desk.answer()
    desk.card.hear(late)
    assert desk.line is not None
    QTest.keyClicks(desk.line, "z")
    assert desk.join() is None
    desk.card.hear(late)
    assert desk.join() is None


def test_answers_to_others_are_left_alone(desk: Desk) -> None:
    """Every page hears every answer."""
    desk.paste(LINK)
    desk.card.hear(Refused(id=desk.asked[0].id + 1, words="The disk is full."))
    desk.card.hear(replace(desk.answer(), id=0))
    assert "disk" not in desk.texts()
    assert desk.join() is None


def test_nothing_is_asked_about_an_empty_field(desk: Desk) -> None:
    """There is nothing to say."""
    desk.paste("  ")
    assert desk.asked == []


def test_a_link_from_elsewhere_is_shown_like_a_pasted_one(desk: Desk) -> None:
    """Such as one that was clicked in a browser."""
    desk.card.fill_in(LINK)
    assert [one.link for one in desk.asked] == [LINK]
