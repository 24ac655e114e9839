"""Describing a swarm of one's own."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QProgressBar, QRadioButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.found_card import FoundCard
from app.state.intents import SharedDeck
from core.api.requests import Cancel, Cancelled, Refused
from core.api.swarm import LeavingDecks, MakeInvite
from tests.app.pages.swarm.samples import HUB, MADE
from tests.app.reading import button, press, press_again, text
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
        self.make = button(self.card, "Make the invite")

    @property
    def asked(self) -> list[MakeInvite]:
        return self.actions.of(MakeInvite)

    def describe(self, name: str, hubs: str = "") -> None:
        QTest.keyClicks(self.name, name)
        QTest.keyClicks(self.hubs, hubs)
        QTest.mouseClick(self.make, Qt.MouseButton.LeftButton)


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
    assert "Give it a name first" in text(played.card)


def test_a_double_click_makes_one_invite(played: Played) -> None:
    """Its second half does not miss the name that went once the invite was made."""
    played.describe("our-class")
    played.actions.reply(MADE)
    press_again(played.make)
    assert len(played.asked) == 1
    assert "Give it a name first" not in text(played.card)


def test_too_many_meeting_points_are_said_here(played: Played) -> None:
    """They would not even get to the helper."""
    played.describe("our-class", " ".join([HUB] * 9))
    assert played.asked == []
    assert "up to 8" in text(played.card)


def test_a_meeting_point_that_is_none_is_said_here(played: Played) -> None:
    """So is a text that somebody pasted there."""
    played.hubs.setText("x" * 401)
    played.describe("our-class")
    assert played.asked == []
    assert "so long an address. Look what was pasted there." in text(played.card)


def test_what_is_wrong_is_said_until_the_next_try(played: Played) -> None:
    """In the words of the helper."""
    played.describe("Our Class")
    played.actions.reply(Refused(words="'Our Class' is no name of a swarm."))
    assert "no name of a swarm" in text(played.card)
    QTest.mouseClick(played.make, Qt.MouseButton.LeftButton)
    assert "no name of a swarm" not in text(played.card)


def test_the_invite_is_handed_on(played: Played, qtbot: QtBot) -> None:
    """And the card is ready for another one."""
    played.describe("our-class")
    with qtbot.waitSignal(played.card.made) as made:
        played.actions.reply(MADE)
    assert made.args is not None
    assert made.args[0].link == MADE.link
    assert played.name.text() == ""


DECK = SharedDeck("a" * 64, "German <b>words</b>\u202e")


def test_a_deck_needs_a_name_and_a_meeting_point_at_most(played: Played) -> None:
    """Both are proposed; it is private unless the person says otherwise."""
    played.card.show_hubs((HUB,))
    assert played.hubs.text() == "", "a swarm without decks may do without"
    played.card.share(DECK)
    assert played.name.text() == "german-b-words-b"
    assert played.card.focusWidget() is played.name
    assert "It practises “German <b>words</b>" in text(played.card)
    assert "\u202e" not in text(played.card)
    press(played.card, "Make the invite")
    (asked,) = played.asked
    assert (asked.hubs, asked.is_private, asked.decks) == ((HUB,), True, (DECK.digest,))


def test_without_a_meeting_point_it_says_how_to_get_one(played: Played) -> None:
    """Before anybody is asked, and the cursor is there; one that opens meanwhile is filled in."""
    played.card.share(DECK)
    assert "open one on this computer" in text(played.card)
    press(played.card, "Make the invite")
    assert played.asked == []
    assert "Name a meeting point first." in text(played.card)
    assert played.card.focusWidget() is played.hubs
    played.card.show_hubs((HUB,))
    assert played.hubs.text() == HUB
    assert "meeting point first" not in text(played.card)
    assert "open one on this computer" not in text(played.card)


def test_what_was_typed_stays(played: Played) -> None:
    """Whatever opens or closes meanwhile."""
    played.card.share(DECK)
    QTest.keyClicks(played.hubs, "https://mine.example")
    played.card.show_hubs((HUB,))
    assert played.hubs.text() == "https://mine.example"


def test_how_far_the_deck_is_can_be_seen_and_ended(played: Played) -> None:
    """A meeting point may take its time."""
    played.card.share(DECK)
    played.describe("", HUB)
    played.actions.reply(LeavingDecks(done=1, total=3))
    assert "Leaving the puzzles at meeting point 2 of 3…" in text(played.card)
    (progress,) = played.card.findChildren(QProgressBar)
    assert (progress.isVisible(), progress.value(), progress.maximum()) == (True, 1, 3)
    assert not played.make.isEnabled()
    press(played.card, "Cancel")
    assert len(played.actions.of(Cancel)) == 1
    played.actions.reply(Cancelled(id=played.asked[-1].id))
    assert "That was ended; there is no invite." in text(played.card)
    assert played.make.isEnabled()
    assert not progress.isVisible()


@pytest.mark.parametrize("joins", [True, False])
def test_the_person_is_a_member_if_they_want_to_be(played: Played, *, joins: bool) -> None:
    """They do unless they say otherwise."""
    joined: list[object] = []
    played.card.join_asked.connect(joined.append)
    played.card.share(DECK)
    (too,) = played.card.findChildren(QCheckBox)
    assert too.isChecked()
    too.setChecked(joins)
    played.describe("", HUB)
    played.actions.reply(MADE)
    assert len(joined) == int(joins)
    assert not too.isVisible()
    assert "German" not in text(played.card)


def test_a_deck_can_be_left_out_again(played: Played) -> None:
    """Then it is a swarm like any other."""
    played.card.share(DECK)
    press(played.card, "Practise what is built in instead")
    played.describe("")
    assert played.asked[-1].decks == ()
