"""Any other model, by its name."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.add_form import AddForm
from app.pages.models.store import WorkOutcome


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
