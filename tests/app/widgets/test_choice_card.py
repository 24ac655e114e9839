"""A choice, by clicking anywhere on its card."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.widgets.choice_card import ChoiceCard, ChoiceWords

WORDS = ChoiceWords("Ember", "Three times larger.", "5 million parameters", "Close others first.")


@pytest.fixture
def card(qtbot: QtBot) -> ChoiceCard:
    made = ChoiceCard(WORDS)
    qtbot.addWidget(made)
    made.resize(300, 140)
    made.show()
    return made


def corner(card: ChoiceCard) -> QPoint:
    return card.rect().bottomRight() - QPoint(6, 6)


def test_the_whole_card_can_be_clicked(card: ChoiceCard) -> None:
    """As good as its circle."""
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=corner(card))
    assert card.radio.isChecked()


@pytest.mark.parametrize("button", [Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton])
def test_other_buttons_choose_nothing(card: ChoiceCard, button: Qt.MouseButton) -> None:
    """Whoever looks for a menu there finds none, and that is all."""
    QTest.mouseClick(card, button, pos=corner(card))
    assert not card.radio.isChecked()


def test_a_press_that_is_drawn_away_chooses_nothing(card: ChoiceCard) -> None:
    """There is still time to think better of it."""
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=corner(card))
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton, pos=QPoint(900, 900))
    assert not card.radio.isChecked()


def test_what_cannot_be_chosen_is_not(qtbot: QtBot) -> None:
    """However it is clicked."""
    card = ChoiceCard(WORDS, enabled=False)
    qtbot.addWidget(card)
    card.show()
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=corner(card))
    assert not card.radio.isChecked()


def test_all_that_is_shown_is_said(card: ChoiceCard) -> None:
    """Facts with the title, the rest as a description; what is empty takes no room."""
    assert card.radio.accessibleName() == "Ember, 5 million parameters"
    assert card.radio.accessibleDescription() == "Three times larger. Close others first."
    assert len(card.findChildren(QLabel)) == 3
    bare = ChoiceCard(ChoiceWords("Ember"))
    assert bare.radio.accessibleName() == "Ember"
    assert bare.findChildren(QLabel) == []


def test_the_chosen_one_is_marked(card: ChoiceCard) -> None:
    """For the eye, and in the circle."""
    for chosen in (True, False):
        card.radio.setAutoExclusive(False)  # it is alone here
        card.mark(chosen=chosen)
        assert card.property("chosen") is chosen
        assert card.radio.isChecked() is chosen
