"""Looking at decks of others, and agreeing to them or not."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.offer_view import OfferCard, OfferView
from app.style.appearance import Appearance
from core.api.decks import (
    AdoptDecks,
    DeckOffered,
    DeckProgress,
    FetchDecks,
    SampleQuestion,
)
from core.api.requests import Cancel, Done, Refused
from core.api.swarm import InviteShown
from tests.app.focus_rings import bad_rings
from tests.app.pages.practice.deck_samples import NEVER, SMALL, SUMS, WORDS
from tests.app.pages.swarm.samples import CLASS
from tests.app.reading import button, press, press_again, text
from tests.fake_actions import FakeActions

INVITE = InviteShown(link="waggle://join/abc", swarm=CLASS, missing=2)
DOG = SampleQuestion(level=1, question="What is <b>dog</b> in German?", answers="Hund")
OFFERED = DeckOffered(deck=WORDS, questions=(DOG,), findings=(SMALL,))


class Visit:
    """The view with what it asked for, and what became of it."""

    def __init__(self, view: OfferView, actions: FakeActions) -> None:
        self.view, self.actions = view, actions
        self.agreed: list[InviteShown] = []
        self.left = 0
        view.agreed.connect(self.agreed.append)
        view.left.connect(self._on_left)
        view.resize(732, 600)
        view.show()
        view.begin(INVITE)

    def _on_left(self) -> None:
        self.left += 1

    def fetched(self, *offered: DeckOffered) -> None:
        """All decks came."""
        for one in offered:
            self.actions.reply(one)
        self.actions.reply(Done(id=self.actions.last(FetchDecks).id))

    def texts(self) -> str:
        QApplication.processEvents()  # what is new gets its place
        return text(self.view)

    def button(self, words: str) -> QPushButton:
        return button(self.view, words)


@pytest.fixture
def visit(actions: FakeActions, appearance: Appearance, qtbot: QtBot) -> Visit:
    view = OfferView(actions)
    appearance.dress(view)
    qtbot.addWidget(view)
    return Visit(view, actions)


def test_it_fetches_and_says_how_far_it_is(visit: Visit) -> None:
    """There is nothing to agree to meanwhile."""
    assert [one.link for one in visit.actions.of(FetchDecks)] == [INVITE.link]
    assert "Asking where its members meet…" in visit.texts()
    visit.actions.reply(DeckProgress(id=1, done=0, total=2))
    assert "Fetching deck 1 of 2…" in visit.texts()
    assert not visit.button("Practise these").isVisible()


def test_all_of_a_deck_is_shown_before_anybody_agrees(visit: Visit) -> None:
    """Whose it is, what is odd about it, and questions with their answers, letter by letter."""
    visit.fetched(OFFERED)
    for words in (
        "What “our-class” practises",
        "German words",
        "Author: Ada",
        "Licence: CC0-1.0",
        "Language: de-AT",
        "too few to tell learning",
        "What is <b>dog</b> in German?",
        "Answer: Hund",
    ):
        assert words in visit.texts()
    labels = visit.view.findChildren(QLabel)
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in labels)
    assert visit.agreed == []
    assert visit.actions.of(AdoptDecks) == []


def test_agreeing_keeps_them_and_then_says_so(visit: Visit) -> None:
    """Not before they are here."""
    visit.fetched(OFFERED)
    press(visit.view, "Practise these")
    assert "Keeping them…" in visit.texts()
    assert visit.agreed == []
    visit.actions.reply(Done(id=visit.actions.last(AdoptDecks).id))
    assert visit.agreed == [INVITE]
    assert visit.left == 0


@pytest.mark.parametrize("way", ["button", "escape"])
def test_declining_keeps_nothing(visit: Visit, way: str) -> None:
    """By its button or by Escape."""
    visit.fetched(OFFERED)
    if way == "button":
        press(visit.view, "Not now")
    else:
        QTest.keyClick(visit.view, Qt.Key.Key_Escape)
    assert (visit.left, visit.agreed) == (1, [])
    assert visit.actions.of(AdoptDecks) == []
    assert visit.view.findChildren(OfferCard) == [] or "German words" not in visit.texts()


def test_a_hub_that_never_answers_need_not_be_waited_for(visit: Visit) -> None:
    """The helper is told, and whatever it says later counts for nothing."""
    asked = visit.actions.last(FetchDecks).id
    press(visit.view, "Cancel")
    assert [one.request for one in visit.actions.of(Cancel)] == [asked]
    assert visit.left == 1
    visit.actions.reply(replace(OFFERED, id=asked))
    assert "German words" not in visit.texts()


def test_what_cannot_be_fetched_is_said_and_tried_again(visit: Visit) -> None:
    """In the words of the helper."""
    visit.actions.reply(Refused(words="The meeting point does not answer.", id=1))
    assert "does not answer" in visit.texts()
    assert not visit.button("Practise these").isVisible()
    press(visit.view, "Try again")
    assert len(visit.actions.of(FetchDecks)) == 2
    assert "does not answer" not in visit.texts()
    visit.fetched(OFFERED)
    assert visit.button("Practise these").isEnabled()


def test_a_deck_with_an_error_cannot_be_agreed_to(visit: Visit) -> None:
    """It says which one, and why."""
    visit.fetched(OFFERED, DeckOffered(deck=SUMS, questions=(), findings=(NEVER,)))
    assert not visit.button("Practise these").isEnabled()
    assert "This cannot be practised" in visit.texts()
    assert "To be mended first: 1 of 2 answers" in visit.texts()


def test_what_could_not_be_kept_can_be_tried_again(visit: Visit) -> None:
    """Such as after the disk was full."""
    visit.fetched(OFFERED)
    press(visit.view, "Practise these")
    visit.actions.reply(Refused(words="The disk is full.", id=2))
    assert "The disk is full." in visit.texts()
    assert "German words" in visit.texts()
    press(visit.view, "Practise these")
    assert len(visit.actions.of(AdoptDecks)) == 2


def test_the_keyboard_begins_where_no_harm_is_done(visit: Visit) -> None:
    """Enter and Space cancel while it fetches, and scroll once there is something to read."""
    assert visit.view.focusWidget() is visit.button("Cancel")
    visit.fetched(*([OFFERED] * 4))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        QTest.keyClick(visit.view.focusWidget() or visit.view, key)
    assert visit.actions.of(AdoptDecks) == []


def test_the_second_half_of_a_double_click_agrees_to_nothing(visit: Visit) -> None:
    """The first one brought the button up, under the pointer."""
    visit.fetched(OFFERED)
    yes = visit.button("Practise these")
    press_again(yes)
    assert visit.actions.of(AdoptDecks) == []


def test_the_keyboard_shows_where_it_is(visit: Visit, appearance: Appearance) -> None:
    """On every button."""
    visit.fetched(OFFERED)
    assert bad_rings(visit.view, appearance.palette.focus) == []
