"""Whether weights are those of the network that a configuration describes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.rope import RopeConfig
from core.models.catalog.shapes import Architecture, read_architecture
from core.models.catalog.weight_headers import (
    INDEX,
    SINGLE,
    WeightsError,
    check_headers,
    check_index,
    expected_weights,
)
from tests.tiny_models import FAMILIES, Family, build_tiny_model

Weights = dict[str, Tensor]
FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
QUERIES = "model.layers.1.self_attn.q_proj.weight"


def described(folder: Path) -> Architecture:
    return read_architecture((folder / "config.json").read_bytes(), "tiny")


def cut_in_two(folder: Path) -> dict[str, str]:
    """The same model in two files with their list; the list."""
    weights = load_file(folder / SINGLE)
    places = {name: (FIRST, SECOND)[number % 2] for number, name in enumerate(sorted(weights))}
    for file in (FIRST, SECOND):
        save_file({n: weights[n] for n, place in places.items() if place == file}, folder / file)
    (folder / SINGLE).unlink()
    return write_index(folder, places)


def write_index(folder: Path, places: dict[str, str]) -> dict[str, str]:
    (folder / INDEX).write_text(json.dumps({"weight_map": places}))
    return places


@pytest.mark.parametrize("family", FAMILIES)
def test_what_transformers_writes_is_what_is_expected(tmp_path: Path, family: Family) -> None:
    """Names and dimensions, in one file and in several."""
    folder = build_tiny_model(tmp_path, family)
    written = {name: tuple(w.shape) for name, w in load_file(folder / SINGLE).items()}
    assert written == expected_weights(described(folder))
    check_headers(folder, described(folder))
    places = cut_in_two(folder)
    assert check_index(folder, described(folder)) == places
    check_headers(folder, described(folder))


@pytest.mark.parametrize("spec", load_models().models, ids=lambda spec: spec.id)
def test_the_expected_weights_are_all_parameters(spec: ModelSpec) -> None:
    """Of every model of the catalogue, to the last one."""
    architecture = Architecture(spec.family, spec.shape, spec.context, 1e-6, RopeConfig())
    sizes = expected_weights(architecture).values()
    assert sum(torch.Size(size).numel() for size in sizes) == spec.parameters


def without(name: str) -> Callable[[Weights], None]:
    return lambda weights: weights.__delitem__(name)


def adding(name: str, *size: int) -> Callable[[Weights], None]:
    return lambda weights: weights.update({name: torch.zeros(size)})


CHANGES: dict[str, tuple[Callable[[Weights], None], str]] = {
    "a weight too few": (without(QUERIES), f"missing, such as {QUERIES}"),
    "no norm at the end": (without("model.norm.weight"), "missing, such as model.norm.weight"),
    "a bias": (adding("model.layers.0.self_attn.q_proj.bias", 48), "of another network: 'model.la"),
    "a layer more": (adding("model.layers.2.mlp.up_proj.weight", 96, 48), "of another network"),
    "a name to remember": (adding("x" * 5000, 1), "of another network: 'x{80}'"),
    "a wider matrix": (adding(QUERIES, 48, 49), f"{QUERIES} is of another size"),
    "a flat matrix": (adding(QUERIES, 48 * 48), "is of another size"),
    "a tied head of another size": (
        adding("lm_head.weight", 3, 48),
        "lm_head.weight is of another",
    ),
    "whole numbers": (lambda w: w.update({QUERIES: w[QUERIES].char()}), "stored as I8, and only"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_weights_of_another_network_are_told(tmp_path: Path, name: str) -> None:
    """Too few, too many, of other sizes or kinds: a sentence that names one."""
    change, words = CHANGES[name]
    folder = build_tiny_model(tmp_path)
    weights = load_file(folder / SINGLE)
    change(weights)
    save_file(weights, folder / SINGLE)
    with pytest.raises(WeightsError, match=words) as caught:
        check_headers(folder, described(folder))
    assert len(str(caught.value)) < 200


def test_what_is_computed_anyway_may_be_there(tmp_path: Path) -> None:
    """Older files hold frequencies in every layer, and a tied head besides the embeddings."""
    folder = build_tiny_model(tmp_path)
    weights = load_file(folder / SINGLE)
    weights["model.layers.0.self_attn.rotary_emb.inv_freq"] = torch.zeros(6)
    weights["lm_head.weight"] = torch.zeros(weights["model.embed_tokens.weight"].shape)
    save_file(weights, folder / SINGLE)
    check_headers(folder, described(folder))


def test_a_part_alone_is_no_model(tmp_path: Path) -> None:
    """Without a list all weights are in one file of one name."""
    folder = build_tiny_model(tmp_path)
    (folder / SINGLE).rename(folder / FIRST)
    with pytest.raises(WeightsError, match="some of its weights are missing"):
        check_headers(folder, described(folder))


def test_no_weights_are_there_twice(tmp_path: Path) -> None:
    """A whole beside the parts: who loads which would be left to chance."""
    folder = build_tiny_model(tmp_path)
    whole = (folder / SINGLE).read_bytes()
    cut_in_two(folder)
    (folder / SINGLE).write_bytes(whole)
    with pytest.raises(WeightsError, match=r"there twice, such as in 'model\.safetensors'"):
        check_headers(folder, described(folder))


def test_a_list_that_is_wrong_is_told(tmp_path: Path) -> None:
    """It names other files, other weights or too few, or another file than the right one."""
    folder = build_tiny_model(tmp_path)
    places = cut_in_two(folder)
    cases = {
        "names other files": places | {QUERIES: "../elsewhere.safetensors"},
        "missing, such as model": {n: p for n, p in places.items() if n != QUERIES},
        "of another network": places | {"model.layers.7.mlp.up_proj.weight": FIRST},
        "not those of their list": {n: FIRST if n == QUERIES else p for n, p in places.items()},
    }
    if places[QUERIES] == FIRST:
        cases["not those of their list"][QUERIES] = SECOND
    for words, changed in cases.items():
        write_index(folder, changed)
        with pytest.raises(WeightsError, match=words):
            check_headers(folder, described(folder))


def test_a_deep_list_is_told(tmp_path: Path) -> None:
    """Brackets in brackets by the thousand are no list, and end nothing."""
    folder = build_tiny_model(tmp_path)
    (folder / INDEX).write_text('{"metadata": ' + "[" * 100_000)
    with pytest.raises(WeightsError, match="the list of its weights is damaged"):
        check_index(folder, described(folder))


@given(st.binary(max_size=100) | st.text(max_size=50).map(str.encode))
def test_any_bytes_are_no_list(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Nonsense is one error."""
    folder = tmp_path_factory.getbasetemp()
    (folder / INDEX).write_bytes(data)
    architecture = Architecture("llama", load_models().get("spark").shape, 512, 1e-6, RopeConfig())
    with pytest.raises(WeightsError):
        check_index(folder, architecture)
