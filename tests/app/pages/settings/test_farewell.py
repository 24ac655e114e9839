"""Nobody removes everything by accident."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.settings.farewell import Farewell


class Asked:
    """The dialog, and whether it was agreed to."""

    def __init__(self, qtbot: QtBot) -> None:
        self.parent = QWidget()
        qtbot.addWidget(self.parent)
        self.now = 100.0  # seconds
        self.dialog = Farewell(self.parent, lambda: self.now)
        self.agreed: list[bool] = []
        self.dialog.agreed.connect(lambda: self.agreed.append(True))
        self.dialog.show()
        self.go, self.keep = self.dialog.findChildren(QPushButton)
        (self.field,) = self.dialog.findChildren(QLineEdit)


@pytest.fixture
def asked(qtbot: QtBot) -> Asked:
    return Asked(qtbot)


def test_it_takes_the_word_and_two_clicks(asked: Asked) -> None:
    """The second click is asked for in words."""
    assert not asked.go.isEnabled()
    QTest.keyClicks(asked.field, " Remove")
    asked.go.click()
    assert asked.go.text() == "Really remove everything?"
    assert asked.agreed == []
    asked.now += 2.0
    asked.go.click()
    assert asked.agreed == [True]
    assert not asked.dialog.isVisible()


def test_a_double_click_removes_nothing(asked: Asked) -> None:
    """Its second half comes before anybody has read the question."""
    QTest.keyClicks(asked.field, "remove")
    QApplication.processEvents()  # the dialog is laid out
    window, none = asked.dialog.windowHandle(), Qt.KeyboardModifier.NoModifier
    assert window is not None
    QTest.mouseDClick(window, Qt.MouseButton.LeftButton, none, asked.go.geometry().center())
    assert asked.go.text() == "Really remove everything?"
    assert asked.agreed == []


def test_another_word_takes_it_back(asked: Asked) -> None:
    """Also after the first click."""
    QTest.keyClicks(asked.field, "remove")
    asked.go.click()
    QTest.keyClicks(asked.field, "d")
    assert not asked.go.isEnabled()
    QTest.keyClick(asked.field, Qt.Key.Key_Backspace)
    assert asked.go.text() == "Remove everything"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_no_key_removes_anything(asked: Asked, key: Qt.Key) -> None:
    """Enter in the field and Escape least of all."""
    QTest.keyClicks(asked.field, "remove")
    for _ in range(3):
        QTest.keyClick(asked.field, key)
    assert asked.agreed == []


def test_one_can_think_better_of_it(asked: Asked) -> None:
    """A button that says so."""
    asked.keep.click()
    assert asked.agreed == []
    assert not asked.dialog.isVisible()
