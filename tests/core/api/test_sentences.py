"""What people read."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import get_args

import msgspec
import pytest

from core.api.events import PauseAhead, PauseReason, Phase, Point
from core.api.sentences import caveat, headline, status, why_paused
from core.api.state import NodeState
from core.i18n import spell, translatable
from tests.fakes import finished


def points(*scores: float, swarm: float | None = None) -> tuple[Point, ...]:
    return tuple(Point(n, score, swarm) for n, score in enumerate(scores, 1))


def test_nothing_is_claimed_before_there_is_something_to_say() -> None:
    """A fresh model has no number, nor has one of which it is still found out how far it gets."""
    assert headline(NodeState()) == "Your model has not practised yet."
    few = NodeState(round=2)
    assert headline(few) == "Getting to know your model."
    nearly = replace(few, last=msgspec.structs.replace(finished(2), skill=None, looked_at=0.999))
    assert headline(nearly) == "Getting to know your model: 99 %."
    assert caveat(nearly).startswith("First it is seen how far your model gets")


def test_the_sentence_compares_now_with_the_base_and_the_swarm() -> None:
    """Means of the last thirty rounds, as shares of all puzzles."""
    scores = [0.09] * 30 + [0.31] * 30
    state = NodeState(round=60, points=points(*scores, swarm=0.27), base_skill=0.08)
    assert headline(state) == (
        "Your model solves 31 % of all puzzles. At first it was 8 %. Swarm: 27 %."
    )
    assert "kinds of puzzles at all levels" in caveat(state)


def test_what_one_deck_asks_is_not_called_all_puzzles() -> None:
    """Where some kinds alone are practised, the number is about these, and the remark says so."""
    state = NodeState(round=10, points=points(*[0.99] * 10), scope="0123456789abcdef")
    assert headline(state) == "Your model solves 99 % of what it practises."
    assert caveat(state).startswith("Of the puzzles that are practised here")


def test_what_is_not_known_is_not_compared() -> None:
    """No word of a swarm without one, nor of a base that nobody measured."""
    state = NodeState(round=10, points=points(*[0.2] * 10))
    assert headline(state) == "Your model solves 20 % of all puzzles."


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (NodeState(), "Ready when you are."),
        (NodeState(activity="loading", words="Waking the model up"), "Waking the model up…"),
        (NodeState(activity="practising", round=11, phase="learning"), "Round 12: learning."),
        (
            NodeState(activity="practising", round=11, phase="sampling", wish="finish"),
            "Round 12: trying puzzles; this is the last round.",
        ),
        (NodeState(activity="paused", pause_reason="you"), "Paused because you asked."),
        (
            NodeState(activity="paused", pause_reason="program", pause_detail="Blender"),
            "Paused while Blender runs.",
        ),
        (
            NodeState(activity="practising", round=11, phase="resting"),
            "Round 12: resting, so as not to take all of the computer.",
        ),
        (NodeState(activity="failed", words="The disk is full."), "The disk is full."),
    ],
)
def test_the_status_says_what_runs_or_why_nothing_does(state: NodeState, words: str) -> None:
    """Every activity has its words."""
    assert status(state) == words


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (PauseAhead(reason="battery"), "because the computer runs on battery."),
        (PauseAhead(reason="program"), "because a program runs."),
        (PauseAhead(reason="program", detail="Blender"), "because Blender runs."),
    ],
)
def test_a_rule_that_has_taken_effect_is_told_before_the_round_is_over(
    ahead: PauseAhead, words: str
) -> None:
    """Nobody wonders why the fans run on; what the person asked for themselves is told alone."""
    state = NodeState(activity="practising", round=11, phase="sampling", ahead=ahead)
    assert status(state) == f"Round 12: trying puzzles. Then it pauses, {words}"
    assert status(replace(state, wish="pause")) == "Round 12: trying puzzles; pausing after it."


def test_a_rest_says_until_when_it_lasts() -> None:
    """By the clock on the wall, as long as that moment has not passed."""
    end = (datetime.now().astimezone() + timedelta(minutes=9)).replace(microsecond=0)
    state = NodeState(
        activity="practising", round=11, phase="resting", rest_until=round(end.timestamp())
    )
    assert status(state) == (
        f"Round 12: resting until {end:%H:%M}, so as not to take all of the computer."
    )
    assert "until" not in status(replace(state, rest_until=1))


@pytest.mark.parametrize("reason", get_args(PauseReason))
def test_every_pause_says_why_in_a_sentence(reason: PauseReason) -> None:
    """Nobody has to ask why it is not running."""
    words = why_paused(NodeState(activity="paused", pause_reason=reason), 0.0)
    assert words.startswith("Paused ")
    assert words.endswith(".")
    assert "{" not in words


def test_a_pause_with_an_end_says_when_it_goes_on() -> None:
    """By the clock on the wall; with the day where it is another one."""
    noon = datetime(2026, 3, 2, 12).astimezone()
    later = noon + timedelta(minutes=30)
    tomorrow = noon + timedelta(hours=18)
    state = NodeState(
        activity="paused", pause_reason="snoozed", pause_until=round(later.timestamp())
    )
    assert why_paused(state, noon.timestamp()) == (
        "Paused for a while, as you asked. Goes on at 12:30."
    )
    state = replace(state, pause_until=round(tomorrow.timestamp()))
    assert why_paused(state, noon.timestamp()).endswith(f" Goes on on {tomorrow:%A} at 06:00.")


@pytest.mark.parametrize("until", [-62_135_596_801, 10**12, 10**30])
def test_a_time_that_no_calendar_knows_is_not_told(until: int) -> None:
    """An absurd end of a pause leaves the reason standing."""
    state = NodeState(activity="paused", pause_reason="battery", pause_until=until)
    assert why_paused(state, 0.0) == "Paused while the computer runs on battery."


def states() -> Iterator[NodeState]:
    """One for each thing that can be said about what a node does."""
    yield NodeState()
    yield NodeState(activity="loading", words=translatable("Waking the model up"))
    yield NodeState(activity="stopped")
    for phase in (None, *get_args(Phase)):
        for wish in (None, "finish", "pause"):
            yield NodeState(activity="practising", phase=phase, wish=wish)
    yield NodeState(activity="practising", phase="resting", rest_until=10**10)
    for reason in get_args(PauseReason):
        yield NodeState(activity="paused", pause_reason=reason, pause_until=10**9)
        yield NodeState(activity="paused", pause_reason=reason, pause_detail="Blender")
        for detail in ("", "Blender"):
            yield NodeState(activity="practising", ahead=PauseAhead(reason=reason, detail=detail))


@pytest.mark.parametrize("state", list(states()))
def test_whatever_is_said_can_be_said_in_other_languages(state: NodeState) -> None:
    """No word of it is outside of a fixed text, names and numbers apart."""
    free = spell(status(state).remarks, lambda text: re.sub(r"[^{}0-9]", "", text))
    assert re.sub(r"\{\w*\}|[\d: ]|Blender", "", free) == ""
