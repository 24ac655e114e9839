"""The access token is typed in once."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.details import Token
from app.pages.models.store import WorkOutcome
from app.pages.models.token_form import TokenForm
from app.pages.models.view_model import Act


@pytest.fixture
def acts() -> list[Act]:
    return []


@pytest.fixture
def form(acts: list[Act], qtbot: QtBot) -> TokenForm:
    made = TokenForm(acts.append)
    qtbot.addWidget(made)
    made.show_token(Token(is_kept=False))
    return made


def field(form: TokenForm) -> QLineEdit:
    (found,) = form.findChildren(QLineEdit)
    return found


def shown(form: TokenForm) -> list[str]:
    return [b.text() for b in form.findChildren(QPushButton) if not b.isHidden()]


def test_a_token_is_kept_without_being_shown(acts: list[Act], form: TokenForm) -> None:
    """Typed as dots, sent without the blanks of a copy, and gone from the field once it is kept."""
    assert field(form).echoMode() is QLineEdit.EchoMode.Password
    field(form).setText(" hf_x ")
    QTest.keyClick(field(form), Qt.Key.Key_Return)
    assert acts[-1] == Act("", "keep_token", "hf_x")
    form.show_token(Token(is_kept=True))
    assert field(form).text() == " hf_x "
    form.show_token(Token(is_kept=True, said=WorkOutcome("The token is kept.")))
    assert field(form).text() == ""
    assert "The token is kept." in [label.text() for label in form.findChildren(QLabel)]


def test_an_empty_field_keeps_nothing(acts: list[Act], form: TokenForm) -> None:
    """Neither by its button nor by Enter."""
    QTest.keyClick(field(form), Qt.Key.Key_Return)
    assert acts == []
    (keep,) = (b for b in form.findChildren(QPushButton) if b.text() == "Keep")
    assert not keep.isEnabled()


def test_a_token_that_is_kept_can_be_forgotten(acts: list[Act], form: TokenForm) -> None:
    """Only then."""
    assert shown(form) == ["Keep"]
    form.show_token(Token(is_kept=True))
    assert shown(form) == ["Keep", "Forget it"]
    (forget,) = (b for b in form.findChildren(QPushButton) if b.text() == "Forget it")
    forget.click()
    assert acts[-1] == Act("", "forget_token")


def test_trouble_is_told_and_what_was_typed_stays(form: TokenForm) -> None:
    """It can be mended."""
    field(form).setText("two words")
    said = WorkOutcome("That is no access token.", is_trouble=True)
    form.show_token(Token(is_kept=False, said=said))
    assert field(form).text() == "two words"
    assert "That is no access token." in [label.text() for label in form.findChildren(QLabel)]


def test_where_none_is_needed_it_is_not_there(form: TokenForm) -> None:
    """Most models are open to all."""
    form.show_token(None)
    assert form.isHidden()
