import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from core.models.policy.four_bit import dense
from core.training.adapted import Adapted, AdaptedMlp, feed_forward, project

TOKENS, HIDDEN, INNER, RANK = 11, 8, 20, 3


def _layer(seed: int, inputs: int, outputs: int, *, folded: bool, biased: bool = False) -> Adapted:
    random = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=random) / math.sqrt(shape[-1])

    weight, scale = draw(outputs, inputs), 0.7
    a, b = draw(RANK, inputs).requires_grad_(), draw(outputs, RANK).requires_grad_()
    if folded:
        weight = weight + scale * (b @ a).detach()
    return Adapted(weight, draw(outputs) if biased else None, a, b, scale, folded=folded)


def _plain(x: Tensor, layer: Adapted) -> Tensor:
    """The definition; a folded weight already holds the product, which must then not move."""
    product = layer.scale * (layer.b @ layer.a)
    delta = product - product.detach() if layer.folded else product
    return functional.linear(x, dense(layer.weight) + delta, layer.bias)


def _check(ours: Tensor, reference: Tensor, leaves: Sequence[Tensor]) -> None:
    """Same values, and the same gradient of every leaf."""
    assert torch.allclose(ours, reference, atol=1e-5)
    slope = torch.randn(ours.shape, generator=torch.Generator().manual_seed(9))
    mine = torch.autograd.grad(ours, leaves, slope)
    theirs = torch.autograd.grad(reference, leaves, slope)
    for gradient, expected in zip(mine, theirs, strict=True):
        assert torch.allclose(gradient, expected, atol=1e-5)


def _x() -> Tensor:
    return torch.randn(TOKENS, HIDDEN, generator=torch.Generator().manual_seed(7)).requires_grad_()


@pytest.mark.parametrize("folded", [False, True])
def test_projections_equal_their_definition(*, folded: bool) -> None:
    """Values and all gradients of three layers on one input, one of them with a bias."""
    layers = [_layer(n, HIDDEN, 6 + n, folded=folded, biased=n == 1) for n in range(3)]
    x = _x()
    leaves = [x, *(factor for layer in layers for factor in (layer.a, layer.b))]
    ours = torch.cat(project(x, layers), 1)
    _check(ours, torch.cat([_plain(x, layer) for layer in layers], 1), leaves)


@pytest.mark.parametrize("folded", [False, True])
def test_the_mlp_equals_its_definition(*, folded: bool) -> None:
    """Values and all gradients."""
    mlp = AdaptedMlp(
        gate=_layer(1, HIDDEN, INNER, folded=folded),
        up=_layer(2, HIDDEN, INNER, folded=folded),
        down=_layer(3, INNER, HIDDEN, folded=folded),
    )
    x = _x()
    layers = (mlp.gate, mlp.up, mlp.down)
    leaves = [x, *(factor for layer in layers for factor in (layer.a, layer.b))]
    inner = functional.silu(_plain(x, mlp.gate)) * _plain(x, mlp.up)
    _check(feed_forward(x, mlp), _plain(inner, mlp.down), leaves)


def test_an_input_that_learns_nothing_gets_no_gradient() -> None:
    """Below the first adapted layer lie the embeddings, which are frozen."""
    layer = _layer(1, HIDDEN, 5, folded=False)
    x = _x().detach()
    (y,) = project(x, (layer,))
    y.sum().backward()
    assert layer.a.grad is not None
    assert x.grad is None


def test_masters_stay_in_single_precision() -> None:
    """Half-precision layers give their factors gradients that can be added up."""
    layer = _layer(1, HIDDEN, 5, folded=False)
    half = Adapted(layer.weight.bfloat16(), None, layer.a, layer.b, layer.scale, folded=False)
    x = _x()
    (y,) = project(x.bfloat16(), (half,))
    assert y.dtype == torch.bfloat16
    ours = torch.autograd.grad(y, (layer.a, layer.b), torch.ones_like(y))
    theirs = torch.autograd.grad(_plain(x, layer), (layer.a, layer.b), torch.ones(y.shape))
    for gradient, expected in zip(ours, theirs, strict=True):
        assert gradient.dtype == torch.float32
        assert (gradient - expected).norm() < 0.02 * expected.norm()
