"""Frozen weights in four bits, for models that a graphics card could not hold otherwise.

NormalFloat in blocks of 64 (QLoRA, arXiv 2305.14314, section 3) by bitsandbytes, 4.5 bits a weight.
A matrix is dequantised for the product it is needed in and forgotten again; embeddings, head and
norms stay as they are. Sampler and learner dequantise to the same numbers, so both see one policy.
"""

from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.policy.adapters import hidden

BLOCK: Final = 64
"""Weights that share a scale."""

_TYPE: Final = "nf4"


class QuantizedLinear(nn.Linear):
    """Takes the place of a linear layer; ``weight`` holds two weights a byte."""

    def __init__(self, linear: nn.Linear) -> None:
        """Quantise the weights of ``linear`` where they are, and share its bias."""
        # It loads a library of its own. For some processors it would also fetch one from a model
        # hub and run it, where ``kernels`` is installed.
        with hidden("kernels"):
            from bitsandbytes.functional import quantize_4bit

        super().__init__(linear.in_features, linear.out_features, bias=False, device="meta")
        weight = linear.weight.detach()
        quantized, state = quantize_4bit(weight, blocksize=BLOCK, quant_type=_TYPE)
        self.weight = nn.Parameter(quantized, requires_grad=False)
        self.bias = linear.bias
        self._dtype = weight.dtype
        self._scales: Tensor
        self._levels: Tensor
        self.register_buffer("_scales", state.absmax, persistent=False)  # float32 [block]
        self.register_buffer("_levels", state.code, persistent=False)  # float32 [16]

    def dequantized(self) -> Tensor:
        """[out, in], in the precision that it had."""
        from bitsandbytes.functional import QuantState, dequantize_4bit

        state: Any = QuantState(
            absmax=self._scales,
            shape=torch.Size((self.out_features, self.in_features)),
            code=self._levels,
            blocksize=BLOCK,
            quant_type=_TYPE,
            dtype=self._dtype,
        )
        dense: Tensor = dequantize_4bit(self.weight.detach(), state)
        return dense

    def forward(self, x: Tensor) -> Tensor:
        """[.., in] -> [.., out]."""
        return functional.linear(x, self.dequantized(), self.bias)


Weight = Tensor | QuantizedLinear
"""A frozen matrix [out, in], or the layer that keeps it quantised."""


def weight_of(linear: nn.Linear) -> Weight:
    """The weight of a linear layer, shared with it."""
    return linear if isinstance(linear, QuantizedLinear) else linear.weight.detach()


def dense(weight: Weight) -> Tensor:
    """[out, in]; dequantised for as long as the caller holds it."""
    return weight.dequantized() if isinstance(weight, QuantizedLinear) else weight


def rows_of(weight: Weight) -> int:
    """The number of outputs."""
    return weight.out_features if isinstance(weight, QuantizedLinear) else len(weight)


def quantize(layers: nn.Module) -> None:
    """Quantise every linear layer below ``layers``, one after another."""
    for module in list(layers.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.Linear) and not isinstance(child, QuantizedLinear):
                setattr(module, name, QuantizedLinear(child))
