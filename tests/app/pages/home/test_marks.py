"""What the chart points out."""

from dataclasses import replace

import pytest

from app.pages.home.marks import Marker, breaks, duration, markers
from app.state.app_state import AppState
from app.state.model_choices import load_choices
from core.api.events import Point
from core.api.state import Mark, NodeState

IDLE = AppState(choices=load_choices(), chosen="spark")


def test_pauses_and_other_models_are_named() -> None:
    """With the reason, and with the title that a person knows."""
    marks = (Mark(4, "model", "ember"), Mark(9, "program", "Blender"))
    assert markers(replace(IDLE, node=NodeState(marks=marks))) == (
        Marker(4, "Changed models: Ember practised before."),
        Marker(9, "Paused while Blender runs."),
    )


def test_a_break_is_much_longer_than_usual() -> None:
    """A night without practice is one; slow rounds and unknown times are not."""
    times = [100.0, 120.0, 140.0, 40_000.0, 40_020.0]
    assert breaks([Point(n, 0.5, None, at=at) for n, at in enumerate(times)]) == [2]
    slow = [Point(n, 0.5, None, at=1.0 + 1_800.0 * n) for n in range(9)]
    assert breaks(slow) == []
    assert breaks([Point(n, 0.5, None) for n in range(9)]) == []


@pytest.mark.parametrize(
    ("seconds", "words"), [(660, "11 min"), (3_600, "1 h"), (86_400, "24 h"), (400_000, "5 days")]
)
def test_durations_are_said_as_people_do(seconds: float, words: str) -> None:
    """As rough as anybody cares."""
    assert duration(seconds) == words
