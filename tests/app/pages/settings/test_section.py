"""A section joins controls and settings."""

import pytest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from app.pages.settings.section import Section
from app.widgets.controls import Choices, Switch
from app.widgets.rows import Group
from core.settings import RulesSettings, Settings
from tests.wishes import Wishes, state_of


@pytest.fixture
def section(qtbot: QtBot) -> Section:
    made = Section()
    options = (("pause", "Pause"), ("run", "Run"))
    battery = made.choice("On battery", "rules.on_battery", options, "While unplugged.")
    made.add(Group("Rules", battery, made.switch("Tray", "window.tray")))
    qtbot.addWidget(made)
    made.show()
    return made


def test_controls_follow_the_settings(section: Section) -> None:
    """Without asking for anything."""
    wishes = Wishes(section.asked)
    section.show_state(state_of(Settings(rules=RulesSettings(on_battery="run"))))
    assert section.findChildren(Choices)[0].currentText() == "Run"
    assert not section.findChildren(Switch)[0].isChecked()
    assert wishes.all == []


def test_settings_follow_the_controls(section: Section) -> None:
    """One wish for each change."""
    wishes = Wishes(section.asked)
    section.show_state(state_of())
    section.findChildren(Switch)[0].click()
    assert wishes.kept().window.tray
    assert wishes.kept().rules == RulesSettings()
    assert len(wishes.all) == 1


def test_a_section_scrolls_down_and_never_sideways(section: Section) -> None:
    """However narrow and low it becomes."""
    section.resize(480, 60)
    (scroll,) = section.findChildren(QScrollArea)
    assert scroll.verticalScrollBar().maximum() > 0
    assert scroll.horizontalScrollBar().maximum() == 0
