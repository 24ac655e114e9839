"""Run or pause, and why; pure, and slow to change its mind.

It pauses at once for what cannot wait (battery, a listed program), for what comes and goes only
after it lasted, and runs again only after all was well for a while. So neither a round nor a fan
starts and stops every few seconds. What the person asks for comes first, and takes effect at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.api.events import PauseReason
from core.governor.conditions import Situation
from core.governor.pause_rules import Objection, at_worst, in_use, objections

GRACE_S: Final = 30.0
"""The rules never change their mind twice within it."""

GENTLE_SHARE: Final = 0.5
"""Of the time, while a person uses the machine."""

DELAY_S: Final[Mapping[PauseReason, float]] = {
    "schedule": 0.0,
    "program": 0.0,
    "battery": 0.0,
    "screen": 10.0,
    "in_use": 0.0,
    "hot": 30.0,
    "memory": 15.0,
    "disk": 0.0,
    "busy": 60.0,
}
"""For how long an objection must have stood before it pauses."""

CALM_S: Final[Mapping[PauseReason, float]] = {
    "schedule": 0.0,
    "program": 30.0,
    "battery": 30.0,
    "screen": 30.0,
    "in_use": 0.0,  # the minutes without a touch were calm enough
    "hot": 120.0,
    "memory": 60.0,
    "disk": 60.0,
    "busy": 120.0,
}
"""For how long it must have been gone before rounds go on."""


@dataclass(frozen=True, slots=True)
class Run:
    """The decision to practise."""

    share: float = 1.0  # of the time, in (0, 1]


@dataclass(frozen=True, slots=True)
class Hold:
    """The decision to pause."""

    reason: PauseReason
    until: int | None = None  # unix seconds when it goes on, if nothing new comes up
    detail: str = ""


Decision = Run | Hold


@dataclass(frozen=True, slots=True)
class Wishes:
    """The person's pause or snooze, where it was not taken back."""

    paused: bool = False
    snoozed_until: float = 0.0  # unix seconds

    def stand(self, unix: float) -> bool:
        """Whether there is anything to take back."""
        return self.paused or unix < self.snoozed_until


@dataclass(frozen=True, slots=True)
class GovernorState:
    """The last decision, and all that the next one needs to know of the past.

    An objection (``objections``) first stands; after ``DELAY_S`` it presses, and is held: the
    rules pause for it. Once it is gone for ``CALM_S`` they let go.
    """

    decision: Decision = Run()
    held: Objection | None = None  # what the rules pause for, whatever the person wants
    turned_at: float = -GRACE_S  # clock when the rules last changed between running and pausing
    standing: Mapping[PauseReason, float] = field(default_factory=dict)  # since when, by the clock
    calm_at: float | None = None  # since when what they pause for is gone
    waived: frozenset[PauseReason] = frozenset()  # until each has been fine once


def decide(before: GovernorState, situation: Situation, wishes: Wishes) -> GovernorState:
    """The course that follows ``before`` in this situation; to be asked every few seconds."""
    found = {objection.reason: objection for objection in _found(before, situation)}
    # One that failed does not tell that things are fine.
    waived = before.waived & {one.reason for one in _found(before, at_worst(situation))}
    clock = situation.moment.clock
    standing = {
        reason: before.standing.get(reason, clock) for reason in found if reason not in waived
    }
    course = replace(before, standing=standing, waived=waived)
    pressing = [found[r] for r, since in standing.items() if clock - since >= DELAY_S[r]]
    if before.held is None:
        course = _run_on(course, pressing, clock)
    elif pressing or before.held.reason in standing:
        course = replace(course, held=(pressing or [found[before.held.reason]])[0], calm_at=None)
    else:
        course = _calm_down(course, before.held, situation)
    return replace(course, decision=_decision(course, situation, wishes))


def override(before: GovernorState, situation: Situation) -> GovernorState:
    """Go on whatever the rules say now; what they object to counts again once it was fine."""
    waived = before.waived | {objection.reason for objection in _found(before, situation)}
    clock = situation.moment.clock
    course = GovernorState(turned_at=clock, waived=waived)
    return replace(course, decision=_decision(course, situation, Wishes()))


def _found(before: GovernorState, situation: Situation) -> list[Objection]:
    """Objections to running now; what counted before counts until it is gone by a margin."""
    held = before.waived if before.held is None else before.waived | {before.held.reason}
    return objections(situation, held)


def _run_on(course: GovernorState, pressing: list[Objection], clock: float) -> GovernorState:
    """Nothing was held: pause for the weightiest that presses, but not right after a pause."""
    if not pressing or clock - course.turned_at < GRACE_S:
        return course
    return replace(course, held=pressing[0], turned_at=clock, calm_at=None)


def _calm_down(course: GovernorState, held: Objection, situation: Situation) -> GovernorState:
    """Resume where the objection paused for has been gone for long enough."""
    moment = situation.moment
    calm_at = moment.clock if course.calm_at is None else course.calm_at
    over_at = max(calm_at + CALM_S[held.reason], course.turned_at + GRACE_S)
    if moment.clock >= over_at:
        return replace(course, held=None, turned_at=moment.clock, calm_at=None)
    if course.calm_at is None:  # told once: the person need not watch it tremble
        held = replace(held, until=round(moment.unix + over_at - moment.clock))
    return replace(course, held=held, calm_at=calm_at)


def _decision(course: GovernorState, situation: Situation, wishes: Wishes) -> Decision:
    """The person's wishes first, then what is held, then how much of the time to run."""
    if wishes.paused:
        return Hold("you")
    if situation.moment.unix < wishes.snoozed_until:
        return Hold("snoozed", until=round(wishes.snoozed_until))
    if course.held is not None:
        return Hold(course.held.reason, course.held.until, course.held.detail)
    share = situation.rules.share_percent / 100
    gentle = situation.rules.when_in_use == "gentle"
    if gentle and in_use(situation.conditions, situation.rules):
        share = min(share, GENTLE_SHARE)
    return Run(share)
