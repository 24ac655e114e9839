"""How large a model."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QRadioButton
from pytestqt.qtbot import QtBot

from app.pages.welcome.size_step import SizeStep
from core.api.models import FitSeen, ListedModel, ModelsListed, Presence
from core.api.requests import Refused
from tests.app.reading import text
from tests.fake_actions import FakeActions, state_of


def listed(name: str, presence: Presence, *, fits: bool = True) -> ListedModel:
    verdict = FitSeen(verdict="fits" if fits else "too_large", need=2, have=1, device="cpu")
    return ListedModel(
        id=name, title=name.title(), sentence="", presence=presence, download=9, fit=verdict
    )


MODELS = (
    listed("spark", "ships"),
    listed("ember", "ships"),
    listed("middle", "available"),
    listed("huge", "available", fits=False),
)


class Played:
    """The step, with a helper behind it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.actions = FakeActions()
        self.step = SizeStep(self.actions)
        qtbot.addWidget(self.step)
        self.step.begin(state_of())
        self.step.resize(900, 530)
        self.step.show()

    def listed(self) -> None:
        self.step.look()
        self.actions.reply(ModelsListed(models=MODELS, disk_free=0))

    def radio(self, title: str) -> QRadioButton:
        shown = (one for one in self.step.findChildren(QRadioButton) if one.group() is not None)
        (found,) = (one for one in shown if one.text() == title)
        return found


@pytest.fixture
def played(qtbot: QtBot) -> Played:
    return Played(qtbot)


def test_the_starter_is_chosen_without_a_helper(played: Played) -> None:
    """It works offline, and at once."""
    assert played.step.chosen.id == "spark"
    assert played.radio("Spark").isChecked()


def test_what_was_chosen_before_is_chosen_again(played: Played) -> None:
    """Re-opened, the welcome changes nothing by itself."""
    played.step.begin(replace(state_of(), chosen="ember"))
    assert played.step.chosen.id == "ember"


def test_more_is_offered_once_it_is_known(played: Played) -> None:
    """What was chosen meanwhile stays chosen; what is too large cannot be."""
    played.step.look()
    assert "Looking at what else fits" in text(played.step)
    played.radio("Ember").click()
    played.listed()
    assert played.step.chosen.id == "ember"
    assert not played.radio("Huge").isEnabled()
    assert "Looking at what else fits" not in text(played.step)


def test_a_choice_that_has_to_be_fetched_says_what_that_means(played: Played) -> None:
    """And one that is here does not."""
    played.listed()
    played.radio("Middle").click()
    assert not played.step.chosen.is_here
    assert "It is downloaded when you begin." in text(played.step)
    played.radio("Spark").click()
    assert "It is downloaded when you begin." not in text(played.step)


def test_a_helper_that_cannot_help_leaves_the_starters(played: Played) -> None:
    """Its words are shown."""
    played.step.look()
    played.actions.reply(Refused(words="The helper ended. Try again."))
    assert "The helper ended. Try again." in text(played.step)
    assert played.step.chosen.id == "spark"


def test_the_whole_card_can_be_clicked(played: Played) -> None:
    """Unless it cannot be chosen."""
    played.listed()
    for title, chosen in (("Middle", "middle"), ("Huge", "middle")):
        card = played.radio(title).parentWidget()
        assert card is not None
        QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(30, card.height() - 8))
        assert played.step.chosen.id == chosen


def test_the_keyboard_stays_with_the_choice_while_others_come(played: Played) -> None:
    """The list arrives a second after the step has opened."""
    played.radio("Spark").setFocus()
    played.listed()
    assert played.step.window().focusWidget() is played.radio("Spark")
