"""The rail: by mouse, by keyboard, and for who cannot see it."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.shell.navigation import Navigation
from app.shell.registry import PAGES
from app.state.intents import PageName
from app.style import theme
from app.style.theme import DARK, LIGHT

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
