"""What the model is asked."""

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QRadioButton
from pytestqt.qtbot import QtBot

from app.pages.practice.try_form import TryForm
from core.api.preview import QUESTION_LENGTH
from tests.app.pages.practice.samples import EMBER, KINDS, SPARK


@pytest.fixture
def form(qtbot: QtBot) -> TryForm:
    made = TryForm()
    qtbot.addWidget(made)
    made.show_model(SPARK)
    made.show()
    return made


def choose(form: TryForm, words: str) -> None:
    (radio,) = (r for r in form.findChildren(QRadioButton) if r.text() == words)
    radio.click()


def test_before_the_kinds_are_known_there_is_nothing_to_ask(form: TryForm, qtbot: QtBot) -> None:
    """They come from the helper; then any of them will do."""
    assert form.can_ask is False
    with qtbot.waitSignal(form.changed):
        form.show_kinds(KINDS)
    assert form.task in {"gcd", "lcm"}
    assert form.text == ""


def test_a_kind_can_be_chosen_by_its_title(form: TryForm) -> None:
    """Titles stand in the order of the alphabet; the choice outlives the helper's next answer."""
    form.show_kinds(KINDS)
    (box,) = form.findChildren(QComboBox)
    assert [box.itemText(index) for index in range(box.count())] == [
        "Of any kind",
        "Find the greatest common divisor",
        "Find the least common multiple",
    ]
    box.setCurrentIndex(2)
    form.show_kinds(KINDS)
    assert form.task == "lcm"


def test_own_words_need_words(form: TryForm) -> None:
    """Blank ones are none, and too many are not sent."""
    choose(form, "Your own words")
    (field,) = form.findChildren(QPlainTextEdit)
    for text, can_ask in (
        (" \n", False),
        (" What is 3 + 4? ", True),
        ("x" * (QUESTION_LENGTH + 1), False),
    ):
        field.setPlainText(text)
        assert form.can_ask is can_ask
    field.setPlainText(" What is 3 + 4? ")
    assert (form.text, form.task) == ("What is 3 + 4?", "")


def test_beside_own_words_it_says_what_a_starter_knows(form: TryForm) -> None:
    """The words are those for the model that is asked, and only where they matter."""

    def shown() -> str:
        return " ".join(one.text() for one in form.findChildren(QLabel) if one.isVisible())

    assert shown() == ""
    choose(form, "Your own words")
    assert shown().startswith("Spark has never read anything but puzzles.")
    form.show_model(EMBER)
    assert shown().startswith("Ember")
    choose(form, "A puzzle")
    assert shown() == ""
