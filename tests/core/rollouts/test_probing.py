"""Which questions are gone on with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.probing import PROBE, chance_to_teach, is_probed, most_promising

EVEN = (40.0, 80.0)


def test_only_small_models_try_in_two_steps_and_only_where_a_second_is_left() -> None:
    """A group that ends with the probe is drawn whole, as every group of a large model is."""
    assert [is_probed(size, is_small=True) for size in (2, PROBE, PROBE + 1, 8)] == [
        False,
        False,
        True,
        True,
    ]
    assert not is_probed(8, is_small=False)


def test_mixed_answers_teach_for_certain() -> None:
    """Whatever is known of the cell."""
    assert chance_to_teach((1.0, 0.0, 0.0), (0.0, 80.0), 5) == 1.0


def test_what_was_solved_or_missed_at_once_is_judged_by_its_cell() -> None:
    """In a cell that is half solved it may turn; in one that is never solved it hardly will."""
    missed = (0.0,) * PROBE
    known = [chance_to_teach(missed, cell, 5) for cell in ((0.0, 80.0), (8.0, 80.0), EVEN)]
    assert known == sorted(known)
    assert known[0] < 0.35 < known[-1]
    solved = chance_to_teach((1.0,) * PROBE, (80.0, 80.0), 5)
    assert solved == pytest.approx(known[0])


def test_the_chance_is_that_of_a_beta_distribution() -> None:
    """One more answer after three misses, of a cell that nobody knows: 0.5 of 4."""
    assert chance_to_teach((0.0,) * 3, (0.0, 0.0), 1) == pytest.approx(0.5 / 4)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1), st.floats(0, 80), st.integers(1, 29))
def test_more_answers_teach_rather(rewards: list[float], right: float, left: int) -> None:
    """It is a chance, and rises with the answers to come."""
    less, more = (chance_to_teach(rewards, (right, 80.0), n) for n in (left, left + 1))
    assert 0 < less <= more <= 1


def test_the_most_promising_keep_their_order() -> None:
    """Of equals the first; where there are too few, all."""
    assert most_promising([0.2, 1.0, 0.2, 1.0, 0.1], 3) == [0, 1, 3]
    assert most_promising([0.5], 3) == [0]
