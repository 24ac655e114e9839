from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.models.policy.policy import Policy
from core.sampling import decoding
from core.sampling.decoding import decode
from core.sampling.drawing import argmax, draw
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import merged_weights
from tests.naive_decoding import plain_argmax, plain_decode, plain_draw
from tests.tiny_models import FAMILIES, disturb_adapter, load_tiny_policy

PROMPTS = [[5, 6, 7], list(range(20, 60)), [9], [30] * 17]
MEMBERS, BUDGET = 5, 16


@pytest.fixture(scope="module", params=FAMILIES)
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy of each family whose adapter matters."""
    policy = load_tiny_policy(tmp_path_factory.mktemp("tiny"), request.param)
    disturb_adapter(policy)
    return policy


@pytest.fixture(scope="module")
def model(policy: Policy) -> LeanModel:
    """The lean forward pass on that policy."""
    return LeanModel(merged_weights(policy))


def _noise(prompts: int = len(PROMPTS), budget: int = BUDGET) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.rand((prompts, MEMBERS, budget), dtype=torch.float64, generator=generator)


def _own(ids: Tensor, eos_id: int) -> Tensor:
    """True [row, step] for the tokens up to the first end-of-sequence token, itself included."""
    ended = (ids == eos_id).cumsum(1)
    return (ended == 0) | ((ended == 1) & (ids == eos_id))


@torch.inference_mode()
def test_it_draws_what_the_plain_loop_draws(policy: Policy, model: LeanModel) -> None:
    """Same noise, same tokens, same log-probabilities as transformers' forward and a full sum."""
    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, draw)
    ids, logprobs = plain_decode(policy, PROMPTS, _noise(), plain_draw)
    own = _own(ids, policy.eos_id)
    assert own.sum() < own.numel()  # some rows have left on the way
    assert torch.equal(_own(drawn.ids, policy.eos_id), own)
    assert torch.equal(drawn.ids[own], ids[own])
    assert torch.allclose(drawn.logprobs[own], logprobs[own], atol=1e-4)


@torch.inference_mode()
def test_the_likeliest_tokens_are_those_of_the_plain_loop(policy: Policy, model: LeanModel) -> None:
    """Greedy decoding agrees token for token."""
    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, argmax)
    ids, _ = plain_decode(policy, PROMPTS, _noise(), plain_argmax)
    own = _own(ids, policy.eos_id)
    assert torch.equal(drawn.ids[own], ids[own])


@torch.inference_mode()
@pytest.mark.parametrize("share", [0.0, 1 / 20, 0.9])
def test_when_rows_leave_changes_nothing(
    policy: Policy, model: LeanModel, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """At once, one by one or hardly ever: the rows that go on draw what they would have drawn."""
    expected = decode(model, PROMPTS, _noise(), policy.eos_id, draw)
    monkeypatch.setattr(decoding, "WORTH_LEAVING", share)
    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, draw)
    own = _own(expected.ids, policy.eos_id)
    assert torch.equal(drawn.ids[own], expected.ids[own])
    assert torch.allclose(drawn.logprobs[own], expected.logprobs[own], atol=1e-4)


@torch.inference_mode()
def test_a_budget_of_one_token_is_kept(policy: Policy, model: LeanModel) -> None:
    """The shortest completion there can be needs no step after the prompt."""
    noise = _noise(budget=1)
    drawn = decode(model, PROMPTS, noise, policy.eos_id, draw)
    ids, _ = plain_decode(policy, PROMPTS, noise, plain_draw)
    assert torch.equal(drawn.ids, ids)


@torch.inference_mode()
def test_a_batch_that_ends_at_once_stops(tmp_path: Path) -> None:
    """Where every row ends with its first token, nothing is drawn behind it."""
    policy = load_tiny_policy(tmp_path)
    model = LeanModel(merged_weights(policy))

    def end(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        return torch.full((len(noise),), policy.eos_id), logits[:, 0]

    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, end)
    assert (drawn.ids == policy.eos_id).all()
    assert (drawn.logprobs[:, 1:] == 0).all()
