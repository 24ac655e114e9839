from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training.advantages import centred_advantages, group_advantages

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
