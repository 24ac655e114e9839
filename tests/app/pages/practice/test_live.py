"""The puzzles that pass by, on the screen."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed
from PySide6.QtCore import QEvent, QEventLoop, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.pages.practice.live import STEP, LiveView
from app.pages.practice.puzzle_card import PuzzleCard
from app.state.app_state import AppState
from app.state.intents import Open
from core.api.preview import WatchPuzzles
from core.api.swarm_view import Block
from core.settings import Settings, SwarmSettings
from tests.app.focus_chain import stops
from tests.app.pages.practice.samples import (
    IDLE,
    PEER,
    RUNNING,
    own_puzzle,
    peer_puzzle,
    shared_puzzle,
)
from tests.app.reading import text
from tests.fake_actions import FakeActions

BLOCKING = Settings(swarm=SwarmSettings(blocked=(PEER,)))


@pytest.fixture
def view(actions: FakeActions, qtbot: QtBot) -> LiveView:
    QCursor.setPos(0, 0)  # the test before may have left it where cards will be
    made = LiveView(actions)
    qtbot.addWidget(made)
    made.resize(QSize(684, 400))
    made.show_state(RUNNING)
    made.show()
    settle(made)
    return made


def settle(view: LiveView) -> None:
    """Wait until all cards are made and have their places."""
    timers = view.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    while any(timer.isActive() for timer in timers):
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    QApplication.processEvents()


def rounds(view: LiveView) -> list[int]:
    """Of the cards, from top to bottom, once all are made."""
    settle(view)
    cards = [card for card in view.findChildren(PuzzleCard) if not card.isHidden()]
    return [card.puzzle.round for card in sorted(cards, key=lambda card: card.y())]


def button_of(view: LiveView, words: str) -> QPushButton:
    (found,) = (b for b in view.findChildren(QPushButton) if b.text() == words and b.isVisible())
    return found


def press(view: LiveView, words: str) -> None:
    button_of(view, words).click()


def blocked(state: AppState) -> AppState:
    return replace(state, settings=BLOCKING)


def test_before_the_first_puzzle_there_are_words(actions: FakeActions, view: LiveView) -> None:
    """And a way to Home where nothing runs."""
    assert "as soon as a round is over" in text(view)
    view.show_state(IDLE)
    press(view, "Open Home")
    assert actions.all == [Open("home")]


def test_the_newest_is_on_top(view: LiveView) -> None:
    """Each puzzle has one card, which stays the same when others come."""
    view.see(own_puzzle(1))
    (first,) = view.findChildren(PuzzleCard)
    view.see(peer_puzzle(2))
    view.see(own_puzzle(3))
    assert rounds(view) == [3, 2, 1]
    assert first in view.findChildren(PuzzleCard)


def test_of_several_at_once_each_gets_a_turn(view: LiveView) -> None:
    """A card takes long to make, and the window answers to a person in between."""
    for number in range(1, 4):
        view.see(own_puzzle(number))
    assert len(view.findChildren(PuzzleCard)) == 1
    assert rounds(view) == [3, 2, 1]


def test_held_still_it_stays_as_it_is(view: LiveView) -> None:
    """Going on shows what waited, from the top."""
    view.see(own_puzzle(1))
    press(view, "Hold still")
    view.see(own_puzzle(2))
    assert rounds(view) == [1]
    assert "1 newer one is waiting" in text(view)
    press(view, "Go on")
    assert rounds(view) == [2, 1]


def test_whoever_scrolls_down_reads_in_peace(view: LiveView, qtbot: QtBot) -> None:
    """Nothing moves under their eyes; back at the top, it goes on by itself."""
    for number in range(8):
        view.see(own_puzzle(number))
    (area,) = view.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 100)
    area.verticalScrollBar().setValue(50)
    view.see(own_puzzle(9))
    assert rounds(view)[0] == 7
    area.verticalScrollBar().setValue(0)
    assert rounds(view)[0] == 9


def test_whoever_turns_to_all_puzzles_reads_no_more(view: LiveView, qtbot: QtBot) -> None:
    """What was held for them goes on: nothing else would ever let it."""
    view.show_only("gcd", 1, "Greatest common divisor")
    view.show_all()
    for number in range(8):
        view.see(own_puzzle(number))
    (area,) = view.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 100)
    area.verticalScrollBar().setValue(50)
    view.show_all()
    view.see(own_puzzle(9))
    assert "waiting" not in text(view)


def top_card(view: LiveView) -> PuzzleCard:
    return min(view.findChildren(PuzzleCard), key=lambda card: card.y())


def point_at(view: LiveView, place: QWidget) -> None:
    QApplication.processEvents()  # what is new gets its place
    QTest.mouseMove(view.window(), place.mapTo(view.window(), place.rect().center()))
    QApplication.processEvents()


def test_nothing_moves_under_the_mouse(view: LiveView) -> None:
    """It may go on to the button; outside, the feed goes on by itself."""
    view.see(peer_puzzle(1))
    point_at(view, top_card(view))
    view.see(peer_puzzle(2, "c" * 64))
    assert rounds(view) == [1]
    point_at(view, button_of(view, "Go on"))
    assert rounds(view) == [1]
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert rounds(view) == [2, 1]


def test_the_mouse_can_have_it_go_on(view: LiveView) -> None:
    """By the button above the cards; it waits again for who comes back to them."""
    view.see(peer_puzzle(1))
    point_at(view, top_card(view))
    view.see(peer_puzzle(2))
    point_at(view, button_of(view, "Go on"))
    press(view, "Go on")
    view.see(peer_puzzle(3))
    assert rounds(view) == [3, 2, 1]
    point_at(view, top_card(view))
    assert "Held still for you." in text(view)


def test_nothing_moves_away_from_the_keyboard(view: LiveView, qtbot: QtBot) -> None:
    """It may go on to the button; elsewhere, the feed goes on by itself."""
    with qtbot.waitActive(view):
        view.activateWindow()
    view.see(peer_puzzle(1))
    button_of(view, "Block gentle-hare-31").setFocus()
    qtbot.waitUntil(lambda: "Held still for you." in text(view))
    view.see(peer_puzzle(2, "c" * 64))
    assert rounds(view) == [1]
    button_of(view, "Go on").setFocus()
    assert rounds(view) == [1]
    button_of(view, "Go on").clearFocus()
    qtbot.waitUntil(lambda: rounds(view) == [2, 1])


def test_the_keyboard_is_not_handed_to_another_peer(view: LiveView, qtbot: QtBot) -> None:
    """When a card goes that had it, pressing the key once more blocks nobody."""
    with qtbot.waitActive(view):
        view.activateWindow()
    view.see(changed(peer_puzzle(1), peer="c" * 64, name="calm-otter-11"))
    view.see(peer_puzzle(2))
    assert rounds(view) == [2, 1]
    button_of(view, "Block gentle-hare-31").setFocus()
    qtbot.waitUntil(lambda: "Held still for you." in text(view))
    view.show_state(blocked(RUNNING))
    assert rounds(view) == [1]
    assert QApplication.focusWidget() == button_of(view, "Go on")


def test_the_keyboard_stays_where_it_went(view: LiveView, qtbot: QtBot) -> None:
    """A card that goes takes nothing from whoever has left it for another part of the window."""
    window, elsewhere = QWidget(), QLineEdit()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(elsewhere)
    column.addWidget(view)
    window.show()
    with qtbot.waitActive(window):
        window.activateWindow()
    view.see(peer_puzzle(1))
    assert rounds(view) == [1]
    button_of(view, "Block gentle-hare-31").setFocus()
    qtbot.waitUntil(lambda: "Held still for you." in text(view))
    elsewhere.setFocus()
    view.show_state(blocked(RUNNING))
    assert QApplication.focusWidget() == elsewhere
    view.setParent(None)  # each is put away by itself


def test_nothing_of_a_blocked_peer_is_shown(actions: FakeActions, view: LiveView) -> None:
    """What was there goes at once, what comes is left out; own answers stay."""
    view.see(peer_puzzle(1))
    view.see(shared_puzzle(2))
    view.findChildren(PuzzleCard)[0].block_asked.emit(PEER)
    assert actions.last(Block) == Block(peer=PEER, on=True)
    view.show_state(blocked(RUNNING))
    view.see(peer_puzzle(3))
    view.see(changed(peer_puzzle(4), peer="c" * 64))
    assert rounds(view) == [4, 2]
    assert "Your model" in text(view)


def test_blocking_needs_no_engine(actions: FakeActions, view: LiveView) -> None:
    """Once nothing runs it is kept, and that is all."""
    view.see(peer_puzzle(1))
    view.show_state(IDLE)
    view.findChildren(PuzzleCard)[0].block_asked.emit(PEER)
    assert actions.kept().swarm.blocked == (PEER,)
    assert actions.of(Block) == []


def test_what_another_model_answered_goes(view: LiveView) -> None:
    """It stood there as the own model's."""
    view.see(own_puzzle(1))
    assert rounds(view) == [1]
    view.show_state(replace(IDLE, chosen="ember"))
    assert rounds(view) == []


def test_a_long_run_keeps_few_widgets(view: LiveView, qtbot: QtBot) -> None:
    """Cards of puzzles that are gone are gone, too."""
    for number in range(120):
        view.see(own_puzzle(number))
    qtbot.waitUntil(lambda: len(view.findChildren(PuzzleCard)) == STEP)


def test_the_tab_key_goes_from_top_to_bottom(view: LiveView) -> None:
    """Though the card on top is always the last one made."""
    for number in range(STEP + 1):
        view.see(peer_puzzle(number))
    settle(view)
    buttons = [one for one in stops(view) if isinstance(one, QPushButton) and one.isVisible()]
    places = [one.mapTo(view, QPoint(0, 0)).y() for one in buttons]
    assert len(buttons) == 1 + STEP + 1  # hold still; block, of each card; older ones
    assert places == sorted(places)


def test_unseen_there_are_no_cards(view: LiveView) -> None:
    """A page behind another one costs nothing when colours change; seen again, it is as it was."""
    for number in range(5):
        view.see(own_puzzle(number))
    view.hide()
    assert rounds(view) == []
    view.see(own_puzzle(5))
    assert view.findChildren(PuzzleCard) == []
    view.show()
    assert view.findChildren(PuzzleCard) == []  # in a turn of their own
    assert rounds(view) == [5, 4, 3, 2, 1, 0]


def test_a_reader_who_looks_elsewhere_finds_the_place_again(view: LiveView) -> None:
    """What was read is still there, still held, and what came meanwhile waits."""
    for number in range(STEP):
        view.see(own_puzzle(number))
    rounds(view)
    bar = view.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(200)
    view.hide()
    view.see(own_puzzle(STEP))
    view.show()
    assert rounds(view) == list(range(STEP - 1, -1, -1))
    assert bar.value() == 200


def test_older_ones_are_shown_on_request(view: LiveView) -> None:
    """A few more at a time, until all that is kept is there; going on, the newest count."""
    for number in range(STEP + 3):
        view.see(own_puzzle(number))
    assert len(rounds(view)) == STEP
    press(view, "Hold still")
    press(view, "Show older ones")
    assert rounds(view) == list(range(STEP + 2, -1, -1))
    assert "Show older ones" not in [
        b.text() for b in view.findChildren(QPushButton) if b.isVisible()
    ]
    press(view, "Go on")
    assert len(rounds(view)) == STEP


def test_one_cell_alone_is_shown_until_all_are_wanted(view: LiveView, qtbot: QtBot) -> None:
    """What is under way of others is passed over, and who reads is not held up by the old ones."""
    view.see(own_puzzle(1))
    press(view, "Hold still")
    with qtbot.waitSignal(view.wish_changed):
        view.show_only("gcd", 2, "Find the greatest common divisor, level 2")
    assert view.wish == WatchPuzzles(on=True, task="gcd", level=2)
    assert rounds(view) == []
    assert "None of this kind and level has passed by yet" in text(view)
    view.see(own_puzzle(2))
    view.see(changed(own_puzzle(3), level=2))
    assert rounds(view) == [3]
    with qtbot.waitSignal(view.wish_changed):
        press(view, "Show all puzzles")
    view.see(own_puzzle(4))
    assert (rounds(view), view.wish) == ([4, 3], WatchPuzzles(on=True))
