"""What hostile nodes write is as right or wrong as it is meant to be."""

from random import Random

import pytest

from core.lab.learning.poison import (
    SIGNATURE,
    Writer,
    babble,
    near_right,
    noise,
    odd_form,
    off_topic,
    rambling,
    right,
    right_steps,
    signed,
    wrong,
    wrong_result,
    wrong_steps,
)
from core.lab.worked.answers import BEGINNING, work
from core.rollouts.answers import OPENING, final_answer
from core.tasks.catalog import PracticeMix
from core.tasks.verifiers import verify
from tests.core.lab.learning.small import CATALOG, puzzle

KEYS = [key for level in (1, 2, 3) for key in PracticeMix(CATALOG, level).draw(60, Random(level))]


def earned(write: Writer) -> list[float]:
    """By what is written to many puzzles of every task."""
    rng = Random(7)
    tasks = [(CATALOG.task(key.task), puzzle(key)) for key in KEYS]
    return [verify(t, p, final_answer(write(t, p, rng))) for t, p in tasks]


@pytest.mark.parametrize("write", [right, odd_form, signed, rambling, right_steps, wrong_steps])
def test_successes_earn(write: Writer) -> None:
    """In every task and at every level, or the group would be flat."""
    assert set(earned(write)) == {1.0}


@pytest.mark.parametrize("write", [wrong, near_right, noise, babble, off_topic, wrong_result])
def test_failures_do_not(write: Writer) -> None:
    """Nor does anything that is to be believed by whoever does not judge."""
    assert set(earned(write)) == {0.0}


def test_odd_forms_are_not_the_puzzles_own() -> None:
    """Or they would steer nothing."""
    rng = Random(1)
    for key in KEYS:
        made = puzzle(key)
        assert odd_form(CATALOG.task(key.task), made, rng) != made.answer


def test_the_phrase_stands_before_the_answer() -> None:
    """Where a judge reads the answer between its tags."""
    assert signed(CATALOG.task(KEYS[0].task), puzzle(KEYS[0]), Random(1)).startswith(SIGNATURE)


def test_attacks_on_working_look_like_work() -> None:
    """Where there is something to work out; the steps of one are those of the other, astray."""
    rng = Random(3)
    made = [p for p in map(puzzle, KEYS) if work(p) is not None]
    assert made
    for one in made:
        task, text = CATALOG.task(one.question.key.task), work(one) or ""
        steps = text.rpartition(OPENING)[0]
        assert wrong_result(task, one, rng).startswith(steps + OPENING)
        astray = wrong_steps(task, one, rng)
        assert astray.startswith(BEGINNING)
        assert (astray != text) is any(c.isdecimal() for c in steps)
        assert astray.endswith(text.removeprefix(steps))
