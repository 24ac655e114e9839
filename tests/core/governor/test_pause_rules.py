"""What the rules have against running."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.events import PauseReason
from core.governor.conditions import Conditions
from core.governor.pause_rules import Objection, at_worst, in_use, objections
from core.settings import ALWAYS, RulesSettings
from tests.core.engine.situations import FINE, START_UNIX, situation

MB = 10**6
NEVER = ("0" * 24,) * 7


def reasons(conditions: Conditions, rules: RulesSettings | None = None) -> list[PauseReason]:
    return [found.reason for found in objections(situation(0, conditions, rules), ())]


rules_of_any_kind = st.builds(
    RulesSettings,
    on_battery=st.sampled_from(["pause", "run"]),
    battery_floor=st.integers(0, 100),
    when_in_use=st.sampled_from(["run", "gentle", "pause"]),
    idle_minutes=st.integers(1, 120),
    full_screen=st.sampled_from(["pause", "run"]),
    busy_percent=st.integers(0, 100),
    programs=st.just(("blender",)),
    hottest_c=st.integers(0, 120),
    memory_floor_mb=st.integers(0, 10**6),
    disk_floor_mb=st.integers(0, 10**7),
)


@given(rules_of_any_kind)
def test_what_is_unknown_is_no_objection(rules: RulesSettings) -> None:
    """Whatever the rules: a sensor that says nothing pauses nobody."""
    assert objections(situation(0, Conditions(), rules), ()) == []


@pytest.mark.parametrize(
    ("conditions", "rules", "reason"),
    [
        (replace(FINE, on_battery=True), RulesSettings(), "battery"),
        (
            replace(FINE, on_battery=True, battery_percent=29.0),
            RulesSettings(on_battery="run"),
            "battery",
        ),
        (
            replace(FINE, programs=frozenset({"blender"})),
            RulesSettings(programs=("Blender.exe",)),
            "program",
        ),
        (replace(FINE, full_screen=True), RulesSettings(), "screen"),
        (replace(FINE, idle_s=179.0), RulesSettings(when_in_use="pause"), "in_use"),
        (replace(FINE, heat_c=91.0), RulesSettings(), "hot"),
        (replace(FINE, throttled=True), RulesSettings(), "hot"),
        (replace(FINE, memory_free=499 * MB), RulesSettings(), "memory"),
        (replace(FINE, disk_free=999 * MB), RulesSettings(), "disk"),
        (replace(FINE, busy=0.76), RulesSettings(), "busy"),
        (replace(FINE, busy=0.1, card_busy=0.76), RulesSettings(), "busy"),
        (FINE, RulesSettings(schedule=NEVER), "schedule"),
    ],
)
def test_each_rule_objects_in_its_case(
    conditions: Conditions, rules: RulesSettings, reason: PauseReason
) -> None:
    """One thing is amiss, and that is what is said."""
    assert reasons(FINE, RulesSettings(programs=("Blender.exe",))) == []
    assert reasons(conditions, rules) == [reason]


def test_what_stays_free_is_counted_as_the_window_counts_it() -> None:
    """A gigabyte is a thousand million bytes there, and with that much free nothing pauses."""
    rules = RulesSettings(memory_floor_mb=1_000, disk_floor_mb=2_000)
    assert reasons(replace(FINE, memory_free=10**9, disk_free=2 * 10**9), rules) == []
    assert reasons(replace(FINE, memory_free=10**9 - 1), rules) == ["memory"]
    assert reasons(replace(FINE, disk_free=2 * 10**9 - 1), rules) == ["disk"]


@pytest.mark.parametrize(
    ("conditions", "rules"),
    [
        (replace(FINE, on_battery=True), RulesSettings(on_battery="run")),
        (replace(FINE, on_battery=True, battery_percent=None), RulesSettings(on_battery="run")),
        (replace(FINE, battery_percent=3.0), RulesSettings()),
        (replace(FINE, full_screen=True), RulesSettings(full_screen="run")),
        (replace(FINE, idle_s=0.0), RulesSettings(when_in_use="gentle")),
        (replace(FINE, heat_c=119.0, throttled=True), RulesSettings(hottest_c=0)),
        (replace(FINE, memory_free=0), RulesSettings(memory_floor_mb=0)),
        (replace(FINE, disk_free=0), RulesSettings(disk_floor_mb=0)),
        (replace(FINE, busy=1.0), RulesSettings(busy_percent=0)),
    ],
)
def test_a_rule_that_is_off_says_nothing(conditions: Conditions, rules: RulesSettings) -> None:
    """What a person switched off never pauses."""
    assert reasons(conditions, rules) == []


@pytest.mark.parametrize(
    ("reason", "conditions"),
    [
        ("battery", replace(FINE, on_battery=True, battery_percent=32.0)),
        ("hot", replace(FINE, heat_c=85.0)),
        ("memory", replace(FINE, memory_free=600 * MB)),
        ("disk", replace(FINE, disk_free=1_200 * MB)),
        ("busy", replace(FINE, busy=0.65)),
    ],
)
def test_what_holds_is_over_only_with_some_margin(
    reason: PauseReason, conditions: Conditions
) -> None:
    """Just inside its limit is fine for what does not hold, and not yet for what does."""
    trembling = situation(0, conditions, RulesSettings(on_battery="run"))
    assert objections(trembling, ()) == []
    assert [found.reason for found in objections(trembling, {reason})] == [reason]


@pytest.mark.parametrize("held", [(), ("battery", "hot", "memory", "disk", "busy")])
def test_a_margin_switches_no_rule_on(held: tuple[PauseReason, ...]) -> None:
    """A limit of 0 means never mind, with a margin, too."""
    rules = RulesSettings(
        on_battery="run",
        battery_floor=0,
        hottest_c=0,
        memory_floor_mb=0,
        disk_floor_mb=0,
        busy_percent=0,
    )
    worst = replace(
        FINE,
        on_battery=True,
        battery_percent=0.0,
        busy=1.0,
        memory_free=0,
        disk_free=0,
        heat_c=119.0,
        throttled=True,
    )
    assert objections(situation(0, worst, rules), held) == []


def test_a_program_is_told_by_the_name_that_the_person_gave_it() -> None:
    """So that they find it in their list again."""
    running = replace(FINE, programs=frozenset({"blender", "steam"}))
    found = objections(situation(0, running, RulesSettings(programs=("Steam.exe", "Blender"))), ())
    assert found == [Objection("program", detail="Steam.exe")]


def test_the_schedule_says_when_the_next_welcome_hour_begins() -> None:
    """Tuesday 22:30, welcome again on Wednesday from 6:00 on; and over the end of the week."""
    nights = ("1" * 6 + "0" * 18,) * 7
    tuesday = 86_400 + 22.5 * 3_600
    (found,) = objections(situation(tuesday, rules=RulesSettings(schedule=nights)), ())
    assert found == Objection("schedule", until=round(START_UNIX + 2 * 86_400))
    mondays = ("1" * 24, *("0" * 24,) * 6)
    sunday = 6 * 86_400 + 3_600
    (found,) = objections(situation(sunday, rules=RulesSettings(schedule=mondays)), ())
    assert found == Objection("schedule", until=round(START_UNIX + 7 * 86_400))


@given(st.integers(0, 7 * 86_400 - 1), st.integers(0, 167))
def test_at_its_end_the_schedule_has_no_objection(second: int, hour: int) -> None:
    """One welcome hour anywhere: it is waited for, and then nothing is in the way."""
    week = "".join("1" if number == hour else "0" for number in range(168))
    schedule = tuple(week[24 * day : 24 * day + 24] for day in range(7))
    rules = RulesSettings(schedule=schedule)
    for found in objections(situation(second, rules=rules), ()):
        assert found.until is not None
        assert objections(situation(found.until - START_UNIX, rules=rules), ()) == []


def test_the_weightiest_objection_comes_first() -> None:
    """What the person chose, before what the machine is doing."""
    rules = RulesSettings(schedule=NEVER, programs=("blender",))
    bad = replace(FINE, on_battery=True, busy=1.0, programs=frozenset({"blender"}))
    assert reasons(bad, rules) == ["schedule", "program", "battery", "busy"]
    assert rules.schedule != ALWAYS


def test_a_machine_is_in_use_only_if_that_is_known() -> None:
    """Up to the minutes that were chosen."""
    rules = RulesSettings(idle_minutes=2)
    assert in_use(Conditions(idle_s=119.0), rules)
    assert not in_use(Conditions(idle_s=120.0), rules)
    assert not in_use(Conditions(), rules)


def test_what_failed_may_be_at_its_worst() -> None:
    """What is known stays as it is; of two sensors that speak of the same, one is enough."""
    rules = RulesSettings(when_in_use="pause", programs=("Blender",))
    worst = at_worst(situation(0, Conditions(), rules))
    found = {found.reason for found in objections(worst, ())}
    assert found == {*get_args(PauseReason)} - {"you", "snoozed", "schedule"}
    assert at_worst(situation(0, FINE)).conditions == FINE
    half = Conditions(card_busy=0.1, heat_c=40.0)
    known = at_worst(situation(0, half)).conditions
    assert (known.busy, known.throttled) == (None, None)
