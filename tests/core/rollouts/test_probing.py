"""Which questions are gone on with."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.prior import ALIKE as ALIKE_BOUNDS
from core.rollouts.prior import BetaPrior
from core.rollouts.probing import PROBE, WORTH, chance_to_teach, is_probed, most_promising

UNLIKE, ALIKE = ALIKE_BOUNDS  # variance of a question, as a share of what it can be at most


def chance(rewards: Sequence[float], right: float, alike: float, left: int = 5) -> float:
    """Of a cell in which so many of 80 tries are ``right``, by Krichevsky and Trofimov."""
    share = (right + 0.5) / 81
    return chance_to_teach(rewards, BetaPrior.of_cell(share, alike * share * (1 - share)), left)


def test_only_small_models_try_in_two_steps_and_only_where_much_is_left() -> None:
    """A group of little more than the probe is drawn whole, as all of a large model are."""
    sizes = (2, PROBE, PROBE + 1, 2 * PROBE - 1, 2 * PROBE, 8)
    assert [is_probed(size, is_small=True) for size in sizes] == [False] * 4 + [True] * 2
    assert not is_probed(8, is_small=False)


def test_mixed_answers_teach_for_certain() -> None:
    """Whatever is known of the cell."""
    assert chance((1.0, 0.0, 0.0), 0.0, UNLIKE) == 1.0


def test_what_was_solved_or_missed_at_once_is_judged_by_its_cell() -> None:
    """In a cell that is half solved it may turn; in one that is never solved it hardly will."""
    missed = (0.0,) * PROBE
    known = [chance(missed, right, ALIKE) for right in (0.0, 8.0, 40.0)]
    assert known == sorted(known)
    assert known[0] < WORTH < known[-1]
    assert chance((1.0,) * PROBE, 80.0, ALIKE) == pytest.approx(known[0])


def test_where_some_are_always_solved_and_others_never_the_first_answers_tell_all() -> None:
    """In a cell that is half solved, three misses are a hopeless question, or bad luck."""
    missed = (0.0,) * PROBE
    assert chance(missed, 40.0, UNLIKE) < WORTH < chance(missed, 40.0, ALIKE)


def test_the_chance_is_that_of_a_beta_distribution() -> None:
    """One more answer after three misses, of Beta(1/2, 1/2): 0.5 of 4."""
    assert chance_to_teach((0.0,) * 3, BetaPrior(0.5, concentration=1.0), 1) == pytest.approx(
        0.5 / 4
    )


@given(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=1),
    st.floats(0, 80),
    st.floats(*ALIKE_BOUNDS),
    st.integers(1, 29),
)
def test_more_answers_teach_rather(
    rewards: list[float], right: float, alike: float, left: int
) -> None:
    """It is a chance, whatever was measured, and rises with the answers to come."""
    less, more = (chance(rewards, right, alike, n) for n in (left, left + 1))
    assert 0 < less <= more <= 1


def test_the_most_promising_keep_their_order() -> None:
    """Of equals the first; where there are too few, all."""
    assert most_promising([0.4, 1.0, 0.4, 1.0, 0.3], 3) == [0, 1, 3]
    assert most_promising([0.5], 3) == [0]


def test_nothing_is_gone_on_with_in_vain_but_for_the_best_few() -> None:
    """A round that is hopeless all the same tries some: what is unlikely stays possible."""
    assert most_promising([0.2, 1.0, 0.1, 1.0, 0.3], 5) == [1, 3, 4]
    assert most_promising([0.1, 0.0, 0.2, 0.2], 3) == [2, 3]
