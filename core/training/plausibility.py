"""What a stranger wrote is imitated only where the policy might have written it itself.

An answer can be right and still do harm: in rambling words that no honest model uses it earns
the full reward, so nothing that judges answers finds fault with it, and where success is rare it is
all that teaches. A policy that imitates it learns the words and never gets to an answer. What such
text cannot be is likely: to a policy it is hardly better than noise, whereas the text of honest
peers of other families and sizes costs it one or two nats a token (``core/lab/RESULTS.md``).

The policy's own log-probabilities decide; nothing that a peer claims has a say.
"""

from typing import Final

import torch

from core.models.policy import Policy
from core.training.batch import TrainingGroup, micro_batches, pack
from core.training.body import TrainingBody
from core.training.loss import token_logprobs

MOST_SURPRISE: Final = 4.0
"""Nats per token, in the mean of a completion."""


def is_plausible(policy: Policy, group: TrainingGroup, max_slots: int) -> bool:
    """Whether ``policy`` gives every success of ``group`` at least exp(-4) a token in the mean.

    Failures are not asked for: what is unlikely is hardly changed by being pushed away. ``group``
    is read in passes of at most ``max_slots`` tokens.
    """
    body = TrainingBody(policy)
    with torch.inference_mode():
        for parts in micro_batches([_successes(group)], max_slots):
            logprobs = token_logprobs(body, pack(parts, policy.device))
            lengths = [len(ids) for part in parts for ids in part.completions]
            means = [one.mean() for one in logprobs.split(lengths)]
            if min(means) < -MOST_SURPRISE:
                return False
    return True


def _successes(group: TrainingGroup) -> TrainingGroup:
    good = [n for n, advantage in enumerate(group.advantages) if advantage > 0]
    return TrainingGroup(
        group.prompt,
        tuple(group.completions[n] for n in good),
        tuple(group.advantages[n] for n in good),
    )
