"""Trying the model, as a person does it."""

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QRadioButton,
)
from pytestqt.qtbot import QtBot

from app.pages.practice.try_view import TryForm, TryView
from core.api.practice import Trying, TryModel
from core.api.preview import QUESTION_LENGTH
from core.api.requests import Cancel, Cancelled, Refused
from tests.app.pages.practice.samples import EMBER, KINDS, SPARK, tried
from tests.app.reading import button, text
from tests.fake_actions import FakeActions


@pytest.fixture
def view(actions: FakeActions, qtbot: QtBot) -> TryView:
    made = TryView(actions)
    qtbot.addWidget(made)
    made.show_model(SPARK)
    made.show_kinds(KINDS)
    made.show()
    return made


def ask(view: TryView, actions: FakeActions) -> TryModel:
    button(view, "Ask").click()
    return actions.last(TryModel)


def words(view: TryView) -> str:
    QApplication.processEvents()  # what was laid out just now appears
    return text(view)


def test_a_puzzle_is_asked_and_both_answers_are_shown(actions: FakeActions, view: TryView) -> None:
    """Every try is a fresh puzzle; what both said stands side by side."""
    assert "The answers will stand here" in words(view)
    first = ask(view, actions)
    assert first.model == "spark"
    assert first.task in {"gcd", "lcm"}
    actions.reply(Trying(is_loading=True))
    assert "Waking the model up…" in words(view)
    actions.reply(Trying(is_loading=False))
    assert "Thinking…" in words(view)
    actions.reply(tried(first.id))
    for said in ("Before any practice", "1 of 2 right", "Today, after 812 rounds", "2 of 2 right"):
        assert said in words(view)
    assert "Thinking…" not in words(view)
    second = ask(view, actions)
    assert second.id != first.id
    assert second.seed != first.seed


def test_one_question_at_a_time_which_can_be_cancelled(actions: FakeActions, view: TryView) -> None:
    """While one is open, the button waits; cancelling names that one."""
    request = ask(view, actions)
    assert not button(view, "Ask").isEnabled()
    button(view, "Cancel").click()
    assert actions.all[-1] == Cancel(request=request.id)
    actions.reply(Trying(is_loading=False))  # it was on its way
    assert "Stopping…" in words(view)
    actions.reply(Cancelled())
    assert button(view, "Ask").isEnabled()
    assert not button(view, "Cancel").isVisible()


def test_the_keyboard_goes_to_cancel_and_comes_back(actions: FakeActions, view: TryView) -> None:
    """Whoever asks by keyboard can cancel, and then ask again, without looking for the place."""
    button(view, "Ask").setFocus()
    ask(view, actions)
    assert view.focusWidget() is button(view, "Cancel")
    actions.reply(Cancelled())
    assert view.focusWidget() is button(view, "Ask")


def test_a_refusal_is_said_in_its_own_words(actions: FakeActions, view: TryView) -> None:
    """And the next try is open."""
    ask(view, actions)
    actions.reply(Refused(words="Close other programs."))
    (said,) = (one for one in view.findChildren(QLabel) if one.text() == "Close other programs.")
    assert said.property("role") == "trouble"
    assert button(view, "Ask").isEnabled()
    ask(view, actions)
    assert (said.text(), said.property("role")) == ("Asking…", "muted")


def test_what_another_model_answered_goes(actions: FakeActions, view: TryView) -> None:
    """It would pass for what the chosen one says, also where it answers late."""
    actions.reply(tried(ask(view, actions).id))
    assert "after 812 rounds" in words(view)
    late = ask(view, actions)
    view.show_model(EMBER)
    assert "after 812 rounds" not in words(view)
    actions.reply(tried(late.id))
    assert "after 812 rounds" not in words(view)
    assert "Another model was asked. Ask again to see what this one says." in words(view)
    view.show_model(SPARK)
    assert "Another model was asked" not in words(view)
    assert button(view, "Ask").isEnabled()


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
    """Blank ones are none; of too many, the helper says so."""
    choose(form, "Your own words")
    (field,) = form.findChildren(QPlainTextEdit)
    for typed, can_ask in (
        (" \n", False),
        (" What is 3 + 4? ", True),
        ("x" * (QUESTION_LENGTH + 9), True),
    ):
        field.setPlainText(typed)
        assert form.can_ask is can_ask
    assert len(form.text) == QUESTION_LENGTH + 1
    field.setPlainText(" What is 3 + 4? ")
    assert (form.text, form.task) == ("What is 3 + 4?", "")


def test_beside_own_words_it_says_what_a_starter_knows(form: TryForm) -> None:
    """The words are those for the model that is asked, and only where they matter."""
    assert text(form) == ""
    choose(form, "Your own words")
    assert text(form).startswith("Spark has never read anything but puzzles.")
    form.show_model(EMBER)
    assert text(form).startswith("Ember")
    choose(form, "A puzzle")
    assert text(form) == ""
