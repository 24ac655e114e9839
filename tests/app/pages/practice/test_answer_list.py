"""Questions and answers as they are drawn."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.pages.practice.answer_list import AnswerList
from app.style.stylesheet import style_sheet
from app.style.theme import LIGHT
from core.api.preview import Attempt
from tests.app.pages.practice.samples import MINE, THEIRS, attempts
from tests.app.reading import texts


def test_each_answer_stands_beside_its_verdict(qtbot: QtBot) -> None:
    """In words, with how often it was given."""
    made = AnswerList(MINE)
    qtbot.addWidget(made)
    assert texts(made) == ["right", "6", "wrong, 2 times", "12"]


def test_without_a_judge_there_is_no_verdict(qtbot: QtBot) -> None:
    """What was said twice is counted all the same."""
    made = AnswerList(attempts(("Hello", None), ("There", None), ("Hello", None)))
    qtbot.addWidget(made)
    assert texts(made) == ["2 times", "Hello", "There"]


def test_texts_of_strangers_are_plain_and_harmless(qtbot: QtBot) -> None:
    """No markup, no turned lines."""
    made = AnswerList(attempts(("<b>6</b>", 1.0), *((a.text, a.reward) for a in THEIRS)))
    qtbot.addWidget(made)
    labels = made.findChildren(QLabel)
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in labels)
    assert "<b>6</b>" in texts(made)
    assert not any("\u202e" in text for text in texts(made))


@pytest.mark.parametrize("tried", [MINE, THEIRS, attempts(("a" * 400, 0.0))])
def test_it_fits_a_narrow_column(qtbot: QtBot, tried: Sequence[Attempt]) -> None:
    """The longest word without an end breaks, and is shown to its end."""
    made = AnswerList(tried)
    qtbot.addWidget(made)
    made.setStyleSheet(style_sheet(LIGHT))
    made.setFixedWidth(300)
    made.adjustSize()
    made.show()
    assert not made.grab().isNull()
    for one in made.findChildren(QLabel):
        assert one.geometry().right() < 300
        assert one.height() >= one.heightForWidth(one.width())
