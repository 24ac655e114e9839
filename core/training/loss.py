"""The clipped surrogate of SAPO (arXiv 2509.08721) on packed groups.

1. Old log-probabilities are the policy's own, detached: one update is taken per batch, so the
   ratio is 1 and the clip idle, for own completions and for those of others alike. SAPO treats
   both alike too; what peers' samplers thought of their text is not known here.
2. The sum over tokens is divided by all completion tokens of the *whole* update, not of each
   completion or micro-batch. Every token weighs the same, so a long wrong answer is not punished
   less per token than a short one (the bias of GRPO's 1/length), and splitting the update into
   micro-batches changes nothing.
3. There is no KL term, as in the paper.
"""

import torch
from torch import Tensor

from core.models.policy import Policy
from core.training.batch import PackedBatch

CLIP_LOW = 0.2
CLIP_HIGH = 0.28


def token_logprobs(policy: Policy, batch: PackedBatch) -> Tensor:
    """Log-probability of every trained token under the policy: [token], with gradient.

    Scores over the vocabulary are computed only where a completion token is predicted.
    """
    hidden = policy.hidden_states(batch.ids, batch.positions, batch.mask)
    logits = policy.logits(hidden.flatten(0, 1)[batch.sources])
    return logits.log_softmax(-1)[batch.source, batch.target]


def clipped_surrogate(logprobs: Tensor, old_logprobs: Tensor, advantages: Tensor) -> Tensor:
    """-min(ratio A, clip(ratio, 1 - 0.2, 1 + 0.28) A) of each token; all are [token]."""
    ratio = (logprobs - old_logprobs).exp()
    clipped = ratio.clamp(1 - CLIP_LOW, 1 + CLIP_HIGH)
    return -torch.minimum(ratio * advantages, clipped * advantages)


def batch_loss(policy: Policy, batch: PackedBatch, update_tokens: int) -> Tensor:
    """This batch's share of the loss of an update over ``update_tokens`` tokens: a scalar."""
    logprobs = token_logprobs(policy, batch)
    return clipped_surrogate(logprobs, logprobs.detach(), batch.advantage).sum() / update_tokens
