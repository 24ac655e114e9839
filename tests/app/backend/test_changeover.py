"""One run ends after its round, and the next one begins."""

from dataclasses import replace

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.backend.changeover import Changeover
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import ModelChoice
from core.api.events import Finish, Join, Stop
from core.api.state import NodeState, ask
from core.settings import WindowSettings
from tests.fake_actions import FakeActions

CHOICES = (ModelChoice(id="spark", title="Spark"), ModelChoice(id="smol", title="Smol"))
RUNNING = AppState(
    choices=CHOICES,
    chosen="smol",
    node=NodeState(activity="practising", model="spark"),
    link=EngineStatus("up"),
)


class Change:
    """A changeover to the chosen model, and all that it asked for."""

    def __init__(self, state: AppState = RUNNING) -> None:
        actions = FakeActions()
        self.asked = actions.all
        self.over = Changeover(actions)
        self.over.show_state(state)
        self.over.begin(lambda now: now.chosen)

    def becomes(self, state: AppState) -> None:
        self.over.show_state(state)
        QApplication.processEvents()


def ended(state: AppState, activity: str = "stopped") -> AppState:
    return replace(state, node=replace(state.node, activity=activity))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _with_qt(qapp: QApplication) -> None:
    """Timers need it."""
    assert qapp


def test_the_round_is_finished_and_then_the_next_run_begins() -> None:
    """With what is chosen by then, and once."""
    change = Change()
    assert change.asked == [Finish()]
    assert change.over.is_under_way
    change.becomes(RUNNING)
    assert change.asked == [Finish()]
    change.becomes(ended(RUNNING))
    change.becomes(ended(RUNNING))
    assert change.asked == [Finish(), Join(model="smol")]
    assert not change.over.is_under_way


def test_a_model_that_was_insisted_on_is_begun_as_such() -> None:
    """As Home would, however short memory seems."""
    window = WindowSettings(anyway="smol")
    change = Change()
    change.becomes(
        replace(ended(RUNNING), settings=msgspec.structs.replace(RUNNING.settings, window=window))
    )
    assert change.asked[-1] == Join(model="smol", load_anyway=True)


def test_who_stops_meanwhile_is_not_changed_over() -> None:
    """Stop means stop, on whichever page it was pressed."""
    change = Change()
    change.becomes(replace(RUNNING, node=ask(RUNNING.node, Stop())))
    assert not change.over.is_under_way
    change.becomes(ended(RUNNING))
    assert change.asked == [Finish()]


def test_a_run_that_failed_is_not_begun_again() -> None:
    """The person is told why, and decides."""
    change = Change()
    change.becomes(ended(RUNNING, "failed"))
    assert change.asked == [Finish()]
    assert not change.over.is_under_way


def test_where_nothing_runs_there_is_nothing_to_change() -> None:
    """Joining is what can be done then."""
    change = Change(ended(RUNNING))
    assert change.asked == []
    assert not change.over.is_under_way


def test_who_began_a_run_meanwhile_is_not_given_another() -> None:
    """Two pages may wait for the same end; the first one has the next run."""
    change = Change()
    change.over.show_state(ended(RUNNING))
    change.becomes(replace(RUNNING, node=NodeState(activity="loading", model="spark")))
    assert change.asked == [Finish()]


def test_a_run_that_waits_for_the_old_engine_to_be_gone_is_one_too() -> None:
    """It was asked for by another page, which waited for the same end."""
    change = Change()
    closing = replace(RUNNING, link=EngineStatus("closing"))
    change.over.show_state(ended(closing))
    change.becomes(replace(closing, node=NodeState(activity="loading", model="spark")))
    assert change.asked == [Finish()]
