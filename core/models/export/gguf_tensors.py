"""Names, row order and storage types of a Hugging Face model's weights in a GGUF file."""

import re
from typing import Any, Final, Literal

import numpy as np
import torch
from gguf import GGMLQuantizationType as Kind
from gguf import quantize
from numpy.typing import NDArray
from torch import Tensor
from transformers import PretrainedConfig

Quant = Literal["f16", "bf16", "q8_0"]
"""How matrices are stored; vectors are always float32."""

_KINDS: Final[dict[Quant, Kind]] = {"f16": Kind.F16, "bf16": Kind.BF16, "q8_0": Kind.Q8_0}

Q8_BLOCK: Final = 32
"""Numbers that share a scale in Q8_0; a row must consist of whole blocks."""

_Q8_BLOCK_BYTES: Final = Q8_BLOCK + 2
_CHUNK: Final = 4_000_000
"""Numbers that are quantised at once: float32 copies of a whole embedding would not fit."""

_LAYER: Final = re.compile(r"model\.layers\.(\d+)\.(.+)\.(weight|bias)")
_LAYER_NAMES: Final = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_OUTER_NAMES: Final = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}


def gguf_name(name: str) -> str | None:
    """GGUF's name for the weight ``name`` of a Llama, Qwen2 or Qwen3; None for an unknown one."""
    layer = _LAYER.fullmatch(name)
    if layer is None:
        return _OUTER_NAMES.get(name)
    known = _LAYER_NAMES.get(layer[2])
    return known and f"blk.{layer[1]}.{known}.{layer[3]}"


def interleave_rows(weight: Tensor, heads: int) -> Tensor:
    """Order the rows [out, ...] of a query or key projection as llama.cpp's Llama rotates them.

    Hugging Face rotates the first half of a head against the second, llama.cpp's Llama each even
    row against the odd one after it; so the halves are interleaved. Its Qwens keep the halves.
    """
    halves = weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:])
    return halves.swapaxes(1, 2).reshape(weight.shape)


def rotated_heads(family: str, config: PretrainedConfig, name: str) -> int | None:
    """Heads of a projection whose rows llama.cpp wants interleaved; None for all other weights."""
    if family != "llama":
        return None
    if ".q_proj." in name:
        return int(config.num_attention_heads)
    return int(config.num_key_value_heads) if ".k_proj." in name else None


def kind_of(shape: tuple[int, ...], quant: Quant) -> Kind:
    """The storage type of a tensor of ``shape`` where matrices are to be ``quant``."""
    if len(shape) == 1:
        return Kind.F32
    if quant == "q8_0" and shape[-1] % Q8_BLOCK:
        return Kind.F16
    return _KINDS[quant]


def stored_bytes(shape: tuple[int, ...], kind: Kind) -> int:
    """Bytes that a tensor takes in the file."""
    count = int(np.prod(shape))
    if kind is Kind.Q8_0:
        return count // Q8_BLOCK * _Q8_BLOCK_BYTES
    return count * (4 if kind is Kind.F32 else 2)


class Writable(np.ndarray[Any, Any]):
    """An array that says why it cannot be written; numpy itself says only how much was missing."""

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:  # noqa: A002, ANN401, ARG002 - numpy's own signature
        """Write the bytes to an open file, as ``GGUFWriter`` asks for it."""
        fid.write(np.ascontiguousarray(self).view(np.uint8).data)


def writable(array: NDArray[Any]) -> NDArray[Any]:
    """``array`` such that a full disk is an ``OSError`` with its reason."""
    return array.view(Writable)


def stored(tensor: Tensor, kind: Kind) -> NDArray[Any]:
    """``tensor`` as the file holds it, as an array of as many bytes."""
    tensor = tensor.contiguous()
    if kind is Kind.F32:
        return tensor.float().numpy()
    if kind is Kind.F16:
        return tensor.half().numpy()
    if kind is Kind.BF16:
        return tensor.bfloat16().view(torch.int16).numpy()
    rows = max(1, _CHUNK // tensor.shape[-1])
    chunks = [quantize(part.float().numpy(), kind) for part in tensor.split(rows)]
    return np.concatenate(chunks)
