"""The welcome as a page."""

import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from app.pages.welcome.page import WelcomePage
from app.pages.welcome.wizard import Dots, WelcomeWizard
from core.api.models import ListedModel, ModelsListed
from core.settings import Settings, WindowSettings
from tests.app.reading import press
from tests.fake_actions import FakeActions, state_of

SPARK = ListedModel(id="spark", title="Bright Spark", sentence="", presence="ships")


@pytest.fixture
def ends() -> list[str]:
    return []


@pytest.fixture
def page(actions: FakeActions, ends: list[str], qtbot: QtBot) -> WelcomePage:
    made = WelcomePage(actions, lambda: ends.append("agreed"), lambda: ends.append("left"))
    qtbot.addWidget(made)
    return made


def test_it_costs_nothing_before_it_is_seen(page: WelcomePage) -> None:
    """Most starts never show it."""
    page.show_state(state_of())
    assert page.findChildren(WelcomeWizard) == []
    page.show()
    assert len(page.findChildren(WelcomeWizard)) == 1


def test_without_a_state_there_is_nothing_to_show(page: WelcomePage) -> None:
    """The window opens before its home does."""
    page.show()
    assert page.findChildren(WelcomeWizard) == []


def test_what_the_walk_ends_with_comes_out(
    actions: FakeActions, page: WelcomePage, ends: list[str]
) -> None:
    """The agreement, and the way out of it."""
    page.show_state(state_of())
    page.show()
    page.findChildren(QCheckBox)[0].click()
    press(page, "Next")
    actions.reply(ModelsListed(models=(SPARK,), disk_free=0))
    press(page, "Next")
    press(page, "Begin")
    page.show_state(state_of(Settings(window=WindowSettings(consent=True))))
    page.opened()
    press(page, "Cancel")
    assert ends == ["agreed", "left"]


def test_each_time_it_begins_anew(page: WelcomePage) -> None:
    """But a state that arrives while somebody reads does not throw them back."""
    agreed = state_of(Settings(window=WindowSettings(consent=True)))
    page.show_state(agreed)
    page.show()
    press(page, "Next")
    page.show_state(agreed)
    (dots,) = page.findChildren(Dots)
    assert dots.accessibleName() == "Step 2 of 3"
    page.hide()
    page.show()
    assert dots.accessibleName() == "Step 1 of 3"
