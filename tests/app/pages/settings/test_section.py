"""A section joins controls and settings."""

import pytest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from app.pages.settings.section import Section
from app.widgets.controls import Choices, Switch
from app.widgets.rows import Group
from core.settings import RulesSettings, Settings
from tests.fake_actions import FakeActions, state_of


@pytest.fixture
def section(actions: FakeActions, qtbot: QtBot) -> Section:
    made = Section(actions)
    options = (("pause", "Pause"), ("run", "Run"))
    battery = made.choice("On battery", "rules.on_battery", options, "While unplugged.")
    made.add(Group("Rules", battery, made.switch("Tray", "window.tray")))
    qtbot.addWidget(made)
    made.show()
    return made


def test_controls_follow_the_settings(actions: FakeActions, section: Section) -> None:
    """Without asking for anything."""
    section.show_state(state_of(Settings(rules=RulesSettings(on_battery="run"))))
    assert section.findChildren(Choices)[0].currentText() == "Run"
    assert not section.findChildren(Switch)[0].isChecked()
    assert actions.all == []


def test_settings_follow_the_controls(actions: FakeActions, section: Section) -> None:
    """One wish for each change."""
    section.show_state(state_of())
    section.findChildren(Switch)[0].click()
    assert actions.kept().window.tray
    assert actions.kept().rules == RulesSettings()
    assert len(actions.all) == 1


def test_a_section_scrolls_down_and_never_sideways(section: Section) -> None:
    """However narrow and low it becomes."""
    section.resize(480, 60)
    (scroll,) = section.findChildren(QScrollArea)
    assert scroll.verticalScrollBar().maximum() > 0
    assert scroll.horizontalScrollBar().maximum() == 0
