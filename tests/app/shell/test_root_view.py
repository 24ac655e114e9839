"""Which stage fills the window, and how one comes there and back."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.pages.welcome.page import WelcomePage
from app.pages.welcome.wizard import WelcomeWizard
from app.shell.root_view import RootView, SavingPage, TroublePage
from app.shell.shell import Navigation, Shell
from app.state.app_state import AppState
from app.state.model_choices import ModelChoice
from app.style.theme import LIGHT
from core.settings import Settings, WindowSettings
from tests.app.reading import text
from tests.fake_actions import FakeActions

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
NEW = AppState(choices=(SPARK,), chosen="spark")
AGREED = replace(NEW, settings=Settings(window=WindowSettings(consent=True)))


@pytest.fixture
def stages(actions: FakeActions, qtbot: QtBot) -> RootView:
    made = RootView(LIGHT, actions, lambda: None)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.activateWindow()
    return made


def press_f1(stages: RootView) -> None:
    QTest.keyClick(stages, Qt.Key.Key_F1)


def shown(stages: RootView) -> type:
    return type(stages.currentWidget())


def test_who_has_not_agreed_sees_the_welcome_and_nothing_else(stages: RootView) -> None:
    """No key leads past it."""
    stages.begin(NEW, "home")
    assert shown(stages) is WelcomePage
    press_f1(stages)
    assert shown(stages) is WelcomePage


def test_agreeing_leads_to_the_pages(stages: RootView, actions: FakeActions) -> None:
    """And is kept."""
    stages.hide()
    stages.begin(NEW, "home")
    stages.show()
    for box in stages.findChildren(QCheckBox):
        box.click()
    for _ in range(3):
        stages.findChildren(WelcomeWizard)[0].next.click()
    assert actions.kept().window.consent
    assert shown(stages) is Shell


def test_the_page_of_last_time_is_open(stages: RootView) -> None:
    """With the state drawn."""
    stages.begin(AGREED, "swarm")
    assert shown(stages) is Shell
    assert stages.page == "swarm"


def test_nothing_is_ringed_at_first_and_tab_begins_with_the_rail(stages: RootView) -> None:
    """The keyboard's ring comes with the keyboard."""
    stages.begin(AGREED, "home")
    assert stages.focusWidget() is stages
    QTest.keyClick(stages, Qt.Key.Key_Tab)
    focused = stages.focusWidget()
    assert isinstance(focused, QToolButton)
    assert focused.isChecked()


def test_another_page_can_be_opened(stages: RootView) -> None:
    """A page may lead to another one."""
    stages.begin(AGREED, "home")
    stages.open("models")
    assert stages.page == "models"


def test_f1_leads_to_the_welcome_and_back(stages: RootView) -> None:
    """Who agreed before loses nothing by reading it again."""
    stages.begin(AGREED, "swarm")
    press_f1(stages)
    assert shown(stages) is WelcomePage
    press_f1(stages)
    assert shown(stages) is Shell
    assert stages.page == "swarm"


def test_the_link_of_the_rail_leads_to_the_welcome(stages: RootView) -> None:
    """The same by mouse."""
    stages.begin(AGREED, "home")
    (link,) = stages.findChildren(Navigation)[0].findChildren(QPushButton)
    link.click()
    assert shown(stages) is WelcomePage


def test_messages_stand_alone(stages: RootView) -> None:
    """While Waggle cannot begin or is about to end, no key leads elsewhere."""
    stages.show_trouble("The disk is full.")
    press_f1(stages)
    assert shown(stages) is TroublePage
    stages.begin(AGREED, "home")
    stages.show_saving()
    press_f1(stages)
    assert shown(stages) is SavingPage


def test_trouble_says_why_and_offers_to_try_again(qtbot: QtBot) -> None:
    """The words are shown as they are, and the one button asks to begin again."""
    retried: list[bool] = []
    page = TroublePage(lambda: retried.append(True))
    qtbot.addWidget(page)
    page.show_words("The settings file <b> cannot be read.")
    assert "The settings file <b> cannot be read." in text(page)
    (retry,) = page.findChildren(QPushButton)
    retry.click()
    assert retried


def test_saving_says_that_nothing_has_to_be_done(qtbot: QtBot) -> None:
    """Who waits is told that it ends by itself."""
    page = SavingPage()
    qtbot.addWidget(page)
    assert "by itself" in text(page)
