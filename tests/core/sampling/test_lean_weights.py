from pathlib import Path

import pytest
import torch

from core.models.policy.four_bit import dense
from core.sampling.lean_weights import (
    MergedProjection,
    UnmergedProjection,
    merged_weights,
    side_weights,
)
from tests.tiny_models import FAMILIES, Family, disturb_adapter, load_tiny_policy


@pytest.mark.parametrize("family", FAMILIES)
def test_side_weights_copy_no_matrix_of_the_base(tmp_path: Path, family: Family) -> None:
    """Every large matrix lies where the policy has it: a second copy would not fit a laptop."""
    policy = load_tiny_policy(tmp_path, family)
    disturb_adapter(policy)
    own = {parameter.data_ptr() for parameter in policy.causal_lm.parameters()}
    weights = side_weights(policy)
    assert weights.embedding.data_ptr() in own
    projections = [weights.head]
    for layer in weights.layers:
        projections += [layer.qkv, layer.output, layer.gate_up, layer.down]
    for projection in projections:
        assert isinstance(projection, UnmergedProjection)
        assert {dense(weight).data_ptr() for weight in projection.weights} <= own


@pytest.mark.parametrize("family", FAMILIES)
def test_making_weights_leaves_the_policy_alone(tmp_path: Path, family: Family) -> None:
    """The base stays what it was to the last bit, and the adapter still learns."""
    policy = load_tiny_policy(tmp_path, family)
    disturb_adapter(policy)
    before = {name: p.detach().clone() for name, p in policy.causal_lm.named_parameters()}
    merged_weights(policy)
    side_weights(policy)
    for name, parameter in policy.causal_lm.named_parameters():
        assert torch.equal(parameter, before[name])
    assert all(parameter.requires_grad for parameter in policy.adapter().values())


def test_an_adapter_that_changes_nothing_is_left_out(tmp_path: Path) -> None:
    """At version 0 no product is spent on it."""
    policy = load_tiny_policy(tmp_path)
    projection = side_weights(policy).layers[0].gate_up
    assert isinstance(projection, UnmergedProjection)
    assert projection.down is None
    disturb_adapter(policy)
    projection = side_weights(policy).layers[0].gate_up
    assert isinstance(projection, UnmergedProjection)
    assert projection.down is not None


@pytest.mark.parametrize("bias", [None, torch.randn(6)])
def test_a_projection_onto_a_residual_is_a_sum(bias: torch.Tensor | None) -> None:
    """Both kinds add what they project, bias included."""
    x, weight, residual = torch.randn(3, 4), torch.randn(6, 4), torch.randn(3, 6)
    expected = residual + torch.nn.functional.linear(x, weight, bias)
    merged = MergedProjection(weight.t().contiguous(), bias)
    beside = UnmergedProjection((weight,), None if bias is None else bias[:, None], None, ())
    assert torch.allclose(merged.onto(residual.clone(), x), expected, atol=1e-5)
    assert torch.allclose(beside.onto(residual.clone(), x), expected, atol=1e-5)
