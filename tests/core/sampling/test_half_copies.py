"""Copies of a model's matrices in half precision."""

from pathlib import Path

import pytest
import torch
from msgspec.structs import replace
from torch import Tensor

from core.models.catalog.catalog import SMALL_MODEL
from core.models.policy.policy import Policy
from core.sampling.half_copies import HalfCopies, Halved, can_halve
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import LeanWeights, side_weights
from tests.tiny_models import FAMILIES, Family, disturb_adapter, load_tiny_policy

PROMPTS = [[5, 6, 7, 8], [9, 10]]


def large_policy(folder: Path, family: Family = "llama") -> Policy:
    """Tiny, and said to be large."""
    policy = load_tiny_policy(folder, family)
    policy.spec = replace(policy.spec, parameters=SMALL_MODEL)
    return policy


def skip_where_none_can_be_made(policy: Policy) -> None:
    if not can_halve(policy):
        pytest.skip("no FBGEMM on this processor")


def scores(weights: LeanWeights) -> Tensor:
    """After two prompts, and after one more token of each."""
    model = LeanModel(weights)
    with torch.inference_mode():
        states, cache = model.read(PROMPTS, 1, 2)
        cache.open()
        after = model.step(torch.tensor([11, 12]), cache)
        return torch.cat([model.logits(states), model.logits(after)])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_half_precision_can_hold_is_kept(tmp_path: Path, family: Family) -> None:
    """Of weights published in it the scores are those of the policy, its adapter included."""
    policy = large_policy(tmp_path, family)
    skip_where_none_can_be_made(policy)
    for parameter in policy.causal_lm.parameters():
        if not parameter.requires_grad and parameter.dim() == 2:
            parameter.data = parameter.data.half().float()
    disturb_adapter(policy)
    found, expected = scores(HalfCopies().weights(policy)), scores(side_weights(policy))
    assert torch.allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_copies_are_made_once_and_the_adapter_goes_beside_them(tmp_path: Path) -> None:
    """At version 0 no product is spent on it; cleared, copies are made anew."""
    policy, copies = large_policy(tmp_path), HalfCopies()
    skip_where_none_can_be_made(policy)

    def first() -> Halved:
        projection = copies.weights(policy).layers[0].gate_up
        assert isinstance(projection, Halved)
        return projection

    before = first()
    disturb_adapter(policy)
    after = first()
    assert after.packed is before.packed
    assert before.down is None
    assert after.down is not None
    copies.clear()
    assert first().packed is not before.packed


@pytest.mark.parametrize("machine", ["arm64", "aarch64", "ARM64"])
def test_other_processors_make_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str
) -> None:
    """FBGEMM is for x86."""
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert not can_halve(large_policy(tmp_path))


def test_small_models_and_other_precisions_have_none(tmp_path: Path) -> None:
    """A small one's weights lie in the cache, and half precision needs no copy."""
    policy = large_policy(tmp_path)
    policy.dtype = torch.bfloat16
    assert not can_halve(policy)
    policy = load_tiny_policy(tmp_path / "small")
    assert not can_halve(policy)
