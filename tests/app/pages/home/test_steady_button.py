"""A button that waits."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.home.steady_button import SteadyButton
from app.state.run_status import Button
from app.style.appearance import Appearance


@pytest.fixture
def page(appearance: Appearance, qtbot: QtBot) -> QWidget:
    """One of them above another button."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.addWidget(SteadyButton())
    column.addWidget(QPushButton("Next"))
    appearance.dress(made)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


def test_the_focus_stays_while_it_waits(page: QWidget) -> None:
    """The key that pressed it presses nothing else, and it says why it does nothing."""
    (button,) = page.findChildren(SteadyButton)
    pressed: list[str] = []
    button.wanted.connect(lambda: pressed.append(button.text()))
    button.show_button(Button("Pause"))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    button.show_button(Button("Pausing…", enabled=False))
    assert button.hasFocus()
    assert button.accessibleName() == "Pausing…"
    assert button.accessibleDescription()
    QTest.keyClick(button, Qt.Key.Key_Space)
    button.show_button(Button("Go on"))
    assert button.hasFocus()
    assert not button.accessibleDescription()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert pressed == ["Pause", "Go on"]


def test_it_looks_like_any_button_that_cannot_be_pressed(page: QWidget) -> None:
    """The words are as faint, and no longer so when it can."""
    (button,) = page.findChildren(SteadyButton)
    (other,) = (b for b in page.findChildren(QPushButton) if b is not button)
    other.setEnabled(False)

    def colour(of: QPushButton) -> str:
        of.ensurePolished()
        return of.palette().color(QPalette.ColorRole.ButtonText).name()

    button.show_button(Button("Pausing…", enabled=False))
    assert colour(button) == colour(other)
    button.show_button(Button("Pause"))
    assert colour(button) != colour(other)
