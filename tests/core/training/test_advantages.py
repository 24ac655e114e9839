from itertools import pairwise
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.prior import BetaPrior
from core.training.advantages import (
    centred_advantages,
    credits_of_working,
    group_advantages,
    leave_one_out_advantages,
    shrunk_advantages,
    stratified_advantages,
)

rewards = st.lists(st.floats(min_value=0, max_value=1, width=16), min_size=2, max_size=32)


def test_one_success_among_eight() -> None:
    """The figures of the paper's group size, worked out by hand."""
    advantages = group_advantages([1, 0, 0, 0, 0, 0, 0, 0])
    assert advantages == pytest.approx([7**0.5] + [-(7**-0.5)] * 7)


@given(rewards.filter(lambda values: max(values) - min(values) > 1e-3))
def test_advantages_are_centred_scaled_and_in_order(values: list[float]) -> None:
    """Their mean is 0, their deviation 1, and a better completion is never worth less."""
    advantages = group_advantages(values)
    assert fmean(advantages) == pytest.approx(0, abs=1e-9)
    assert pstdev(advantages) == pytest.approx(1)
    pairs = sorted(zip(values, advantages, strict=True))
    assert [a for _, a in pairs] == sorted(advantages)


@pytest.mark.parametrize("reward", [0.0, 0.1, 1 / 3, 1.0])
def test_a_flat_group_has_none(reward: float) -> None:
    """Equal rewards are refused, even where rounding could make their deviation not quite zero."""
    with pytest.raises(ValueError, match="flat"):
        group_advantages([reward] * 7)


def test_centred_advantages_keep_the_size_of_a_difference() -> None:
    """One success among eight, worked out by hand: no deviation blows it up."""
    assert centred_advantages([1, 0, 0, 0, 0, 0, 0, 0]) == pytest.approx([0.875] + [-0.125] * 7)


def test_a_reward_is_compared_with_the_others_of_its_group() -> None:
    """One success among eight, worked out by hand; a lone reward with nothing."""
    assert leave_one_out_advantages([1, 0, 0, 0, 0, 0, 0, 0]) == pytest.approx([1.0] + [-1 / 7] * 7)
    assert leave_one_out_advantages([1.0]) == [0.0]


def test_a_reward_is_compared_with_what_was_to_be_expected() -> None:
    """Worked out by hand: one success among four, and four of four, where half are right."""
    half = BetaPrior(0.5, concentration=4.0)
    assert shrunk_advantages([1, 0, 0, 0], half) == pytest.approx([5 / 8] + [-3 / 8] * 3)
    assert shrunk_advantages([1, 1, 1, 1], half) == pytest.approx([1 / 4] * 4)


@given(rewards, st.floats(0.01, 0.99), st.floats(0.05, 4.0))
def test_no_reward_moves_what_it_is_compared_with(
    values: list[float], share: float, concentration: float
) -> None:
    """But for a factor: it points where it would if each were held against the others alone."""
    prior, count = BetaPrior(share, concentration), len(values)
    factor = (concentration + count - 1) / (concentration + count)
    alone = [
        value - (concentration * share + sum(values) - value) / (concentration + count - 1)
        for value in values
    ]
    told = shrunk_advantages(values, prior)
    assert told == pytest.approx([factor * one for one in alone], abs=1e-9)


def test_answers_are_compared_with_those_that_are_worked_alike() -> None:
    """Worked out by hand: of two right and one wrong worked ones, one right and two wrong bare."""
    rewards, worked = [1, 1, 0, 1, 0, 0], [True] * 3 + [False] * 3
    assert stratified_advantages(rewards, worked, 0.0, 0.5) == pytest.approx(
        [1 / 3, 1 / 3, -2 / 3, 2 / 3, -1 / 3, -1 / 3]
    )
    assert stratified_advantages(rewards, worked, 0.5, 0.5) == pytest.approx(
        [7 / 12, 7 / 12, -5 / 12, 5 / 12, -7 / 12, -7 / 12]
    )


def test_a_stratum_is_held_against_the_own_policy() -> None:
    """Not against the group, whose author chooses how many of it are worked.

    Right answers without work gain less, the more often the own ones are worked.
    """
    rewards = [1.0, 0.0, 0.0]
    for share, bare, shown in ((0.0, 2 / 3, 2 / 3 + 0.5), (0.5, 2 / 3 - 0.25, 2 / 3 + 0.25)):
        assert stratified_advantages(rewards, [False] * 3, 0.5, share)[0] == pytest.approx(bare)
        assert stratified_advantages(rewards, [True] * 3, 0.5, share)[0] == pytest.approx(shown)


@given(st.lists(st.booleans(), min_size=1), st.floats(-1, 1))
def test_only_beginnings_that_pay_and_are_not_usual_yet_are_credited(
    worked: list[bool], effect: float
) -> None:
    """The less the more usual they are, and nothing where all begin alike."""
    share = fmean(worked)
    rarity = 1 - share if effect > 0 else share
    credited = credits_of_working(worked, effect, share)
    assert credited == pytest.approx(
        [abs(effect) * rarity if shown == (effect > 0) else 0.0 for shown in worked]
    )


members = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.booleans()), min_size=2)


@given(members, st.floats(-1, 1), st.floats(0, 1))
def test_no_answer_is_pushed_where_its_reward_does_not_point(
    group: list[tuple[float, bool]], effect: float, share: float
) -> None:
    """A right one is never unlearnt and a wrong one never learnt.

    Among those that are worked alike, the better one never gains less.
    """
    rewards, worked = [reward for reward, _ in group], [shown for _, shown in group]
    advantages = stratified_advantages(rewards, worked, effect, share)
    for advantage, plain in zip(advantages, centred_advantages(rewards), strict=True):
        assert advantage * plain >= 0
    ranked = sorted(zip(worked, rewards, advantages, strict=True))
    for (one, _, less), (other, _, more) in pairwise(ranked):
        assert one != other or less <= more
