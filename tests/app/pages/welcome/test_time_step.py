"""When it may run."""

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.pages.welcome.time_step import TimeStep
from app.state.schedule import PRESETS
from core.settings import RulesSettings, Settings, SwarmSettings
from tests.fake_actions import state_of


@pytest.fixture
def step(qtbot: QtBot) -> TimeStep:
    made = TimeStep()
    qtbot.addWidget(made)
    made.begin(state_of())
    return made


def answer(step: TimeStep, question: str, words: str) -> None:
    (box,) = (one for one in step.findChildren(QComboBox) if one.accessibleName() == question)
    box.activated.emit(box.findText(words))


def test_without_answers_nothing_changes(step: TimeStep) -> None:
    """Neither the defaults nor what somebody painted with care."""
    own = Settings(rules=RulesSettings(schedule=("1" * 12 + "0" * 12,) * 7, when_in_use="run"))
    assert step.applied(Settings()) == Settings()
    step.begin(state_of(own))
    assert step.applied(own) == own
    shown = {box.accessibleName(): box.currentText() for box in step.findChildren(QComboBox)}
    assert shown["Hours"] == "As in the settings"
    assert shown["While you use the computer"] == "Run as always"


def test_answers_are_applied_on_top_of_everything_else(step: TimeStep) -> None:
    """At the end of the wizard, to the settings as they are by then."""
    answer(step, "While you use the computer", "Pause")
    answer(step, "On battery", "Run until it is low")
    answer(step, "Hours", "At night")
    later = Settings(swarm=SwarmSettings(lan=False))
    rules = RulesSettings(when_in_use="pause", on_battery="run", schedule=PRESETS["nights"])
    assert step.applied(later) == Settings(swarm=later.swarm, rules=rules)


def test_beginning_anew_forgets_the_answers(step: TimeStep) -> None:
    """Whoever cancels has changed nothing."""
    answer(step, "On battery", "Run until it is low")
    step.begin(state_of())
    assert step.applied(Settings()) == Settings()
