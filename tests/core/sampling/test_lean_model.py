from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.models.memory.compute import ON_CPU, Compute
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.sampling import lean_model
from core.sampling.lean_model import Attend, LeanModel
from core.sampling.lean_weights import LeanWeights, merged_weights, side_weights
from tests.tiny_models import (
    FAMILIES,
    Family,
    build_tiny_model,
    disturb_adapter,
    load_tiny_policy,
    tiny_spec,
)

LENGTHS = (3, 11, 7)
MEMBERS, STEPS = 2, 4

Make = Callable[[Policy], LeanWeights]


@pytest.fixture(scope="module", params=FAMILIES)
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy of each family whose adapter matters."""
    policy = load_tiny_policy(tmp_path_factory.mktemp("tiny"), request.param)
    disturb_adapter(policy)
    return policy


def _rows() -> list[torch.Tensor]:
    """Random tokens: a prompt of uneven length and the steps behind it, for each row."""
    generator = torch.Generator().manual_seed(2)
    prompts = [torch.randint(1, 300, (length,), generator=generator) for length in LENGTHS]
    steps = torch.randint(1, 300, (len(LENGTHS) * MEMBERS, STEPS), generator=generator)
    return [torch.cat([prompts[row // MEMBERS], own]) for row, own in enumerate(steps)]


def _prompts() -> list[list[int]]:
    pairs = zip(_rows()[::MEMBERS], LENGTHS, strict=True)
    return [row[:length].tolist() for row, length in pairs]


def _expected(policy: Policy) -> torch.Tensor:
    """Log-probabilities [row, step, vocabulary] from lone forwards of transformers."""
    each = [policy.causal_lm(input_ids=row[None], use_cache=False).logits[0] for row in _rows()]
    return torch.stack([scores[-STEPS - 1 :] for scores in each]).log_softmax(-1)


def _stepwise(model: LeanModel) -> torch.Tensor:
    """The same from one read and a step for each token."""
    states, cache = model.read(_prompts(), MEMBERS, STEPS)
    cache.open()
    scores = [model.logits(states)]
    for step in range(STEPS):
        token = torch.stack([row[step - STEPS] for row in _rows()])
        scores.append(model.logits(model.step(token, cache)))
    return torch.stack(scores, 1).float().log_softmax(-1)


@torch.inference_mode()
@pytest.mark.parametrize("make", [merged_weights, side_weights])
def test_it_scores_as_transformers_does(policy: Policy, make: Make) -> None:
    """Every family, uneven prompts, adapter at work: log-probabilities agree within 1e-4."""
    assert torch.allclose(_stepwise(LeanModel(make(policy))), _expected(policy), atol=1e-4)


@torch.inference_mode()
@pytest.mark.parametrize("make", [merged_weights, side_weights])
def test_the_base_is_scored_without_the_adapter(policy: Policy, make: Make) -> None:
    """Weights made inside ``policy.base`` are those of the untrained model."""
    with policy.base():
        scores = _stepwise(LeanModel(make(policy)))
        assert torch.allclose(scores, _expected(policy), atol=1e-4)
    assert not torch.allclose(scores, _expected(policy), atol=1e-2)


@torch.inference_mode()
@pytest.mark.parametrize(("most", "parts"), [(1, [3, 11, 7]), (14, [14, 7]), (21, [21])])
def test_prompts_are_read_a_few_at_a_time(
    policy: Policy, monkeypatch: pytest.MonkeyPatch, most: int, parts: list[int]
) -> None:
    """As many as have so many tokens, a longer one alone; it changes no score."""
    read: list[int] = []

    class Noted(LeanModel):
        def _body(self, ids: torch.Tensor, positions: torch.Tensor, attend: Attend) -> torch.Tensor:
            read.append(len(ids))
            return super()._body(ids, positions, attend)

    monkeypatch.setattr(lean_model, "READ_TOKENS", most)
    scores = _stepwise(Noted(merged_weights(policy)))
    assert read[:-STEPS] == parts
    assert torch.allclose(scores, _expected(policy), atol=1e-4)


@torch.inference_mode()
def test_rows_that_stay_are_not_touched_by_those_that_leave(policy: Policy) -> None:
    """After half of the rows have left, the others score as before."""
    model = LeanModel(merged_weights(policy))
    states, cache = model.read(_prompts(), MEMBERS, STEPS)
    cache.open()
    chosen = [1, 2, 5]
    tokens = torch.stack([row[-STEPS:] for row in _rows()])
    model.step(tokens[:, 0], cache)
    cache.keep(chosen)
    states = model.step(tokens[chosen, 1], cache)
    scores = model.logits(states).log_softmax(-1)
    assert torch.allclose(scores, _expected(policy)[chosen, 2], atol=1e-4)


@torch.inference_mode()
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("make", [merged_weights, side_weights])
def test_half_precision_stays_near(tmp_path: Path, family: Family, make: Make) -> None:
    """In bfloat16 the scores are no further off than transformers' own are, give or take half."""
    folder = build_tiny_model(tmp_path, family)
    half = Compute(torch.device("cpu"), torch.bfloat16)
    exact, policy = (load_policy(tiny_spec(folder, family), 0, c) for c in (ON_CPU, half))
    disturb_adapter(exact)
    disturb_adapter(policy)
    truth = _expected(exact)
    theirs = (_expected(policy).float() - truth).abs().mean()
    ours = (_stepwise(LeanModel(make(policy))) - truth).abs().mean()
    assert ours < 1.5 * theirs
