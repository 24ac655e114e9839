"""Buttons ask for what they say, and Stop asks twice."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.home.controls import JoinControls, RunControls
from app.home.look import look
from app.link import Link
from app.model_choices import ModelChoice
from app.state import AppState
from core.engine.events import Paused, Started, Stop
from core.engine.state import NodeState, apply, ask

SPARK = ModelChoice(id="spark", title="Spark", sentence="Quick.", parameters=1_500_000)
RUNNING = AppState(
    choices=(SPARK,),
    chosen="spark",
    link=Link("up"),
    node=apply(
        NodeState(), Started(model="spark", round=1_234, peer="", name="amber-otter", solo=False)
    ),
)


@pytest.fixture
def controls(qtbot: QtBot) -> RunControls:
    made = RunControls()
    qtbot.addWidget(made)
    made.show()
    made.show_state(RUNNING, look(RUNNING))
    return made


def press(controls: RunControls, text: str) -> None:
    (found,) = (b for b in controls.findChildren(QPushButton) if b.text() == text)
    found.click()


def texts(controls: RunControls) -> list[str]:
    return [b.text() for b in controls.findChildren(QPushButton)]


def test_joining_is_one_click(qtbot: QtBot) -> None:
    """The big button asks at once."""
    controls = JoinControls()
    qtbot.addWidget(controls)
    controls.show_choices((SPARK,), "spark")
    with qtbot.waitSignal(controls.join_asked):
        controls.join.click()


def test_stop_takes_two_clicks(controls: RunControls, qtbot: QtBot) -> None:
    """The first click warns, the second one asks."""
    with qtbot.assertNotEmitted(controls.stop_asked):
        press(controls, "Stop")
    assert any("is lost" in text.text() for text in controls.findChildren(QLabel))
    with qtbot.waitSignal(controls.stop_asked):
        press(controls, "Really stop now?")


def test_a_forgotten_first_click_wears_off(qtbot: QtBot) -> None:
    """A second click minutes later is a first click again."""
    hasty = RunControls(confirm_ms=1)
    qtbot.addWidget(hasty)
    hasty.show_state(RUNNING, look(RUNNING))
    press(hasty, "Stop")
    assert "Stop" not in texts(hasty)
    qtbot.waitUntil(lambda: "Stop" in texts(hasty))


def test_events_do_not_answer_the_question(controls: RunControls) -> None:
    """Rounds go on while the person thinks; the question stays."""
    press(controls, "Stop")
    controls.show_state(RUNNING, look(RUNNING))
    assert "Really stop now?" in texts(controls)


def test_while_stopping_nothing_can_be_pressed(controls: RunControls) -> None:
    """The wish is on its way."""
    stopping = replace(RUNNING, node=ask(RUNNING.node, Stop()))
    controls.show_state(stopping, look(stopping))
    assert not any(b.isEnabled() for b in controls.findChildren(QPushButton))


def test_the_pause_button_goes_on_when_paused(controls: RunControls, qtbot: QtBot) -> None:
    """One button, two wishes."""
    with qtbot.waitSignal(controls.pause_asked):
        press(controls, "Pause")
    held = replace(RUNNING, node=apply(RUNNING.node, Paused(reason="you")))
    controls.show_state(held, look(held))
    with qtbot.waitSignal(controls.resume_asked):
        press(controls, "Go on")


def test_stopping_a_pause_threatens_no_loss(controls: RunControls) -> None:
    """Between rounds there is nothing that could be lost, and nobody is told so."""
    paused = replace(RUNNING, node=apply(RUNNING.node, Paused(reason="you")))
    controls.show_state(paused, look(paused))
    press(controls, "Stop")
    assert not any("is lost" in text.text() for text in controls.findChildren(QLabel))


def test_the_facts_are_told(controls: RunControls) -> None:
    """Model, name and rounds, as they are known."""
    shown = [text.text() for text in controls.findChildren(QLabel)]
    assert {"Spark", "amber-otter", "1,234"} <= set(shown)
