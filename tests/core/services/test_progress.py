"""Progress is told at a calm pace."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.models import ModelProgress
from core.api.requests import Reply
from core.services import progress
from core.services.progress import SPAN_S, ProgressCounter, Speed, reporting


async def test_work_is_told_of_at_once_and_then_as_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first word says that it began; later ones only come where something changed."""
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    told: list[ModelProgress] = []
    half = asyncio.Event()

    def tell(answer: Reply) -> None:
        assert isinstance(answer, ModelProgress)
        told.append(answer)
        if answer.done == 50:
            half.set()

    counter = ProgressCounter("waiting")
    with reporting(counter, tell):
        assert told == [ModelProgress(stage="waiting")]
        counter.enter("downloading")
        counter.report(50, 100)
        await half.wait()
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("downloading", 50, 100)
    assert len(told) == len({(t.done, t.stage, t.per_second) for t in told})


async def test_nothing_is_told_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the work ended with an error."""
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    told: list[Reply] = []
    counter = ProgressCounter("writing")
    with (
        pytest.raises(ValueError, match="broken"),
        reporting(counter, told.append),
    ):
        raise ValueError("broken")
    counter.add(1)
    for _ in range(3):  # turns of the loop, in which a forgotten timer would speak
        await asyncio.sleep(0)
    assert len(told) == 1


def test_the_speed_is_that_of_the_last_seconds() -> None:
    """What was fast a minute ago says nothing about what is left."""
    speed = Speed()
    assert speed.at(0.0, 0) == 0
    assert speed.at(1.0, 1_000) == 1_000
    for second in range(2, 40):
        slow = speed.at(float(second), 1_000 + 10 * (second - 1))
    assert slow == 10


@given(st.lists(st.tuples(st.floats(0, 2 * SPAN_S), st.integers(0, 10**13)), max_size=30))
def test_a_speed_is_never_negative(steps: list[tuple[float, int]]) -> None:
    """Whatever had to be dropped, and however the clock stands still."""
    speed, now = Speed(), 0.0
    for passed, done in steps:
        now += passed
        assert speed.at(now, done) >= 0
