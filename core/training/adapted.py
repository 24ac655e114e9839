"""Linear layers with a LoRA adapter, and the blocks made of them, with gradients written by hand.

    y = x W' + bias + scale x A' B'          (' transposes)

The weight is frozen and only the adapter's two factors learn, so a backward pass needs the layer's
input and nothing else: what lies between (products with A, activations inside the MLP) is cheaper
to compute again than to keep. The factors are float32 masters; products are taken in the precision
of the weight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from core.models.policy.four_bit import Weight, dense

# autograd hands every function a context of its own making, and lists its arguments by position.
# ruff: noqa: ANN401


@dataclass(frozen=True, slots=True)
class Adapted:
    """One linear layer with its adapter."""

    weight: Weight  # [out, in], frozen; with the adapter's product in it where ``folded``
    bias: Tensor | None  # [out], frozen
    a: Tensor  # float32 [rank, in], learns
    b: Tensor  # float32 [out, rank], learns
    scale: float
    folded: bool

    def forward(self, x: Tensor) -> Tensor:
        """[token, in] -> [token, out]."""
        y = functional.linear(x, dense(self.weight), self.bias)
        if not self.folded:
            a, b = self._factors(x.dtype)
            y.addmm_(x @ a.t(), b.t(), alpha=self.scale)
        return y

    def backward(self, x: Tensor, dy: Tensor, dx: Tensor | None) -> tuple[Tensor, Tensor]:
        """Gradients of the factors, float32; that of ``x`` is added to ``dx`` unless it is None."""
        a, b = self._factors(x.dtype)
        inner = (dy @ b).mul_(self.scale)
        da = inner.t() @ x
        db = (dy.t() @ (x @ a.t())).mul_(self.scale)
        if dx is not None:
            dx.addmm_(dy, dense(self.weight))
            if not self.folded:
                dx.addmm_(inner, a)
        return da.float(), db.float()

    def _factors(self, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        return self.a.detach().to(dtype), self.b.detach().to(dtype)


@dataclass(frozen=True, slots=True)
class AdaptedMlp:
    """down(silu(gate(x)) * up(x)), the MLP of the Llama family."""

    gate: Adapted
    up: Adapted
    down: Adapted


def project(x: Tensor, layers: Sequence[Adapted]) -> tuple[Tensor, ...]:
    """Several layers on the same input: [token, in] -> [token, out] each, with gradient."""
    factors = [factor for layer in layers for factor in (layer.a, layer.b)]
    outputs: tuple[Tensor, ...] = _Project.apply(x, layers, *factors)  # type: ignore[no-untyped-call]  # ships unannotated
    return outputs


def feed_forward(x: Tensor, mlp: AdaptedMlp) -> Tensor:
    """[token, hidden] -> [token, hidden], with gradient."""
    layers = (mlp.gate, mlp.up, mlp.down)
    factors = [factor for layer in layers for factor in (layer.a, layer.b)]
    output: Tensor = _FeedForward.apply(x, mlp, *factors)  # type: ignore[no-untyped-call]  # ships unannotated
    return output


class _Project(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, layers: Sequence[Adapted], *_factors: Tensor
    ) -> tuple[Tensor, ...]:
        ctx.layers = layers
        ctx.save_for_backward(x)
        return tuple(layer.forward(x) for layer in layers)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (x,) = ctx.saved_tensors
        dx = torch.zeros_like(x) if ctx.needs_input_grad[0] else None
        factors: list[Tensor] = []
        for layer, dy in zip(ctx.layers, gradients, strict=True):
            factors += layer.backward(x, dy, dx)
        return dx, None, *factors


class _FeedForward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, mlp: AdaptedMlp, *_factors: Tensor) -> Tensor:
        gate, up = mlp.gate.forward(x), mlp.up.forward(x)
        ctx.mlp = mlp
        ctx.save_for_backward(x, gate, up)
        return mlp.down.forward(functional.silu(gate).mul_(up))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        x, gate, up = ctx.saved_tensors
        (dy,) = gradients
        mlp: AdaptedMlp = ctx.mlp
        opened = functional.silu(gate)
        inner = opened * up
        d_inner = torch.zeros_like(inner)
        down = mlp.down.backward(inner, dy, d_inner)
        d_up = opened.mul_(d_inner)
        d_gate = torch.ops.aten.silu_backward(d_inner.mul_(up), gate)
        dx = torch.zeros_like(x)
        return dx, None, *mlp.gate.backward(x, d_gate, dx), *mlp.up.backward(x, d_up, dx), *down
