import pytest
import torch

from core.sampling.decoding import draw, most_likely


def test_draws_follow_the_softmax() -> None:
    """Over many even noises every token comes as often as its probability says."""
    logits = torch.tensor([2.0, -1.0, 0.5, 0.0, -3.0])
    noise = (torch.arange(100_000, dtype=torch.float64) + 0.5) / 100_000
    token, _ = draw(logits.expand(len(noise), -1), noise)
    frequencies = torch.bincount(token, minlength=5) / len(noise)
    assert torch.allclose(frequencies, logits.softmax(-1), atol=2e-5)


def test_recorded_logprobs_are_those_of_the_softmax() -> None:
    """What is recorded is the natural log of the chosen token's probability."""
    logits = torch.randn(200, 50, generator=torch.Generator().manual_seed(1))
    noise = torch.rand(200, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    token, logprob = draw(logits, noise)
    expected = logits.softmax(-1)[torch.arange(200), token].log()
    assert torch.allclose(logprob, expected, atol=1e-5)


@pytest.mark.parametrize("noise", [0.0, 0.5, 1 - 2**-53])
def test_an_impossible_token_is_never_drawn(noise: float) -> None:
    """Not even by the smallest or the largest noise."""
    logits = torch.tensor([[-torch.inf, 0.0, -torch.inf, 0.0, -torch.inf]])
    token, logprob = draw(logits, torch.tensor([noise], dtype=torch.float64))
    assert token.item() in {1, 3}
    assert logprob.item() == pytest.approx(-0.6931, abs=1e-4)


def test_the_tail_of_a_large_vocabulary_is_told_apart() -> None:
    """Each of 152,000 tokens rarer than float32 can count beside a likely one is drawn in turn."""
    logits = torch.zeros(1, 152_000)
    logits[0, 0] = 18.0
    rare = torch.tensor([1, 2, 50_000, 100_000, 151_999])
    likely, each = logits.double().softmax(-1)[0, :2]
    token, _ = draw(logits.expand(len(rare), -1), likely + each * (rare - 0.5))
    assert (token - rare).abs().max() < 20


def test_the_likeliest_token_needs_no_noise() -> None:
    """Greedy decoding takes the largest score and records its log-probability."""
    logits = torch.tensor([[0.0, 3.0, 1.0]])
    token, logprob = most_likely(logits, torch.zeros(1))
    assert token.item() == 1
    assert logprob.item() == pytest.approx(logits.log_softmax(-1)[0, 1].item())
