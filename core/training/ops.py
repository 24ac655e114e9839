"""The small operations of a block, with gradients that keep and compute little."""

from typing import Any

import torch
from torch import Tensor

# autograd hands every function a context of its own making.
# ruff: noqa: ANN401


def rms_norm(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    """Root-mean-square normalisation over the last dimension, in float32 inside.

    ``weight`` is frozen.
    """
    normed: Tensor = _RmsNorm.apply(x, weight, epsilon)  # type: ignore[no-untyped-call]  # ships unannotated
    return normed


def rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary position embedding: x cos + (-second half, first half of x) sin, in float32 inside.

    ``x`` is [slot, head, size], the others float32 [slot, 1, size] with two equal halves.
    """
    rotated: Tensor = _Rotate.apply(x, cosine, sine)  # type: ignore[no-untyped-call]  # ships unannotated
    return rotated


class _RmsNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
        wide = x.float()
        size = wide.square().mean(-1, keepdim=True)
        inverse = size.add_(epsilon).rsqrt_()
        ctx.save_for_backward(x, weight, inverse)
        return (wide * inverse).mul_(weight).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        x, weight, inverse = ctx.saved_tensors
        normed = x.float() * inverse
        slope = gradients[0].float() * weight
        along = (slope * normed).mean(-1, keepdim=True)
        return slope.addcmul_(normed, along, value=-1).mul_(inverse).to(x.dtype), None, None


class _Rotate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        ctx.save_for_backward(cosine, sine)
        return _turned(x, cosine, sine, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        cosine, sine = ctx.saved_tensors
        return _turned(gradients[0], cosine, sine, -1), None, None


def _turned(x: Tensor, cosine: Tensor, sine: Tensor, direction: int) -> Tensor:
    turned = x * cosine
    half = x.shape[2] // 2
    turned[..., :half].addcmul_(x[..., half:], sine[..., half:], value=-direction)
    turned[..., half:].addcmul_(x[..., :half], sine[..., :half], value=direction)
    return turned.to(x.dtype)
