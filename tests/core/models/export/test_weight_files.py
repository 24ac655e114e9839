import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import ModelError
from core.models.export.gguf_export import adapter_of
from core.models.export.weight_files import WeightFiles
from core.models.policy.loading import load_policy
from tests.naive_policy import merged_weight
from tests.tiny_models import build_tiny_model, disturb_adapter, tiny_spec

ADAPTED = "model.layers.0.self_attn.q_proj.weight"


def test_weights_come_as_the_files_hold_them(tmp_path: Path) -> None:
    """Same names, shapes, precision and bits as the library reads, one tensor at a time."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    expected = load_file(tmp_path / "model.safetensors")
    weights = WeightFiles(spec)
    assert set(weights.names(tied=False)) == set(expected)
    for name, tensor in expected.items():
        assert weights.shape(name) == tuple(tensor.shape)
        assert weights.dtype(name) == tensor.dtype
        assert torch.equal(weights.read(name), tensor)


def test_shards_are_one_model(tmp_path: Path) -> None:
    """It does not matter in which file a tensor lies."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    every = load_file(tmp_path / "model.safetensors")
    (tmp_path / "model.safetensors").unlink()
    names = sorted(every)
    for number, part in enumerate((names[:5], names[5:])):
        save_file({name: every[name] for name in part}, tmp_path / f"m-{number}.safetensors")
    weights = WeightFiles(spec)
    assert set(weights.names(tied=False)) == set(every)
    assert all(torch.equal(weights.read(name), tensor) for name, tensor in every.items())


def test_a_tied_head_is_no_weight_of_its_own(tmp_path: Path) -> None:
    """Some files hold it twice; what is tied is left out."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    every = load_file(tmp_path / "model.safetensors")
    every["lm_head.weight"] = every["model.embed_tokens.weight"].clone()
    save_file(every, tmp_path / "model.safetensors")
    assert "lm_head.weight" not in WeightFiles(spec).names(tied=True)
    assert "lm_head.weight" in WeightFiles(spec).names(tied=False)


def test_the_adapter_is_folded_in_as_the_policy_does_it(tmp_path: Path) -> None:
    """What is adapted is base + alpha/rank x B A, in float32; the rest is as in the files."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    policy = load_policy(spec, 0)
    disturb_adapter(policy)
    weights = WeightFiles(spec, adapter_of(policy))
    merged = merged_weight(policy, "model.layers.0.self_attn.q_proj")
    assert torch.allclose(weights.read(ADAPTED), merged, atol=1e-6)
    assert not torch.allclose(WeightFiles(spec).read(ADAPTED).float(), merged, atol=1e-3)
    assert weights.read("model.norm.weight").dtype is torch.float16
    assert len(adapter_of(policy).adapted()) == 14


@pytest.mark.parametrize("damage", ["gone", "cut", "empty"])
def test_damaged_weights_are_one_sentence(tmp_path: Path, damage: str) -> None:
    """Missing, truncated or empty: the message names the model and says what to do."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    path = tmp_path / "model.safetensors"
    data = path.read_bytes()
    path.unlink()
    if damage != "gone":
        path.write_bytes(data[: len(data) // 2] if damage == "cut" else b"")
    with pytest.raises(ModelError, match="Install it again"):
        WeightFiles(spec)


def test_a_header_that_lies_is_one_sentence(tmp_path: Path) -> None:
    """A header of nonsense is refused like a missing file."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    header = json.dumps({"w": {"dtype": "F16", "shape": [4], "data_offsets": [0, 800]}}).encode()
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(ModelError, match="Install it again"):
        WeightFiles(spec)
