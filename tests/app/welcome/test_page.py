"""Consent is given by the person, or not at all."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.welcome.page import NEVER_SHARED, SHARED, WelcomePage


@pytest.fixture
def page(qtbot: QtBot) -> WelcomePage:
    made = WelcomePage()
    qtbot.addWidget(made)
    made.resize(900, 550)
    made.show()
    return made


def test_nothing_is_preselected(page: WelcomePage) -> None:
    """The box is empty and there is no way past it."""
    (box,) = page.findChildren(QCheckBox)
    (go_on,) = page.findChildren(QPushButton)
    assert not box.isChecked()
    assert not go_on.isEnabled()


def test_agreeing_takes_the_box_and_the_button(page: WelcomePage, qtbot: QtBot) -> None:
    """By keyboard as well as by mouse; taking it back closes the way again."""
    (box,) = page.findChildren(QCheckBox)
    (go_on,) = page.findChildren(QPushButton)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert go_on.isEnabled()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert not go_on.isEnabled()
    QTest.keyClick(box, Qt.Key.Key_Space)
    with qtbot.waitSignal(page.agreed):
        QTest.keyClick(go_on, Qt.Key.Key_Return)


def test_what_is_shared_is_on_the_page(page: WelcomePage) -> None:
    """Both lists are shown in full, and so is the word about money."""
    text = "\n".join(shown.text() for shown in page.findChildren(QLabel))
    assert all(line in text for line in (*SHARED, *NEVER_SHARED))
    assert "Nothing here earns money" in text


def test_the_page_fits_the_smallest_window(page: WelcomePage) -> None:
    """At 900 x 600, header included, nothing has to be scrolled."""
    assert page.verticalScrollBar().maximum() == 0
