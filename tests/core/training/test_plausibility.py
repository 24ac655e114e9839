"""Which of the strangers' texts are imitated."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from core.training.plausibility import MOST_SURPRISE, plausible


def test_what_surprises_too_much_has_no_weight() -> None:
    """By the mean of a completion: one rare token among likely ones is what may be learnt."""
    likely, rare = -0.1, -8.0
    logprobs = torch.tensor([rare, likely, likely, rare, rare, rare, likely])
    doubted = torch.tensor([0, 0, 0, 3, 3, -1, -1])
    assert plausible(logprobs, doubted).tolist() == [1, 1, 1, 0, 0, 1, 1]


def test_the_bound_itself_is_plausible() -> None:
    """A completion of exactly the most surprise is still learnt from."""
    logprobs = torch.tensor([-MOST_SURPRISE, -MOST_SURPRISE - 0.001])
    assert plausible(logprobs, torch.tensor([0, 1])).tolist() == [1, 0]


def test_weights_are_not_differentiated() -> None:
    """Or a policy could learn to find text implausible."""
    logprobs = torch.tensor([-1.0, -9.0], requires_grad=True)
    for doubted in ([0, 1], [-1, -1]):
        assert not plausible(logprobs, torch.tensor(doubted)).requires_grad


@given(
    st.lists(
        st.tuples(st.booleans(), st.lists(st.floats(-20, 0), min_size=1, max_size=5)),
        min_size=1,
        max_size=6,
    )
)
def test_a_completion_is_judged_by_itself(
    completions: list[tuple[bool, list[float]]],
) -> None:
    """Whatever stands beside it in the batch, a completion's weight is what it has alone."""
    flat = [value for _, values in completions for value in values]
    numbers = [
        number if doubted else -1
        for number, (doubted, values) in enumerate(completions)
        for _ in values
    ]
    together = plausible(torch.tensor(flat), torch.tensor(numbers)).tolist()
    alone = [
        weight
        for doubted, values in completions
        for weight in plausible(
            torch.tensor(values), torch.full((len(values),), 0 if doubted else -1)
        ).tolist()
    ]
    assert together == alone
