"""Quantised weights are the numbers that they dequantise to, wherever a model is used."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import torch
from msgspec import structs
from torch import nn

from core.models.catalog.catalog import SMALL_MODEL, ModelSpec
from core.models.memory.compute import ON_CPU, Compute
from core.models.policy.adapters import LoraLayer
from core.models.policy.four_bit import QuantizedLinear, dense, rows_of, weight_of
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.sampling.torch_sampler import TorchSampler
from core.training.batch import pack
from core.training.body import TrainingBody
from core.training.loss import batch_loss
from tests.naive_policy import hidden_states
from tests.tiny_models import (
    FAMILIES,
    Family,
    build_tiny_model,
    disturb_adapter,
    question,
    tiny_spec,
)
from tests.training_groups import uneven_groups

pytest.importorskip("bitsandbytes", exc_type=ImportError)

QUANTIZED = Compute(ON_CPU.device, ON_CPU.dtype, quantizes=True)


def large(folder: Path, family: Family = "llama") -> ModelSpec:
    """A tiny model that is treated as a large one."""
    return structs.replace(
        tiny_spec(build_tiny_model(folder, family), family), parameters=SMALL_MODEL
    )


def linears(policy: Policy) -> dict[str, nn.Linear]:
    """The linear layers of the blocks, without their adapters."""
    found = {}
    for name, module in policy.causal_lm.model.layers.named_modules():
        if isinstance(module, LoraLayer):
            base = module.get_base_layer()
            assert isinstance(base, nn.Linear)
            found[name] = base
    return found


@pytest.fixture(params=FAMILIES)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Policy, Policy]:
    """A quantised policy, and a plain one with the numbers that the other dequantises to."""
    spec = large(tmp_path, request.param)
    quantized, plain = load_policy(spec, 1, QUANTIZED), load_policy(spec, 1)
    with torch.no_grad():
        for name, layer in linears(plain).items():
            layer.weight.copy_(dense(weight_of(linears(quantized)[name])))
    for policy in (quantized, plain):
        disturb_adapter(policy)
    return quantized, plain


def test_it_samples_what_the_plain_policy_samples(pair: tuple[Policy, Policy]) -> None:
    """The same tokens with the same log-probabilities."""
    asked = [question("Calculate 3 + 4."), question("How many letters has bee?", 1)]
    quantized, plain = (TorchSampler(policy).complete(asked, 4, seed=9) for policy in pair)
    assert quantized == plain


def test_it_learns_what_the_plain_policy_learns(pair: tuple[Policy, Policy]) -> None:
    """The same gradient of every factor, also where activations are computed twice."""
    groups = uneven_groups(4)
    tokens = sum(group.trained_tokens for group in groups)
    found = []
    for policy, checkpointing in ((pair[0], False), (pair[0], True), (pair[1], False)):
        body = TrainingBody(policy, checkpointing=checkpointing)
        loss = batch_loss(body, pack(groups), tokens)
        found.append(torch.autograd.grad(loss, list(policy.adapter().values())))
    for one, twice, plain in zip(*found, strict=True):
        assert plain.norm() > 0
        torch.testing.assert_close(one, plain)
        torch.testing.assert_close(twice, plain)


def test_transformers_runs_it_too(pair: tuple[Policy, Policy]) -> None:
    """So an export's check or a rival needs to know nothing of it."""
    ids = torch.arange(1, 20)[None]
    with torch.no_grad():
        torch.testing.assert_close(*(hidden_states(policy, ids) for policy in pair))


def test_only_the_matrices_of_the_layers_are_quantized(tmp_path: Path) -> None:
    """Embeddings and head, of which every number counts for a word, stay; what learns, too."""
    policy = load_policy(large(tmp_path), 1, QUANTIZED)
    assert all(isinstance(layer, QuantizedLinear) for layer in linears(policy).values())
    assert policy.causal_lm.lm_head.weight.dtype == torch.float32
    assert all(factor.dtype == torch.float32 for factor in policy.adapter().values())
    assert not any(part.requires_grad for part in policy.causal_lm.model.layers.buffers())
    assert policy.compute == QUANTIZED


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_quantized_weight_is_near_and_small(dtype: torch.dtype) -> None:
    """Within a tenth of normal weights in four and a half bits, in the precision that it had."""
    layer = nn.Linear(256, 128).to(dtype)
    with torch.no_grad():
        layer.weight.normal_(std=0.02, generator=torch.Generator().manual_seed(1))
    quantized = QuantizedLinear(layer)
    dequantized = quantized.dequantized()
    assert dequantized.dtype == dtype
    error = (dequantized - layer.weight).float().norm() / layer.weight.float().norm()
    assert 0 < error < 0.12
    kept = [quantized.weight, quantized.get_buffer("_scales")]
    assert 8 * sum(part.nbytes for part in kept) == 4.5 * layer.weight.numel()
    assert quantized.bias is layer.bias
    assert rows_of(quantized) == rows_of(layer.weight.detach()) == 128


def test_the_library_that_quantizes_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could fetch programs for it is hidden while it is loaded, and back afterwards."""
    fetcher = ModuleType("kernels")
    found: list[object] = []
    library = import_module("bitsandbytes.functional")

    class Watched(ModuleType):
        def __getattr__(self, name: str) -> object:
            if name == "quantize_4bit":
                found.append(sys.modules["kernels"])
            return getattr(library, name)

    monkeypatch.setitem(sys.modules, "kernels", fetcher)
    monkeypatch.setitem(sys.modules, library.__name__, Watched(library.__name__))
    QuantizedLinear(nn.Linear(64, 64))
    assert found == [None]
    assert sys.modules["kernels"] is fetcher
