"""The tab as a whole: from the list to the form and back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.practice.puzzles_view import PuzzlesView
from app.style.theme import LIGHT
from app.widgets.file_dialogs import FileDialogs, Then
from core.api.decks import DeckKept, PreviewDeck, ShowDecks
from tests.app.dressing import badly_dressed
from tests.app.pages.practice.deck_samples import SUMS, WORDS, decks, previewed
from tests.app.pages.practice.samples import IDLE
from tests.app.reading import button, press, text
from tests.fake_actions import FakeActions

FILE = Path("/tables/words.csv")
_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class OneFile(FileDialogs):
    """Whoever is asked names that file."""

    def to_read(self, parent: QWidget, title: str, then: Then) -> None:
        assert parent.isVisible()
        assert title
        then(FILE)


@pytest.fixture
def view(actions: FakeActions, qtbot: QtBot) -> PuzzlesView:
    made = PuzzlesView(LIGHT, actions)
    qtbot.addWidget(made)
    made.dialogs = OneFile()
    made.resize(700, 600)
    made.show_state(IDLE)
    made.show()
    return made


def test_what_there_is_is_asked_for_when_it_is_seen(
    actions: FakeActions, view: PuzzlesView
) -> None:
    """Not before; and again each time."""
    assert [asked.model for asked in actions.of(ShowDecks)] == ["spark"]
    view.hide()
    view.show()
    assert len(actions.of(ShowDecks)) == 2


def test_from_a_file_to_a_deck_in_the_list(actions: FakeActions, view: PuzzlesView) -> None:
    """The whole way; the keyboard comes back to where it began."""
    actions.reply(decks())
    press(view, "Add your own…")
    assert view.form.isVisible()
    actions.reply(previewed())
    press(view, "Keep")
    actions.reply(DeckKept(deck=WORDS))
    assert view.list.isVisible()
    assert "“German words” is kept" in text(view)
    assert view.focusWidget() is view.list.add


def test_what_is_discarded_leads_back_to_the_list(actions: FakeActions, view: PuzzlesView) -> None:
    """Which is as it was."""
    actions.reply(decks(SUMS))
    press(view, "Add your own…")
    press(view, "Discard")
    assert view.list.isVisible()
    assert "Sums" in text(view)


def dropped(view: PuzzlesView, *urls: QUrl) -> bool:
    """Drag ``urls`` over the view and let go; whether they were taken."""
    data = QMimeData()
    data.setUrls(list(urls))
    actions = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(9, 9), actions, data, _LEFT, _NONE)
    enter.ignore()
    view.dragEnterEvent(enter)
    view.dropEvent(QDropEvent(QPointF(9, 9), actions, data, _LEFT, _NONE))
    return enter.isAccepted()


def test_a_file_can_be_dropped_anywhere(actions: FakeActions, view: PuzzlesView) -> None:
    """On the list, and on the form in place of another file."""
    assert dropped(view, QUrl.fromLocalFile(str(FILE)))
    assert view.form.isVisible()
    assert Path(actions.last(PreviewDeck).plan.path) == FILE
    assert dropped(view, QUrl.fromLocalFile("/tables/other.csv"))
    assert actions.last(PreviewDeck).plan.name == "other"


def test_the_keyboard_is_where_a_file_can_be_ended_or_changed(
    actions: FakeActions, view: PuzzlesView
) -> None:
    """On what ends the reading, and on what chooses another file once it is read."""
    elsewhere = QPushButton(view)
    elsewhere.show()
    elsewhere.setFocus()
    assert dropped(view, QUrl.fromLocalFile(str(FILE)))
    assert view.focusWidget() is button(view.form, "Cancel")
    actions.reply(previewed())
    assert view.focusWidget() is view.form.choose
    press(view, "Choose another file…")
    assert len(actions.of(PreviewDeck)) == 2


def test_nothing_else_is_taken(actions: FakeActions, view: PuzzlesView) -> None:
    """Neither two files at once, nor what lies elsewhere, nor mere words."""
    one = QUrl.fromLocalFile(str(FILE))
    assert not dropped(view, one, one)
    assert not dropped(view, QUrl("https://example.org/words.csv"))
    assert not dropped(view)
    assert actions.of(PreviewDeck) == []


def test_all_of_it_is_dressed_and_nothing_twice(
    actions: FakeActions, view: PuzzlesView, qtbot: QtBot
) -> None:
    """What comes later is in a part that has its dress already."""
    parts = list(view.parts)
    actions.reply(decks(SUMS, WORDS))
    press(view, "Add your own…")
    actions.reply(previewed())
    grid = view.list.parts[-1]
    qtbot.waitUntil(lambda: "Do something odd" in text(grid))
    assert badly_dressed(view, parts) == []
