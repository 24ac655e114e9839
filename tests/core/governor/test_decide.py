"""Run or pause: quick where it matters, slow to change its mind."""

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.events import PauseReason
from core.governor.conditions import Conditions
from core.governor.decide import (
    CALM_S,
    DELAY_S,
    GENTLE_SHARE,
    GRACE_S,
    Decision,
    GovernorState,
    Hold,
    Run,
    Wishes,
    decide,
    override,
)
from core.settings import RulesSettings
from tests.core.engine.situations import FINE, ON_BATTERY, START_UNIX, situation

BUSY = replace(FINE, busy=1.0)
TICK_S = 5.0

conditions_of_any_kind = st.builds(
    Conditions,
    on_battery=st.none() | st.booleans(),
    battery_percent=st.none() | st.floats(0, 100),
    idle_s=st.none() | st.floats(0, 1_000),
    busy=st.none() | st.floats(0, 1),
    memory_free=st.none() | st.integers(0, 1 << 30),
    disk_free=st.none() | st.integers(0, 1 << 31),
    full_screen=st.none() | st.booleans(),
    programs=st.none() | st.sampled_from([frozenset[str](), frozenset({"blender"})]),
    heat_c=st.none() | st.floats(20, 110),
    throttled=st.none() | st.booleans(),
)
usual_conditions = st.sampled_from([FINE, ON_BATTERY, BUSY, replace(FINE, idle_s=0.0)])
steps = st.lists(
    st.tuples(st.floats(0.1, 20), usual_conditions | conditions_of_any_kind),
    min_size=15,
    max_size=60,
)
rules_of_any_kind = st.builds(
    RulesSettings,
    on_battery=st.sampled_from(["pause", "run"]),
    when_in_use=st.sampled_from(["run", "gentle", "pause"]),
    programs=st.sampled_from([(), ("blender",)]),
    schedule=st.sampled_from([("1" * 24,) * 7, ("10" * 12,) * 7, ("0" * 24,) * 7]),
)


def lasting(
    conditions: Conditions, seconds: float, course: GovernorState | None = None, start: float = 0.0
) -> tuple[GovernorState, list[Decision]]:
    """Ask every few seconds while ``conditions`` last."""
    course, decisions = course or GovernorState(), []
    for tick in range(round(seconds / TICK_S) + 1):
        course = decide(course, situation(start + TICK_S * tick, conditions), Wishes())
        decisions.append(course.decision)
    return course, decisions


def test_all_is_well_so_it_runs() -> None:
    """And nothing is held back."""
    assert decide(GovernorState(), situation(0), Wishes()).decision == Run(1.0)


@given(st.floats(0, 1e6))
def test_what_is_unknown_never_pauses(seconds: float) -> None:
    """A machine without a single sensor practises."""
    assert decide(GovernorState(), situation(seconds, Conditions()), Wishes()).decision == Run(1.0)


@given(steps, rules_of_any_kind)
def test_the_rules_never_change_their_mind_twice_within_the_grace(
    course_of_things: list[tuple[float, Conditions]], rules: RulesSettings
) -> None:
    """Whatever the sensors say, in whatever order."""
    course, seconds, turns, ran = GovernorState(), 0.0, [], True
    for passed, conditions in course_of_things:
        seconds += passed
        course = decide(course, situation(seconds, conditions, rules), Wishes())
        runs = isinstance(course.decision, Run)
        if runs != ran:
            turns.append(seconds)
        ran = runs
    assert all(late - early >= GRACE_S - 1e-6 for early, late in pairwise(turns))


@given(steps, rules_of_any_kind, st.integers(0, 59))
def test_a_pause_of_the_person_holds_whatever_happens(
    course_of_things: list[tuple[float, Conditions]], rules: RulesSettings, asked: int
) -> None:
    """From the very next decision on."""
    course, seconds = GovernorState(), 0.0
    for number, (passed, conditions) in enumerate(course_of_things):
        seconds += passed
        wishes = Wishes(paused=number >= asked)
        course = decide(course, situation(seconds, conditions, rules), wishes)
        if number >= asked:
            assert course.decision == Hold("you")


@given(steps, rules_of_any_kind, conditions_of_any_kind)
def test_going_on_anyway_wins_over_all_that_objects(
    before: list[tuple[float, Conditions]], rules: RulesSettings, conditions: Conditions
) -> None:
    """As long as things stay as they are, it runs."""
    course, seconds = GovernorState(), 0.0
    for passed, earlier in before:
        seconds += passed
        course = decide(course, situation(seconds, earlier, rules), Wishes())
    now = situation(seconds, conditions, rules)
    course = override(course, now)
    assert isinstance(course.decision, Run)
    for waited in (0.0, 1.0, 100.0, 1_000.0):
        later = replace(now, moment=replace(now.moment, clock=now.moment.clock + waited))
        course = decide(course, later, Wishes())
        assert isinstance(course.decision, Run)


def test_going_on_anyway_counts_until_things_were_fine_once() -> None:
    """Unplugged once more, the rule counts again."""
    course = override(GovernorState(), situation(0, ON_BATTERY))
    course, decisions = lasting(ON_BATTERY, 100, course)
    assert {*decisions} == {Run()}
    course, _ = lasting(FINE, 10, course, start=105)
    _, decisions = lasting(ON_BATTERY, 10, course, start=120)
    assert decisions[0] == Hold("battery")


def test_going_on_anyway_outlives_a_reading_that_fails() -> None:
    """It does not say that things were fine once; a rule that is taken back does."""
    course = override(GovernorState(), situation(0, ON_BATTERY))
    course, _ = lasting(Conditions(), 10, course, start=5)
    course, decisions = lasting(ON_BATTERY, 100, course, start=20)
    assert {*decisions} == {Run()}
    off = situation(125, Conditions(), RulesSettings(on_battery="run", battery_floor=0))
    course = decide(course, off, Wishes())
    _, decisions = lasting(ON_BATTERY, 10, course, start=160)
    assert decisions[0] == Hold("battery")


def test_going_on_anyway_is_no_licence_for_what_comes_later() -> None:
    """The person knew of the battery, and not of the film that begins."""
    course = override(GovernorState(), situation(0, ON_BATTERY))
    film = replace(ON_BATTERY, full_screen=True)
    course, decisions = lasting(film, 60, course, start=5)
    assert decisions[-1] == Hold("screen")


def test_battery_and_listed_programs_pause_at_once() -> None:
    """Nobody waits for a fan to stop."""
    assert decide(GovernorState(), situation(0, ON_BATTERY), Wishes()).decision == Hold("battery")
    rules = RulesSettings(programs=("Blender",))
    running = replace(FINE, programs=frozenset({"blender"}))
    decision = decide(GovernorState(), situation(0, running, rules), Wishes()).decision
    assert decision == Hold("program", detail="Blender")


def test_a_short_bustle_is_sat_out_and_a_long_one_pauses() -> None:
    """Opening a heavy page is no reason; a film being cut is."""
    _, decisions = lasting(BUSY, DELAY_S["busy"] - TICK_S)
    assert {*decisions} == {Run()}
    _, decisions = lasting(BUSY, DELAY_S["busy"])
    assert decisions[-1] == Hold("busy")


def test_a_bustle_with_breaks_never_adds_up() -> None:
    """Only what lasted counts."""
    course = GovernorState()
    for minute in range(10):
        course, busy = lasting(BUSY, 40, course, start=60.0 * minute)
        course, _ = lasting(FINE, 5, course, start=60.0 * minute + 45)
        assert {*busy} == {Run()}


def test_it_goes_on_only_after_a_while_and_says_when() -> None:
    """Plugged in: the end of the pause is known from then on, and kept."""
    course, _ = lasting(ON_BATTERY, 60)
    course, decisions = lasting(FINE, CALM_S["battery"], course, start=65)
    goes_on = Hold("battery", until=round(START_UNIX + 65 + CALM_S["battery"]))
    assert decisions[:-1] == [goes_on] * (len(decisions) - 1)
    assert decisions[-1] == Run()


def test_a_plug_that_comes_loose_again_starts_the_wait_anew() -> None:
    """The promised end is taken back."""
    course, _ = lasting(ON_BATTERY, 60)
    course, _ = lasting(FINE, 20, course, start=65)
    course, decisions = lasting(ON_BATTERY, 5, course, start=90)
    assert decisions[-1] == Hold("battery")
    _, decisions = lasting(FINE, 25, course, start=100)
    assert all(isinstance(decision, Hold) for decision in decisions)


def test_while_it_holds_it_tells_the_reason_that_is_true_now() -> None:
    """Plugged in while a film runs: it is the film that is in the way."""
    course, _ = lasting(ON_BATTERY, 60)
    _, decisions = lasting(replace(FINE, full_screen=True), 15, course, start=65)
    assert decisions[-1] == Hold("screen")


def test_a_snooze_ends_by_itself_and_says_when() -> None:
    """Held until its end, and not a second longer."""
    wishes = Wishes(snoozed_until=START_UNIX + 60)
    course = decide(GovernorState(), situation(59, FINE), wishes)
    assert course.decision == Hold("snoozed", until=round(START_UNIX + 60))
    assert decide(course, situation(60, FINE), wishes).decision == Run()
    assert wishes.stand(START_UNIX + 59)
    assert not wishes.stand(START_UNIX + 60)


def test_the_rules_watch_on_while_the_person_pauses() -> None:
    """What the person takes back does not start a round on battery."""
    course = decide(GovernorState(), situation(0, ON_BATTERY), Wishes(paused=True))
    assert decide(course, situation(1, ON_BATTERY), Wishes()).decision == Hold("battery")


def test_it_is_gentle_while_the_machine_is_in_use() -> None:
    """Half of the time, or less if that is what was chosen; all of it again afterwards."""
    used = replace(FINE, idle_s=5.0)
    assert decide(GovernorState(), situation(0, used), Wishes()).decision == Run(GENTLE_SHARE)
    little = RulesSettings(share_percent=20)
    assert decide(GovernorState(), situation(0, used, little), Wishes()).decision == Run(0.2)
    assert decide(GovernorState(), situation(0, FINE, little), Wishes()).decision == Run(0.2)
    careless = RulesSettings(when_in_use="run")
    assert decide(GovernorState(), situation(0, used, careless), Wishes()).decision == Run(1.0)


@pytest.mark.parametrize("times", [DELAY_S, CALM_S])
def test_every_reason_of_the_rules_has_its_times(times: dict[PauseReason, float]) -> None:
    """A new reason cannot be forgotten here."""
    assert {*times} == {*get_args(PauseReason)} - {"you", "snoozed"}
