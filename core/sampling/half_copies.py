"""Copies of a large model's matrices in half precision, for processors that calculate in float32.

Decoding a few answers at once reads all weights for each token, and half of the bytes are read in
half of the time. Weights that were published in bfloat16 or float16 stay what they are, but for the
smallest; products and sums are float32. FBGEMM, which comes with torch for x86, multiplies by such
matrices as it has packed them. The adapter stays beside them, as in ``lean_weights.Beside``.
"""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from core.models.policy.policy import BASE_VERSION, Policy
from core.sampling.lean_weights import (
    LeanWeights,
    adapter_of,
    adapters_among,
    assemble,
    base_of,
    bias_of,
)


def can_halve(policy: Policy) -> bool:
    """Whether copies in half precision can be made of ``policy`` here, and may be faster."""
    return (
        platform.machine() in ("x86_64", "AMD64")
        and "fbgemm" in torch.backends.quantized.supported_engines
        and policy.device.type == "cpu"
        and policy.dtype == torch.float32
        and not policy.spec.is_small
    )


@dataclass(frozen=True, slots=True)
class Halved:
    """Packed copies of one or more layers with the same input, and what their adapter adds."""

    packed: Any  # of torch's own class; float16 weights and a float32 bias, all layers in one
    rows: tuple[int, ...]  # outputs of each layer
    down: Tensor | None  # [rank x layers, in]; None without an adapter
    up: tuple[Tensor, ...]  # each [out of this layer, rank], scaled

    def __call__(self, x: Tensor) -> Tensor:
        """[row, in] -> [row, out]."""
        out: Tensor = torch.ops.quantized.linear_dynamic_fp16(x, self.packed)
        if self.down is not None:
            seen = torch.mm(x, self.down.t()).chunk(len(self.up), 1)
            for part, up, low in zip(out.split(self.rows, 1), self.up, seen, strict=True):
                part.addmm_(low, up.t())
        return out

    def onto(self, residual: Tensor, x: Tensor) -> Tensor:
        """The sum of ``residual`` and the projection of ``x``."""
        return self(x).add_(residual)


class HalfCopies:
    """Keeps the copies while the adapter changes; half of the memory of a float32 model."""

    def __init__(self) -> None:
        self._packed: dict[nn.Module, Any] = {}

    def weights(self, policy: Policy) -> LeanWeights:
        """All of ``policy`` as it is now; the first time takes seconds."""
        learnt = policy.version != BASE_VERSION

        def pack(layers: Sequence[nn.Module], norm: Tensor | None) -> Halved:
            del norm
            adapters = adapters_among(layers) if learnt else []
            downs = [adapter_of(layer)[0] for layer in adapters]
            return Halved(
                packed=self._copy(layers),
                rows=tuple(base_of(layer).out_features for layer in layers),
                down=torch.cat(downs) if downs else None,
                up=tuple(adapter_of(layer)[1] for layer in adapters),
            )

        return assemble(policy, pack, folds_norms=False)

    def clear(self) -> None:
        """Forget all copies."""
        self._packed.clear()

    def _copy(self, layers: Sequence[nn.Module]) -> Any:  # noqa: ANN401 - torch names no type for it
        packed = self._packed.get(layers[0])
        if packed is None:
            weights = [base_of(layer).weight.detach() for layer in layers]
            together = torch.cat(weights) if len(weights) > 1 else weights[0]
            packed = torch.ops.quantized.linear_prepack_fp16(together, bias_of(layers))
            self._packed[layers[0]] = packed
        return packed
