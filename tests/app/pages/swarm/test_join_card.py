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
def helper(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_a_link_is_read_before_anybody_joins(helper: Desk, qtbot: QtBot) -> None:
    """Name, who may take part, and where they meet; then a click joins."""
    helper.paste(f" {LINK} ")
    assert [one.link for one in helper.asked] == [LINK]
    assert helper.join() is None
    helper.card.hear(helper.answer())
    for words in ("our-class", "Private", "hub.example.org"):
        assert words in helper.texts()
    join = helper.join()
    assert join is not None
    with qtbot.waitSignal(helper.card.join_asked) as asked:
        QTest.mouseClick(join, Qt.MouseButton.LeftButton)
    assert asked.args == [helper.answer()]
    assert helper.join() is None, "it is done"


def test_a_broken_link_is_said_in_words(helper: Desk) -> None:
    """Those of the helper, until something else is typed."""
    helper.paste("waggle://join/x")
    helper.card.hear(Refused(id=helper.asked[0].id, words="This invite was cut or mistyped."))
    assert "cut or mistyped" in helper.texts()
    assert helper.line is not None
    QTest.keyClicks(helper.line, "y")
    assert "cut or mistyped" not in helper.texts()


def test_what_was_read_does_not_count_for_another_link(helper: Desk) -> None:
    """Nobody joins a swarm other than the one in the field; late answers are left alone."""
    helper.paste(LINK)
    late = helper.answer()
    helper.card.hear(late)
    assert helper.line is not None
    QTest.keyClicks(helper.line, "z")
    assert helper.join() is None
    helper.card.hear(late)
    assert helper.join() is None


def test_answers_to_others_are_left_alone(helper: Desk) -> None:
    """Every page hears every answer."""
    helper.paste(LINK)
    helper.card.hear(Refused(id=helper.asked[0].id + 1, words="The disk is full."))
    helper.card.hear(replace(helper.answer(), id=0))
    assert "disk" not in helper.texts()
    assert helper.join() is None


def test_nothing_is_asked_about_an_empty_field(helper: Desk) -> None:
    """There is nothing to say."""
    helper.paste("  ")
    assert helper.asked == []


LAN = DoubtfulHub("http://192.168.1.5:8765", "own_network")
PAGE = DoubtfulHub("http://hub.example.org/cgi/reboot", "path")


def test_an_inner_address_is_asked_about_before_anybody_joins(helper: Desk) -> None:
    """By its name; whoever agrees is there, and whoever declines is asked anew the next time."""
    joined = helper.found(LAN, PAGE)
    helper.press("Join this swarm")
    words = helper.texts().replace("\u200b", "")
    assert f"connect to {LAN.url}, an address inside your own network" in words
    assert f"connect to {PAGE.url}, a single page of a server" in words
    assert joined == []
    assert helper.join() is None
    helper.press("Do not connect")
    assert joined == []
    assert LAN.url not in helper.texts().replace("\u200b", "")
    helper.press("Join this swarm")
    helper.press("Connect")
    assert len(joined) == 1


def test_agreeing_counts_for_no_other_invite(helper: Desk) -> None:
    """One that a web page opens while the question stands takes it away."""
    joined = helper.found(LAN)
    helper.press("Join this swarm")
    helper.card.fill_in("waggle://join/other")
    assert "Connect" not in [
        one.text() for one in helper.card.findChildren(QPushButton) if one.isVisible()
    ]
    helper.card.hear(replace(helper.answer(), doubtful=(PAGE,)))
    assert helper.join() is not None
    assert joined == []


def test_an_ordinary_meeting_point_takes_no_question(helper: Desk) -> None:
    """It is named, and joining is enough."""
    joined = helper.found()
    assert "hub.example.org" in helper.texts().replace("\u200b", "")
    helper.press("Join this swarm")
    assert len(joined) == 1


def test_a_link_from_elsewhere_is_shown_like_a_pasted_one(helper: Desk) -> None:
    """Such as one that was clicked in a browser."""
    helper.card.fill_in(LINK)
    assert [one.link for one in helper.asked] == [LINK]
