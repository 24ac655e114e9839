"""A deck, and what can be done with it."""

from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_card import DeckCard, DeckWays
from app.pages.practice.deck_trial import DeckTrialBox
from app.pages.practice.puzzles_view_model import puzzles_view_model
from core.api.decks import SampleQuestion, TryDeck
from core.api.requests import Cancel
from core.settings import Settings
from tests.app.pages.practice.deck_samples import WORDS, decks
from tests.app.reading import button, press, text
from tests.fake_actions import FakeActions

(LINE,) = puzzles_view_model(decks(WORDS), Settings()).decks


@dataclass
class Noted:
    """What was wanted, and a clock that the test moves."""

    wanted: list[tuple[object, ...]] = field(default_factory=list)
    now: float = 0.0
    actions: FakeActions = field(default_factory=FakeActions)

    def trial(self, digest: str) -> DeckTrialBox:
        made = DeckTrialBox(self.actions, lambda model: TryDeck(model=model, digest=digest))
        made.show_ready(can_start=True)
        return made

    @property
    def ways(self) -> DeckWays:
        return DeckWays(
            switch=lambda task, on: self.wanted.append(("switch", task, on)),
            only=lambda task: self.wanted.append(("only", task)),
            share=lambda digest: self.wanted.append(("share", digest)),
            look=lambda digest: self.wanted.append(("look", digest)),
            export=lambda digest: self.wanted.append(("export", digest)),
            trial=self.trial,
            remove=lambda digest: self.wanted.append(("remove", digest)),
        )


@pytest.fixture
def noted() -> Noted:
    return Noted()


@pytest.fixture
def card(noted: Noted, qtbot: QtBot) -> DeckCard:
    made = DeckCard(LINE, noted.ways, lambda: noted.now, lambda: 0.5)
    qtbot.addWidget(made)
    made.show()
    return made


def test_it_says_what_it_is_and_can_be_practised(card: DeckCard, noted: Noted) -> None:
    """By its switch, or as the only kind."""
    assert "German words\nAda · de-AT · CC0-1.0\nQuestions: 1,057" in text(card)
    card.switch.click()
    press(card, "Practise only this")
    assert noted.wanted == [("switch", LINE.task, True), ("only", LINE.task)]


def test_it_follows_its_line(card: DeckCard) -> None:
    """What is empty is not there."""
    card.show_line(replace(LINE, is_on=True, is_only=True, about=""))
    assert card.switch.isChecked()
    assert not button(card, "Practise only this").isEnabled()
    assert "Ada" not in text(card)


def test_the_keyboard_does_not_go_on_to_sharing(card: DeckCard) -> None:
    """Whoever practises only this deck by the space bar, and presses it again."""
    button(card, "Practise only this").setFocus()
    card.show_line(replace(LINE, is_on=True, is_only=True))
    assert card.focusWidget() is card.switch


def test_removing_asks_first(card: DeckCard, noted: Noted) -> None:
    """What was learnt stays; the keyboard is at the harmless answer."""
    button(card, "Remove…").setFocus()
    press(card, "Remove…")
    assert "What was learnt from it stays" in text(card)
    assert card.focusWidget() is button(card, "Leave it")
    assert not button(card, "Share with others…").isVisible(), "there is no room for so many"
    press(card, "Leave it")
    assert "What was learnt" not in text(card)
    assert card.focusWidget() is button(card, "Remove…")
    assert noted.wanted == []
    press(card, "Remove…")
    noted.now = 1.0
    press(card, "Yes, remove it")
    assert noted.wanted == [("remove", LINE.digest)]
    assert "What was learnt" not in text(card)


def test_the_second_half_of_a_double_click_does_not_agree(card: DeckCard, noted: Noted) -> None:
    """Nobody has read the question by then."""
    press(card, "Remove…")
    noted.now = 0.1
    press(card, "Yes, remove it")
    assert noted.wanted == []
    assert "What was learnt from it stays" in text(card)


def test_questions_are_looked_at_and_put_away(card: DeckCard, noted: Noted) -> None:
    """With what is accepted, and without tricks."""
    press(card, "Look at ten questions")
    assert noted.wanted == [("look", LINE.digest)]
    card.show_samples([SampleQuestion(level=2, question="dog?\u202e", answers="Hund | Köter")])
    QApplication.processEvents()  # what was laid out just now appears
    assert "Level 2\ndog?" in text(card)
    assert "Answer: Hund | Köter" in text(card)
    assert "\u202e" not in text(card)
    press(card, "Hide the questions")
    assert "dog?" not in text(card)
    assert button(card, "Look at ten questions").isVisible()


def test_every_button_says_which_deck_it_is_about(card: DeckCard) -> None:
    """To whoever hears one after the other."""
    press(card, "Remove…")
    names = [one.accessibleName() for one in card.findChildren(QAbstractButton)]
    assert all("German words" in name for name in names if name != "Leave it")
    assert "German words" in button(card, "Leave it").accessibleDescription()


def test_it_is_shared_by_its_button(card: DeckCard, noted: Noted) -> None:
    """What follows is not the card's."""
    press(card, "Share with others…")
    assert noted.wanted == [("share", LINE.digest)]


def test_where_the_swarm_chose_it_can_still_be_shared(card: DeckCard) -> None:
    """But not switched on or off."""
    card.show_line(LINE, is_free=False)
    assert not card.switch.isEnabled()
    assert not button(card, "Practise only this").isEnabled()
    assert button(card, "Share with others…").isEnabled()


def test_a_deck_that_is_kept_is_tried_and_saved(card: DeckCard, noted: Noted) -> None:
    """While it is looked at; a trial ends where nobody looks any more."""
    card.show_samples([])
    card.show_model("ember")
    press(card, "How does my model do?")
    asked = noted.actions.last(TryDeck)
    assert (asked.model, asked.plan, asked.digest) == ("ember", None, LINE.digest)
    press(card, "Save to a file…")
    assert noted.wanted == [("export", LINE.digest)]
    press(card, "Hide the questions")
    assert [one.request for one in noted.actions.of(Cancel)] == [asked.id]
