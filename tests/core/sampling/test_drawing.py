import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from core.sampling.drawing import BLOCK, NARROW, STRIPE, Choose, argmax, draw

ROUNDING = 1e-6
"""How far apart two ways to add up a distribution function may be."""

_SIZES = (
    1,
    2,
    5,
    320,
    1_536,
    NARROW,
    NARROW + 1,
    17 * BLOCK - 1,
    17 * BLOCK,
    17 * BLOCK + 1,
    STRIPE - 1,
    STRIPE + 1,
    2 * STRIPE + 77,
)
_NOISES = (0.0, 1e-12, 0.25, 0.5, 1 - 1e-12, 1 - 2**-53)


def _agrees_with_the_plain_inverse(logits: Tensor, noise: Tensor) -> None:
    """The drawn token's own piece of [0, 1) holds the noise, and has the recorded size."""
    tokens, logprobs = draw(logits, noise)
    exact = logits.double().softmax(-1)
    rows = torch.arange(len(logits))
    upto = exact.cumsum(-1)[rows, tokens]
    assert (upto >= noise - ROUNDING).all()
    assert (upto - exact[rows, tokens] <= noise + ROUNDING).all()
    assert (exact[rows, tokens] > 0).all()
    expected = logits.double().log_softmax(-1)[rows, tokens]
    assert torch.allclose(logprobs.double(), expected, atol=1e-6, rtol=1e-6)
    assert logprobs.dtype == torch.float32


@given(
    seed=st.integers(0, 10_000),
    vocabulary=st.sampled_from(_SIZES),
    spread=st.sampled_from((0.0, 0.1, 1.0, 10.0, 60.0)),
    holes=st.sampled_from((0.0, 0.5, 0.999)),
)
def test_draws_invert_the_distribution_function(
    seed: int, vocabulary: int, spread: float, holes: float
) -> None:
    """Flat or steep, whole or full of impossible tokens, at any noise: as float64 would draw."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(9, vocabulary, generator=generator) * spread
    possible = torch.randint(vocabulary, (9, 1), generator=generator)
    impossible = torch.rand(9, vocabulary, generator=generator) < holes
    logits = logits.masked_fill(impossible.scatter(1, possible, value=False), -torch.inf)
    random = torch.rand(9 - len(_NOISES), generator=generator, dtype=torch.float64)
    noise = torch.cat([torch.tensor(_NOISES, dtype=torch.float64), random])
    _agrees_with_the_plain_inverse(logits, noise)


def test_almost_every_token_is_the_plain_one() -> None:
    """Of 4,096 draws from 1,536 tokens, all but ties within rounding are those of float64."""
    generator = torch.Generator().manual_seed(3)
    logits = torch.randn(4_096, 1_536, generator=generator) * 3
    noise = torch.rand(4_096, generator=generator, dtype=torch.float64)
    plain = torch.searchsorted(logits.double().softmax(-1).cumsum(-1), noise[:, None], right=True)
    assert (draw(logits, noise)[0] != plain[:, 0]).sum() <= 1


def test_draws_follow_the_softmax() -> None:
    """Over many even noises every token comes as often as its probability says."""
    logits = torch.tensor([2.0, -1.0, 0.5, 0.0, -3.0])
    noise = (torch.arange(100_000, dtype=torch.float64) + 0.5) / 100_000
    token, _ = draw(logits.expand(len(noise), -1), noise)
    frequencies = torch.bincount(token, minlength=5) / len(noise)
    assert torch.allclose(frequencies, logits.softmax(-1), atol=2e-5)


@pytest.mark.parametrize("noise", _NOISES)
@pytest.mark.parametrize("vocabulary", [5, 3 * BLOCK])
def test_an_impossible_token_is_never_drawn(noise: float, vocabulary: int) -> None:
    """Not even by the smallest or the largest noise."""
    logits = torch.full((1, vocabulary), -torch.inf)
    logits[0, [1, vocabulary - 2]] = 0.0
    token, logprob = draw(logits, torch.tensor([noise], dtype=torch.float64))
    assert token.item() in {1, vocabulary - 2}
    assert logprob.item() == pytest.approx(-0.6931, abs=1e-4)


@pytest.mark.parametrize("noise", _NOISES)
@pytest.mark.parametrize("only", [0, 1, BLOCK - 1, BLOCK, 700, 999])
def test_certainty_is_drawn_at_any_noise(noise: float, only: int) -> None:
    """Where one token has all the probability it is drawn, with log-probability zero."""
    logits = torch.full((1, 1_000), -torch.inf)
    logits[0, only] = -3.0
    token, logprob = draw(logits, torch.tensor([noise], dtype=torch.float64))
    assert (token.item(), logprob.item()) == (only, 0.0)


def test_an_even_distribution_is_drawn_evenly() -> None:
    """Of equally likely tokens the noise picks the one at its place."""
    noise = (torch.arange(1_000, dtype=torch.float64) + 0.5) / 1_000
    token, _ = draw(torch.zeros(1_000, 1_000), noise)
    assert torch.equal(token, torch.arange(1_000))


def test_the_tail_of_a_large_vocabulary_is_told_apart() -> None:
    """Each of 152,000 tokens rarer than float32 can count beside a likely one is drawn in turn."""
    logits = torch.zeros(1, 152_000)
    logits[0, 0] = 18.0
    rare = torch.tensor([1, 2, 50_000, 100_000, 151_999])
    likely, each = logits.double().softmax(-1)[0, :2]
    token, _ = draw(logits.expand(len(rare), -1), likely + each * (rare - 0.5))
    assert (token - rare).abs().max() < 20


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_layout_and_precision_of_the_scores_do_not_matter(dtype: torch.dtype) -> None:
    """Scores that lie column by column, or in half precision, are drawn from as they are."""
    generator = torch.Generator().manual_seed(4)
    logits = (torch.randn(1_700, 6, generator=generator) * 4).to(dtype).t()
    noise = torch.rand(6, generator=generator, dtype=torch.float64)
    _agrees_with_the_plain_inverse(logits, noise)
    contiguous = draw(logits.float().contiguous(), noise)
    assert torch.equal(draw(logits, noise)[0], contiguous[0])


@pytest.mark.parametrize("vocabulary", [3, 320, STRIPE + 5])
def test_the_likeliest_token_needs_no_noise(vocabulary: int) -> None:
    """Greedy decoding takes the largest score and records its log-probability."""
    logits = torch.randn(4, vocabulary, generator=torch.Generator().manual_seed(5))
    token, logprob = argmax(logits, torch.zeros(4))
    assert torch.equal(token, logits.argmax(-1))
    expected = logits.double().log_softmax(-1).amax(-1)
    assert torch.allclose(logprob.double(), expected, atol=1e-6)


@pytest.mark.parametrize("vocabulary", [300, NARROW + 300])
@pytest.mark.parametrize("choose", [draw, argmax])
@pytest.mark.parametrize("score", [torch.nan, torch.inf])
def test_scores_that_are_no_numbers_show(score: float, choose: Choose, vocabulary: int) -> None:
    """Only in that row's log-probability, and its token is one that there is."""
    logits = torch.zeros(2, vocabulary)
    logits[1, 7] = score
    token, logprob = choose(logits, torch.tensor([0.5, 1 - 2**-53], dtype=torch.float64))
    assert logprob.isnan().tolist() == [False, True]
    assert (token >= 0).all()
    assert (token < vocabulary).all()
