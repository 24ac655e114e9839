"""The page as a whole: what it asks for, and when."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_rows import DeckRowsTable
from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.kind_grid import KindGrid
from app.pages.practice.page import PracticePage
from app.pages.practice.puzzle_card import PuzzleCard
from app.pages.practice.puzzles_view import PuzzlesView
from app.pages.practice.skill_map import SkillMap
from app.shell.root_view import RootView
from app.state.engine_status import EngineStatus
from app.state.intents import Keep, Open
from app.style.appearance import Appearance
from app.style.theme import DARK, LIGHT
from core.api.practice import ShowPractice, TakeExam
from core.api.preview import WatchPuzzles
from core.api.requests import Refused
from core.api.swarm_view import Block
from core.settings import PracticeSettings, Settings
from tests.app.dressing import badly_dressed
from tests.app.pages.practice.deck_samples import NEVER, SUMS, WORDS, decks, previewed
from tests.app.pages.practice.samples import (
    IDLE,
    PEER,
    RUNNING,
    exam,
    own_puzzle,
    peer_puzzle,
    shared_puzzle,
    shown,
    skills,
    tried,
)
from tests.app.reading import clipped, press, text
from tests.fake_actions import FakeActions
from tests.hand_alarm import OpenWindow

SMALLEST = QSize(732, 600)  # what the rail leaves of 900 x 600


def watching(actions: FakeActions) -> list[bool]:
    return [wish.on for wish in actions.of(WatchPuzzles)]


@pytest.fixture
def page(actions: FakeActions, appearance: Appearance, qtbot: QtBot) -> PracticePage:
    made = PracticePage(appearance.palette, actions)
    appearance.dress(made)
    qtbot.addWidget(made)
    made.resize(SMALLEST)
    return made


def tabs(page: PracticePage) -> QTabBar:
    (found,) = page.findChildren(QTabBar)
    return found


def test_puzzles_are_asked_for_only_while_they_are_looked_at(
    actions: FakeActions, page: PracticePage
) -> None:
    """Not before the page is open, not on other tabs, not after it was left."""
    steps: tuple[tuple[Callable[[], None], list[bool]], ...] = (
        (lambda: page.show_state(RUNNING), []),
        (page.show, [True]),
        (lambda: tabs(page).setCurrentIndex(1), [True, False]),
        (lambda: tabs(page).setCurrentIndex(0), [True, False, True]),
        (lambda: page.show_state(RUNNING), [True, False, True]),
        (page.hide, [True, False, True, False]),
        (lambda: page.show_state(RUNNING), [True, False, True, False]),
    )
    for step, watched in steps:
        step()
        QApplication.processEvents()
        assert watching(actions) == watched


def test_an_engine_that_starts_again_is_asked_again(
    actions: FakeActions, page: PracticePage
) -> None:
    """A new process knows nothing of what the old one was told; it is told once it is there."""
    page.show_state(IDLE)
    page.show()
    QApplication.processEvents()
    for link, watched in (
        (EngineStatus("up"), [True]),
        (EngineStatus("waiting", "it crashed", 1), [True]),
        (EngineStatus("up"), [True, True]),
    ):
        page.show_state(replace(RUNNING, link=link))
        QApplication.processEvents()
        assert watching(actions) == watched


def test_a_cell_of_the_map_leads_to_its_puzzles(actions: FakeActions, page: PracticePage) -> None:
    """The engine is asked for those alone, until all are wanted again."""
    page.show_state(RUNNING)
    page.show()
    tabs(page).setCurrentIndex(1)
    actions.reply(skills())
    (drawn,) = page.findChildren(SkillMap)
    QTest.keyClick(drawn, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert tabs(page).currentIndex() == 0
    assert actions.last(WatchPuzzles) == WatchPuzzles(on=True, task="gcd", level=1)
    press(page, "Show all puzzles")
    QApplication.processEvents()
    assert actions.last(WatchPuzzles) == WatchPuzzles(on=True)


def test_the_last_exam_is_looked_up_for_the_model_that_is_shown(
    actions: FakeActions, page: PracticePage
) -> None:
    """When the page opens, and when another model takes over meanwhile."""
    page.show_state(IDLE)
    page.show()
    page.show_state(replace(IDLE, chosen="ember"))
    page.show_state(replace(IDLE, chosen="ember"))
    lookups = [wish.model for wish in actions.of(ShowPractice)]
    assert lookups == ["spark", "ember"]


def test_why_there_is_nothing_to_choose_from_is_said(
    actions: FakeActions, page: PracticePage
) -> None:
    """In the tabs that need it."""
    page.show_state(IDLE)
    page.show()
    asked = actions.last(ShowPractice)
    actions.reply(Refused(id=asked.id, words="A deck is missing."))
    for tab in (2, 3):
        tabs(page).setCurrentIndex(tab)
        assert "A deck is missing." in text(page)


def test_why_an_exam_failed_is_still_there_on_coming_back(
    actions: FakeActions, page: PracticePage
) -> None:
    """It says what to do; only what a look-up failed by goes with the next one."""
    page.show_state(IDLE)
    page.show()
    actions.reply(Refused(id=actions.last(ShowPractice).id, words="A deck is missing."))
    tabs(page).setCurrentIndex(2)
    page.hide()
    page.show()
    actions.reply(shown())
    assert "A deck is missing." not in text(page)
    (begin,) = (b for b in page.findChildren(QAbstractButton) if b.text() == "Take the exam")
    begin.click()
    actions.reply(Refused(id=actions.last(TakeExam).id, words="Too little memory."))
    page.hide()
    page.show()
    actions.reply(shown())
    tabs(page).setCurrentIndex(3)
    assert "Too little memory." in text(page)


def test_what_there_is_to_choose_from_follows_what_is_practised(
    actions: FakeActions, page: PracticePage
) -> None:
    """Other kinds can be tried as soon as others are practised."""
    page.show_state(IDLE)
    page.show()
    chosen = Settings(practice=PracticeSettings(kinds=(WORDS.task,)))
    page.show_state(replace(IDLE, settings=chosen))
    page.show_state(replace(IDLE, settings=chosen))
    assert len(actions.of(ShowPractice)) == 2


def test_all_that_comes_later_is_dressed_and_nothing_twice(
    actions: FakeActions, qtbot: QtBot
) -> None:
    """Cards of puzzles, answers and exams each have a style sheet of their own."""
    page = PracticePage(LIGHT, actions)
    qtbot.addWidget(page)
    parts = list(page.parts)
    page.show_state(RUNNING)
    page.show()
    for number in range(3):
        page.see(shared_puzzle(number))
    actions.reply(shown(exam()))
    (ask,) = (b for b in page.findChildren(QAbstractButton) if b.text() == "Ask")
    ask.click()
    actions.reply(tried())
    qtbot.waitUntil(lambda: len(page.findChildren(PuzzleCard)) == 3)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert badly_dressed(page, [*parts, *actions.dressed]) == []


def test_blocking_is_kept_and_holds_at_once(
    actions: FakeActions, page: PracticePage, qtbot: QtBot
) -> None:
    """The same wishes as on the page Swarm: the settings for later, the engine for now."""
    page.show_state(RUNNING)
    page.show()
    page.see(peer_puzzle())
    qtbot.waitUntil(lambda: bool(page.findChildren(PuzzleCard)))
    (card,) = page.findChildren(PuzzleCard)
    card.block_asked.emit(PEER)
    keep, block = actions.all[-2:]
    assert isinstance(keep, Keep)
    assert keep.change(Settings()).swarm.blocked == (PEER,)
    assert block == Block(peer=PEER, on=True)


def test_home_is_one_click_away_where_nothing_runs(
    actions: FakeActions, page: PracticePage
) -> None:
    """The empty tab leads to where practice begins."""
    page.show_state(IDLE)
    page.show()
    press(page, "Open Home")
    assert actions.all[-1] == Open("home")


def test_the_tabs_are_reached_by_keyboard(page: PracticePage) -> None:
    """Arrows turn from one to the next."""
    page.show_state(IDLE)
    page.show()
    bar = tabs(page)
    assert bar.focusPolicy() is Qt.FocusPolicy.StrongFocus
    titles = [bar.tabText(index) for index in range(bar.count())]
    assert titles == ["Live", "Skills", "Try it", "Exam", "Puzzles"]
    QTest.keyClick(bar, Qt.Key.Key_Right)
    QTest.keyClick(bar, Qt.Key.Key_Right)
    QTest.keyClick(bar, Qt.Key.Key_Right)
    assert "Take the exam" in [
        b.text() for b in page.findChildren(QAbstractButton) if b.isVisible()
    ]


def fill(page: PracticePage, actions: FakeActions) -> None:
    page.show_state(RUNNING)
    for puzzle in (own_puzzle(), peer_puzzle(), shared_puzzle()):
        page.see(puzzle)
    page.show()
    actions.reply(shown(exam()))
    tabs(page).setCurrentIndex(1)
    actions.reply(skills())
    tabs(page).setCurrentIndex(4)
    actions.reply(decks(SUMS, WORDS))
    (grid,) = page.findChildren(KindGrid)
    while not grid.is_whole:
        QApplication.processEvents()
    tabs(page).setCurrentIndex(0)
    for _ in range(3):  # a few cards a turn, and then their place
        QApplication.processEvents()


@pytest.mark.parametrize("tab", range(5))
def test_every_control_has_a_name_and_can_be_reached(
    actions: FakeActions, page: PracticePage, tab: int
) -> None:
    """A screen reader can say what each control is; Tab gets there."""
    fill(page, actions)
    tabs(page).setCurrentIndex(tab)
    kinds: list[type[QWidget]] = [QAbstractButton, QComboBox, QPlainTextEdit, QTabBar, SkillMap]
    controls = [one for kind in kinds for one in page.findChildren(kind) if one.isVisible()]
    # Parts of Qt's own controls, such as the arrows beside tabs, are no stops of their own.
    own = [one for one in controls if not isinstance(one.parent(), QTabBar | QComboBox)]
    assert len(own) > 2
    for control in own:
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize("tab", range(5))
def test_nothing_is_clipped_in_the_smallest_window(
    actions: FakeActions, page: PracticePage, qtbot: QtBot, tab: int
) -> None:
    """Every text has the room that it needs at 900 x 600; what is below can be scrolled to."""
    fill(page, actions)
    tabs(page).setCurrentIndex(tab)

    # Cards within cards are laid out one after the other.
    qtbot.waitUntil(lambda: not clipped(page))
    assert page.size() == SMALLEST


def test_both_palettes_can_be_worn(actions: FakeActions, page: PracticePage) -> None:
    """What is drawn by hand changes with the rest: the map, both charts, a table to be read."""
    fill(page, actions)
    page.findChildren(PuzzlesView)[0].read(Path("words.csv"))
    actions.reply(previewed(NEVER))
    kinds: tuple[type[QWidget], ...] = (SkillMap, ExamChart, DeckRowsTable)
    drawn = [one for kind in kinds for one in page.findChildren(kind)]
    light = [one.grab().toImage() for one in drawn]
    page.show_palette(DARK)
    assert [type(one) for one in drawn] == [SkillMap, ExamChart, ExamChart, DeckRowsTable]
    assert all(one.grab().toImage() != before for one, before in zip(drawn, light, strict=True))


def test_what_the_engine_tells_reaches_the_page(open_window: OpenWindow, qtbot: QtBot) -> None:
    """Through the real window: a puzzle told by the engine is a card on the open page."""
    window, client = open_window()
    window.findChildren(RootView)[0].open("practice")
    client.event_received.emit(own_puzzle(7))
    qtbot.waitUntil(lambda: bool(window.findChildren(PuzzleCard)))
    (card,) = window.findChildren(PuzzleCard)
    assert card.puzzle.round == 7
