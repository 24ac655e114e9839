"""The card around the chart."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.contribution.days_card import DaysCard
from app.style.theme import DARK, LIGHT
from tests.app.pages.contribution.samples import ONE_DAY, YEARS


@pytest.fixture
def card(qtbot: QtBot) -> DaysCard:
    made = DaysCard(LIGHT)
    qtbot.addWidget(made)
    made.resize(684, 280)
    made.show()
    return made


def words(card: DaysCard) -> set[str]:
    return {label.text() for label in card.findChildren(QLabel)}


def test_a_line_tells_about_the_day_that_is_pointed_at(card: DaysCard) -> None:
    """At first about today."""
    card.show_contribution(ONE_DAY)
    assert "Today: 30 minutes, 40 rounds, 640 of 2,560 tries solved" in words(card)


def test_each_span_is_shown_when_it_is_chosen(card: DaysCard) -> None:
    """One of three is chosen at any time, and stays so when new figures come."""
    card.show_contribution(YEARS)
    pictures = []
    for choice in card.findChildren(QPushButton):
        choice.click()
        assert [c for c in card.findChildren(QPushButton) if c.isChecked()] == [choice]
        assert choice.accessibleName().startswith("Show: ")
        pictures.append(card.grab().toImage())
    assert len(pictures) == 3
    assert pictures[0] != pictures[1] != pictures[2]
    card.show_contribution(YEARS)
    assert card.grab().toImage() == pictures[2]


def test_a_span_can_be_chosen_before_there_are_figures(card: DaysCard) -> None:
    """And is kept for them; both palettes can be worn."""
    card.findChildren(QPushButton)[1].click()
    card.show_contribution(ONE_DAY)
    card.show_palette(DARK)
    assert not card.grab().isNull()
