"""The decoding loop: prompts in, drawn tokens out, through transformers' forward.

Prompts are prefilled once per group, padded on the right, so that plain causal attention is right
without a mask. Keys and values are then repeated for the group's members, and all rows of all
groups take each step together; padding stays in the cache and is hidden by the mask.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import DynamicCache

from core.models.policy import Policy

Choose = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""(logits [row, vocabulary], noise [row]) -> (token [row], log-probability [row])."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn; past the first end-of-sequence token a row means nothing."""

    ids: Tensor  # [row, step]; filled up with the end-of-sequence token
    logprobs: Tensor  # [row, step]


@dataclass(slots=True)
class _OpenRows:
    """The rows still in the batch, and the keys and values that they share step by step."""

    index: Tensor  # [row]: where in the result each row goes
    start: Tensor  # [row]: tokens of its prompt; the position of its first own token
    visible: Tensor  # bool [row, slot]: True where the cache holds no padding, or will
    cache: DynamicCache

    def keep(self, chosen: Tensor) -> None:
        """Let all rows but ``chosen`` [row number] leave the batch."""
        self.index, self.start = self.index[chosen], self.start[chosen]
        self.visible = self.visible[chosen]
        self.cache.batch_select_indices(chosen)


def draw(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Draw from the softmax at temperature 1: the inverse of its distribution function at noise.

    ``noise`` is uniform in [0, 1), float64; the sum is kept in float64 as well, since in float32
    the tail of a large vocabulary would be lost.
    """
    logprobs = logits.log_softmax(-1)
    cumulative = logprobs.double().exp().cumsum(-1)
    at = noise[:, None] * cumulative[:, -1:]
    token = torch.searchsorted(cumulative, at, right=True).clamp_(max=logits.shape[-1] - 1)
    return token.squeeze(1), logprobs.gather(1, token).squeeze(1)


def most_likely(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Take the likeliest token; the log-probability is that at temperature 1."""
    del noise
    logprob, token = logits.log_softmax(-1).max(-1)
    return token, logprob


def decode(
    policy: Policy, prompts: Sequence[Sequence[int]], noise: Tensor, choose: Choose
) -> Drawn:
    """Complete every prompt; call it in inference mode.

    Args:
        policy: what to draw from.
        prompts: token ids, none empty.
        noise: uniform float64 [prompt, member, step]; says how many members a group has and how
            many tokens a completion may have, and decides each of them.
        choose: ``draw`` or ``most_likely``.

    Returns:
        The tokens of row ``prompt * members + member``.
    """
    _, members, budget = noise.shape
    noise = noise.flatten(0, 1)
    drawn = Drawn(
        ids=torch.full(noise.shape, policy.eos_id), logprobs=torch.zeros_like(noise).float()
    )
    rows, hidden = _prefill(policy, prompts, members, budget)
    slots = rows.visible.shape[1] - budget
    for step in range(budget):
        token, logprob = choose(policy.logits(hidden), noise[rows.index, step])
        drawn.ids[rows.index, step] = token
        drawn.logprobs[rows.index, step] = logprob
        going = (token != policy.eos_id).nonzero().squeeze(1)
        if step + 1 == budget or len(going) == 0:
            break
        if len(going) < len(token):  # leaving at once costs less than a step with a dead row
            token = token[going]
            rows.keep(going)
        hidden = policy.hidden_states(
            token[:, None],
            positions=(rows.start + step)[:, None],
            mask=rows.visible[:, None, None, : slots + step + 1],
            cache=rows.cache,
        )[:, 0]
    return drawn


def _prefill(
    policy: Policy, prompts: Sequence[Sequence[int]], members: int, budget: int
) -> tuple[_OpenRows, Tensor]:
    """Read the prompts; returns the rows of all members and the state [row, hidden] they go on."""
    lengths = torch.tensor([len(prompt) for prompt in prompts])
    width = int(lengths.max())
    ids = torch.tensor([[*p, *[policy.pad_id] * (width - len(p))] for p in prompts])
    cache = policy.new_cache()
    hidden = policy.hidden_states(ids, cache=cache)
    last = hidden[torch.arange(len(prompts)), lengths - 1]
    cache.batch_repeat_interleave(members)
    visible = torch.arange(width + budget) < lengths[:, None]
    visible[:, width:] = True
    rows = _OpenRows(
        index=torch.arange(len(prompts) * members),
        start=lengths.repeat_interleave(members),
        visible=visible.repeat_interleave(members, 0),
        cache=cache,
    )
    return rows, last.repeat_interleave(members, 0)
