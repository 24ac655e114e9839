"""Buttons ask for what they say, and Stop asks twice."""

from dataclasses import replace
from itertools import count

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.home.controls import JoinControls, RunControls, SnoozeButton, SteadyButton
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.intents import JoinChosen
from app.state.model_choices import ModelChoice
from app.state.run_status import Button, run_status
from app.style.appearance import Appearance
from core.api.events import Finish, Pause, Paused, Resume, Snooze, Started, Stop
from core.api.state import NodeState, apply, ask
from tests.app.reading import press
from tests.fake_actions import FakeActions
from tests.fakes import finished

SPARK = ModelChoice(id="spark", title="Spark", sentence="Quick.", parameters=1_500_000)
RUNNING = AppState(
    choices=(SPARK,),
    chosen="spark",
    link=EngineStatus("up"),
    node=apply(
        NodeState(), Started(model="spark", round=1_234, peer="", name="amber-otter", solo=False)
    ),
)


@pytest.fixture
def controls(actions: FakeActions, qtbot: QtBot) -> RunControls:
    """Its clock is one of slow clicks: 10 seconds pass between any two."""
    made = RunControls(actions, clock=count(0, 10).__next__)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.show_state(RUNNING, run_status(RUNNING))
    return made


def texts(controls: RunControls) -> list[str]:
    return [b.text() for b in controls.findChildren(QPushButton)]


def test_joining_is_one_click(actions: FakeActions, qtbot: QtBot) -> None:
    """The big button asks at once."""
    controls = JoinControls(actions)
    qtbot.addWidget(controls)
    controls.show_choices((SPARK,), "spark")
    controls.join.click()
    assert actions.all == [JoinChosen()]


def test_stop_takes_two_clicks(controls: RunControls, actions: FakeActions) -> None:
    """The first click warns, the second one asks."""
    press(controls, "Stop")
    assert actions.all == []
    assert any("is lost" in text.text() for text in controls.findChildren(QLabel))
    press(controls, "Really stop now?")
    assert actions.all == [Stop()]


def test_a_double_click_on_stop_only_asks(actions: FakeActions, qtbot: QtBot) -> None:
    """Nobody has read the question when the second half of it comes."""
    controls = RunControls(actions, clock=lambda: 0.0)
    qtbot.addWidget(controls)
    controls.show()
    controls.show_state(RUNNING, run_status(RUNNING))
    (stop,) = (b for b in controls.findChildren(QPushButton) if b.text() == "Stop")
    for _ in range(2):
        QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(stop, Qt.MouseButton.LeftButton)
    assert actions.all == []
    assert stop.text() == "Really stop now?"


def test_a_forgotten_first_click_wears_off(actions: FakeActions, qtbot: QtBot) -> None:
    """A second click minutes later is a first click again."""
    hasty = RunControls(actions, confirm_ms=1)
    qtbot.addWidget(hasty)
    hasty.show_state(RUNNING, run_status(RUNNING))
    press(hasty, "Stop")
    assert "Stop" not in texts(hasty)
    qtbot.waitUntil(lambda: "Stop" in texts(hasty))


def test_events_do_not_answer_the_question(controls: RunControls) -> None:
    """Rounds go on while the person thinks; the question stays."""
    press(controls, "Stop")
    controls.show_state(RUNNING, run_status(RUNNING))
    assert "Really stop now?" in texts(controls)


def test_while_stopping_nothing_can_be_pressed(controls: RunControls, actions: FakeActions) -> None:
    """The wish is on its way."""
    stopping = replace(RUNNING, node=ask(RUNNING.node, Stop()))
    controls.show_state(stopping, run_status(stopping))
    for pressed in controls.findChildren(SteadyButton):
        pressed.click()
        pressed.click()
    (snooze,) = controls.findChildren(SnoozeButton)
    assert not snooze.isEnabled()
    assert actions.all == []


@pytest.mark.parametrize("first", ["Pause", "snooze"])
def test_who_pauses_by_keyboard_goes_on_with_the_same_key(
    controls: RunControls, actions: FakeActions, first: str
) -> None:
    """While it is on its way, and after that, the keyboard is at no button that ends the run."""
    pausing = replace(RUNNING, node=ask(RUNNING.node, Pause()))
    paused = replace(RUNNING, node=apply(pausing.node, Paused(reason="you")))
    pause, finish, _ = controls.findChildren(SteadyButton)
    (snooze,) = controls.findChildren(SnoozeButton)
    (pause if first == "Pause" else snooze).setFocus()
    if first == "Pause":
        QTest.keyClick(pause, Qt.Key.Key_Space)
    controls.show_state(pausing, run_status(pausing))
    assert controls.focusWidget() is pause
    QTest.keyClick(pause, Qt.Key.Key_Space)
    controls.show_state(paused, run_status(paused))
    assert controls.focusWidget() is pause
    QTest.keyClick(pause, Qt.Key.Key_Space)
    assert actions.all == [*([Pause()] if first == "Pause" else []), Resume()]
    assert not finish.hasFocus()


def test_who_finishes_by_keyboard_is_not_led_to_stop(controls: RunControls) -> None:
    """The button that waits keeps the keyboard."""
    finishing = replace(RUNNING, node=ask(RUNNING.node, Finish()))
    _, finish, _ = controls.findChildren(SteadyButton)
    finish.setFocus()
    controls.show_state(finishing, run_status(finishing))
    assert finish.hasFocus()


def test_while_paused_there_is_no_round_to_finish(
    controls: RunControls, actions: FakeActions
) -> None:
    """It stands below that none is running; to stop loses nothing."""
    paused = replace(RUNNING, node=apply(RUNNING.node, Paused(reason="you")))
    controls.show_state(paused, run_status(paused))
    press(controls, "Finish round and stop")
    assert actions.all == []
    assert any("No round is running" in one.text() for one in controls.findChildren(QLabel))


def test_the_puzzles_of_others_are_not_counted_among_ones_own(controls: RunControls) -> None:
    """Two figures, two lines."""
    last = msgspec.structs.replace(finished(7), local_groups=8, swarm_groups=7)
    state = replace(RUNNING, node=apply(RUNNING.node, last))
    controls.show_state(state, run_status(state))
    shown = [text.text() for text in controls.findChildren(QLabel)]
    assert "8 puzzles tried,\nand 7 of others looked at" in shown


def test_the_pause_button_goes_on_when_paused(controls: RunControls, actions: FakeActions) -> None:
    """One button, two wishes."""
    press(controls, "Pause")
    held = replace(RUNNING, node=apply(RUNNING.node, Paused(reason="you")))
    controls.show_state(held, run_status(held))
    press(controls, "Go on")
    assert actions.all == [Pause(), Resume()]


def test_stopping_a_pause_threatens_no_loss(controls: RunControls) -> None:
    """Between rounds there is nothing that could be lost, and nobody is told so."""
    paused = replace(RUNNING, node=apply(RUNNING.node, Paused(reason="you")))
    controls.show_state(paused, run_status(paused))
    press(controls, "Stop")
    assert not any("is lost" in text.text() for text in controls.findChildren(QLabel))


def test_the_facts_are_told(controls: RunControls) -> None:
    """Model, name and rounds, as they are known."""
    shown = [text.text() for text in controls.findChildren(QLabel)]
    assert {"Spark", "amber-otter", "1,234"} <= set(shown)


@pytest.fixture
def page(appearance: Appearance, qtbot: QtBot) -> QWidget:
    """One of them above another button."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.addWidget(SteadyButton())
    column.addWidget(QPushButton("Next"))
    appearance.dress(made)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


def test_the_focus_stays_while_it_waits(page: QWidget) -> None:
    """The key that pressed it presses nothing else, and it says why it does nothing."""
    (button,) = page.findChildren(SteadyButton)
    pressed: list[str] = []
    button.wanted.connect(lambda: pressed.append(button.text()))
    button.show_button(Button("Pause"))
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    button.show_button(Button("Pausing…", enabled=False))
    assert button.hasFocus()
    assert button.accessibleName() == "Pausing…"
    assert button.accessibleDescription()
    QTest.keyClick(button, Qt.Key.Key_Space)
    button.show_button(Button("Go on"))
    assert button.hasFocus()
    assert not button.accessibleDescription()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert pressed == ["Pause", "Go on"]


def test_it_looks_like_any_button_that_cannot_be_pressed(page: QWidget) -> None:
    """The words are as faint, and no longer so when it can."""
    (button,) = page.findChildren(SteadyButton)
    (other,) = (b for b in page.findChildren(QPushButton) if b is not button)
    other.setEnabled(False)

    def colour(of: QPushButton) -> str:
        of.ensurePolished()
        return of.palette().color(QPalette.ColorRole.ButtonText).name()

    button.show_button(Button("Pausing…", enabled=False))
    assert colour(button) == colour(other)
    button.show_button(Button("Pause"))
    assert colour(button) != colour(other)


def test_a_span_that_is_chosen_is_told(actions: FakeActions, qtbot: QtBot) -> None:
    """By a button that has a name though it has no words."""
    snooze = SnoozeButton(actions)
    qtbot.addWidget(snooze)
    assert snooze.accessibleName() == "Pause for a while"
    snooze.menu().actions()[0].trigger()
    assert actions.all == [Snooze(seconds=1_800)]
