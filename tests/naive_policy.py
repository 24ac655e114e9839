"""A policy the plain way, through transformers' and peft's own modules: the reference of tests."""

import torch
from torch import Tensor
from transformers import DynamicCache

from core.models.policy.adapters import LoraLayer
from core.models.policy.policy import Policy


def hidden_states(
    policy: Policy,
    ids: Tensor,
    positions: Tensor | None = None,
    mask: Tensor | None = None,
    cache: DynamicCache | None = None,
) -> Tensor:
    """Run the body of the network.

    Args:
        policy: whose.
        ids: [row, token].
        positions: [row, token]; None counts from 0 in every row.
        mask: bool [row, 1, token, cached + token], True where a token may look; None is causal.
        cache: keys and values seen so far, extended in place.

    Returns:
        [row, token, hidden].
    """
    output = policy.causal_lm.model(
        input_ids=ids,
        position_ids=positions,
        attention_mask=mask,
        past_key_values=cache,
        use_cache=cache is not None,
    )
    hidden: Tensor = output.last_hidden_state
    return hidden


def logits(policy: Policy, hidden: Tensor) -> Tensor:
    """Scores over the vocabulary: [..., hidden] -> float32 [..., vocabulary]."""
    scores: Tensor = policy.causal_lm.lm_head(hidden)
    return scores.float()


def merged_weight(policy: Policy, layer: str) -> Tensor:
    """An adapted layer's weight with the adapter folded in, as peft does it: [out, in]."""
    module = policy.causal_lm.get_submodule(layer)
    assert isinstance(module, LoraLayer)
    with torch.no_grad():
        weight: Tensor = module.get_base_layer().weight + module.get_delta_weight("default")
    return weight.detach()
