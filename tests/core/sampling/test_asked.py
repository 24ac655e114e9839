"""What every sampler is asked and answers."""

from pathlib import Path

import pytest
import torch

from core.models.policy.policy import Policy
from core.rollouts.types import SampledTokens
from core.sampling.asked import ask, completion_of
from tests.tiny_models import load_tiny_policy, question

QUESTIONS = [
    question("Calculate 12345 + 2 and then answer."),
    question("A" * 500, index=1),
    question("Calculate 1 + 2.", index=2),
]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """One tiny policy for all."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    return load_tiny_policy(folder)


def test_the_shortest_is_asked_first_and_the_too_long_never(policy: Policy) -> None:
    """What is decoded together is padded alike; a prompt that leaves no room is left out."""
    assert ask(policy, QUESTIONS, 2, seed=1, most_tokens=None).fitting == [2, 0]


def test_the_same_seed_is_the_same_chance(policy: Policy) -> None:
    """For each question, member and step a number of its own, in [0, 1)."""
    noise = ask(policy, QUESTIONS, 2, seed=1, most_tokens=5).noise
    again = ask(policy, QUESTIONS, 2, seed=1, most_tokens=5).noise
    other = ask(policy, QUESTIONS, 2, seed=2, most_tokens=5).noise
    assert noise.shape == (3, 2, 5)
    assert torch.equal(noise, again)
    assert not torch.equal(noise, other)
    assert len(noise.unique()) == noise.numel()


def test_a_completion_ends_by_its_last_token(policy: Policy) -> None:
    """And keeps what was drawn, its end included."""
    cut = completion_of(policy, [5, 6], [-1.0, -2.0])
    ended = completion_of(policy, [5, policy.eos_id], [-1.0, -0.5])
    assert (cut.ended, ended.ended) == (False, True)
    assert ended.tokens == SampledTokens((5, policy.eos_id), (-1.0, -0.5))
