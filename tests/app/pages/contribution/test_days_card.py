"""The card around the chart."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.contribution.columns import columns
from app.pages.contribution.days_card import BarChart, DaysCard
from app.style.theme import DARK, LIGHT
from tests.app.pages.contribution.samples import MONTH, ONE_DAY, TODAY, YEARS


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
    month, quarter, _year = card.findChildren(QPushButton)
    quarter.click()
    card.show_contribution(YEARS)
    early = card.grab().toImage()
    month.click()
    quarter.click()
    assert card.grab().toImage() == early
    card.show_palette(DARK)
    assert card.grab().toImage() != early


COLUMNS = columns(MONTH.days, TODAY, 30)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def chart(qtbot: QtBot, told: list[str]) -> BarChart:
    made = BarChart(LIGHT)
    qtbot.addWidget(made)
    made.pointed.connect(told.append)
    made.resize(640, 200)
    made.show()
    made.activateWindow()
    made.setFocus()
    made.show_columns(COLUMNS)
    return made


def test_it_begins_with_today(chart: BarChart, told: list[str]) -> None:
    """For eyes and for screen readers."""
    assert told[-1] == COLUMNS[-1].words
    assert chart.accessibleDescription() == COLUMNS[-1].words
    assert chart.accessibleName()
    assert chart.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize(
    ("keys", "ago"),
    [
        ([Qt.Key.Key_Left], 1),
        ([Qt.Key.Key_Left] * 3 + [Qt.Key.Key_Right], 2),
        ([Qt.Key.Key_Right], 0),
        ([Qt.Key.Key_Up], 7),
        ([Qt.Key.Key_Home], 29),
        ([Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_Down], 22),
        ([Qt.Key.Key_Home, Qt.Key.Key_End], 0),
    ],
)
def test_keys_go_from_day_to_day(
    chart: BarChart, told: list[str], keys: list[Qt.Key], ago: int
) -> None:
    """Arrows by days and weeks, Home and End to either end, and never beyond."""
    for key in keys:
        QTest.keyClick(chart, key)
    assert told[-1] == COLUMNS[29 - ago].words
    assert chart.accessibleDescription() == COLUMNS[29 - ago].words


def test_other_keys_are_left_to_others(chart: BarChart, told: list[str]) -> None:
    """Tab goes on, Page Down scrolls."""
    before = list(told)
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert told == before


def test_the_mouse_points_and_leaves(chart: BarChart, told: list[str]) -> None:
    """The day below it is told, and today again when it goes."""
    for place in (QPoint(290, 90), QPoint(300, 100)):  # an earlier test may have left it there
        QTest.mouseMove(chart, place)
        QApplication.processEvents()
    assert told[-1] in {column.words for column in COLUMNS[10:20]}
    QTest.mouseMove(chart, QPoint(2, 100))
    QApplication.processEvents()
    assert told[-1] == COLUMNS[-1].words


def test_the_keyboard_is_forgotten_when_it_goes_elsewhere(chart: BarChart, told: list[str]) -> None:
    """No day stays marked that nobody points at."""
    QTest.keyClick(chart, Qt.Key.Key_Left)
    chart.clearFocus()
    assert told[-1] == COLUMNS[-1].words


def test_new_figures_keep_the_day_that_is_pointed_at(chart: BarChart, told: list[str]) -> None:
    """A round that finishes does not move the mark; another span does."""
    QTest.keyClick(chart, Qt.Key.Key_Left)
    chart.show_columns(COLUMNS)
    assert told[-1] == COLUMNS[-2].words
    year = columns(YEARS.days, TODAY, 365)
    chart.show_columns(year)
    assert told[-1] == year[-1].words


def test_it_can_be_drawn_before_and_after(chart: BarChart, qtbot: QtBot) -> None:
    """Empty, with the ring of the keyboard, and in the other palette."""
    ringed = chart.grab().toImage()
    chart.clearFocus()
    assert chart.grab().toImage() != ringed
    chart.show_palette(DARK)
    assert chart.grab().toImage() != ringed
    empty = BarChart(LIGHT)
    qtbot.addWidget(empty)
    QTest.keyClick(empty, Qt.Key.Key_Left)
    QTest.mouseMove(empty, QPoint(5, 5))
    assert not empty.grab().isNull()
