"""Filter of others' completions by the policy's own surprise.

A judge that reads answers finds no fault with a right one in rambling words that no honest model
uses, nor with a wrong one that is mere noise. A policy that imitates the first learns the words and
never gets to an answer; one that is pushed away from the second unlearns whatever noise shares with
sense, since the gradient of an unlikely token is the largest there is (2.5 instead of 0.4 for an
update of ``spark``). What such text cannot be is likely: to a policy it is hardly better than
chance, whereas the text of honest peers of other families and sizes costs it one or two nats a
token (``core/lab/RESULTS.md``).

The policy's own log-probabilities decide; nothing that a peer claims has a say.
"""

import logging
from collections.abc import Sequence
from itertools import islice
from typing import Final

import torch

from core.models.memory.budget import Budget, SharedBudget, free_leftovers, unless_short
from core.models.memory.fit import most_scores
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, micro_batches, pack
from core.training.body import TrainingBody
from core.training.loss import token_logprobs

MOST_SURPRISE: Final = 4.0
"""Nats per token, in the mean of a completion."""

_log = logging.getLogger(__name__)


def plausible(
    policy: Policy, groups: Sequence[TrainingGroup], budget: SharedBudget
) -> list[list[bool]]:
    """Whether ``policy`` gives each completion at least exp(-4) a token in the geometric mean.

    One list for each group, in order, with an entry for each of its completions; successes and
    failures alike. Where memory runs out, ``budget`` is stepped down and all is read again; what
    cannot be read with the least of it is not plausible.
    """
    while (means := unless_short(lambda: mean_logprobs(policy, groups, budget.current))) is None:
        # Only now: what the failed pass held is free once its frames are gone.
        free_leftovers(policy.device)
        if not budget.shrink_update():
            _log.warning("Memory ran out while others' answers were read; they are left out.")
            return [[False] * len(group.completions) for group in groups]
    return [[mean >= -MOST_SURPRISE for mean in group] for group in means]


def mean_logprobs(
    policy: Policy, groups: Sequence[TrainingGroup], budget: Budget
) -> list[list[float]]:
    """Mean log-probability per token of every completion, in nats, group by group."""
    body, max_slots = TrainingBody(policy), budget.training_slots
    bounds = max_slots, most_scores(policy.spec, max_slots)
    by_width = sorted(range(len(groups)), key=lambda n: groups[n].width)  # leaves few gaps
    means: list[float] = []
    with torch.inference_mode():
        for parts in micro_batches([groups[n] for n in by_width], *bounds, in_order=True):
            logprobs = token_logprobs(body, pack(parts, policy.device))
            lengths = [len(ids) for part in parts for ids in part.completions]
            means += torch.stack([one.mean() for one in logprobs.split(lengths)]).tolist()
    remaining = iter(means)
    found = {n: list(islice(remaining, len(groups[n].completions))) for n in by_width}
    return [found[n] for n in range(len(groups))]
