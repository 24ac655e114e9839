import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from core.errors import ModelError
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.policy.loading import ADAPTED, load_policy
from tests.llama_models import LLAMA3_ROPE
from tests.naive_policy import hidden_states
from tests.tiny_models import END, FAMILIES, Family, build_tiny_model, load_tiny_policy, tiny_spec

Damage = Callable[[Path], None]


def _cut(name: str, keep: float) -> Damage:
    def damage(folder: Path) -> None:
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(len(data) * keep)])

    return damage


def _configure(**changes: object) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return damage


def _write(name: str, content: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).write_text(content)

    return damage


def _add_tokens(folder: Path) -> None:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_tokens(["zebra", "okapi"])
    tokenizer.save(str(folder / "tokenizer.json"))


DAMAGES: dict[str, tuple[Damage, str]] = {
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "weights"),
    "empty weights": (_cut("model.safetensors", 0), "weights"),
    "weights cut in the header": (_cut("model.safetensors", 0.001), "weights"),
    "weights cut in the middle": (_cut("model.safetensors", 0.5), "weights"),
    "weights cut at the end": (_cut("model.safetensors", 0.9999), "weights"),
    "a layer without weights": (_configure(num_hidden_layers=3), "weights"),
    "a head without weights": (_configure(tie_word_embeddings=False), "weights"),
    "weights of another shape": (_configure(hidden_size=64, head_dim=16), "weights"),
    "no heads": (_configure(num_attention_heads=0), "configuration|weights"),
    "no configuration": (lambda f: (f / "config.json").unlink(), "configuration"),
    "junk as configuration": (_write("config.json", "{"), "configuration"),
    "a list as configuration": (_write("config.json", "[]"), "configuration"),
    "a text as size": (_configure(hidden_size="wide"), "configuration"),
    "an unknown architecture": (_configure(model_type="perceptron"), "architecture 'perceptron'"),
    "another architecture": (_configure(model_type="qwen2"), "family qwen2"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "tokenizer"),
    "junk as tokenizer": (_write("tokenizer.json", "{}"), "tokenizer"),
    "tokenizer cut": (_cut("tokenizer.json", 0.7), "tokenizer"),
    "no tokenizer settings": (lambda f: (f / "tokenizer_config.json").unlink(), "tokenizer"),
    "no end token": (_write("tokenizer_config.json", "{}"), "end-of-sequence"),
    "an end token that is none": (
        _write("tokenizer_config.json", '{"eos_token": "</s>"}'),
        "end-of-sequence",
    ),
    "another model's tokenizer": (_add_tokens, "tokenizer belongs to another model"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_folder_is_explained_in_one_sentence(tmp_path: Path, name: str) -> None:
    """Whatever is wrong with a model, the message says which part and what to do."""
    damage, part = DAMAGES[name]
    build_tiny_model(tmp_path)
    damage(tmp_path)
    wanted = rf"Tiny in .* cannot be used: .*({part}).*\. (Install it again|Choose another one)"
    with pytest.raises(ModelError, match=wanted):
        load_policy(tiny_spec(tmp_path), seed=0)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_configuration_says_besides_reaches_nobody(tmp_path: Path, family: Family) -> None:
    """Labels by the thousand million, code, and other classes: transformers never sees them."""
    build_tiny_model(tmp_path, family)
    changes: dict[str, object] = {
        "num_labels": 10**9,
        "id2label": {"0": "x"},
        "auto_map": {"AutoConfig": "evil.py--Evil"},
        "architectures": ["EvilForCausalLM"],
        "attn_implementation": "evil/kernel",
        "torch_dtype": "evil",
    }
    before = load_policy(tiny_spec(tmp_path, family), seed=0)
    _configure(**changes)(tmp_path)
    (tmp_path / "generation_config.json").write_text(json.dumps({"max_new_tokens": "evil"}))
    policy = load_policy(tiny_spec(tmp_path, family), seed=0)
    assert policy.causal_lm.config.num_labels == 2
    assert "evil" not in repr(policy.causal_lm.config).lower()
    assert "evil" not in repr(policy.causal_lm.generation_config)
    ids = torch.tensor([[5, 17, 80]])
    with torch.no_grad():
        assert torch.equal(hidden_states(policy, ids), hidden_states(before, ids))


ROTATIONS: list[dict[str, object]] = [
    {"rope_theta": 500.0},
    {"rope_scaling": {"type": "linear", "factor": 4}, "rope_parameters": None, "rope_theta": 300},
    {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 300.0}},
    {"rope_parameters": {**LLAMA3_ROPE}},
]


@pytest.mark.parametrize("changes", ROTATIONS, ids=repr)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_network_is_the_one_of_the_file(
    tmp_path: Path, family: Family, changes: dict[str, object]
) -> None:
    """What is built from the checked fields computes what transformers builds from the file."""
    spec = tiny_spec(build_tiny_model(tmp_path, family), family)
    _configure(rms_norm_eps=0.01, **changes)(tmp_path)
    ids = torch.tensor([[5, 17, 80, 3, 200, 41]])
    reference = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32)
    with torch.no_grad():
        expected = reference.model(input_ids=ids).last_hidden_state
        found = hidden_states(load_policy(spec, seed=0), ids)
    assert torch.allclose(found, expected, atol=1e-5)


def test_a_missing_folder_is_explained(tmp_path: Path) -> None:
    """A model that was never downloaded is a missing model, not a traceback."""
    with pytest.raises(ModelError, match="missing or damaged"):
        load_policy(tiny_spec(tmp_path / "nowhere"), seed=0)


def test_pickled_weights_are_never_read(tmp_path: Path) -> None:
    """A folder that holds only weights in torch's pickle format counts as one without weights."""
    build_tiny_model(tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="weights"):
        load_policy(tiny_spec(tmp_path), seed=0)


def test_an_end_token_written_out_in_full_is_understood(tmp_path: Path) -> None:
    """Some tokenizers describe their special tokens as tables instead of texts."""
    build_tiny_model(tmp_path)
    described = {"eos_token": {"content": END, "lstrip": False}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(described))
    assert load_policy(tiny_spec(tmp_path), seed=0).eos_id == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_linear_layer_learns_and_nothing_else(tmp_path: Path, family: Family) -> None:
    """Each layer's seven projections get an adapter; embeddings, head and norms stay."""
    policy = load_tiny_policy(tmp_path, family)
    names = {name.rsplit(".lora_", 1)[0] for name in policy.adapter()}
    assert len(names) == 2 * len(ADAPTED)
    assert {name.rsplit(".", 1)[1] for name in names} == set(ADAPTED)
    assert all(p.requires_grad and p.dtype == torch.float32 for p in policy.adapter().values())


def test_the_seed_alone_decides_the_fresh_adapter(tmp_path: Path) -> None:
    """Same seed, same adapter, whatever was drawn before; another seed, another adapter."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    first = load_policy(spec, seed=1).adapter()
    torch.rand(7)
    again = load_policy(spec, seed=1).adapter()
    other = load_policy(spec, seed=2).adapter()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


def test_loading_leaves_the_global_generator_alone(tmp_path: Path) -> None:
    """A seeded adapter does not seed everything else."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    load_policy(spec, seed=1)
    assert torch.equal(torch.rand(3), expected)


def test_loading_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """No progress bar and no warning reaches the terminal."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    capfd.readouterr()
    load_policy(spec, seed=0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("spec", load_models().models, ids=lambda spec: spec.id)
def test_a_shipped_model_is_what_the_catalogue_says(spec: ModelSpec) -> None:
    """It loads, has as many parameters as stated, and was made for so long a context."""
    if not spec.folder.exists():
        pytest.skip("this copy comes without the weights")
    policy = load_policy(spec, seed=0)
    adapter = sum(parameter.numel() for parameter in policy.adapter().values())
    everything = sum(parameter.numel() for parameter in policy.causal_lm.parameters())
    assert everything - adapter == spec.parameters
    assert policy.causal_lm.config.max_position_embeddings >= spec.context
