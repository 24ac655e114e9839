"""The plain way to decode, as a reference: transformers' forward, and a whole sum over the words.

Shares no code with the lean forward pass, its cache or its drawing. Prompts are read once per
group, padded on the right, and all rows stay in the batch until the last has ended.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from transformers import DynamicCache

from core.models.policy.policy import Policy
from tests.naive_policy import hidden_states, logits

Choose = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def plain_draw(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """The inverse of the distribution function at noise, added up in float64, token by token."""
    logprobs = logits.log_softmax(-1)
    cumulative = logprobs.double().exp().cumsum(-1)
    at = noise[:, None] * cumulative[:, -1:]
    token = torch.searchsorted(cumulative, at, right=True).clamp_(max=logits.shape[-1] - 1)
    return token.squeeze(1), logprobs.gather(1, token).squeeze(1)


def plain_argmax(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """The likeliest token."""
    del noise
    logprob, token = logits.log_softmax(-1).max(-1)
    return token, logprob


def plain_decode(
    policy: Policy, prompts: Sequence[Sequence[int]], noise: Tensor, choose: Choose
) -> tuple[Tensor, Tensor]:
    """Token ids and log-probabilities [row, step] of row ``prompt * members + member``."""
    _, members, budget = noise.shape
    noise = noise.flatten(0, 1)
    lengths = torch.tensor([len(prompt) for prompt in prompts])
    width = int(lengths.max())
    ids = torch.tensor([[*p, *[policy.eos_id] * (width - len(p))] for p in prompts])
    cache = DynamicCache(config=policy.causal_lm.config)
    states = hidden_states(policy, ids, cache=cache)
    states = states[torch.arange(len(prompts)), lengths - 1].repeat_interleave(members, 0)
    cache.batch_repeat_interleave(members)
    start = lengths.repeat_interleave(members)
    visible = torch.arange(width + budget) < start[:, None]
    visible[:, width:] = True
    drawn, logprobs = [], []
    for step in range(budget):
        token, logprob = choose(logits(policy, states), noise[:, step])
        drawn.append(token)
        logprobs.append(logprob)
        states = hidden_states(
            policy,
            token[:, None],
            positions=(start + step)[:, None],
            mask=visible[:, None, None, : width + step + 1],
            cache=cache,
        )[:, 0]
    return torch.stack(drawn, 1), torch.stack(logprobs, 1)
