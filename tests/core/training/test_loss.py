from pathlib import Path
from random import Random

import pytest
import torch
from torch import Tensor

from core.models.policy import Policy
from core.training.batch import TrainingGroup, micro_batches, pack
from core.training.loss import batch_loss, clipped_surrogate, token_logprobs
from tests.naive_update import lone_logprobs, naive_loss
from tests.tiny_models import FAMILIES, Family, disturb_adapter, load_tiny_policy

CLOSE = 1e-4


@pytest.fixture(params=FAMILIES)
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> Policy:
    """A tiny policy of each family whose adapter matters."""
    policy = load_tiny_policy(tmp_path, request.param)
    disturb_adapter(policy)
    return policy


def _groups(seed: int) -> list[TrainingGroup]:
    """Groups of uneven sizes, with completions from one token to twelve."""
    rng = Random(seed)

    def ids(count: int) -> tuple[int, ...]:
        return tuple(rng.randrange(256) for _ in range(count))

    def group(members: int) -> TrainingGroup:
        completions = tuple(ids(rng.randint(1, 12)) for _ in range(members))
        advantages = tuple(rng.gauss(0, 1) for _ in range(members))
        return TrainingGroup(ids(rng.randint(1, 40)), completions, advantages)

    return [group(members) for members in (4, 2, 8, 3)]


def _gradients(policy: Policy, loss: Tensor) -> dict[str, Tensor]:
    adapter = policy.adapter()
    gradients = torch.autograd.grad(loss, list(adapter.values()))
    return dict(zip(adapter, gradients, strict=True))


def _packed_loss(policy: Policy, groups: list[TrainingGroup]) -> Tensor:
    tokens = sum(group.trained_tokens for group in groups)
    return batch_loss(policy, pack(groups, policy.pad_id), tokens)


def _relative_error(value: Tensor, reference: Tensor) -> float:
    return float((value - reference).norm() / reference.norm())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_packing_equals_the_naive_batch_in_every_gradient(policy: Policy, seed: int) -> None:
    """One row a group with a block mask learns what a row a completion learns.

    The packed loss is that of the clipped surrogate at ratio 1, whose value is minus the mean
    advantage; the naive one is a policy gradient, whose gradient is the same.
    """
    groups = _groups(seed)
    packed = _gradients(policy, _packed_loss(policy, groups))
    naive = _gradients(policy, naive_loss(policy.causal_lm, groups, policy.pad_id))
    assert packed.keys() == naive.keys()
    for name, gradient in naive.items():
        assert gradient.norm() > 0
        assert _relative_error(packed[name], gradient) < CLOSE


def test_packing_equals_the_naive_batch_in_the_loss(policy: Policy) -> None:
    """At a fixed old policy the surrogate has the same value from either batch."""
    groups = _groups(4)
    batch = pack(groups, policy.pad_id)
    with torch.no_grad():
        packed = token_logprobs(policy, batch)
        naive = torch.cat(
            [lone_logprobs(policy.causal_lm, g.prompt, c) for g in groups for c in g.completions]
        )
        old = naive + torch.linspace(-0.5, 0.5, len(naive))
        expected = clipped_surrogate(naive, old, batch.advantage).sum()
        loss = clipped_surrogate(packed, old, batch.advantage).sum()
    assert loss.item() == pytest.approx(expected.item(), rel=CLOSE)


def test_logprobs_equal_the_unpadded_reference(policy: Policy) -> None:
    """In company, padded and packed, every token has the log-probability it has alone."""
    groups = _groups(5)
    with torch.no_grad():
        packed = token_logprobs(policy, pack(groups, policy.pad_id))
        alone = torch.cat(
            [lone_logprobs(policy.causal_lm, g.prompt, c) for g in groups for c in g.completions]
        )
    assert (packed - alone).abs().max() < CLOSE


def test_micro_batches_add_up_to_the_whole(policy: Policy) -> None:
    """Splitting an update changes neither its loss nor its gradient."""
    groups = _groups(6)
    tokens = sum(group.trained_tokens for group in groups)
    batches = list(micro_batches(groups, max_slots=60))
    assert len(batches) > 1
    parts = torch.stack([batch_loss(policy, pack(b, policy.pad_id), tokens) for b in batches])
    split = _gradients(policy, parts.sum())
    whole = _gradients(policy, _packed_loss(policy, groups))
    for name, gradient in whole.items():
        assert _relative_error(split[name], gradient) < CLOSE


@pytest.mark.parametrize("family", FAMILIES)
def test_without_positions_it_would_be_wrong(tmp_path: Path, family: Family) -> None:
    """Counting on through the siblings instead of restarting is an error these proofs see."""
    policy = load_tiny_policy(tmp_path, family)
    groups = _groups(7)
    batch = pack(groups, policy.pad_id)
    counted = torch.arange(batch.ids.shape[1]).expand_as(batch.ids)
    with torch.no_grad():
        hidden = policy.hidden_states(batch.ids, counted, batch.mask)
        logits = policy.logits(hidden.flatten(0, 1)[batch.sources])
        wrong = logits.log_softmax(-1)[batch.source, batch.target]
        assert (wrong - token_logprobs(policy, batch)).abs().max() > 0.01


def test_the_clip_is_idle_at_ratio_one() -> None:
    """For a single update the surrogate's gradient is plain advantage x gradient of log p."""
    logprobs = torch.tensor([-1.0, -2.0], requires_grad=True)
    advantages = torch.tensor([1.5, -0.5])
    loss = clipped_surrogate(logprobs, logprobs.detach(), advantages)
    (gradient,) = torch.autograd.grad(loss.sum(), [logprobs])
    assert torch.equal(loss, -advantages)
    assert torch.equal(gradient, -advantages)


@pytest.mark.parametrize(
    ("ratio", "advantage", "expected", "moves"),
    [
        (1.5, 1.0, -1.28, False),  # already far likelier: no further reward
        (1.5, -1.0, 1.5, True),  # far likelier and bad: pushed back in full
        (0.5, -1.0, 0.8, False),  # already far less likely: no further punishment
        (0.5, 1.0, -0.5, True),  # far less likely and good: pulled back in full
        (1.2, 1.0, -1.2, True),  # within the asymmetric bounds
    ],
)
def test_the_clip_is_asymmetric_and_pessimistic(
    ratio: float, advantage: float, expected: float, *, moves: bool
) -> None:
    """0.2 below and 0.28 above, and never an excuse for moving further away."""
    logprob = torch.tensor([ratio]).log().requires_grad_()
    loss = clipped_surrogate(logprob, torch.zeros(1), torch.tensor([advantage]))
    (gradient,) = torch.autograd.grad(loss.sum(), [logprob])
    assert loss.item() == pytest.approx(expected)
    assert bool(gradient.abs() > 0) == moves
