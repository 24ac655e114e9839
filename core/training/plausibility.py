"""What a stranger wrote is imitated only where the policy might have written it itself.

An answer can be right and still do harm: in rambling words that no honest model uses it earns
the full reward, so nothing that judges answers finds fault with it, and where success is rare it is
all that teaches. A policy that imitates it learns the words and never gets to an answer. What such
text cannot be is likely: to a policy it is hardly better than noise, whereas the text of honest
peers of other families and sizes costs it one or two nats a token (``core/lab/RESULTS.md``).

So a completion of others is left out of the loss, whether it was right or wrong, where the policy
gives it less than exp(-4) a token in the mean. The policy's own log-probabilities decide, which the
update computes anyway; nothing that a peer claims has a say.
"""

from typing import Final

import torch
from torch import Tensor

MOST_SURPRISE: Final = 4.0
"""Nats per token, in the mean of a completion."""


def plausible(logprobs: Tensor, doubted: Tensor) -> Tensor:
    """Weight of each token: 0 in a doubted completion that surprises too much, else 1.

    Args:
        logprobs: under the policy, [token].
        doubted: number of the completion that a token belongs to, -1 where it is not doubted:
            int64 [token].

    Returns:
        float32 [token], without gradient.
    """
    asked = doubted >= 0
    numbers = doubted[asked]
    if not len(numbers):
        return torch.ones_like(logprobs, requires_grad=False)
    sums = logprobs.new_zeros(int(numbers.max()) + 1)
    counts = torch.zeros_like(sums)
    sums.index_add_(0, numbers, logprobs.detach()[asked])
    counts.index_add_(0, numbers, torch.ones_like(logprobs.detach()[asked]))
    believed = (sums >= -MOST_SURPRISE * counts).to(logprobs.dtype)
    weights = torch.ones_like(logprobs, requires_grad=False)
    weights[asked] = believed[numbers]
    return weights
