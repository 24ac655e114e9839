"""Objections of the rules to running right now; pure."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from core.api.events import PauseReason
from core.api.programs import plain_name
from core.governor.conditions import WEEK_S, Conditions, Situation
from core.settings import ROOM_MARGIN, RulesSettings

BATTERY_MARGIN: Final = 5  # percent
HEAT_MARGIN_C: Final = 8
BUSY_MARGIN: Final = 15  # percent of all cores
_HOUR_S: Final = 3_600
_MB: Final = 10**6


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason not to run."""

    reason: PauseReason
    until: int | None = None  # unix seconds when it ends by itself, where that is known
    detail: str = ""  # the program that is in the way


def objections(situation: Situation, held: Collection[PauseReason]) -> list[Objection]:
    """All that speaks against running, the weightiest first; ``held`` are those that hold already.

    What holds is over only with some margin, so that a value that trembles around its limit makes
    one pause and not many.
    """
    conditions = situation.conditions
    rules = _with_margins(situation.rules, held)
    program = _listed_program(conditions, rules)
    against: tuple[tuple[PauseReason, bool], ...] = (
        ("battery", _short_of_power(conditions, rules)),
        ("screen", conditions.full_screen is True and rules.full_screen == "pause"),
        ("in_use", in_use(conditions, rules) and rules.when_in_use == "pause"),
        ("hot", _too_hot(conditions, rules)),
        ("memory", _is_below(conditions.memory_free, rules.memory_floor_mb)),
        ("disk", _is_below(conditions.disk_free, rules.disk_floor_mb)),
        ("busy", _too_busy(conditions, rules)),
    )
    return [
        *_outside_hours(situation),
        *([Objection("program", detail=program)] if program else []),
        *(Objection(reason) for reason, is_against in against if is_against),
    ]


def at_worst(situation: Situation) -> Situation:
    """The situation with the worst that may be in place of each reading that failed.

    Of two sensors that speak of the same, one is enough: many computers have only that.
    """
    conditions, programs = situation.conditions, situation.rules.programs
    worst: dict[str, object] = {
        "on_battery": True,
        "battery_percent": 0.0,
        "idle_s": 0.0,
        "memory_free": 0,
        "disk_free": 0,
        "full_screen": True,
        "programs": frozenset(map(plain_name, programs)),
        **({"busy": 1.0} if conditions.card_busy is None else {}),
        **({"throttled": True} if conditions.heat_c is None else {}),
    }
    failed = {name: bad for name, bad in worst.items() if getattr(conditions, name) is None}
    return replace(situation, conditions=replace(conditions, **failed))  # type: ignore[arg-type]  # by name


def in_use(conditions: Conditions, rules: RulesSettings) -> bool:
    """Whether a person is known to be at the machine."""
    return conditions.idle_s is not None and conditions.idle_s < 60 * rules.idle_minutes


def _with_margins(rules: RulesSettings, held: Collection[PauseReason]) -> RulesSettings:
    """The rules as they are for what holds already."""
    margins: dict[PauseReason, dict[str, float]] = {
        "battery": {"battery_floor": rules.battery_floor and rules.battery_floor + BATTERY_MARGIN},
        "hot": {"hottest_c": rules.hottest_c and max(1, rules.hottest_c - HEAT_MARGIN_C)},
        "memory": {"memory_floor_mb": rules.memory_floor_mb * ROOM_MARGIN},
        "disk": {"disk_floor_mb": rules.disk_floor_mb * ROOM_MARGIN},
        "busy": {"busy_percent": rules.busy_percent and max(1, rules.busy_percent - BUSY_MARGIN)},
    }
    changes = {name: limit for reason in held for name, limit in margins.get(reason, {}).items()}
    return msgspec.structs.replace(rules, **changes)


def _outside_hours(situation: Situation) -> list[Objection]:
    """The objection of the schedule, with the moment when the next hour begins that is welcome."""
    moment, week = situation.moment, "".join(situation.rules.schedule)
    hour = int(moment.week_s % WEEK_S) // _HOUR_S
    if week[hour] == "1":
        return []
    ahead = (week[hour:] + week[:hour]).find("1")
    if ahead < 0:
        return [Objection("schedule")]
    wait_s = (hour + ahead) * _HOUR_S - moment.week_s % WEEK_S
    return [Objection("schedule", until=round(moment.unix + wait_s))]


def _listed_program(conditions: Conditions, rules: RulesSettings) -> str:
    running = conditions.programs or frozenset()
    return next((name for name in rules.programs if plain_name(name) in running), "")


def _short_of_power(conditions: Conditions, rules: RulesSettings) -> bool:
    left = conditions.battery_percent
    is_low = left is not None and left < rules.battery_floor
    return conditions.on_battery is True and (rules.on_battery == "pause" or is_low)


def _too_hot(conditions: Conditions, rules: RulesSettings) -> bool:
    heat = conditions.heat_c
    is_over = heat is not None and heat > rules.hottest_c
    return rules.hottest_c > 0 and (is_over or conditions.throttled is True)


def _too_busy(conditions: Conditions, rules: RulesSettings) -> bool:
    shares = (conditions.busy, conditions.card_busy)
    busy = max((share for share in shares if share is not None), default=0.0)
    return 0 < rules.busy_percent < 100 * busy


def _is_below(free: int | None, floor_mb: float) -> bool:
    return free is not None and free < floor_mb * _MB
