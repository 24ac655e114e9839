"""The shell: pages come when they are wanted."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout
from pytestqt.qtbot import QtBot

from app.backend.actions import Actions
from app.pages.page import Page
from app.shell import registry
from app.shell.navigation import Navigation
from app.shell.registry import PAGES
from app.shell.shell import Shell
from app.state.app_state import AppState
from app.state.intents import PageName
from app.state.model_choices import ModelChoice
from app.style.appearance import Appearance
from app.style.theme import DARK, LIGHT, Palette
from app.widgets.scroll import Scroll
from core.api.preview import PuzzleTried
from tests.app.dressing import badly_dressed, is_in
from tests.fake_actions import FakeActions

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
STATE = AppState(choices=(SPARK,), chosen="spark")


class Diary(Page):
    """A page that writes down what happens to it."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self.palettes = [palette]
        self.states: list[AppState] = []
        self.puzzles: list[PuzzleTried] = []
        self.openings = 0
        self.subjects: list[str] = []
        self.press = QPushButton("press")
        QVBoxLayout(self).addWidget(self.press)

    def show_state(self, state: AppState) -> None:
        self.states.append(state)

    def see(self, puzzle: PuzzleTried) -> None:
        self.puzzles.append(puzzle)

    def show_palette(self, palette: Palette) -> None:
        self.palettes.append(palette)

    def opened(self) -> None:
        self.openings += 1

    def take(self, subject: str) -> None:
        self.subjects.append(subject)


@pytest.fixture
def diaries(monkeypatch: pytest.MonkeyPatch) -> dict[PageName, Diary]:
    """Every page keeps a diary; here are those that were made."""
    made: dict[PageName, Diary] = {}

    def maker(name: PageName) -> Callable[[Palette, Actions], Diary]:
        def make(palette: Palette, actions: Actions) -> Diary:
            made[name] = Diary(palette, actions)
            return made[name]

        return make

    monkeypatch.setattr("app.shell.shell.PAGES", {name: maker(name) for name in registry.PAGES})
    return made


def page_of(shell: Shell) -> Page:
    """The one that is open; sections of settings are pages, too."""
    return next(page for page in shell.findChildren(Page) if page.isVisible())


@pytest.fixture
def shell(diaries: dict[PageName, Diary], qtbot: QtBot) -> Shell:
    assert not diaries
    made = Shell(LIGHT, FakeActions())
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    return made


def test_pages_are_made_when_they_are_first_opened(
    shell: Shell, diaries: dict[PageName, Diary]
) -> None:
    """None before, and none twice."""
    assert list(diaries) == []
    shell.open("home")
    shell.open("swarm")
    first = diaries["swarm"]
    shell.open("home")
    shell.open("swarm")
    assert list(diaries) == ["home", "swarm"]
    assert diaries["swarm"] is first


def test_a_page_takes_up_what_somebody_was_sent_for(
    shell: Shell, diaries: dict[PageName, Diary]
) -> None:
    """That page alone, and only where there is something to take up."""
    shell.open("models", "ember")
    shell.open("swarm")
    assert diaries["models"].subjects == ["ember"]
    assert diaries["swarm"].subjects == []


def test_the_open_page_is_the_one_that_is_seen(
    shell: Shell, diaries: dict[PageName, Diary]
) -> None:
    """It is told each time that it comes into view, and the rail marks it."""
    for name in ("home", "models", "home"):
        shell.open(name)
        QApplication.processEvents()
    assert shell.page == "home"
    assert (diaries["home"].isVisible(), diaries["models"].isVisible()) == (True, False)
    assert (diaries["home"].openings, diaries["models"].openings) == (2, 1)


def test_a_new_page_is_not_shown_if_another_was_chosen_meanwhile(
    shell: Shell, diaries: dict[PageName, Diary]
) -> None:
    """It is made in one turn and shown in the next; the last choice counts."""
    shell.open("home")
    QApplication.processEvents()
    shell.open("models")
    shell.open("home")
    QApplication.processEvents()
    assert (diaries["home"].isVisible(), diaries["models"].openings) == (True, 0)


def test_the_rail_opens_pages(shell: Shell, diaries: dict[PageName, Diary]) -> None:
    """Choosing is enough."""
    shell.findChildren(Navigation)[0].chosen.emit("practice")
    QApplication.processEvents()
    assert diaries["practice"].isVisible()


def test_every_page_is_a_function_of_the_state(
    shell: Shell, diaries: dict[PageName, Diary]
) -> None:
    """Those that exist draw it at once, later ones when they are made."""
    shell.open("home")
    assert diaries["home"].states == []
    shell.show_state(STATE)
    shell.open("swarm")
    assert diaries["home"].states == diaries["swarm"].states == [STATE]


def test_every_page_sees_every_puzzle(shell: Shell, diaries: dict[PageName, Diary]) -> None:
    """Whether it asked to watch or not."""
    puzzle = PuzzleTried(round=1, task="sums", title="Sums", question="1 + 1 = ?")
    shell.open("practice")
    shell.open("home")
    shell.see(puzzle)
    assert diaries["home"].puzzles == diaries["practice"].puzzles == [puzzle]


def test_every_page_wears_the_palette(shell: Shell, diaries: dict[PageName, Diary]) -> None:
    """Those that exist change it, later ones are made in it."""
    shell.open("home")
    shell.show_palette(DARK)
    shell.open("swarm")
    assert diaries["home"].palettes == [LIGHT, DARK]
    assert diaries["swarm"].palettes == [DARK]


def test_the_focus_goes_along_to_the_new_page(shell: Shell, diaries: dict[PageName, Diary]) -> None:
    """Who works by keyboard is not thrown out of the pages by changing between them."""
    shell.open("home")
    QApplication.processEvents()
    diaries["home"].press.setFocus()
    QTest.keyClick(shell, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()
    assert shell.page == "swarm"
    assert shell.focusWidget() is diaries["swarm"].press


@pytest.mark.parametrize("name", list(PAGES))
def test_every_real_page_can_be_opened(qtbot: QtBot, name: PageName) -> None:
    """With a state, without one, and in both palettes."""
    shell = Shell(LIGHT, FakeActions())
    qtbot.addWidget(shell)
    shell.show()
    shell.open(name)
    shell.show_state(STATE)
    shell.show_palette(DARK)
    assert shell.page == name


@pytest.mark.parametrize("name", list(PAGES))
def test_all_of_a_page_is_dressed_and_none_twice(qtbot: QtBot, name: PageName) -> None:
    """What would be in no part stays in Qt's own looks; in two, it is gone through twice."""
    actions = FakeActions()
    shell = Shell(LIGHT, actions)
    qtbot.addWidget(shell)
    shell.show()
    shell.show_state(STATE)
    shell.open(name)
    assert badly_dressed(page_of(shell), actions.dressed) == []


@pytest.mark.parametrize("name", list(PAGES))
def test_an_unseen_page_takes_on_new_colours(
    appearance: Appearance, qtbot: QtBot, name: PageName
) -> None:
    """The ground between its parts, too, which no style sheet reaches."""
    appearance.choose("light")
    actions = FakeActions()
    actions.dress = appearance.dress  # type: ignore[method-assign]  # as the window does
    shell = Shell(appearance.palette, actions)
    qtbot.addWidget(shell)
    shell.show()
    shell.show_state(STATE)
    shell.open(name)
    QApplication.processEvents()
    page = page_of(shell)
    shell.open("home" if name != "home" else "models")
    appearance.choose("dark")
    QApplication.processEvents()
    ground = QColor(DARK.ground)
    bare = (
        part
        for part in (page, *page.findChildren(Scroll))
        if not any(is_in(one, part) for one in page.parts)
    )
    colours = [part.palette().color(QPalette.ColorRole.Window) for part in bare]
    assert colours == [ground] * len(colours)
    assert colours or page.parts == (page,)
