"""What a stranger wrote is imitated only where the policy might have written it itself.

An answer can be right and still do harm: in rambling words that no honest model uses it earns
the full reward, so nothing that judges answers finds fault with it, and where success is rare it is
all that teaches. A policy that imitates it learns the words and never gets to an answer. What such
text cannot be is likely: to a policy it is hardly better than noise, whereas the text of honest
peers of other families and sizes costs it one or two nats a token (``core/lab/RESULTS.md``).

The policy's own log-probabilities decide; nothing that a peer claims has a say.
"""

import logging
from typing import Final

import torch

from core.models.budget import Budget, SharedBudget, free_leftovers, unless_short
from core.models.fit import most_scores
from core.models.policy import Policy
from core.training.batch import TrainingGroup, micro_batches, pack
from core.training.body import TrainingBody
from core.training.loss import token_logprobs

MOST_SURPRISE: Final = 4.0
"""Nats per token, in the mean of a completion."""

_log = logging.getLogger(__name__)


def is_plausible(policy: Policy, group: TrainingGroup, budget: SharedBudget) -> bool:
    """Whether ``policy`` gives every success of ``group`` at least exp(-4) a token in the mean.

    Failures are not asked for: what is unlikely is hardly changed by being pushed away. Where
    memory runs out, ``budget`` is stepped down and the group read again; what cannot be read with
    the least of it is not believed.
    """
    asked = _successes(group)
    while (verdict := unless_short(lambda: _read(policy, asked, budget.current))) is None:
        # Only now: what the failed pass held is free once its frames are gone.
        free_leftovers(policy.device)
        if not budget.shrink_update():
            _log.warning("Memory ran out while others' answers were read; they are left out.")
            return False
    return verdict


def _read(policy: Policy, group: TrainingGroup, budget: Budget) -> bool:
    body, max_slots = TrainingBody(policy), budget.training_slots
    with torch.inference_mode():
        for parts in micro_batches([group], max_slots, most_scores(policy.spec, max_slots)):
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
