"""What every page can rely on."""

import pytest
from PySide6.QtWidgets import QStackedWidget
from pytestqt.qtbot import QtBot

from app.pages.page import Page
from app.state.app_state import AppState
from app.state.model_choices import ModelChoice
from app.style.theme import DARK
from tests.fake_actions import FakeActions

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)


class Counting(Page):
    """Counts how often it came into view."""

    def __init__(self) -> None:
        super().__init__(FakeActions())
        self.openings = 0

    def opened(self) -> None:
        self.openings += 1


@pytest.fixture
def stack(qtbot: QtBot) -> QStackedWidget:
    made = QStackedWidget()
    qtbot.addWidget(made)
    return made


def test_a_page_is_told_when_it_comes_into_view(stack: QStackedWidget) -> None:
    """Each time, and not before: neither when it is made nor when another page is shown."""
    first, second = Counting(), Counting()
    stack.addWidget(first)
    stack.addWidget(second)
    assert (first.openings, second.openings) == (0, 0)
    stack.show()
    assert (first.openings, second.openings) == (1, 0)
    stack.setCurrentWidget(second)
    stack.setCurrentWidget(first)
    assert (first.openings, second.openings) == (2, 1)


def test_a_page_may_leave_out_what_it_does_not_need(qtbot: QtBot) -> None:
    """A page that shows nothing of state or palette is a page."""
    page = Page(FakeActions())
    qtbot.addWidget(page)
    page.show_state(AppState(choices=(SPARK,), chosen="spark"))
    page.show_palette(DARK)
    page.show()
