from pathlib import Path
from statistics import median

import pytest
import torch
from msgspec import structs
from torch import Tensor

from core.models.catalog.catalog import SMALL_MODEL, load_models
from core.models.memory.compute import Compute
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, pack
from core.training.body import TrainingBody, rms_norm, rotate
from core.training.loss import batch_loss, token_logprobs
from tests.naive_update import lone_logprobs, naive_loss
from tests.tiny_models import (
    FAMILIES,
    Family,
    build_tiny_model,
    disturb_adapter,
    tiny_spec,
)
from tests.training_groups import uneven_groups

CLOSE = 1e-5
"""Of a whole gradient; that of a single factor may be a small difference of large terms."""
BF16 = Compute(torch.device("cpu"), torch.bfloat16)


def _gradients(policy: Policy, loss: Tensor) -> dict[str, Tensor]:
    adapter = policy.adapter()
    gradients = torch.autograd.grad(loss, list(adapter.values()))
    return dict(zip(adapter, gradients, strict=True))


def _packed(
    policy: Policy, groups: list[TrainingGroup], *, checkpointing: bool = False
) -> dict[str, Tensor]:
    tokens = sum(group.trained_tokens for group in groups)
    body = TrainingBody(policy, checkpointing=checkpointing)
    return _gradients(policy, batch_loss(body, pack(groups), tokens))


def _joined(gradients: dict[str, Tensor]) -> Tensor:
    return torch.cat([gradient.flatten() for gradient in gradients.values()])


def _relative_error(value: Tensor, reference: Tensor) -> float:
    return float((value - reference).norm() / reference.norm())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_packing_equals_the_naive_batch_in_every_gradient(policy: Policy, seed: int) -> None:
    """The flat list in our own pass learns what a row a completion in transformers' learns.

    The packed loss is that of the clipped surrogate at ratio 1, whose value is minus the mean
    advantage; the naive one is a policy gradient, whose gradient is the same.
    """
    groups = uneven_groups(seed)
    packed = _packed(policy, groups)
    naive = _gradients(policy, naive_loss(policy.causal_lm, groups, policy.eos_id))
    assert packed.keys() == naive.keys()
    assert _relative_error(_joined(packed), _joined(naive)) < CLOSE
    for name, gradient in naive.items():
        assert gradient.norm() > 0
        assert _relative_error(packed[name], gradient) < 10 * CLOSE


def test_logprobs_equal_the_unpadded_reference(policy: Policy) -> None:
    """In company and packed, every token has the log-probability it has alone."""
    groups = uneven_groups(5)
    with torch.no_grad():
        packed = token_logprobs(TrainingBody(policy), pack(groups))
        alone = torch.cat(
            [lone_logprobs(policy.causal_lm, g.prompt, c) for g in groups for c in g.completions]
        )
    assert (packed - alone).abs().max() < 1e-4


def test_checkpointing_changes_no_gradient(policy: Policy) -> None:
    """What is computed twice comes out the same."""
    groups = uneven_groups(6)
    kept, again = _packed(policy, groups), _packed(policy, groups, checkpointing=True)
    assert all(torch.equal(again[name], gradient) for name, gradient in kept.items())


@pytest.mark.parametrize("family", FAMILIES)
def test_a_large_model_learns_the_same_without_copies(tmp_path: Path, family: Family) -> None:
    """Small models fold the adapter into copies of their weights; large ones have no room to."""
    spec = tiny_spec(build_tiny_model(tmp_path, family), family)
    small = load_policy(spec, seed=1)
    large = load_policy(structs.replace(spec, parameters=SMALL_MODEL), seed=1)
    for policy in (small, large):
        disturb_adapter(policy)
    groups = uneven_groups(7)
    folded, beside = _packed(small, groups), _packed(large, groups)
    assert _relative_error(_joined(beside), _joined(folded)) < CLOSE


@pytest.mark.parametrize("model", ["spark", "ember"])
def test_half_precision_costs_no_more_than_elsewhere(model: str) -> None:
    """With bfloat16 weights we are about as far from float32 as transformers' own pass is.

    In the median: now and then rounding turns one gradient by far more, in either pass.
    """
    spec = load_models().get(model)
    full, half = load_policy(spec, seed=1), load_policy(spec, seed=1, compute=BF16)
    ours, theirs = list[float](), list[float]()
    for seed in range(5):
        groups = uneven_groups(seed)
        exact, packed = _packed(full, groups), _packed(half, groups)
        naive = _gradients(half, naive_loss(half.causal_lm, groups, half.eos_id))
        assert all(gradient.dtype == torch.float32 for gradient in packed.values())
        ours.append(_relative_error(_joined(packed), _joined(exact)))
        theirs.append(_relative_error(_joined(naive), _joined(exact)))
    assert median(ours) < 1.5 * median(theirs)


def _random(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)))


@pytest.mark.parametrize("shape", [(5, 16), (5, 3, 16)])
def test_the_norm_is_the_one_of_torch(shape: tuple[int, ...]) -> None:
    """Value and gradient, for whole tokens and for single heads."""
    x, weight, slope = _random(*shape) * 3, _random(16), _random(*shape).flip(0)
    ours, theirs = (x.clone().requires_grad_() for _ in range(2))
    mine = rms_norm(ours, weight, 1e-3)
    reference = torch.nn.functional.rms_norm(theirs, (16,), weight, 1e-3)
    assert torch.allclose(mine, reference, atol=1e-6)
    (gradient,) = torch.autograd.grad(mine, ours, slope)
    (expected,) = torch.autograd.grad(reference, theirs, slope)
    assert torch.allclose(gradient, expected, atol=1e-6)


def test_the_norm_of_half_precision_is_taken_in_single() -> None:
    """Squares that would leave the range of float16 do no harm."""
    x = torch.full((1, 4), 1000.0, dtype=torch.float16)
    assert torch.equal(rms_norm(x, torch.ones(4, dtype=torch.float16), 1e-6), torch.ones_like(x))


def test_rotation_follows_its_definition() -> None:
    """A cosine of x and a sine of its halves exchanged; its gradient is the rotation back."""
    x, slope = _random(7, 2, 6), _random(7, 2, 6).flip(0)
    angles = _random(7, 1, 3).repeat(1, 1, 2)
    cosine, sine = angles.cos(), angles.sin()

    def plain(value: Tensor) -> Tensor:
        first, second = value.chunk(2, -1)
        return value * cosine + torch.cat([-second, first], -1) * sine

    ours, theirs = (x.clone().requires_grad_() for _ in range(2))
    assert torch.allclose(rotate(ours, cosine, sine), plain(theirs), atol=1e-6)
    (gradient,) = torch.autograd.grad(rotate(ours, cosine, sine), ours, slope)
    (expected,) = torch.autograd.grad(plain(theirs), theirs, slope)
    assert torch.allclose(gradient, expected, atol=1e-6)
