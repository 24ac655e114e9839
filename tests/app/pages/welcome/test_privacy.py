"""Consent is given by the person, or not at all."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel
from pytestqt.qtbot import QtBot

from app.pages.welcome.privacy import PrivacyStep
from core.settings import Settings, WindowSettings
from tests.fake_actions import state_of

AGREED = state_of(Settings(window=WindowSettings(consent=True)))


@pytest.fixture
def step(qtbot: QtBot) -> PrivacyStep:
    made = PrivacyStep()
    qtbot.addWidget(made)
    made.begin(state_of())
    made.resize(900, 530)
    made.show()
    return made


def box_of(step: PrivacyStep) -> QCheckBox:
    (box,) = step.findChildren(QCheckBox)
    return box


def test_nothing_is_preselected(step: PrivacyStep) -> None:
    """The box is empty and there is no way past it."""
    assert not box_of(step).isChecked()
    assert not step.is_ready


def test_agreeing_takes_the_box(step: PrivacyStep, qtbot: QtBot) -> None:
    """By keyboard as well as by mouse; taking it back closes the way again."""
    for ready in (True, False, True):
        with qtbot.waitSignal(step.changed):
            QTest.keyClick(box_of(step), Qt.Key.Key_Space)
        assert step.is_ready is ready


def test_who_agreed_before_is_told_and_not_asked_again(step: PrivacyStep) -> None:
    """And who has not is asked each time anew."""
    box_of(step).click()
    step.begin(state_of())
    assert not box_of(step).isChecked()
    step.begin(AGREED)
    assert step.is_ready
    assert not box_of(step).isVisible()
    shown = [one.text() for one in step.findChildren(QLabel) if one.isVisible()]
    assert "You have agreed to share these things." in shown


@pytest.mark.parametrize(
    "words",
    [
        "which puzzles were tried, and when",
        "what your model answered, as text",
        "how many puzzles it solved last, and whose tries it learnt from",
        "the kind of model, and a made-up name and number that stay the same",
        "your files, or anything you type",
        "your name or your computer's name",
        "your model itself",
        "see your internet address",
        "Nothing here earns money",
    ],
)
def test_what_is_shared_is_on_the_page(step: PrivacyStep, words: str) -> None:
    """Both lists in full, the address, and the word about money."""
    assert words in "\n".join(one.text() for one in step.findChildren(QLabel))


def test_it_fits_the_smallest_window(step: PrivacyStep) -> None:
    """At 900 x 600, buttons included, nothing has to be scrolled."""
    assert step.verticalScrollBar().maximum() == 0
