"""The plain way to do what the learner does, as a reference: each completion repeats its prompt.

Shares no code with the packed batch: transformers' own two-dimensional padding mask, its own
positions, full logits, and one loss per sequence. Slow, and hard to get wrong.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from core.models.policy.policy import CausalLm
from core.training.batch import TrainingGroup


def naive_loss(model: CausalLm, groups: Sequence[TrainingGroup], pad_id: int) -> Tensor:
    """-sum of advantage x log-probability over completion tokens, divided by their number.

    This is the gradient of the clipped surrogate where the policy is its own old policy.
    """
    rows = [(g.prompt, ids) for g in groups for ids in g.completions]
    advantages = [a for g in groups for a in g.advantages]
    logprobs = padded_logprobs(model, rows, pad_id)
    weighted = [a * lp.sum() for a, lp in zip(advantages, logprobs, strict=True)]
    return -torch.stack(weighted).sum() / sum(len(ids) for _, ids in rows)


def padded_logprobs(
    model: CausalLm, rows: Sequence[tuple[Sequence[int], Sequence[int]]], pad_id: int
) -> list[Tensor]:
    """Log-probabilities of each row's completion tokens, from one right-padded batch."""
    width = max(len(prompt) + len(ids) for prompt, ids in rows)
    batch = torch.full((len(rows), width), pad_id)
    seen = torch.zeros_like(batch)
    for row, (prompt, ids) in enumerate(rows):
        length = len(prompt) + len(ids)
        batch[row, :length] = torch.tensor([*prompt, *ids])
        seen[row, :length] = 1
    logits = model(input_ids=batch, attention_mask=seen).logits
    every = logits[:, :-1].log_softmax(-1).gather(2, batch[:, 1:, None]).squeeze(2)
    return [
        every[row, len(prompt) - 1 : len(prompt) + len(ids) - 1]
        for row, (prompt, ids) in enumerate(rows)
    ]


def lone_logprobs(model: CausalLm, prompt: Sequence[int], ids: Sequence[int]) -> Tensor:
    """Log-probabilities of ``ids`` after ``prompt``: one sequence, no padding, mask or cache."""
    logits: Tensor = model(input_ids=torch.tensor([[*prompt, *ids]]), use_cache=False).logits[0]
    predicted = logits[len(prompt) - 1 : -1].log_softmax(-1)
    return predicted.gather(1, torch.tensor(ids)[:, None]).squeeze(1)
