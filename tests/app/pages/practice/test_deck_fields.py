"""What a person says about a deck."""

import pytest
from msgspec.structs import replace
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_fields import DeckFields, under
from core.api.decks import DeckPlan
from tests.app.pages.practice.deck_samples import previewed
from tests.app.reading import text


@pytest.fixture
def fields(qtbot: QtBot) -> DeckFields:
    made = DeckFields()
    qtbot.addWidget(made)
    made.begin("words")
    made.show_preview(previewed())
    made.show()
    return made


def combo(fields: DeckFields, name: str) -> QComboBox:
    (found,) = (
        one
        for one in fields.findChildren(QComboBox)
        if one.accessibleName() == name and one.isVisibleTo(fields)
    )
    return found


def line(fields: DeckFields, name: str) -> QLineEdit:
    found = fields.findChildren(QLineEdit)
    (one,) = (one for one in found if one.accessibleName().startswith(name))
    return one


def choose(box: QComboBox, words: str) -> None:
    box.setCurrentIndex(box.findText(words))
    box.activated.emit(box.currentIndex())


def test_at_first_it_is_called_as_its_file_and_all_else_is_guessed(fields: DeckFields) -> None:
    """What was understood is shown."""
    assert fields.plan("w.csv") == DeckPlan(path="w.csv", name="words")
    assert combo(fields, "Question").currentText() == "Front"
    assert combo(fields, "Answer").currentText() == "Back"
    assert combo(fields, "Level").currentText() == "none"
    assert combo(fields, "How answers are compared").currentText() == "Capitals do not matter"


def test_what_is_said_about_it_changes_no_row(fields: DeckFields, qtbot: QtBot) -> None:
    """So the table is not read anew for every letter."""
    with qtbot.assertNotEmitted(fields.changed), qtbot.waitSignal(fields.named):
        for name, words in (("Name", "x"), ("Author", "Ada"), ("Language", "de"), ("Licence", "L")):
            QTest.keyClicks(line(fields, name), words)
    plan = fields.plan("w.csv")
    assert (plan.name, plan.author, plan.language, plan.licence) == ("wordsx", "Ada", "de", "L")


def test_columns_and_ways_to_compare_change_the_rows(fields: DeckFields, qtbot: QtBot) -> None:
    """Also to none; each change tells of itself."""
    with qtbot.waitSignal(fields.changed):
        choose(combo(fields, "Answer"), "Extra")
    choose(combo(fields, "Question"), "none")
    choose(combo(fields, "How answers are compared"), "Letter for letter")
    plan = fields.plan("w.csv")
    assert plan.columns == {"answer": 2, "question": None}
    assert plan.matcher == "text"


def test_another_file_begins_anew(fields: DeckFields) -> None:
    """Nothing of what was chosen for the one before counts."""
    choose(combo(fields, "Answer"), "Extra")
    fields.skipped = (3,)
    QTest.keyClicks(line(fields, "Author"), "Ada")
    fields.begin("other")
    assert fields.plan("o.csv") == DeckPlan(path="o.csv", name="other")
    fields.show_preview(replace(previewed(), columns=("A", "B")))
    QApplication.processEvents()  # what was laid out just now appears
    assert combo(fields, "Answer").findText("Extra") == -1


def test_a_name_has_to_be_given_and_a_language_is_a_tag(fields: DeckFields) -> None:
    """What is half typed is not kept."""
    for name, is_complete in (("words", True), ("  ", False)):
        line(fields, "Name").setText(name)
        assert fields.is_complete is is_complete
    line(fields, "Name").setText("Words")
    QTest.keyClicks(line(fields, "Language"), "de_AT!")
    assert line(fields, "Language").text() == "deAT"


def test_how_far_off_is_asked_of_decimals_alone(fields: DeckFields, qtbot: QtBot) -> None:
    """Nothing else has a distance."""
    assert "How far off a decimal may be" not in text(fields)
    fields.show_preview(replace(previewed(), matcher="decimal"))
    assert "How far off a decimal may be" in text(fields)
    far = line(fields, "How far off")
    far.selectAll()
    with qtbot.waitSignal(fields.changed):
        QTest.keyClicks(far, "0.25")
    assert fields.plan("w.csv").tolerance == "0.25"
    far.setText("1.")
    assert not fields.is_complete
    assert fields.plan("w.csv").tolerance == "0"


def test_how_far_off_may_be_typed_with_a_comma(fields: DeckFields) -> None:
    """No sign of what is typed is swallowed so that ten times as much is meant."""
    far = line(fields, "How far off")
    for typed, meant in (("0,5", "0.5"), ("12.25", "12.25"), ("05", "0")):
        far.clear()
        QTest.keyClicks(far, typed)
        assert fields.plan("w.csv").tolerance == meant


def test_a_table_without_names_can_be_said_to_have_some(fields: DeckFields, qtbot: QtBot) -> None:
    """Columns that were chosen before are other ones then."""
    (box,) = fields.findChildren(QCheckBox)
    assert not box.isVisibleTo(fields)
    fields.show_preview(replace(previewed(), has_names=False))
    assert box.isVisibleTo(fields)
    choose(combo(fields, "Answer"), "Extra")
    with qtbot.waitSignal(fields.changed):
        box.click()
    assert fields.plan("w.csv") == DeckPlan(path="w.csv", name="words", names_in_first_row=True)


def test_a_deck_that_was_made_is_only_shown(fields: DeckFields) -> None:
    """With what it says of itself."""
    fields.show_preview(replace(previewed(), is_made=True, name="Made", author="Ada", columns=()))
    assert (line(fields, "Name").text(), line(fields, "Author").text()) == ("Made", "Ada")
    assert not line(fields, "Name").isEnabled()
    assert "Which column is which" not in text(fields)


def test_a_field_has_its_name_above_it(qtbot: QtBot) -> None:
    """For eyes and for screen readers."""
    one = QLineEdit()
    one.setAccessibleName("Name")
    box: QWidget = under(one)
    qtbot.addWidget(box)
    assert text(box) == "Name"
