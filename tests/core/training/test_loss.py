import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, pack
from core.training.body import TrainingBody
from core.training.loss import (
    MOST_WEIGHT,
    batch_loss,
    clipped_surrogate,
    counted_terms,
    importance_weights,
    selective_logprobs,
    shaping_weights,
    token_logprobs,
)
from tests.naive_update import lone_logprobs
from tests.training_groups import uneven_groups

CLOSE = 1e-4


def test_packing_equals_the_naive_batch_in_the_loss(policy: Policy) -> None:
    """At a fixed old policy the surrogate has the same value from either batch."""
    groups = uneven_groups(4)
    batch = pack(groups)
    with torch.no_grad():
        packed = token_logprobs(TrainingBody(policy), batch)
        naive = torch.cat(
            [lone_logprobs(policy.causal_lm, g.prompt, c) for g in groups for c in g.completions]
        )
        old = naive + torch.linspace(-0.5, 0.5, len(naive))
        expected = clipped_surrogate(naive, old, batch.advantages).sum()
        loss = clipped_surrogate(packed, old, batch.advantages).sum()
    assert loss.item() == pytest.approx(expected.item(), rel=CLOSE)


def test_without_positions_it_would_be_wrong(policy: Policy) -> None:
    """Counting on through the siblings instead of restarting is an error these proofs see."""
    batch = pack(uneven_groups(7))
    counted = replace(batch, positions=torch.arange(len(batch.ids)))
    body = TrainingBody(policy)
    with torch.no_grad():
        wrong = token_logprobs(body, counted)
        assert (wrong - token_logprobs(body, batch)).abs().max() > 0.01


def test_the_weight_of_a_token_is_its_truncated_ratio() -> None:
    """Policy over sampler, at most 2, worked out by hand; 1 where the sampler is not known."""
    logprobs = torch.tensor([-1.0, -1.0, -1.0, -1.0], requires_grad=True)
    sampler_logprobs = torch.tensor([-1.0 - math.log(1.5), -1.0 + math.log(4), -9.0, math.nan])
    weights = importance_weights(logprobs, sampler_logprobs)
    assert weights.tolist() == pytest.approx([1.5, 0.25, MOST_WEIGHT, 1.0])
    assert not weights.requires_grad


def test_weights_scale_the_gradient_of_their_tokens(policy: Policy) -> None:
    """A group sampled at half the policy's probability learns twice as fast, and no other does."""
    one, other = uneven_groups(9, sizes=(3, 3))
    with torch.no_grad():
        logprobs = token_logprobs(TrainingBody(policy), pack([one])).split(
            [len(ids) for ids in one.completions]
        )
    of_sampler = tuple(tuple((lp - math.log(2)).tolist()) for lp in logprobs)
    halved = replace(one, sampler_logprobs=of_sampler)

    def gradient(*groups: TrainingGroup) -> Tensor:
        loss = batch_loss(TrainingBody(policy), pack(groups), 1)
        return torch.cat(
            [g.flatten() for g in torch.autograd.grad(loss, [*policy.adapter().values()])]
        )

    expected = 2 * gradient(one) + gradient(other)
    assert (gradient(halved, other) - expected).norm() < CLOSE * expected.norm()


def test_a_shaped_token_weighs_by_its_own_probability() -> None:
    """P / (p + gamma), worked out by hand; all of it without shaping, also where p underflows."""
    logprobs = torch.tensor([math.log(0.5), math.log(0.1), -300.0, -300.0], requires_grad=True)
    weights = shaping_weights(logprobs, torch.tensor([0.1, 0.1, 0.1, 0.0]))
    assert weights.tolist() == pytest.approx([5 / 6, 0.5, 0.0, 1.0])
    assert not weights.requires_grad


def test_others_do_not_dilute_what_is_learnt_from_oneself() -> None:
    """However long they write; nor a half of others what is learnt from the rest of them."""
    own, other = uneven_groups(9, sizes=(3, 3))
    other = replace(other, of_others=True)
    longer = replace(other, completions=tuple(ids * 100 for ids in other.completions))
    assert counted_terms([own, longer], 0) == own.trained_tokens
    assert counted_terms([other], 0) == other.trained_tokens
    assert counted_terms([other, longer], 0) == 2 * other.trained_tokens


def test_what_was_tried_in_vain_counts_where_a_recipe_says_so() -> None:
    """In the paper what is learnt from counts alone, own or not."""
    own, other = uneven_groups(9, sizes=(3, 3))
    other = replace(other, of_others=True)
    assert counted_terms([own, other]) == own.trained_tokens + other.trained_tokens
    assert counted_terms([own, other], 10_000) == counted_terms([other], 10_000) == 10_000


def test_a_completion_may_be_one_term(policy: Policy) -> None:
    """The gradient is that of GSPO's objective written down plainly, with the sampler's weights."""
    bare = uneven_groups(9, sizes=(3, 3))
    rng = torch.Generator().manual_seed(5)
    groups = [
        replace(
            group,
            by_sequence=True,
            sampler_logprobs=tuple(
                tuple((-3 * torch.rand(len(ids), generator=rng) - 1).tolist())
                for ids in group.completions
            ),
        )
        for group in bare
    ]
    factors = [*policy.adapter().values()]
    terms = []
    for group in groups:
        for ids, advantage, told in zip(
            group.completions, group.advantages, group.sampler_logprobs or (), strict=True
        ):
            mean = lone_logprobs(policy.causal_lm, group.prompt, ids).mean()
            ratio = (mean - mean.detach()).exp()
            weight = (mean.detach() - torch.tensor(told).mean()).exp().clamp(max=MOST_WEIGHT)
            terms.append(-ratio * advantage * weight)
    plain = torch.autograd.grad(torch.stack(terms).mean(), factors)
    loss = batch_loss(TrainingBody(policy), pack(groups), counted_terms(groups))
    packed = torch.autograd.grad(loss, factors)
    for expected, found in zip(plain, packed, strict=True):
        assert (found - expected).norm() <= CLOSE * expected.norm()


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


TOKENS, HIDDEN, VOCABULARY = 37, 24, 301


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several chunks for a few tokens, the last of them not full."""
    monkeypatch.setattr("core.models.memory.fit.CHUNK_TOKENS", 8)


def _given(seed: int, spread: float = 1.0) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Hidden states, head, targets, and what a loss might make of each log-probability."""
    random = torch.Generator().manual_seed(seed)
    hidden = torch.randn(TOKENS, HIDDEN, generator=random)
    head = torch.randn(VOCABULARY, HIDDEN, generator=random) * spread
    targets = torch.randint(VOCABULARY, (TOKENS,), generator=random)
    return hidden, head, targets, torch.randn(TOKENS, generator=random)


def _plain(hidden: Tensor, head: Tensor, targets: Tensor) -> Tensor:
    """The textbook way, in double precision."""
    logits = hidden.double() @ head.double().t()
    return logits.log_softmax(1).gather(1, targets[:, None]).squeeze(1)


def _gradients(hidden: Tensor, head: Tensor, targets: Tensor, weights: Tensor) -> list[Tensor]:
    gradients = []
    for function in (selective_logprobs, _plain):
        leaf = hidden.clone().requires_grad_()
        (function(leaf, head, targets) * weights).sum().backward()
        assert leaf.grad is not None
        gradients.append(leaf.grad.double())
    return gradients


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("spread", [0.01, 1.0, 20.0])
def test_values_and_gradients_are_those_of_the_whole_softmax(spread: float) -> None:
    """From nearly uniform distributions to ones that are all but certain."""
    hidden, head, targets, weights = _given(1, spread)
    assert torch.allclose(
        selective_logprobs(hidden, head, targets).double(),
        _plain(hidden, head, targets),
        rtol=1e-5,
        atol=1e-5,
    )
    ours, reference = _gradients(hidden, head, targets, weights)
    assert (ours - reference).norm() < 5e-6 * reference.norm()


def test_certain_tokens_keep_their_gradient_in_half_precision() -> None:
    """Where p is nearly 1 its slope is nearly 0, and rounding must not put noise in its place."""
    hidden, head, targets, weights = _given(2)
    hidden = head[targets] * 1.3  # the target's score is far above all others
    hidden, head = hidden.bfloat16(), head.bfloat16()
    assert _plain(hidden, head, targets).exp().median() > 0.999
    ours, reference = _gradients(hidden, head, targets, weights)
    assert (ours - reference).norm() < 0.1 * reference.norm()


def test_half_precision_is_close() -> None:
    """Scores are rounded to eight bits, and sums are not: 0.05 nats, 1 % of the gradient."""
    hidden, head, targets, weights = _given(3)
    hidden, head = hidden.bfloat16(), head.bfloat16()
    logprobs = selective_logprobs(hidden, head, targets)
    assert logprobs.dtype == torch.float32
    assert (logprobs - _plain(hidden, head, targets)).abs().max() < 0.1
    ours, reference = _gradients(hidden, head, targets, weights)
    assert (ours - reference).norm() < 0.02 * reference.norm()


@pytest.mark.usefixtures("small_chunks")
def test_without_a_gradient_none_is_prepared() -> None:
    """Values alone cost one product, and are the same."""
    hidden, head, targets, _ = _given(4)
    with torch.no_grad():
        alone = selective_logprobs(hidden, head, targets)
    assert torch.equal(alone, selective_logprobs(hidden.requires_grad_(), head, targets).detach())
