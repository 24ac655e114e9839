"""Pasting an invite of others."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.join_card import AddressQuestion, JoinCard
from app.style.appearance import Appearance
from core.api.requests import Refused
from core.api.swarm import DoubtfulHub, InviteShown, ShowInvite
from tests.app.focus_rings import bad_rings
from tests.app.pages.swarm.samples import CLASS
from tests.app.reading import press_again, text
from tests.fake_actions import FakeActions

LINK = "waggle://join/abc"


class Played:
    """The card with what it asked."""

    def __init__(self, actions: FakeActions, qtbot: QtBot) -> None:
        self.actions = actions
        self.card = JoinCard(actions)
        qtbot.addWidget(self.card)
        self.card.show()
        self.line = self.card.findChild(QLineEdit)

    @property
    def asked(self) -> list[ShowInvite]:
        return self.actions.of(ShowInvite)

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
        self.actions.reply(replace(self.answer(), doubtful=doubtful))
        return joined

    def press(self, words: str) -> None:
        buttons = [one for one in self.card.findChildren(QPushButton) if one.isVisible()]
        (found,) = (one for one in buttons if one.text() == words)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def join(self) -> QPushButton | None:
        buttons = [one for one in self.card.findChildren(QPushButton) if one.isVisible()]
        return next((one for one in buttons if one.text() == "Join this swarm"), None)


@pytest.fixture
def played(actions: FakeActions, qtbot: QtBot) -> Played:
    return Played(actions, qtbot)


def test_a_link_is_read_before_anybody_joins(played: Played, qtbot: QtBot) -> None:
    """Name, who may take part, and where they meet; then a click joins."""
    played.paste(f" {LINK} ")
    assert [one.link for one in played.asked] == [LINK]
    assert played.join() is None
    played.actions.reply(played.answer())
    for words in ("our-class", "Private", "hub.example.org"):
        assert words in text(played.card)
    join = played.join()
    assert join is not None
    with qtbot.waitSignal(played.card.join_asked) as asked:
        QTest.mouseClick(join, Qt.MouseButton.LeftButton)
    assert asked.args == [played.answer()]
    assert played.join() is None, "it is done"


def test_a_broken_link_is_said_in_words(played: Played) -> None:
    """Those of the helper, until something else is typed."""
    played.paste("waggle://join/x")
    played.actions.reply(Refused(words="This invite was cut or mistyped."))
    assert "cut or mistyped" in text(played.card)
    assert played.line is not None
    QTest.keyClicks(played.line, "y")
    assert "cut or mistyped" not in text(played.card)


def test_what_was_read_does_not_count_for_another_link(played: Played) -> None:
    """Nobody joins a swarm other than the one in the field; late answers are left alone."""
    played.paste(LINK)
    late = played.answer()
    played.actions.reply(late)
    assert played.line is not None
    QTest.keyClicks(played.line, "z")
    assert played.join() is None
    played.actions.reply(late)
    assert played.join() is None


def test_nothing_is_asked_about_an_empty_field(played: Played) -> None:
    """There is nothing to say."""
    played.paste("  ")
    assert played.asked == []


LAN = DoubtfulHub("http://192.168.1.5:8765", "own_network")
PAGE = DoubtfulHub("http://hub.example.org/cgi/reboot", "path")


def test_an_inner_address_is_asked_about_before_anybody_joins(played: Played) -> None:
    """By its name; whoever agrees is there, and whoever declines is asked anew the next time."""
    joined = played.found(LAN, PAGE)
    played.press("Join this swarm")
    words = text(played.card)
    assert f"connect to {LAN.url}, an address inside your own network" in words
    assert f"connect to {PAGE.url}, a single page of a server" in words
    assert joined == []
    assert played.join() is None
    played.press("Do not connect")
    assert joined == []
    assert LAN.url not in text(played.card)
    played.press("Join this swarm")
    played.press("Connect")
    assert len(joined) == 1


def test_agreeing_counts_for_no_other_invite(played: Played) -> None:
    """One that a web page opens while the question stands takes it away."""
    joined = played.found(LAN)
    played.press("Join this swarm")
    played.card.fill_in("waggle://join/other")
    assert "Connect" not in [
        one.text() for one in played.card.findChildren(QPushButton) if one.isVisible()
    ]
    played.actions.reply(replace(played.answer(), doubtful=(PAGE,)))
    assert played.join() is not None
    assert joined == []


def test_an_ordinary_meeting_point_takes_no_question(played: Played) -> None:
    """It is named, and joining is enough."""
    joined = played.found()
    assert "hub.example.org" in text(played.card)
    played.press("Join this swarm")
    assert len(joined) == 1


def test_decks_that_are_not_here_are_seen_first(played: Played, qtbot: QtBot) -> None:
    """Nobody joins by this card alone; where all are here, it is as for any other swarm."""
    joined: list[object] = []
    played.card.join_asked.connect(joined.append)
    played.paste(LINK)
    on_decks = replace(played.answer(), swarm=replace(CLASS, decks=2), missing=1)
    played.actions.reply(on_decks)
    words = "Its members practise puzzles of their own and nothing else. Decks: 2."
    assert words in text(played.card)
    with qtbot.waitSignal(played.card.decks_asked) as asked:
        played.press("See its puzzles")
    assert asked.args == [on_decks]
    assert joined == []
    played.card.clear()
    played.paste(LINK)
    played.actions.reply(replace(on_decks, id=0, missing=0))
    played.press("Join this swarm")
    assert len(joined) == 1


def test_a_link_from_elsewhere_is_shown_like_a_pasted_one(played: Played) -> None:
    """Such as one that was clicked in a browser."""
    played.card.fill_in(LINK)
    assert [one.link for one in played.asked] == [LINK]


@pytest.fixture
def question(qtbot: QtBot, appearance: Appearance) -> AddressQuestion:
    made = AddressQuestion()
    appearance.dress(made)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.put([LAN])
        made.activateWindow()
    return made


def way(question: AddressQuestion, words: str) -> QPushButton:
    return next(one for one in question.findChildren(QPushButton) if one.text() == words)


def focused(question: AddressQuestion) -> QWidget | None:
    return question.window().focusWidget()


def test_the_address_is_named_and_declining_has_the_keyboard(question: AddressQuestion) -> None:
    """Also to a screen reader, which says what has the focus."""
    (words,) = [one.text() for one in question.findChildren(QLabel)]
    assert LAN.url in words.replace("\u200b", "")
    no = way(question, "Do not connect")
    assert focused(question) is no
    assert no.accessibleDescription() == words


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space])
def test_every_key_that_is_pressed_in_a_hurry_declines(
    question: AddressQuestion, qtbot: QtBot, key: Qt.Key
) -> None:
    """Nothing is agreed to."""
    agreed: list[int] = []
    question.agreed.connect(lambda: agreed.append(1))
    at = focused(question)
    assert at is not None
    with qtbot.waitSignal(question.declined):
        QTest.keyClick(at, key)
    assert agreed == []
    assert question.isHidden()


def test_agreeing_takes_one_press_of_its_button(question: AddressQuestion, qtbot: QtBot) -> None:
    """By mouse here; then the question is gone."""
    with qtbot.waitSignal(question.agreed):
        QTest.mouseClick(way(question, "Connect"), Qt.MouseButton.LeftButton)
    assert question.isHidden()


def test_the_second_half_of_a_double_click_agrees_to_nothing(question: AddressQuestion) -> None:
    """The first one brought the question up, under the pointer."""
    yes = way(question, "Connect")
    press_again(yes)
    assert question.isVisible()


def test_the_keyboard_shows_where_it_is(question: AddressQuestion, appearance: Appearance) -> None:
    """On either button."""
    assert bad_rings(question, appearance.palette.focus) == []
