"""Letting the model try a deck."""

import pytest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_trial import DeckTrialBox
from core.api.decks import DeckPlan, DeckProgress, DeckTried, TryDeck
from core.api.requests import Cancel, Cancelled, Refused
from tests.app.reading import button, press, text
from tests.fake_actions import FakeActions

PLAN = DeckPlan(path="w.csv", name="Words")


@pytest.fixture
def box(actions: FakeActions, qtbot: QtBot) -> DeckTrialBox:
    made = DeckTrialBox(actions, lambda model: TryDeck(model=model, plan=PLAN))
    qtbot.addWidget(made)
    made.show_model("ember")
    made.show_ready(can_start=True)
    made.show()
    return made


def begin(box: DeckTrialBox, actions: FakeActions) -> TryDeck:
    press(box, "How does my model do?")
    return actions.last(TryDeck)


def test_a_trial_from_beginning_to_end(box: DeckTrialBox, actions: FakeActions) -> None:
    """It says how far it is, and then what came of it."""
    asked = begin(box, actions)
    assert (asked.model, asked.plan) == ("ember", PLAN)
    (bar,) = box.findChildren(QProgressBar)
    assert "Waking the model up…" in text(box)
    actions.reply(DeckProgress(id=asked.id, done=16, total=60))
    assert "44 to go" in text(box)
    assert (bar.value(), bar.maximum()) == (16, 60)
    actions.reply(DeckTried(words="There is something to learn.", levels={1: 0.5}))
    assert "There is something to learn." in text(box)
    assert not bar.isVisible()


def test_it_can_be_ended(box: DeckTrialBox, actions: FakeActions) -> None:
    """The keyboard goes to Cancel and comes back."""
    button(box, "How does my model do?").setFocus()
    asked = begin(box, actions)
    assert box.focusWidget() is button(box, "Cancel")
    press(box, "Cancel")
    assert actions.all[-1] == Cancel(request=asked.id)
    actions.reply(DeckProgress(id=asked.id, done=16, total=60))  # it was on its way
    assert "Stopping…" in text(box)
    actions.reply(Cancelled(id=asked.id))
    assert "The trial was ended." in text(box)
    assert box.focusWidget() is button(box, "How does my model do?")


def test_a_refusal_is_said(box: DeckTrialBox, actions: FakeActions) -> None:
    """And another trial may begin."""
    asked = begin(box, actions)
    actions.reply(Refused(id=asked.id, words="Close other programs."))
    assert "Close other programs." in text(box)
    assert button(box, "How does my model do?").isEnabled()


def test_what_was_said_of_another_deck_goes(box: DeckTrialBox, actions: FakeActions) -> None:
    """A trial that is under way is ended."""
    asked = begin(box, actions)
    box.forget()
    assert actions.all[-1] == Cancel(request=asked.id)
    actions.reply(DeckTried(words="Too late.", levels={1: 0.5}))
    assert "Too late." not in text(box)


def test_without_a_sound_deck_nothing_is_tried(box: DeckTrialBox, actions: FakeActions) -> None:
    """Neither can it be pressed."""
    box.show_ready(can_start=False)
    assert not button(box, "How does my model do?").isEnabled()
    assert actions.of(TryDeck) == []
