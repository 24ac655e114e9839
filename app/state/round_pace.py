"""How far the running round is, and how long it will take, judged by the rounds before it; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Literal

from core.api.events import Phase, RoundFinished
from core.api.state import NodeState

Step = Literal["sampling", "judging", "sharing", "learning"]
STEPS: tuple[Step, ...] = ("sampling", "judging", "sharing", "learning")

REFRESH_MS = 120  # what happens at one moment is drawn once
CALM_MS = 1_000  # while nothing but quick rounds goes by: each drawing costs

QUICK_S = 2.0
"""Steps of shorter rounds would only flicker."""

_MINUTE_S = 60.0
_RESTS_S = (1.0, 60.0)  # shorter ones are the way from round to round, of longer ones it is told
_STEP_OF: dict[Phase, Step] = {
    "asking": "sampling",
    "sampling": "sampling",
    "judging": "judging",
    "sharing": "sharing",
    "learning": "learning",
    "saving": "learning",
    "resting": "learning",
}


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """Where a round is."""

    round: int
    step: Step
    since: float  # when the step began, by a clock that never jumps

    @property
    def number(self) -> int:
        """How many steps are behind it."""
        return STEPS.index(self.step)


@dataclass(frozen=True, slots=True)
class RoundEstimate:
    """What can be said about the running round."""

    done: float  # of its time, in [0, 1]
    left_s: float | None  # None where no round was seen yet


def move(before: RoundPosition | None, number: int, phase: Phase, now: float) -> RoundPosition:
    """The place of round ``number`` in ``phase``.

    Judging what others shared comes after sharing; the bar does not go back for it.
    """
    step = _STEP_OF[phase]
    if before is None or before.round != number:
        return RoundPosition(number, step, now)
    return RoundPosition(number, step, now) if STEPS.index(step) > before.number else before


def estimate(place: RoundPosition, recent: Sequence[RoundFinished], now: float) -> RoundEstimate:
    """How far ``place`` is at ``now``, if this round takes as long as the ``recent`` ones."""
    usual = _usual(recent)
    total = sum(usual)
    if total <= 0:
        return RoundEstimate(place.number / len(STEPS), None)
    spent = min(max(now - place.since, 0.0), usual[place.number])
    done = sum(usual[: place.number]) + spent
    return RoundEstimate(done / total, total - done)


def rest_left_s(recent: Sequence[RoundFinished], began: float, now: float) -> float | None:
    """How long a rest that ``began`` goes on, if it is like the one before.

    None where nobody knows, as after a pause; the engine tells of the end of long ones.
    """
    for after, before in pairwise(reversed(recent)):
        rested = after.at - before.at - sum(_usual([after]))
        if _RESTS_S[0] <= rested <= _RESTS_S[1]:
            left = rested - (now - began)
            return left if left > 0 else None
    return None


def is_quick(recent: Sequence[RoundFinished]) -> bool:
    """Whether rounds go by too fast to follow their steps."""
    return bool(recent) and sum(_usual(recent)) < QUICK_S


def redraw_ms(before: NodeState, node: NodeState, *, is_planned: bool) -> int | None:
    """Milliseconds until ``node`` is to be drawn; None: at the time that is planned."""
    if not is_calm(before, node):
        return REFRESH_MS
    return None if is_planned else CALM_MS


def is_calm(before: NodeState, node: NodeState) -> bool:
    """Whether nothing but quick rounds went by from ``before`` to ``node``."""
    rounds = replace(
        before,
        round=node.round,
        phase=node.phase,
        points=node.points,
        last=node.last,
        recent=node.recent,
    )
    return rounds == node and is_quick(node.recent)


def rounds_a_minute(recent: Sequence[RoundFinished]) -> float | None:
    """How many rounds are finished in a minute, rests included; None before that is known."""
    if len(recent) < 2:  # noqa: PLR2004 - two ends of a stretch
        return None
    # The median, since a night's pause between two of them is no pace.
    seconds = median(after.at - before.at for before, after in pairwise(recent))
    if seconds <= 0:
        seconds = sum(_usual(recent))
    return _MINUTE_S / seconds if seconds > 0 else None


def _usual(recent: Sequence[RoundFinished]) -> list[float]:
    """Seconds of each step, on average."""
    if not recent:
        return [0.0] * len(STEPS)
    steps = [(r.sample_s, r.judge_s, r.share_s, r.train_s) for r in recent]
    return [sum(of) / len(recent) for of in zip(*steps, strict=True)]
