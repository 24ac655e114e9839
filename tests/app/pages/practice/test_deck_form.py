"""Making a deck of a table, as a person does it."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QProgressBar, QTableView
from pytestqt.qtbot import QtBot

from app.pages.practice.deck_form import DeckForm
from app.style.theme import DARK, LIGHT
from core.api.decks import DeckKept, DeckPreviewed, KeepDeck, PreviewDeck, TryDeck
from core.api.requests import Cancel, Cancelled, Refused
from core.i18n import translatable
from tests.app.pages.practice.deck_samples import NEVER, SMALL, WORDS, previewed
from tests.app.reading import button, press, text
from tests.fake_actions import FakeActions

FILE = Path("tables") / "words.csv"


@pytest.fixture
def form(actions: FakeActions, qtbot: QtBot) -> DeckForm:
    made = DeckForm(LIGHT, actions)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show_model("ember")
    made.show()
    made.begin(FILE)
    return made


def table(form: DeckForm) -> QTableView:
    (found,) = form.findChildren(QTableView)
    return found


def untick_first(form: DeckForm) -> None:
    rows = table(form)
    rows.setFocus()
    rows.setCurrentIndex(rows.model().index(0, 0))
    QTest.keyClick(rows, Qt.Key.Key_Space)


def test_a_file_is_read_and_its_rows_are_shown(actions: FakeActions, form: DeckForm) -> None:
    """While it is read there is nothing to keep; it can be ended."""
    asked = actions.last(PreviewDeck)
    assert (asked.plan.path, asked.plan.name) == (str(FILE), "words")
    assert "words.csv\nReading…" in text(form)
    assert not button(form, "Keep").isVisible()
    assert any(bar.isVisible() for bar in form.findChildren(QProgressBar))
    actions.reply(previewed(SMALL))
    assert "Rows that become questions: 2 of 3" in text(form)
    assert "Worth knowing\nLevel 1 has only 2" in text(form)
    assert table(form).model().rowCount() == 3
    assert button(form, "Keep").isEnabled()


def test_it_is_kept_as_it_is_wanted(actions: FakeActions, form: DeckForm, qtbot: QtBot) -> None:
    """Without the rows that were left out, under the name that was given."""
    actions.reply(previewed())
    untick_first(form)
    assert actions.last(PreviewDeck).plan.skipped == (2,)
    actions.reply(previewed())
    (name,) = (
        one for one in form.findChildren(QLineEdit) if one.accessibleName() == "Name of the deck"
    )
    name.selectAll()
    QTest.keyClicks(name, "German")
    press(form, "Keep")
    asked = actions.last(KeepDeck)
    assert (asked.plan.name, asked.plan.skipped) == ("German", (2,))
    assert "Keeping it…" in text(form)
    with qtbot.waitSignal(form.kept) as told:
        actions.reply(DeckKept(deck=WORDS))
    assert told.args == [WORDS]


def test_what_changes_while_it_is_read_is_asked_for_once_at_the_end(
    actions: FakeActions, form: DeckForm
) -> None:
    """However often something is changed, no two readings go on at a time."""
    actions.reply(previewed())
    for _ in range(3):
        untick_first(form)
    assert len(actions.of(PreviewDeck)) == 2
    actions.reply(previewed())
    assert len(actions.of(PreviewDeck)) == 3
    assert actions.last(PreviewDeck).plan.skipped == (2,)
    actions.reply(previewed())
    assert len(actions.of(PreviewDeck)) == 3


def test_an_error_stands_in_the_way_and_a_bad_row_does_not(
    actions: FakeActions, form: DeckForm
) -> None:
    """Nor is such a deck tried."""
    actions.reply(previewed(NEVER))
    assert "To be mended first" in text(form)
    assert not button(form, "Keep").isEnabled()
    assert not button(form, "How does my model do?").isEnabled()


def test_where_there_is_no_deck_yet_the_rows_are_there(
    actions: FakeActions, form: DeckForm
) -> None:
    """The person may choose other columns."""
    words = translatable("Each question needs an answer. Say which columns hold the two.")
    actions.reply(previewed(trouble=words))
    assert "Say which columns" in text(form)
    assert not button(form, "Keep").isEnabled()
    answer = next(b for b in form.findChildren(QComboBox) if b.accessibleName() == "Answer")
    answer.setCurrentIndex(3)
    answer.activated.emit(3)
    assert actions.last(PreviewDeck).plan.columns == {"answer": 2}


def test_without_a_name_nothing_is_kept(actions: FakeActions, form: DeckForm) -> None:
    """As soon as there is one it can be."""
    actions.reply(previewed())
    (name,) = (
        one for one in form.findChildren(QLineEdit) if one.accessibleName() == "Name of the deck"
    )
    name.setFocus()
    name.selectAll()
    QTest.keyClick(name, Qt.Key.Key_Delete)
    assert not button(form, "Keep").isEnabled()
    QTest.keyClicks(name, "x")
    assert button(form, "Keep").isEnabled()


def test_keep_can_be_pressed_right_after_typing(
    actions: FakeActions, form: DeckForm, qtbot: QtBot
) -> None:
    """How far off a decimal may be is read as it is typed, not when the press takes the focus."""
    actions.reply(replace(previewed(), matcher="decimal"))
    far = next(o for o in form.findChildren(QLineEdit) if o.accessibleName().startswith("How far"))
    with qtbot.waitActive(form):
        form.activateWindow()
    far.setFocus()
    far.selectAll()
    QTest.keyClicks(far, "0.5")
    assert not button(form, "Keep").isEnabled()
    while not button(form, "Keep").isEnabled():  # no two readings go on at a time
        actions.reply(replace(previewed(), matcher="decimal"))
    form.ensureWidgetVisible(button(form, "Keep"))
    QTest.mouseClick(button(form, "Keep"), Qt.MouseButton.LeftButton)
    assert actions.last(KeepDeck).plan.tolerance == "0.5"


def test_reading_can_be_ended(actions: FakeActions, form: DeckForm) -> None:
    """Nothing was kept, and it says so."""
    asked = actions.last(PreviewDeck)
    (cancel,) = (
        b for b in form.findChildren(type(form.choose)) if b.text() == "Cancel" and b.isVisible()
    )
    cancel.click()
    assert actions.all[-1] == Cancel(request=asked.id)
    actions.reply(Cancelled(id=asked.id))
    assert "nothing was kept" in text(form)
    assert not button(form, "Keep").isVisible()


def test_a_file_that_cannot_be_read_is_told(actions: FakeActions, form: DeckForm) -> None:
    """In one sentence; another may be chosen."""
    asked = actions.last(PreviewDeck)
    actions.reply(Refused(id=asked.id, words="There are no rows in this table."))
    assert "There are no rows in this table." in text(form)
    assert button(form, "Choose another file…").isEnabled()


def test_what_was_never_shown_is_not_kept(actions: FakeActions, form: DeckForm) -> None:
    """Nor tried, where looking was refused or ended; the rows before are there, and a way on."""
    for reply in (Refused(words="It is not there."), Cancelled()):
        actions.reply(previewed())
        untick_first(form)
        actions.reply(replace(reply, id=actions.last(PreviewDeck).id))
        assert table(form).isVisible()
        assert not button(form, "Keep").isEnabled()
        assert not button(form, "How does my model do?").isEnabled()
        press(form, "Look again")
    actions.reply(previewed())
    assert button(form, "Keep").isEnabled()
    assert not button(form, "Look again").isVisible()


def test_rows_that_are_other_ones_are_all_used(actions: FakeActions, form: DeckForm) -> None:
    """What was left out was of the table as it was read before."""
    actions.reply(previewed())
    untick_first(form)
    actions.reply(previewed())
    (box,) = form.findChildren(QCheckBox)
    box.click()
    actions.reply(previewed())
    assert actions.last(PreviewDeck).plan.skipped == ()


def test_what_changes_before_a_refusal_is_asked_for_after_it(
    actions: FakeActions, form: DeckForm
) -> None:
    """Of a reading as of keeping: nothing is kept that the person has not seen."""
    actions.reply(previewed())
    untick_first(form)
    untick_first(form)
    actions.reply(Refused(id=actions.last(PreviewDeck).id, words="It is not there."))
    assert len(actions.of(PreviewDeck)) == 3
    actions.reply(previewed())
    press(form, "Keep")
    untick_first(form)
    actions.reply(Refused(id=actions.last(KeepDeck).id, words="The disk is full."))
    assert len(actions.of(PreviewDeck)) == 4
    assert not button(form, "Keep").isEnabled()
    actions.reply(previewed())
    assert button(form, "Keep").isEnabled()


def test_what_could_not_be_kept_can_be_kept_again(actions: FakeActions, form: DeckForm) -> None:
    """All that was said about it is still there."""
    actions.reply(previewed())
    press(form, "Keep")
    actions.reply(Refused(id=actions.last(KeepDeck).id, words="The disk is full."))
    assert "The disk is full." in text(form)
    assert button(form, "Keep").isEnabled()


def test_the_model_tries_what_is_on_the_page(actions: FakeActions, form: DeckForm) -> None:
    """With the model that is chosen, and the rows that are left."""
    actions.reply(previewed())
    press(form, "How does my model do?")
    asked = actions.last(TryDeck)
    assert (asked.model, asked.plan) == ("ember", actions.last(PreviewDeck).plan)
    untick_first(form)
    assert Cancel(request=asked.id) in actions.all  # it would be about other rows


def test_it_is_discarded_with_all_that_is_under_way(
    actions: FakeActions, form: DeckForm, qtbot: QtBot
) -> None:
    """What comes too late is not shown."""
    asked = actions.last(PreviewDeck)
    with qtbot.waitSignal(form.closed):
        press(form, "Discard")
    assert actions.all[-1] == Cancel(request=asked.id)
    actions.reply(previewed())
    assert not button(form, "Keep").isVisible()


def test_another_file_takes_its_place(actions: FakeActions, form: DeckForm) -> None:
    """Nothing of the one before is left: neither its rows nor what was left out."""
    actions.reply(previewed())
    untick_first(form)
    form.begin(Path("other.csv"))
    plan = actions.last(PreviewDeck).plan
    assert (plan.path, plan.name, plan.skipped) == ("other.csv", "other", ())
    assert not button(form, "Keep").isVisible()


def test_of_a_long_table_not_all_rows_are_shown(actions: FakeActions, form: DeckForm) -> None:
    """It says so."""
    shown: DeckPreviewed = replace(previewed(), total=9_000)
    actions.reply(shown)
    assert "Shown are the first rows" in text(form)


def test_both_palettes_can_be_worn(actions: FakeActions, form: DeckForm) -> None:
    """The colours of rows change, too."""
    actions.reply(previewed(SMALL, NEVER))
    light = table(form).grab().toImage()
    form.show_palette(DARK)
    assert table(form).grab().toImage() != light
