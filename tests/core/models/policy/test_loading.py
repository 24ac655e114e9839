import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor
from transformers import AutoModelForCausalLM

from core.errors import BusyError, MemoryShortError, ModelError
from core.models.catalog.catalog import load_models
from core.models.memory.compute import Compute
from core.models.policy.loading import ADAPTED, fingerprint_of, load_policy
from tests.chat_templates import CHATML
from tests.llama_models import LLAMA3_ROPE
from tests.naive_policy import hidden_states
from tests.present import present
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


def _move_token(folder: Path) -> None:
    path = folder / "tokenizer.json"
    file = json.loads(path.read_text("utf-8"))
    words: dict[str, int] = file["model"]["vocab"]
    words[max(words, key=lambda word: words[word])] = 5_000
    path.write_text(json.dumps(file), "utf-8")


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
    "a token beyond the embedding": (_move_token, "tokenizer belongs to another model"),
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


def test_a_template_that_cannot_be_tried_out_now_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installing the model again would not help."""
    build_tiny_model(tmp_path)
    (tmp_path / "chat_template.jinja").write_text(CHATML)
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    with pytest.raises(BusyError, match=r"Tiny cannot be used now: .* Try again later\."):
        load_policy(replace(tiny_spec(tmp_path), chat=True), seed=0)


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


@pytest.mark.parametrize("name", ["spark", "ember"])
def test_a_shipped_model_is_what_the_catalogue_says(name: str) -> None:
    """It loads, has as many parameters as stated, and was made for so long a context."""
    spec = present(load_models().find(name))
    policy = load_policy(spec, seed=0)
    adapter = sum(parameter.numel() for parameter in policy.adapter().values())
    everything = sum(parameter.numel() for parameter in policy.causal_lm.parameters())
    assert everything - adapter == spec.parameters
    assert policy.causal_lm.config.max_position_embeddings >= spec.context


Weights = dict[str, Tensor]
WEIGHTS = "model.safetensors"
MATRICES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model, tmp_path / "copy"))


def rewrite(folder: Path, change: Callable[[Weights], None]) -> None:
    weights = load_file(folder / WEIGHTS)
    change(weights)
    save_file(weights, folder / WEIGHTS, {"format": "pt"})


def test_the_same_files_have_the_same_one(model: Path, copy: Path) -> None:
    """Wherever they lie, and however git wrote the ends of their lines."""
    assert fingerprint_of(copy) == fingerprint_of(model)
    config = copy / "config.json"
    config.write_bytes(config.read_bytes().replace(b"\n", b"\r\n"))
    assert fingerprint_of(copy) == fingerprint_of(model)


def test_it_is_the_same_on_every_machine(tmp_path: Path) -> None:
    """A golden one, of files that nothing but this test makes."""
    (tmp_path / "config.json").write_text("{}")
    ramp = torch.arange(600, dtype=torch.float32)
    weights = {"a": ramp.reshape(30, 20).half(), "b": ramp[:7].bfloat16(), "c": torch.tensor(2.0)}
    save_file(weights, tmp_path / WEIGHTS)
    assert fingerprint_of(tmp_path) == "ed5db267767f9bb7"


@given(number=st.integers(0, 1), matrix=st.sampled_from(MATRICES), seed=st.integers(0, 99))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_merged_adapter_is_another_model(
    model: Path, copy: Path, number: int, matrix: str, seed: int
) -> None:
    """A change of rank one in a single matrix, while every norm stays as it was, is seen."""

    def merge(weights: Weights) -> None:
        name = next(n for n in weights if f".{number}." in n and matrix in n)
        generator = torch.Generator().manual_seed(seed)
        up, down = (torch.randn(size, 1, generator=generator) for size in weights[name].shape)
        weights[name] = (weights[name].float() + 0.02 * up @ down.T).half()

    shutil.copyfile(model / WEIGHTS, copy / WEIGHTS)
    rewrite(copy, merge)
    assert fingerprint_of(copy) != fingerprint_of(model)


def test_every_tensor_counts(model: Path, copy: Path) -> None:
    """Its name, its numbers, its precision and its dimensions."""
    names = list(load_file(model / WEIGHTS))

    def noisy(weights: Weights, name: str) -> None:
        weights[name] = weights[name] + 0.5

    def renamed(weights: Weights, name: str) -> None:
        weights[f"{name}.old"] = weights.pop(name)

    def wider(weights: Weights, name: str) -> None:
        weights[name] = weights[name].float()

    def flat(weights: Weights, name: str) -> None:
        weights[name] = weights[name].reshape(1, -1)

    seen = {fingerprint_of(model)}
    for change in (noisy, renamed, wider, flat):
        for name in names:
            shutil.copyfile(model / WEIGHTS, copy / WEIGHTS)
            rewrite(copy, lambda w, change=change, name=name: change(w, name))  # type: ignore[misc] # mypy sees no defaults of a lambda
            seen.add(fingerprint_of(copy))
    assert len(seen) == 1 + 4 * len(names)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json"])
def test_the_description_counts(model: Path, copy: Path, name: str) -> None:
    """Another tokenizer reads other tokens out of the same weights."""
    described = json.loads((copy / name).read_text("utf-8"))
    (copy / name).write_text(json.dumps({**described, "new": 1}), "utf-8")
    assert fingerprint_of(copy) != fingerprint_of(model)


def test_a_template_counts(model: Path, copy: Path) -> None:
    """Even an empty one is more than none."""
    (copy / "chat_template.jinja").write_text("")
    assert fingerprint_of(copy) != fingerprint_of(model)


def test_shards_are_one_model(model: Path, copy: Path) -> None:
    """Into how many files the weights were cut does not matter."""
    weights = load_file(copy / WEIGHTS)
    names = sorted(weights)
    (copy / WEIGHTS).unlink()
    for number, part in enumerate((names[:5], names[5:])):
        save_file({n: weights[n] for n in part}, copy / f"model-0000{number}-of-00002.safetensors")
    assert fingerprint_of(copy) == fingerprint_of(model)


def test_weights_that_are_converted_for_a_card_need_memory_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux would kill the engine; as the files hold them they are never copied.

    The device that computes nothing stands for a card.
    """
    spec, card = tiny_spec(build_tiny_model(tmp_path)), torch.device("meta")
    load_policy(spec, 0, Compute(card, torch.bfloat16))
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1_000))
    load_policy(spec, 0, Compute(card, torch.float16))
    with pytest.raises(MemoryShortError, match=r"Tiny needs about .* of memory"):
        load_policy(spec, 0, Compute(card, torch.bfloat16))
