"""The cards in a column."""

from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.models.card import ModelCard
from app.pages.models.list_view import MOST_AT_ONCE, AddForm, ModelsView, repository_in
from app.pages.models.store import LIST, Job, ModelListing, WorkOutcome, apply_reply, begin
from app.pages.models.view_model import RowAction
from core.api.models import ModelFound
from core.api.requests import Refused
from core.models.catalog.catalog import REPOSITORY, is_repository
from tests.app.focus_chain import stops
from tests.app.pages.models.samples import LARGE, LISTED, SMOL, SPARK, TIGHT, listing, state
from tests.app.reading import text, texts

ROW: Final = 40  # px; what stands side by side may differ by so much


@pytest.fixture
def acts() -> list[tuple[str, RowAction]]:
    return []


@pytest.fixture
def view(acts: list[tuple[str, RowAction]], qtbot: QtBot) -> ModelsView:
    made = ModelsView(
        lambda _part: None, lambda model, act: acts.append((model, act)), lambda _name: None
    )
    qtbot.addWidget(made)
    made.resize(732, 600)
    made.show()
    return made


def draw(view: ModelsView, shown: ModelListing, chosen: str = "spark") -> None:
    """Show ``shown`` until nothing is left to be made; each turn makes some cards at least."""
    view.show_models(shown, state(chosen))
    for _ in range(0, len(shown.all) + MOST_AT_ONCE, MOST_AT_ONCE):
        QApplication.processEvents()


def titles(view: ModelsView) -> list[str]:
    """From top to bottom."""
    QApplication.processEvents()
    cards = [made for made in view.findChildren(ModelCard) if made.isVisible()]
    cards.sort(key=lambda made: made.mapTo(view, QPoint(0, 0)).y())
    return [made.accessibleName() for made in cards]


def test_before_the_list_it_says_that_it_looks(view: ModelsView) -> None:
    """No empty page; afterwards the words are gone."""
    draw(view, ModelListing())
    assert "Looking at what is here…" in texts(view)
    draw(view, listing())
    assert "Looking at what is here…" not in texts(view)
    assert any("are free on the disk" in text for text in texts(view))


def test_a_list_that_cannot_be_had_is_told(
    view: ModelsView, acts: list[tuple[str, RowAction]]
) -> None:
    """With another try."""
    asked = begin(ModelListing(), 1, Job("ask", LIST))
    refused, _ = apply_reply(asked, Refused(id=1, words="The helper ended."))
    draw(view, refused)
    assert "The helper ended." in texts(view)
    (again,) = (b for b in view.findChildren(QPushButton) if b.text() == "Try again")
    again.click()
    assert acts == [(LIST, RowAction("Try again", "list"))]


def test_cards_are_sorted_and_then_stay_where_they_are(view: ModelsView) -> None:
    """What a person just pressed does not jump away; the next visit sorts anew."""
    here = replace(SMOL, presence="installed")
    models = listing(SPARK, LARGE, TIGHT, here)
    draw(view, models, "smol")
    assert titles(view) == ["Smol", "Spark", "Tight", "Large"]
    draw(view, models, "spark")
    assert titles(view) == ["Smol", "Spark", "Tight", "Large"]
    view.sort_anew()
    draw(view, models, "spark")
    assert titles(view) == ["Spark", "Smol", "Tight", "Large"]


def test_the_window_answers_while_cards_are_made(view: ModelsView) -> None:
    """Only a few at once, the first ones first; all of them in the end."""
    many = listing(*(replace(SMOL, id=f"m{n}", title=f"M{n}") for n in range(3 * MOST_AT_ONCE)))
    view.show_models(many, state())
    assert len(view.findChildren(ModelCard)) == MOST_AT_ONCE
    draw(view, many)
    assert titles(view) == [model.title for model in many.models]


def test_models_come_and_go(view: ModelsView) -> None:
    """New ones at the end, those that were found below the form, none twice."""
    draw(view, listing(SPARK, SMOL))
    found, _ = apply_reply(listing(SPARK), ModelFound(model=LARGE))
    draw(view, found)
    assert titles(view) == ["Spark", "Large"]
    draw(view, listing(SPARK, TIGHT, LARGE))
    assert titles(view) == ["Spark", "Tight", "Large"]


def test_a_new_visit_begins_at_the_top(view: ModelsView) -> None:
    """Where the chosen model is."""
    many = listing(*(replace(SMOL, id=f"m{n}", title=f"M{n}") for n in range(9)))
    draw(view, many)
    view.verticalScrollBar().setValue(300)
    draw(view, many)
    assert view.verticalScrollBar().value() == 300
    view.sort_anew()
    draw(view, many)
    assert view.verticalScrollBar().value() == 0


def test_what_a_card_wants_comes_with_its_model(
    view: ModelsView, acts: list[tuple[str, RowAction]]
) -> None:
    """Each card speaks for itself."""
    draw(view, listing())
    (download,) = (
        b for b in view.findChildren(QPushButton) if b.accessibleName() == "Download: Smol"
    )
    download.click()
    assert [(model, act.verb) for model, act in acts] == [("smol", "fetch")]


def test_details_are_drawn_when_unfolded_and_a_token_is_looked_for(
    view: ModelsView, acts: list[tuple[str, RowAction]]
) -> None:
    """Only for a model that needs one."""
    draw(view, listing())

    def unfold(title: str) -> None:
        name = f"Details: {title}"
        (fold,) = (b for b in view.findChildren(QPushButton) if b.accessibleName() == name)
        fold.click()

    unfold("Spark")
    assert acts == []
    assert "Apache-2.0" in texts(view)
    unfold("Large")
    assert acts == [("large", RowAction("", "show_token"))]


def test_news_of_a_card_are_brought_into_view(view: ModelsView) -> None:
    """They may be far above or below what was pressed."""
    draw(view, listing(*LISTED.models, *(replace(LARGE, id=f"l{n}") for n in range(9))))
    QApplication.processEvents()
    view.show_news_of("l8")
    QApplication.processEvents()
    assert view.verticalScrollBar().value() > 0


@pytest.mark.parametrize("width", [732, 500])
def test_nothing_is_wider_than_the_page(view: ModelsView, width: int) -> None:
    """Long names and long words break."""
    long = replace(SMOL, title="someone/" + "A-very-long-name-" * 6, sentence="x" * 300)
    view.resize(width, 600)
    draw(view, listing(SPARK, long))
    QApplication.processEvents()
    inner = view.widget()
    assert inner is not None
    assert inner.width() <= view.viewport().width()
    assert view.horizontalScrollBar().maximum() == 0


def test_the_tab_key_goes_from_top_to_bottom(view: ModelsView, qtbot: QtBot) -> None:
    """The cards come before the form below them, and details where they are unfolded."""
    window, first = QWidget(), QPushButton("the rail")
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(first)
    column.addWidget(view)
    window.show()
    draw(view, listing())
    card = next(one for one in view.findChildren(ModelCard) if one.accessibleName() == SMOL.title)
    (fold,) = (one for one in card.findChildren(QPushButton) if one.text() == "Details")
    fold.click()
    QApplication.processEvents()
    seen = [one for one in stops(window) if one.isVisible()]
    rows = [one.mapTo(window, QPoint(0, 0)).y() for one in seen]
    assert seen[0] is first
    assert len(rows) > len(listing().all)
    assert all(before <= after + ROW for before, after in pairwise(rows))


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
    assert "owner/name" in text(form)


def test_one_name_at_a_time(form: AddForm, qtbot: QtBot) -> None:
    """While it is looked up nothing else is asked for, and the keyboard stays with the button."""
    form.show()
    look_up(form).setFocus()
    form.show_search(None, is_busy=True)
    assert form.focusWidget() is look_up(form)
    field(form).setText("someone/Other")
    with qtbot.assertNotEmitted(form.asked):
        QTest.keyClick(look_up(form), Qt.Key.Key_Space)
        QTest.keyClick(field(form), Qt.Key.Key_Return)


def test_what_was_found_makes_room_for_another_name(form: AddForm) -> None:
    """What was not found stays, to be mended."""
    field(form).setText("someone/Smol")
    form.show_search(None, is_busy=True)
    form.show_search(WorkOutcome("No such model.", is_trouble=True), is_busy=False)
    assert field(form).text() == "someone/Smol"
    assert "No such model." in text(form)
    form.show_search(None, is_busy=True)
    assert "No such model." not in text(form)
    form.show_search(None, is_busy=False)
    assert field(form).text() == ""


def test_words_about_the_form_of_a_name_stay_while_nothing_is_asked(form: AddForm) -> None:
    """The page draws itself anew all the time."""
    look_up(form).click()
    form.show_search(None, is_busy=False)
    assert "owner/name" in text(form)


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
