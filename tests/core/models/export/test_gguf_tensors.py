import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from gguf import dequantize

from core.models.export.gguf_tensors import (
    Quant,
    gguf_name,
    interleave_rows,
    kind_of,
    stored,
    stored_bytes,
)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("model.embed_tokens.weight", "token_embd.weight"),
        ("model.norm.weight", "output_norm.weight"),
        ("lm_head.weight", "output.weight"),
        ("model.layers.11.self_attn.q_proj.weight", "blk.11.attn_q.weight"),
        ("model.layers.0.self_attn.k_proj.bias", "blk.0.attn_k.bias"),
        ("model.layers.3.self_attn.q_norm.weight", "blk.3.attn_q_norm.weight"),
        ("model.layers.3.mlp.down_proj.weight", "blk.3.ffn_down.weight"),
        ("model.layers.3.post_attention_layernorm.weight", "blk.3.ffn_norm.weight"),
        ("model.layers.3.mlp.experts.weight", None),
        ("vision.tower.weight", None),
    ],
)
def test_names_are_those_of_llama_cpp(theirs: str, ours: str | None) -> None:
    """Every weight of the three families has its name, and nothing else has one."""
    assert gguf_name(theirs) == ours


def test_rows_are_interleaved_within_each_head() -> None:
    """Row i of a head's first half is followed by row i of its second half."""
    rows = torch.arange(12.0)[:, None].expand(-1, 3)
    assert interleave_rows(rows, heads=2)[:, 0].tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
    assert interleave_rows(rows[:, 0], heads=3).tolist() == [0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11]


def test_only_matrices_of_whole_blocks_are_quantised() -> None:
    """A vector stays float32, and a row that is no multiple of 32 stays in half precision."""
    assert kind_of((64,), "q8_0") is Kind.F32
    assert kind_of((10, 64), "q8_0") is Kind.Q8_0
    assert kind_of((64, 48), "q8_0") is Kind.F16
    assert kind_of((64, 48), "bf16") is Kind.BF16


@pytest.mark.parametrize("quant", ["f16", "bf16", "q8_0"])
def test_what_is_stored_is_the_weight_but_for_rounding(quant: Quant) -> None:
    """Each kind is read back within its precision, and takes the bytes that were announced."""
    weight = torch.randn(70_000, 64, generator=torch.Generator().manual_seed(0))
    kind = kind_of(tuple(weight.shape), quant)
    data = stored(weight, kind)
    assert data.nbytes == stored_bytes(tuple(weight.shape), kind)
    raw = data.view(np.uint8) if quant == "bf16" else data
    back = torch.from_numpy(dequantize(raw, kind).astype(np.float32)).view(weight.shape)
    largest = weight.abs().amax(dim=1, keepdim=True)
    assert (
        (back - weight).abs() <= largest * {"f16": 6e-4, "bf16": 5e-3, "q8_0": 5e-3}[quant]
    ).all()
