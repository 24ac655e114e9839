"""When it runs."""

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.programs import ProgramsCard
from app.pages.settings.times import TimesSection
from app.pages.settings.week_grid import WeekGrid
from app.state.schedule import PRESETS, summary
from app.style.theme import LIGHT
from core.api.programs import ProgramsListed
from core.settings import RulesSettings, Settings
from tests.app.reading import text
from tests.fake_actions import FakeActions, state_of


@pytest.fixture
def section(actions: FakeActions, qtbot: QtBot) -> TimesSection:
    made = TimesSection(LIGHT, actions)
    qtbot.addWidget(made)
    made.show_state(state_of())
    return made


def test_presets_set_the_week(actions: FakeActions, section: TimesSection) -> None:
    """And the sum is shown once the settings have it."""
    (nights,) = (b for b in section.findChildren(QPushButton) if b.text() == "At night")
    nights.click()
    settings = actions.kept()
    assert settings.rules.schedule == PRESETS["nights"]
    section.show_state(state_of(settings))
    assert summary(PRESETS["nights"]) in text(section)


def test_what_is_painted_is_kept(actions: FakeActions, section: TimesSection) -> None:
    """And programs, too."""
    section.findChildren(WeekGrid)[0].changed.emit(PRESETS["free_time"])
    section.findChildren(ProgramsCard)[0].changed.emit(("steam",))
    assert actions.kept().rules == RulesSettings(schedule=PRESETS["free_time"], programs=("steam",))


def test_what_does_not_matter_is_not_shown(section: TimesSection) -> None:
    """How low the battery may get, while it pauses on battery anyway."""
    floor, away = section._floor, section._away  # noqa: SLF001 - two rows among many
    assert floor.isHidden()
    assert not away.isHidden()
    rules = RulesSettings(on_battery="run", when_in_use="run")
    section.show_state(state_of(Settings(rules=rules)))
    assert not floor.isHidden()
    assert away.isHidden()


def test_other_values_are_shown_with_their_units(section: TimesSection) -> None:
    """Those that somebody wrote into the file."""
    rules = RulesSettings(
        on_battery="run", battery_floor=40, idle_minutes=7, busy_percent=60, hottest_c=77
    )
    section.show_state(state_of(Settings(rules=rules)))
    found = {box.accessibleName(): box.currentText() for box in section.findChildren(QComboBox)}
    assert found["The battery is low below"] == "40\u00a0%"
    assert found["You are away after"] == "7 minutes"
    assert found["When other programs are busy"] == "Pause above 60\u00a0%"
    assert found["When the computer gets hot"] == "Pause above 77\u00a0°C"


def test_what_runs_now_is_offered(actions: FakeActions, section: TimesSection) -> None:
    """Asked for when it is seen."""
    section.opened()
    box = section.findChildren(ProgramsCard)[0].findChildren(QComboBox)[0]
    assert box.count() == 0
    actions.reply(ProgramsListed(names=("steam",)))
    assert box.itemText(0) == "steam"
