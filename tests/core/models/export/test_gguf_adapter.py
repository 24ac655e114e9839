from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader

from core.models.export.gguf_adapter import adapter_of, write_adapter
from core.models.export.gguf_tensors import interleave_rows
from tests.tiny_models import FAMILIES, Family, disturb_adapter, load_tiny_policy

WEIGHT = "model.layers.1.self_attn.k_proj.weight"


@pytest.mark.parametrize("family", FAMILIES)
def test_an_adapter_is_written_as_it_is(tmp_path: Path, family: Family) -> None:
    """A and B of each weight in half precision; only Llama's rotated rows change places."""
    policy = load_tiny_policy(tmp_path / "model", family)
    disturb_adapter(policy)
    write_adapter(policy, tmp_path / "adapter.gguf")
    tensors = {t.name: t.data for t in GGUFReader(tmp_path / "adapter.gguf").tensors}
    assert len(tensors) == len(policy.adapter())
    halves = adapter_of(policy).halves(WEIGHT)
    assert halves is not None
    a, b = halves
    expected = interleave_rows(b, 2) if family == "llama" else b
    assert np.array_equal(tensors["blk.1.attn_k.weight.lora_a"], a.numpy().astype(np.float16))
    assert np.array_equal(
        tensors["blk.1.attn_k.weight.lora_b"], expected.numpy().astype(np.float16)
    )


def test_it_says_what_it_is(tmp_path: Path) -> None:
    """llama.cpp asks for type, architecture and alpha; the rank is that of the tensors."""
    policy = load_tiny_policy(tmp_path / "model", "qwen3")
    write_adapter(policy, tmp_path / "adapter.gguf")
    reader = GGUFReader(tmp_path / "adapter.gguf")
    said = {name: field.contents() for name, field in reader.fields.items()}
    assert said["general.type"] == "adapter"
    assert said["adapter.type"] == "lora"
    assert said["general.architecture"] == "qwen3"
    assert said["adapter.lora.alpha"] == 8.0
