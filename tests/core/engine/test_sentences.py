"""What people read."""

import pytest

from core.engine.events import Point
from core.engine.sentences import caveat, headline, status
from core.engine.state import NodeState


def points(*scores: float, swarm: float | None = None) -> tuple[Point, ...]:
    return tuple(Point(n, score, swarm) for n, score in enumerate(scores, 1))


def test_nothing_is_claimed_before_there_is_something_to_say() -> None:
    """A fresh model has no score, and five rounds are needed for a first one."""
    assert headline(NodeState()) == "Your model has not practised yet."
    few = NodeState(round=2, points=points(0.0, 1.0))
    assert "2 of 5" in headline(few)


def test_the_sentence_compares_now_with_the_beginning_and_the_swarm() -> None:
    """Means of the first and the last thirty rounds, as shares of puzzles solved."""
    scores = [0.09] * 30 + [0.31] * 30
    state = NodeState(round=60, points=points(*scores, swarm=0.27))
    assert headline(state) == (
        "Your model: 31 % of puzzles solved. It was 9 % when you joined. Swarm: 27 %."
    )


def test_a_model_alone_has_no_swarm_to_compare_with() -> None:
    """No swarm score, no word of the swarm."""
    state = NodeState(round=10, points=points(*[0.2] * 10))
    assert headline(state) == "Your model: 20 % of puzzles solved."


@pytest.mark.parametrize(
    ("rounds", "words"),
    [
        (3, "The first rounds vary a lot"),
        (20, "Too early to say what it has learnt"),
        (60, "Mean of the last 30"),
    ],
)
def test_a_number_comes_with_what_it_is_worth(rounds: int, words: str) -> None:
    """Nobody takes twenty rounds for learning."""
    assert caveat(NodeState(round=rounds, points=points(*[0.2] * rounds))).startswith(words)


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
        (NodeState(activity="failed", words="The disk is full."), "The disk is full."),
    ],
)
def test_the_status_says_what_runs_or_why_nothing_does(state: NodeState, words: str) -> None:
    """Every activity has its words."""
    assert status(state) == words
