"""What one group of others may weigh in an update."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.training.batch import TrainingGroup
from core.training.influence import (
    MOST_TIMES,
    bound_weights,
    weight,
)

CLOSE = 1e-9


@st.composite
def training_groups(draw: st.DrawFn) -> TrainingGroup:
    lengths = draw(st.lists(st.integers(1, 40), min_size=2, max_size=8))
    advantages = draw(
        st.lists(
            st.floats(0.01, 1).flatmap(lambda size: st.sampled_from((size, -size))),
            min_size=len(lengths),
            max_size=len(lengths),
        )
    )
    return TrainingGroup((1,), tuple((7,) * length for length in lengths), tuple(advantages))


def differ(group: TrainingGroup) -> bool:
    return min(group.advantages) < 0 < max(group.advantages)


groups = st.lists(training_groups(), min_size=1, max_size=8)


def test_a_weight_is_counted_by_hand() -> None:
    """Tokens times advantage, whichever its sign; a completion that is one term counts once."""
    group = TrainingGroup((1,), ((7, 7, 7), (8,)), (0.5, -2.0))
    assert weight(group) == 3.5
    assert weight(replace(group, by_sequence=True)) == 2.5


@given(st.lists(training_groups().filter(differ), min_size=1, max_size=8), groups)
def test_no_group_of_others_outweighs_own_ones(
    own: list[TrainingGroup], others: list[TrainingGroup]
) -> None:
    """At most twice what an own group weighs in the mean, whatever others send."""
    most = MOST_TIMES * sum(map(weight, own)) / len(own)
    for before, after in zip(others, bound_weights(own, others), strict=True):
        assert weight(after) <= most * (1 + CLOSE)
        assert after == before or weight(before) > most


@given(groups, groups)
def test_a_group_is_bounded_as_a_whole(
    own: list[TrainingGroup], others: list[TrainingGroup]
) -> None:
    """Its completions keep their proportions, or what it teaches would be another thing."""
    for before, after in zip(others, bound_weights(own, others), strict=True):
        assert after.completions == before.completions
        ratios = [a / b for a, b in zip(after.advantages, before.advantages, strict=True)]
        assert max(ratios) - min(ratios) < CLOSE


@given(st.lists(training_groups(), max_size=8), groups)
def test_own_groups_whose_answers_are_alike_are_no_measure(
    own: list[TrainingGroup], others: list[TrainingGroup]
) -> None:
    """They weigh little, and stand where too few others do: these would weigh nothing."""
    assert bound_weights(own, others) == bound_weights(list(filter(differ, own)), others)


def test_without_own_groups_no_half_moves_anything() -> None:
    """The lower median of the others is the measure then."""
    short = TrainingGroup((1,), ((7,), (8,)), (0.5, -0.5))
    long = TrainingGroup((1,), ((7,) * 400, (8,) * 400), (0.5, -0.5))
    for honest in (2, 3):
        *bounded, loud = bound_weights([], [short] * honest + [long, long])[: honest + 1]
        assert bounded == [short] * honest
        assert weight(loud) == MOST_TIMES * weight(short)


def test_nothing_of_others_is_nothing() -> None:
    """A node alone has nothing to bound."""
    assert bound_weights([], []) == []
