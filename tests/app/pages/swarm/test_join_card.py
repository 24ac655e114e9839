"""Pasting an invite of others."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.join_card import JoinCard
from core.api.requests import Refused
from core.api.swarm import DoubtfulHub, InviteShown, ShowInvite
from tests.app.pages.swarm.samples import CLASS

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

    def found(self, *doubtful: DoubtfulHub) -> list[object]:
        """Paste an invite that names such addresses; what is joined from then on."""
        joined: list[object] = []
        self.card.join_asked.connect(joined.append)
        self.paste(LINK)
        self.card.hear(replace(self.answer(), doubtful=doubtful))
        return joined

    def press(self, words: str) -> None:
        buttons = [one for one in self.card.findChildren(QPushButton) if one.isVisible()]
        (found,) = (one for one in buttons if one.text() == words)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

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


LAN = DoubtfulHub("http://192.168.1.5:8765", "own_network")
PAGE = DoubtfulHub("http://hub.example.org/cgi/reboot", "path")


def test_an_inner_address_is_asked_about_before_anybody_joins(desk: Desk) -> None:
    """By its name; whoever agrees is there, and whoever declines is asked anew the next time."""
    joined = desk.found(LAN, PAGE)
    desk.press("Join this swarm")
    words = desk.texts().replace("\u200b", "")
    assert f"connect to {LAN.url}, an address inside your own network" in words
    assert f"connect to {PAGE.url}, a single page of a server" in words
    assert joined == []
    assert desk.join() is None
    desk.press("Do not connect")
    assert joined == []
    assert LAN.url not in desk.texts().replace("\u200b", "")
    desk.press("Join this swarm")
    desk.press("Connect")
    assert len(joined) == 1


def test_agreeing_counts_for_no_other_invite(desk: Desk) -> None:
    """One that a web page opens while the question stands takes it away."""
    joined = desk.found(LAN)
    desk.press("Join this swarm")
    desk.card.fill_in("waggle://join/other")
    assert "Connect" not in [
        one.text() for one in desk.card.findChildren(QPushButton) if one.isVisible()
    ]
    desk.card.hear(replace(desk.answer(), doubtful=(PAGE,)))
    assert desk.join() is not None
    assert joined == []


def test_an_ordinary_meeting_point_takes_no_question(desk: Desk) -> None:
    """It is named, and joining is enough."""
    joined = desk.found()
    assert "hub.example.org" in desk.texts().replace("\u200b", "")
    desk.press("Join this swarm")
    assert len(joined) == 1


def test_a_link_from_elsewhere_is_shown_like_a_pasted_one(desk: Desk) -> None:
    """Such as one that was clicked in a browser."""
    desk.card.fill_in(LINK)
    assert [one.link for one in desk.asked] == [LINK]
