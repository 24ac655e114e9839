"""Milestones in words."""

import pytest

from app.pages.contribution.steps import MOST_REACHED, MilestoneStep, ahead, reached
from core.api.contribution import Kind, Milestone
from tests.app.pages.contribution.samples import MONTH, ago


def test_the_past_is_told_newest_first() -> None:
    """Each with its day."""
    assert reached(MONTH.milestones) == (
        MilestoneStep("The first other helped", "17 Nov 2026", 1.0),
        MilestoneStep("The first round", "12 Nov 2026", 1.0),
    )


def test_of_a_long_past_the_newest_are_told() -> None:
    """Of two on one day the greater one comes first."""
    many = [
        Milestone(kind="rounds", goal=10**n, have=10**n, reached=ago(9 - n // 2)) for n in range(9)
    ]
    found = reached(many)
    assert len(found) == MOST_REACHED
    assert [step.words for step in found[:2]] == ["100 million rounds", "10 million rounds"]


def test_what_lies_ahead_is_told_nearest_first() -> None:
    """With how far it is, in words and as a share."""
    assert ahead(MONTH.milestones) == (
        MilestoneStep("100 rounds", "80 of 100", 0.8),
        MilestoneStep("7 days in a row", "2 of 7", 2 / 7),
        MilestoneStep("10 hours of practice", "1 of 10", 0.1),
    )


@pytest.mark.parametrize("kind", ["rounds", "hours", "streak", "learners"])
@pytest.mark.parametrize("goal", [1, 1_000])
def test_every_milestone_has_words(kind: Kind, goal: int) -> None:
    """Of every kind, for one and for many."""
    (step,) = ahead([Milestone(kind=kind, goal=goal, have=0)])
    assert step.words
    assert step.note.endswith(f"of {goal:,}")
