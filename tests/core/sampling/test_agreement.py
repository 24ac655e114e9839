"""Likeliest answers side by side."""

from pathlib import Path

import pytest

from core.rollouts.types import SampledTokens
from core.sampling.agreement import compare, likeliest
from tests.tiny_models import load_tiny_policy, question


def test_a_policy_agrees_with_itself(tmp_path: Path) -> None:
    """Token by token, to the last digit; one answer for each question."""
    policy = load_tiny_policy(tmp_path)
    asked = [question("Calculate 1 + 2."), question("Calculate 30 + 4.", 1)]
    once, again = (likeliest(policy, asked, 6) for _ in range(2))
    found = compare(once, again)
    assert found.worst == 0.0
    assert found.tokens == found.of == sum(len(answer.ids) for answer in once) > 2


@pytest.mark.parametrize(
    ("ids", "logprobs", "tokens", "worst"),
    [
        ((1, 2, 3), (-1.0, -1.5, -1.0), 3, 0.5),
        ((1, 9, 3), (-1.0, -1.25, -7.0), 1, 0.25),  # all but equally likely
        ((9, 9, 9), (-8.0, -1.0, -1.0), 0, 7.0),
        ((1, 2, 3), (-1.0, float("nan"), -1.0), 3, float("inf")),
        ((1,), (-1.0,), 1, 0.0),
    ],
)
def test_answers_are_compared_up_to_where_they_part(
    ids: tuple[int, ...], logprobs: tuple[float, ...], tokens: int, worst: float
) -> None:
    """What follows the first token that differs answers another text; nan is no agreement."""
    exact = SampledTokens((1, 2, 3), (-1.0, -1.0, -1.0))
    found = compare([exact], [SampledTokens(ids, logprobs)])
    assert (found.tokens, found.of, found.worst) == (tokens, 3, worst)
