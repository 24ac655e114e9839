"""The rows of a table, as a person reads and chooses them."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_rows import (
    ANSWER,
    LEVEL,
    PROBLEM,
    QUESTION,
    USE,
    DeckRowsModel,
    DeckRowsTable,
)
from app.style.theme import DARK, LIGHT
from tests.app.pages.practice.deck_samples import previewed

_Role = Qt.ItemDataRole


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[DeckRowsModel]:
    assert qtbot
    made = DeckRowsModel(LIGHT)
    tester = QAbstractItemModelTester(made)
    made.show_rows(previewed())
    yield made
    del tester


def said(model: DeckRowsModel, row: int) -> list[str]:
    return [model.data(model.index(row, column)) for column in range(model.columnCount())]


def test_each_row_says_what_it_was_understood_as(model: DeckRowsModel) -> None:
    """A bad one with the reason, in words and in its colour."""
    assert said(model, 0) == ["2", "dog?", "Hund", "1", ""]
    assert said(model, 2)[:4] == ["4", "cow?", "Kuh", ""]
    assert said(model, 2)[PROBLEM].startswith("“11” is no level.")
    colour = model.data(model.index(2, PROBLEM), _Role.ForegroundRole)
    assert colour == QColor(LIGHT.trouble)
    model.show_palette(DARK)
    assert model.data(model.index(2, PROBLEM), _Role.ForegroundRole) == QColor(DARK.trouble)


def test_a_screen_reader_hears_which_column_it_is_in(model: DeckRowsModel) -> None:
    """With what stands there."""
    heard = [
        model.data(model.index(0, column), _Role.AccessibleTextRole)
        for column in (USE, QUESTION, ANSWER, LEVEL)
    ]
    assert heard == ["Row: 2", "Question: dog?", "Answer: Hund", "Level: 1"]


def test_good_rows_can_be_left_out_and_bad_ones_are(model: DeckRowsModel, qtbot: QtBot) -> None:
    """A tick tells which."""
    good, bad = model.index(0, USE), model.index(2, USE)
    assert _tick(model, good) is Qt.CheckState.Checked
    assert _tick(model, bad) is Qt.CheckState.Unchecked
    assert not model.flags(bad) & Qt.ItemFlag.ItemIsUserCheckable
    with qtbot.waitSignal(model.skips_changed):
        model.setData(good, Qt.CheckState.Unchecked.value, _Role.CheckStateRole)
    assert model.skipped == {2}
    assert _tick(model, good) is Qt.CheckState.Unchecked
    model.show_rows(previewed())
    assert model.skipped == {2}
    model.setData(good, Qt.CheckState.Checked.value, _Role.CheckStateRole)
    assert model.skipped == set()


def _tick(model: DeckRowsModel, at: QModelIndex) -> Qt.CheckState:
    return Qt.CheckState(model.data(at, _Role.CheckStateRole))


def test_of_a_deck_that_was_made_nothing_can_be_left_out(model: DeckRowsModel) -> None:
    """It would be another deck."""
    model.show_rows(replace(previewed(), is_made=True))
    at = model.index(0, USE)
    assert model.data(at, _Role.CheckStateRole) is None
    assert not model.flags(at) & Qt.ItemFlag.ItemIsUserCheckable


def test_nothing_else_can_be_changed(model: DeckRowsModel) -> None:
    """The table is a person's own file."""
    assert not model.setData(model.index(0, QUESTION), "cat?", _Role.EditRole)


def test_the_space_bar_leaves_a_row_out(model: DeckRowsModel, qtbot: QtBot) -> None:
    """And the keyboard stays where it is, though the rows are told anew."""
    table = DeckRowsTable(model)
    qtbot.addWidget(table)
    table.show()
    table.setCurrentIndex(model.index(1, USE))
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert model.skipped == {3}
    model.show_rows(previewed())
    assert table.currentIndex().row() == 1


def test_wide_columns_share_the_room(model: DeckRowsModel, qtbot: QtBot) -> None:
    """That of problems is there while there are any; nothing is scrolled sideways."""
    table = DeckRowsTable(model)
    qtbot.addWidget(table)
    table.resize(600, 264)
    table.show()
    for are_there in (False, True):
        table.show_problems(are_there=are_there)
        qtbot.waitUntil(
            lambda: 0 <= table.viewport().width() - table.horizontalHeader().length() < 4
        )
        assert table.isColumnHidden(PROBLEM) is not are_there
    assert table.columnWidth(QUESTION) > table.columnWidth(ANSWER)
