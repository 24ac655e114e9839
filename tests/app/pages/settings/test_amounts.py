"""How much."""

import os

from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.pages.settings.amounts import AmountsSection
from app.style.theme import LIGHT
from core.settings import RulesSettings, Settings
from tests.fake_actions import FakeActions, state_of


def shown(settings: Settings, qtbot: QtBot) -> dict[str, str]:
    section = AmountsSection(LIGHT, FakeActions())
    qtbot.addWidget(section)
    section.show_state(state_of(settings))
    return {box.accessibleName(): box.currentText() for box in section.findChildren(QComboBox)}


def test_the_defaults_are_in_words(qtbot: QtBot) -> None:
    """Nobody has to know a number."""
    assert shown(Settings(), qtbot) == {
        "Cores at work": "As many as help",
        "Share of the time": "All of it",
        "Memory that stays free": "500\u00a0MB",
        "Disk space that stays free": "1\u00a0GB",
        "Fetching models": "As fast as they come",
        "Level": "Automatic",
    }


def test_other_values_are_shown_as_they_are(qtbot: QtBot) -> None:
    """Those of the file, too."""
    rules = RulesSettings(share_percent=33, memory_floor_mb=0, disk_floor_mb=2_000)
    found = shown(Settings(rules=rules), qtbot)
    assert found["Share of the time"] == "33"
    assert found["Memory that stays free"] == "Never mind"
    assert found["Disk space that stays free"] == "2\u00a0GB"


def test_no_more_cores_are_offered_than_there_are(qtbot: QtBot) -> None:
    """One entry each, and the one that chooses by itself."""
    section = AmountsSection(LIGHT, FakeActions())
    qtbot.addWidget(section)
    (cores,) = (
        box for box in section.findChildren(QComboBox) if box.accessibleName() == "Cores at work"
    )
    assert cores.count() == 1 + (os.cpu_count() or 1)
