import pytest
import torch
from torch import Tensor

from core.training import selective_logprobs as module
from core.training.selective_logprobs import chunk_tokens, selective_logprobs

TOKENS, HIDDEN, VOCABULARY = 37, 24, 301


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several chunks for a few tokens, the last of them not full."""
    monkeypatch.setattr(module, "CHUNK_TOKENS", 8)


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


@pytest.mark.parametrize(("vocabulary", "expected"), [(1536, 256), (151_936, 110), (2**30, 1)])
def test_a_chunk_is_bounded(vocabulary: int, expected: int) -> None:
    """By its bytes for large vocabularies and by its tokens for small ones; never empty."""
    assert chunk_tokens(vocabulary) == expected
