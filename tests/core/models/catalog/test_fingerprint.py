"""What tells one model from another."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.models.catalog.fingerprint import fingerprint_of
from tests.tiny_models import build_tiny_model

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
