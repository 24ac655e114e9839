"""The unfolded part of a card."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.detail_panel import DetailPanel, TokenForm
from app.pages.models.details import DetailRow, Details, Token
from app.pages.models.store import WorkOutcome
from app.pages.models.view_model import RowAction
from tests.app.reading import button, texts

CHECK = DetailRow(
    "Check its files", "Compares them.", RowAction("Check", "verify"), heading="Look after it"
)
REMOVE = DetailRow(
    "Remove it", "Sets 3 MB free.", RowAction("Remove…", "remove", asks="Remove it?")
)
DETAILS = Details((("Licence", "Apache-2.0"),), (CHECK, REMOVE), None)


@pytest.fixture
def acts() -> list[RowAction]:
    return []


@pytest.fixture
def panel(acts: list[RowAction], qtbot: QtBot) -> DetailPanel:
    made = DetailPanel(acts.append)
    qtbot.addWidget(made)
    made.show_details(DETAILS)
    made.show()
    return made


def test_facts_and_rows_are_drawn(panel: DetailPanel) -> None:
    """With their headings; what a button does is also its description."""
    assert {"Licence", "Apache-2.0", "Look after it", "Check its files"} <= set(texts(panel))
    assert button(panel, "Check").accessibleDescription() == "Compares them."


def test_a_row_does_what_it_says_or_asks_first(acts: list[RowAction], panel: DetailPanel) -> None:
    """Right below itself."""
    button(panel, "Check").click()
    assert acts[-1] == CHECK.act
    button(panel, "Remove…").click()
    assert acts == [CHECK.act]
    assert "Remove it?" in texts(panel)
    button(panel, "Remove").click()
    assert acts[-1].verb == "remove"


def test_a_row_may_do_two_things(acts: list[RowAction], panel: DetailPanel) -> None:
    """Each by its own button, and a question of either is asked below."""
    delete = RowAction("Delete…", "delete", "smol@then", asks="Delete it?")
    row = DetailRow(
        "Backup", "Of then.", RowAction("Bring back", "restore", "smol@then"), other=delete
    )
    panel.show_details(Details((), (row,), None))
    button(panel, "Delete…").click()
    assert "Delete it?" in texts(panel)
    panel.show_details(Details((), (row,), None))
    assert "Delete it?" in texts(panel)
    button(panel, "Delete").click()
    assert (acts[-1].verb, acts[-1].argument) == ("delete", "smol@then")
    button(panel, "Bring back").click()
    assert acts[-1] == row.act
    panel.show_details(DETAILS)
    assert "Delete…" not in [b.text() for b in panel.findChildren(QPushButton) if b.isVisible()]


def test_fewer_rows_leave_nothing_behind(panel: DetailPanel) -> None:
    """Nor fewer facts; a question about what went is not asked any more."""
    button(panel, "Remove…").click()
    panel.show_details(Details((), (CHECK,), None))
    assert "Remove it?" not in texts(panel)
    assert {"Remove it", "Licence"} & set(texts(panel)) == set()
    panel.show_details(DETAILS)
    assert "Remove it" in texts(panel)


def test_the_token_is_asked_for_where_it_is_needed(
    acts: list[RowAction], panel: DetailPanel
) -> None:
    """And what is wanted about it is passed on."""
    panel.show_details(Details((), (), Token(is_kept=True)))
    button(panel, "Forget it").click()
    assert acts[-1] == RowAction("", "forget_token")


@pytest.fixture
def form(acts: list[RowAction], qtbot: QtBot) -> TokenForm:
    made = TokenForm(acts.append)
    qtbot.addWidget(made)
    made.show_token(Token(is_kept=False))
    return made


def field(form: TokenForm) -> QLineEdit:
    (found,) = form.findChildren(QLineEdit)
    return found


def shown(form: TokenForm) -> list[str]:
    return [b.text() for b in form.findChildren(QPushButton) if not b.isHidden()]


def test_a_token_is_kept_without_being_shown(acts: list[RowAction], form: TokenForm) -> None:
    """Typed as dots, sent without the blanks of a copy, and gone from the field once it is kept."""
    assert field(form).echoMode() is QLineEdit.EchoMode.Password
    field(form).setText(" hf_x ")
    QTest.keyClick(field(form), Qt.Key.Key_Return)
    assert acts[-1] == RowAction("", "keep_token", "hf_x")
    form.show_token(Token(is_kept=True))
    assert field(form).text() == " hf_x "
    form.show_token(Token(is_kept=True, said=WorkOutcome("The token is kept.")))
    assert field(form).text() == ""
    assert "The token is kept." in [label.text() for label in form.findChildren(QLabel)]


def test_an_empty_field_keeps_nothing(acts: list[RowAction], form: TokenForm) -> None:
    """Neither by its button nor by Enter."""
    QTest.keyClick(field(form), Qt.Key.Key_Return)
    assert acts == []
    (keep,) = (b for b in form.findChildren(QPushButton) if b.text() == "Keep")
    assert not keep.isEnabled()


def test_a_token_that_is_kept_can_be_forgotten(acts: list[RowAction], form: TokenForm) -> None:
    """Only then."""
    assert shown(form) == ["Keep"]
    form.show_token(Token(is_kept=True))
    assert shown(form) == ["Keep", "Forget it"]
    (forget,) = (b for b in form.findChildren(QPushButton) if b.text() == "Forget it")
    forget.click()
    assert acts[-1] == RowAction("", "forget_token")


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
