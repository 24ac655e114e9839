"""What pages can read off the state."""

import pytest

from app.link import Link, Phase
from app.model_choices import ModelChoice
from app.state import AppState
from core.engine.state import Activity, NodeState

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
EMBER = ModelChoice(id="ember", title="Ember", sentence="Larger.", parameters=6_000_000)
IDLE = AppState(choices=(SPARK, EMBER), chosen="ember")


def state_of(activity: Activity, phase: Phase) -> AppState:
    return AppState(
        choices=IDLE.choices,
        chosen=IDLE.chosen,
        node=NodeState(activity=activity, model="spark"),
        link=Link(phase),
    )


@pytest.mark.parametrize("activity", ["loading", "practising", "paused"])
@pytest.mark.parametrize("phase", ["up", "waiting"])
def test_a_live_node_runs(activity: Activity, phase: Phase) -> None:
    """Also while its process is about to be started again."""
    assert state_of(activity, phase).is_running


@pytest.mark.parametrize(
    ("activity", "phase"),
    [
        ("idle", "off"),
        ("stopped", "up"),
        ("failed", "up"),
        ("practising", "closing"),
        ("practising", "gave_up"),
    ],
)
def test_otherwise_joining_is_what_can_be_done(activity: Activity, phase: Phase) -> None:
    """Before the first run, after the end of one, and when it was given up."""
    assert not state_of(activity, phase).is_running


def test_the_model_is_the_one_that_runs_or_else_the_chosen_one() -> None:
    """Choosing another one changes nothing about the run."""
    assert state_of("practising", "up").model is SPARK
    assert state_of("stopped", "up").model is EMBER
    assert IDLE.model is EMBER


def test_a_model_that_is_not_on_offer_does_no_harm() -> None:
    """The first one stands in for it."""
    assert AppState(choices=(SPARK, EMBER), chosen="gone").model is SPARK
