from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gguf import GGUFReader
from safetensors.torch import load_file, save_file
from transformers import AutoConfig
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from core.errors import ModelError
from core.models.export.gguf_export import (
    GgufForm,
    adapter_of,
    gguf_bytes,
    write_adapter,
    write_gguf,
)
from core.models.export.gguf_tensors import Quant, interleave_rows
from core.models.export.weight_files import WeightFiles
from tests.llama_models import LLAMA3_ROPE, WIDE, build_model
from tests.tiny_models import FAMILIES, Family, disturb_adapter, load_tiny_policy


def _read(path: Path) -> dict[str, Any]:
    """All tensors of a file, as the library reads them."""
    return {tensor.name: tensor for tensor in GGUFReader(path).tensors}


def _field(path: Path, name: str) -> object:
    field = GGUFReader(path).get_field(name)
    assert field is not None
    return field.contents()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_weight_is_there_as_it_was(tmp_path: Path, family: Family) -> None:
    """Half-precision weights are copied bit by bit; only Llama's rotated rows change places."""
    spec = build_model(tmp_path / "model", family, **WIDE, tie_word_embeddings=False)
    weights = WeightFiles(spec)
    path = tmp_path / "model.gguf"
    write_gguf(weights, path, GgufForm("f16"))
    tensors = _read(path)
    assert len(tensors) == len(weights.names(tied=False))
    assert np.array_equal(tensors["output.weight"].data, weights.read("lm_head.weight").numpy())
    query = weights.read("model.layers.1.self_attn.q_proj.weight")
    expected = interleave_rows(query, 4) if family == "llama" else query
    assert np.array_equal(tensors["blk.1.attn_q.weight"].data, expected.numpy())
    assert tensors["blk.0.attn_norm.weight"].data.dtype == np.float32
    assert ("blk.0.attn_q.bias" in tensors) == (family == "qwen2")
    assert ("blk.0.attn_q_norm.weight" in tensors) == (family == "qwen3")


def test_a_tied_head_is_written_once(tmp_path: Path) -> None:
    """llama.cpp then takes the embeddings for it."""
    write_gguf(WeightFiles(build_model(tmp_path / "m")), tmp_path / "m.gguf", GgufForm("f16"))
    assert "output.weight" not in _read(tmp_path / "m.gguf")


def test_what_older_files_hold_needlessly_is_left_out(tmp_path: Path) -> None:
    """llama.cpp computes the frequencies itself; the download check lets them pass."""
    spec = build_model(tmp_path / "model")
    path = tmp_path / "model" / "model.safetensors"
    every = load_file(path)
    every["model.layers.0.self_attn.rotary_emb.inv_freq"] = torch.zeros(6)
    save_file(every, path, {"format": "pt"})
    write_gguf(WeightFiles(spec), tmp_path / "m.gguf", GgufForm("f16"))
    assert len(_read(tmp_path / "m.gguf")) == len(every) - 1


@pytest.mark.parametrize("family", FAMILIES)
def test_the_header_describes_the_network(tmp_path: Path, family: Family) -> None:
    """Above all the size of a head, which need not follow from the others."""
    spec = build_model(tmp_path / "model", family, **WIDE)
    path = tmp_path / "model.gguf"
    write_gguf(WeightFiles(spec), path, GgufForm("f16"))
    assert _field(path, "general.architecture") == family
    assert _field(path, f"{family}.attention.key_length") == (16 if family == "qwen2" else 32)
    assert _field(path, f"{family}.attention.head_count_kv") == 2
    assert _field(path, f"{family}.rope.freq_base") == 10000.0
    assert _field(path, "tokenizer.ggml.pre") == "smollm"
    assert _field(path, "tokenizer.ggml.add_bos_token") is False


def test_the_samplers_own_file_needs_no_tokenizer(tmp_path: Path) -> None:
    """A model whose tokenizer llama.cpp does not know can still be sampled from."""
    spec = build_model(tmp_path / "model")
    (tmp_path / "model" / "tokenizer.json").unlink()
    write_gguf(WeightFiles(spec), tmp_path / "m.gguf", GgufForm("f16", speaks=False))
    assert _field(tmp_path / "m.gguf", "tokenizer.ggml.model") == "no_vocab"
    with pytest.raises(ModelError):
        write_gguf(WeightFiles(spec), tmp_path / "n.gguf", GgufForm("f16"))
    assert not (tmp_path / "n.gguf").exists()


def test_scaled_rotations_are_those_of_the_model_that_trains(tmp_path: Path) -> None:
    """The plain frequency divided by the written factor is transformers' own, for each rotation."""
    spec = build_model(tmp_path / "model", rope_parameters=LLAMA3_ROPE, **WIDE)
    write_gguf(WeightFiles(spec), tmp_path / "m.gguf", GgufForm("f16"))
    factors = torch.from_numpy(np.array(_read(tmp_path / "m.gguf")["rope_freqs.weight"].data))
    expected = LlamaRotaryEmbedding(AutoConfig.from_pretrained(spec.folder)).inv_freq
    plain = 500000.0 ** -(torch.arange(0, 32, 2) / 32)
    assert torch.allclose(plain / factors, expected, rtol=1e-5)
    assert factors.max() > 2


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        ("llama", {"hidden_act": "gelu"}),
        ("llama", {"rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}}),
        ("qwen2", {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.0}}),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 8}),
    ],
)
def test_what_llama_cpp_does_not_know_is_refused(
    tmp_path: Path, family: Family, changes: dict[str, object]
) -> None:
    """A file that computes something else would be worse than none."""
    spec = build_model(tmp_path / "model", family, **changes)
    with pytest.raises(ModelError, match=r"llama\.cpp does not know|cannot be used: it"):
        write_gguf(WeightFiles(spec), tmp_path / "m.gguf", GgufForm("f16"))
    assert not (tmp_path / "m.gguf").exists()


@pytest.mark.parametrize("quant", ["f16", "bf16", "q8_0"])
def test_the_size_is_known_before(tmp_path: Path, quant: Quant) -> None:
    """Tensors take what was announced; the header adds the tokenizer."""
    weights = WeightFiles(build_model(tmp_path / "model", **WIDE))
    path = tmp_path / "m.gguf"
    write_gguf(weights, path, GgufForm(quant))
    assert 0 < path.stat().st_size - gguf_bytes(weights, quant) < 30_000


def test_a_cancelled_export_leaves_what_was_there(tmp_path: Path) -> None:
    """Neither a half file nor a draft stays; an earlier file keeps its content."""
    weights = WeightFiles(build_model(tmp_path / "model"))
    path = tmp_path / "out" / "m.gguf"
    path.parent.mkdir()
    path.write_bytes(b"earlier")

    def cancel(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_gguf(weights, path, GgufForm("f16"), cancel)
    assert path.read_bytes() == b"earlier"
    assert list(path.parent.iterdir()) == [path]


def test_progress_rises_to_one(tmp_path: Path) -> None:
    """Whoever shows it can show a bar."""
    shares: list[float] = []
    weights = WeightFiles(build_model(tmp_path / "model"))
    write_gguf(weights, tmp_path / "m.gguf", GgufForm("f16"), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) == len(weights.names(tied=True))


def test_a_damaged_configuration_is_one_sentence(tmp_path: Path) -> None:
    """The message names the model and says what to do."""
    weights = WeightFiles(build_model(tmp_path / "model"))
    (tmp_path / "model" / "config.json").write_text("{")
    with pytest.raises(ModelError, match="its configuration is damaged"):
        write_gguf(weights, tmp_path / "m.gguf", GgufForm("f16"))


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
