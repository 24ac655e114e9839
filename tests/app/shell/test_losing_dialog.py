"""The question before work is lost."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.shell.losing_dialog import LosingDialog


def test_the_keyboard_closes_nothing_by_mistake(qtbot: QtBot) -> None:
    """Enter and Escape both let the work end first."""
    parent = QWidget()
    qtbot.addWidget(parent)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        dialog = LosingDialog(parent)
        dialog.open()
        with qtbot.waitSignal(dialog.rejected):
            QTest.keyClick(dialog, key)
