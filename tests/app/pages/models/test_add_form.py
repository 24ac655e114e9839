"""Any other model, by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.add_form import AddForm, repository_in
from app.pages.models.store import WorkOutcome
from core.models.catalog.repositories import REPOSITORY, is_repository


@pytest.fixture
def form(qtbot: QtBot) -> AddForm:
    made = AddForm()
    qtbot.addWidget(made)
    return made


def field(form: AddForm) -> QLineEdit:
    (found,) = form.findChildren(QLineEdit)
    return found


def look_up(form: AddForm) -> QPushButton:
    (found,) = form.findChildren(QPushButton)
    return found


def words(form: AddForm) -> str:
    return "\n".join(shown.text() for shown in form.findChildren(QLabel) if not shown.isHidden())


def test_a_name_is_asked_for_as_its_hub_knows_it(form: AddForm, qtbot: QtBot) -> None:
    """By Enter or by the button; pasted addresses are understood."""
    field(form).setText("https://huggingface.co/someone/Smol")
    with qtbot.waitSignal(form.asked) as told:
        QTest.keyClick(field(form), Qt.Key.Key_Return)
    assert told.args == ["someone/Smol"]


def test_what_is_no_name_is_told_without_asking(form: AddForm, qtbot: QtBot) -> None:
    """With the form that it should have."""
    field(form).setText("smol")
    with qtbot.assertNotEmitted(form.asked):
        look_up(form).click()
    assert "owner/name" in words(form)


def test_one_name_at_a_time(form: AddForm, qtbot: QtBot) -> None:
    """While it is looked up, Enter asks for nothing else."""
    form.show_search(None, is_busy=True)
    assert not look_up(form).isEnabled()
    field(form).setText("someone/Other")
    with qtbot.assertNotEmitted(form.asked):
        QTest.keyClick(field(form), Qt.Key.Key_Return)


def test_what_was_found_makes_room_for_another_name(form: AddForm) -> None:
    """What was not found stays, to be mended."""
    field(form).setText("someone/Smol")
    form.show_search(None, is_busy=True)
    form.show_search(WorkOutcome("No such model.", is_trouble=True), is_busy=False)
    assert field(form).text() == "someone/Smol"
    assert "No such model." in words(form)
    form.show_search(None, is_busy=True)
    assert "No such model." not in words(form)
    form.show_search(None, is_busy=False)
    assert field(form).text() == ""


def test_words_about_the_form_of_a_name_stay_while_nothing_is_asked(form: AddForm) -> None:
    """The page draws itself anew all the time."""
    look_up(form).click()
    form.show_search(None, is_busy=False)
    assert "owner/name" in words(form)


@pytest.mark.parametrize(
    "text",
    [
        "Qwen/Qwen2.5-0.5B",
        "  Qwen/Qwen2.5-0.5B \n",
        "https://huggingface.co/Qwen/Qwen2.5-0.5B",
        "huggingface.co/Qwen/Qwen2.5-0.5B/tree/main?show=all#files",
        "https://www.huggingface.co/Qwen/Qwen2.5-0.5B/",
        "hf.co/Qwen/Qwen2.5-0.5B",
    ],
)
def test_a_name_and_the_address_of_its_page_mean_the_same(text: str) -> None:
    """People copy either."""
    assert repository_in(text) == "Qwen/Qwen2.5-0.5B"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Qwen",
        "a/b/c",
        "two words/x",
        "https://example.org/a/b",
        "../x",
        "a/",
        "/b",
        "a/\u202e",
    ],
)
def test_what_is_no_name_is_none(text: str) -> None:
    """Said before anybody is asked."""
    assert repository_in(text) is None


@given(st.from_regex(REPOSITORY, fullmatch=True))
def test_every_name_that_can_be_fetched_may_be_typed(name: str) -> None:
    """The window is no stricter than the engine."""
    assert not is_repository(name) or repository_in(name) == name
