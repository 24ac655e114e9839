"""The shell: pages come when they are wanted."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QVBoxLayout
from pytestqt.qtbot import QtBot

from app.backend.actions import Actions
from app.pages.page import Page
from app.shell.shell import MODULES, PAGES, Navigation, Shell
from app.state.app_state import AppState
from app.state.intents import PageName, Subject
from app.state.model_choices import ModelChoice
from app.style import theme
from app.style.appearance import Appearance
from app.style.theme import DARK, LIGHT, Palette
from app.widgets.scroll_area import ScrollArea
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
        self.subjects: list[Subject] = []
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

    def take(self, subject: Subject) -> None:
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

    monkeypatch.setattr("app.shell.shell.PAGES", {name: maker(name) for name in PAGES})
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


def test_what_could_not_be_kept_is_told_on_every_page(
    shell: Shell, diaries: dict[PageName, Diary]
) -> None:
    """But on Home, which says it with what is to be done."""
    assert not diaries
    shell.open("swarm")
    shell.show_state(replace(STATE, problem="The disk is full."))
    assert shell.trouble.isVisible()
    assert [one.text() for one in shell.trouble.findChildren(QLabel)] == ["The disk is full."]
    shell.open("home")
    assert not shell.trouble.isVisible()
    shell.open("models")
    assert shell.trouble.isVisible()
    shell.show_state(STATE)
    assert not shell.trouble.isVisible()


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
        for part in (page, *page.findChildren(ScrollArea))
        if not any(is_in(one, part) for one in page.parts)
    )
    colours = [part.palette().color(QPalette.ColorRole.Window) for part in bare]
    assert colours == [ground] * len(colours)
    assert colours or page.parts == (page,)


def test_every_name_has_its_page(actions: FakeActions, qtbot: QtBot) -> None:
    """One each, in the order of the rail, and each of its own kind."""
    assert tuple(PAGES) == get_args(PageName)
    pages = [make(LIGHT, actions) for make in PAGES.values()]
    for page in pages:
        qtbot.addWidget(page)
        assert isinstance(page, Page)
    assert len({type(page) for page in pages}) == len(pages)


def test_each_page_but_home_has_a_module_to_be_loaded_early(
    actions: FakeActions, qtbot: QtBot
) -> None:
    """The one that its class comes from."""
    pages = {name: make(LIGHT, actions) for name, make in PAGES.items() if name != "home"}
    for page in pages.values():
        qtbot.addWidget(page)
    assert tuple(type(page).__module__ for page in pages.values()) == MODULES


NAMES: list[PageName] = list(PAGES)


@pytest.fixture
def rail(qtbot: QtBot) -> Navigation:
    made = Navigation(LIGHT)
    qtbot.addWidget(made)
    made.resize(theme.RAIL_WIDTH, 600)
    made.show()
    made.activateWindow()
    return made


@pytest.fixture
def chosen(rail: Navigation) -> list[str]:
    names: list[str] = []
    rail.chosen.connect(names.append)
    return names


def entries(rail: Navigation) -> list[QToolButton]:
    return rail.findChildren(QToolButton)


def colours(icon: QIcon, state: QIcon.State) -> set[str]:
    image = icon.pixmap(QSize(24, 24), QIcon.Mode.Normal, state).toImage()
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {QColor(pixel).name() for pixel in pixels if pixel.alpha() == 255}


def test_there_is_an_entry_for_every_page(rail: Navigation, chosen: list[str]) -> None:
    """In the order of the registry; a click says which."""
    for entry in entries(rail):
        entry.click()
    assert chosen == NAMES


@pytest.mark.parametrize("number", range(1, 7))
def test_ctrl_and_a_number_press_an_entry(rail: Navigation, chosen: list[str], number: int) -> None:
    """From wherever the focus is in the window."""
    rail.findChildren(QPushButton)[0].setFocus()
    QTest.keyClick(rail, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
    assert chosen == [NAMES[number - 1]]


def test_exactly_the_page_that_is_shown_is_checked(rail: Navigation) -> None:
    """For eyes and screen readers alike."""
    for at, name in enumerate(NAMES):
        rail.show_chosen(name)
        assert [entry.isChecked() for entry in entries(rail)] == [at == n for n in range(6)]


def test_showing_is_not_choosing(rail: Navigation, chosen: list[str]) -> None:
    """A page that opened for another reason does not open twice."""
    rail.show_chosen("swarm")
    assert chosen == []


def test_every_entry_speaks(rail: Navigation) -> None:
    """Each has a name, and tells the keys that press it."""
    controls = [*entries(rail), *rail.findChildren(QPushButton)]
    assert all(control.accessibleName() == control.text().strip() for control in controls)
    assert [entry.toolTip()[-7:] for entry in entries(rail)] == [
        f"Ctrl+{number})" for number in range(1, 7)
    ]


def test_the_entries_are_one_stop_for_tab_and_arrows_go_through_them(
    rail: Navigation, chosen: list[str]
) -> None:
    """So the page is two steps away; each entry that the arrow comes to opens its page."""
    rail.show_chosen("home")
    first, *others = entries(rail)
    first.setFocus()
    for entry in others:
        QTest.keyClick(rail.focusWidget(), Qt.Key.Key_Down)
        assert rail.focusWidget() is entry
    assert chosen == NAMES[1:]
    QTest.keyClick(rail.focusWidget(), Qt.Key.Key_Tab)
    assert rail.focusWidget() is rail.findChildren(QPushButton)[0]


def test_the_icons_wear_the_palette(rail: Navigation) -> None:
    """Quiet while another page is shown, in the own colour while this one is."""
    for palette in (DARK, LIGHT):
        rail.show_palette(palette)
        icon = entries(rail)[0].icon()
        assert colours(icon, QIcon.State.Off) == {palette.muted.lower()}
        assert colours(icon, QIcon.State.On) == {palette.mine.lower()}


def test_no_word_is_cut_off(rail: Navigation) -> None:
    """The rail is as wide as its longest entry needs."""
    for entry in (*entries(rail), *rail.findChildren(QPushButton)):
        assert entry.sizeHint().width() <= entry.width()
