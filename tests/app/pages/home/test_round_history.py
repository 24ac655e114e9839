"""Which rounds Home shows while nothing runs."""

from dataclasses import replace

import pytest

from app.pages.home.round_history import (
    RoundHistory,
    can_ask,
    has_started,
    is_awaited,
    is_missing,
    with_past,
)
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import load_choices
from core.api.events import Failed, Join, Loading, Paused, Point, Started, Stopped
from core.api.state import Mark, NodeState, apply, ask

IDLE = AppState(choices=load_choices(), chosen="spark", has_practised=True)
NEW = replace(IDLE, has_practised=False)
POINTS = (Point(40, 0.25, None), Point(41, 0.5, None))
KNOWN = RoundHistory("spark", POINTS, 42)


def loading(model: str = "spark") -> AppState:
    return replace(IDLE, node=ask(NodeState(), Join(model=model)), link=EngineStatus("up"))


def started(*points: Point) -> AppState:
    event = Started(model="spark", round=42, peer="", name="", solo=True, history=points)
    return replace(loading(), node=apply(loading().node, event))


def stopped(*points: Point) -> AppState:
    return replace(IDLE, node=apply(started(*points).node, Stopped(round=42)))


def test_what_the_helper_told_is_shown_before_anything_runs() -> None:
    """With the number of the last round; nothing else of a run is made up."""
    node = with_past(IDLE, KNOWN).node
    assert (node.points, node.round) == (POINTS, 42)
    assert replace(node, points=(), round=0) == NodeState()


def test_the_past_of_another_model_is_not_shown() -> None:
    """Neither the helper's nor that of the run that just ended, whose pauses are not its own."""
    ember = replace(IDLE, chosen="ember")
    assert with_past(ember, KNOWN).node.points == ()
    ended = replace(stopped(*POINTS), chosen="ember")
    ended = replace(ended, node=replace(ended.node, marks=(Mark(41, "you"),)))
    assert with_past(ended, RoundHistory()).node.points == ()
    shown = with_past(ended, RoundHistory("ember", POINTS[:1], 40)).node
    assert (shown.points, shown.marks, shown.round) == (POINTS[:1], (), 40)


def test_rounds_of_a_choice_are_told_as_such() -> None:
    """Before the first round and while the engine loads; those of another model are its own."""
    chosen = replace(KNOWN, scope="0123456789abcdef")
    for state in (IDLE, loading()):
        assert with_past(state, chosen).node.scope == chosen.scope
    assert with_past(replace(IDLE, chosen="ember"), chosen).node.scope is None


def test_a_start_does_not_blink() -> None:
    """The past stays while the engine loads, and goes when it has told of its rounds itself."""
    assert with_past(loading(), KNOWN).node.points == POINTS
    assert with_past(started(*POINTS[:1]), KNOWN).node.points == POINTS[:1]
    assert with_past(started(), KNOWN).node.points == ()  # its progress was lost
    failed = apply(loading().node, Failed(words="Something is wrong.", fatal=True))
    assert with_past(replace(IDLE, node=failed), KNOWN).node.points == POINTS


def test_after_a_start_that_failed_the_past_is_looked_up() -> None:
    """It never told of its rounds, and nobody had asked before."""
    failed = apply(loading().node, Failed(words="Something is wrong.", fatal=True))
    assert is_missing(replace(IDLE, node=failed), RoundHistory())


def test_a_run_that_ended_leaves_its_rounds() -> None:
    """Nobody has to ask for them; what the ledger says later, after a reset say, counts more."""
    ended = stopped(*POINTS)
    assert with_past(ended, RoundHistory()) == ended
    assert not is_missing(ended, RoundHistory())
    assert with_past(ended, RoundHistory("spark")).node.points == ()


def test_an_engine_has_started_once_it_told_of_its_rounds() -> None:
    """Whether it practises or is held."""
    assert not has_started(IDLE)
    assert not has_started(loading())
    assert has_started(started())
    assert has_started(replace(started(), node=apply(started().node, Paused(reason="you"))))


def test_an_engine_that_starts_once_more_keeps_its_rounds() -> None:
    """After a fall; joined again after a reset, those that the ledger still has."""
    again = apply(started(*POINTS).node, Loading(words="Waking the model up"))
    fallen = replace(started(), node=again, link=EngineStatus("waiting"))
    assert with_past(fallen, RoundHistory()) == fallen
    joined = replace(started(), node=ask(stopped(*POINTS).node, Join(model="spark")))
    assert with_past(joined, RoundHistory()).node.points == POINTS
    assert with_past(joined, RoundHistory("spark")).node.points == ()


@pytest.mark.parametrize(
    ("state", "past", "missing"),
    [
        (IDLE, RoundHistory(), True),
        (NEW, RoundHistory(), False),  # no helper is started for nothing
        (IDLE, RoundHistory(asked="spark"), False),
        (IDLE, RoundHistory("spark"), False),
        (IDLE, RoundHistory("ember", POINTS), True),
        (loading(), RoundHistory(), False),
        (replace(NEW, node=stopped(*POINTS).node, chosen="ember"), RoundHistory(), True),
    ],
)
def test_the_helper_is_asked_where_it_may_know_something(
    state: AppState, past: RoundHistory, *, missing: bool
) -> None:
    """Once a model, and never while an engine knows."""
    assert is_missing(state, past) == missing
    assert can_ask(state) or not missing


def test_only_what_may_come_is_awaited() -> None:
    """From the beginning until the helper has answered, and nothing that is here already."""
    assert is_awaited(IDLE, RoundHistory())
    assert is_awaited(IDLE, RoundHistory(asked="spark"))
    assert is_awaited(replace(IDLE, chosen="ember"), KNOWN)
    assert not is_awaited(IDLE, RoundHistory("spark"))
    assert not is_awaited(IDLE, replace(KNOWN, asked="spark"))  # looked up once more
    assert not is_awaited(NEW, RoundHistory())
    assert not is_awaited(loading(), RoundHistory(asked="spark"))
    assert not is_awaited(stopped(*POINTS), RoundHistory(asked="spark"))
