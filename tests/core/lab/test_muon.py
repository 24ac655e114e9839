"""Muon without rounding."""

import pytest
import torch
from torch.nn import Parameter

from core.lab.muon import Float32Muon, orthogonal

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


@pytest.mark.parametrize("shape", [(6, 6), (4, 9), (9, 4)])
def test_it_moves_matrices_as_pytorchs_own_does(shape: tuple[int, int]) -> None:
    """As far as that rounds; momenta are kept alike, so that a training may change between them."""
    generator = torch.Generator().manual_seed(0)
    begun = [torch.randn(shape, generator=generator) for _ in range(3)]
    ours, theirs = ([Parameter(one.clone()) for one in begun] for _ in range(2))
    optimisers = [
        kind(parameters, lr=0.02, weight_decay=0.1)
        for kind, parameters in ((Float32Muon, ours), (torch.optim.Muon, theirs))
    ]
    for _ in range(4):
        for one, other in zip(ours, theirs, strict=True):
            one.grad = torch.randn(shape, generator=generator)
            other.grad = one.grad.clone()
        for optimiser in optimisers:
            optimiser.step()
    for one, other, before in zip(ours, theirs, begun, strict=True):
        moved = torch.linalg.norm(other - before)
        assert torch.linalg.norm(one - other) < 0.02 * moved
        kept = [optimisers[n].state[p]["momentum_buffer"] for n, p in enumerate((one, other))]
        torch.testing.assert_close(*kept)


def test_a_matrix_without_a_gradient_stays() -> None:
    """As what no loss depends on."""
    still = Parameter(torch.ones(2, 3))
    Float32Muon([still], lr=0.02, weight_decay=0.1).step()
    assert torch.equal(still, torch.ones(2, 3))


def test_singular_values_come_near_to_one() -> None:
    """Of matrices wide or tall, large or small, each by itself."""
    generator = torch.Generator().manual_seed(1)
    for shape in ((12, 30), (30, 12)):
        matrices = (
            torch.randn((2, *shape), generator=generator) * torch.tensor([1e-3, 1e3])[:, None, None]
        )
        values = torch.linalg.svdvals(orthogonal(matrices, COEFFICIENTS, steps=5))
        assert values.min() > 0.6
        assert values.max() < 1.3
