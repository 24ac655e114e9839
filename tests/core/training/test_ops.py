import pytest
import torch
from torch import Tensor

from core.training.ops import rms_norm, rotate


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
