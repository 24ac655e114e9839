"""Questions as they are drawn."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.widgets.question_box import SampleList, question_box, text_label
from core.api.decks import SampleQuestion
from tests.app.reading import text


def test_a_grid_stands_in_letters_of_one_width(qtbot: QtBot) -> None:
    """Its columns stay below each other; the words around it are set as words."""
    box = question_box("Turn this:\n1 0\n0 1")
    qtbot.addWidget(box)
    roles = [(one.text(), one.property("role")) for one in box.findChildren(QLabel)]
    assert roles == [("Turn this:", "body"), ("1 0\n0 1", "fixed")]


def test_numbers_below_each_other_are_of_one_width(qtbot: QtBot) -> None:
    """Words are set as words."""
    made = [text_label("1 0\n0 1"), text_label("A word")]
    for one in made:
        qtbot.addWidget(one)
    assert [one.property("role") for one in made] == ["fixed", "body"]


def test_questions_stand_with_their_answers(qtbot: QtBot) -> None:
    """As they are: no markup, no turned lines."""
    hostile = "<b>1</b> + 1?\u202e", "<img src='x'> | \u202e2"
    made = SampleList([SampleQuestion(level=2, question=hostile[0], answers=hostile[1])])
    qtbot.addWidget(made)
    assert text(made).startswith("Level 2\n<b>1</b> + 1?")
    assert "Answer: <img src='x'>" in text(made)
    assert "\u202e" not in text(made)
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in made.findChildren(QLabel))
