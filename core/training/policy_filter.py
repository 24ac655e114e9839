"""Filter of others' completions by the policy's own surprise.

A judge that reads answers finds no fault with a right one in rambling words that no honest model
uses, nor with a wrong one that is mere noise. A policy that imitates the first learns the words and
never gets to an answer; one that is pushed away from the second unlearns whatever noise shares with
sense, since the gradient of an unlikely token is the largest there is (2.5 instead of 0.4 for an
update of ``spark``). What such text cannot be is likely: to a policy it is hardly better than
chance, whereas the text of honest peers of other families and sizes costs it one or two nats a
token (``core/lab/RESULTS.md``).

A failure says more than its mean: right steps before a wrong result are likely but for a token or
two, and whoever sees them fail again and again unlearns to work things out. So where a recipe asks
for it, a failure is left out in which one token is less likely than a policy's own failures have
it: one below 0.005 is in one of a hundred that ``spark`` draws, in one of twelve of ``ember``'s,
read by ``spark``, and in nearly all that are made up (of those that show their work, in one of
sixteen, in about two of three, and in nearly all). Where answers that show their work
are compared among themselves, right ones have to pass that test, too, and failures are left out
beside none: a word before a right answer is not the work that they are to be compared with.

The policy's own log-probabilities decide; nothing that a peer claims has a say.
"""

import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

import torch

from core.models.memory.budget import (
    Budget,
    SharedBudget,
    free_leftovers,
    require_memory,
    unless_short,
)
from core.models.memory.fit import most_scores
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, micro_batches, pack
from core.training.body import TrainingBody
from core.training.loss import token_logprobs
from core.training.pass_memory import pass_bytes

MOST_SURPRISE: Final = 4.0
"""Nats per token, in the mean of a completion."""

_log = logging.getLogger(__name__)


class Likelihood(NamedTuple):
    """Log-probabilities of a completion's tokens, in nats."""

    mean: float
    least: float


class Plausibility(NamedTuple):
    """Whether the policy might have said a completion."""

    in_the_mean: bool  # of its tokens
    throughout: bool  # each of them


def plausible(
    policy: Policy,
    groups: Sequence[TrainingGroup],
    budget: SharedBudget,
    least: float = 0.0,
) -> list[list[Plausibility]]:
    """Whether ``policy`` might have said each completion.

    One list for each group, in order, with an entry for each of its completions: whether its tokens
    have at least the probability exp(-4) in the geometric mean, and ``least`` each. Where memory
    runs out, ``budget`` is stepped down and all is read again; what cannot be read with the least
    of it is not plausible.
    """
    while (found := unless_short(lambda: likelihoods(policy, groups, budget.current))) is None:
        # Only now: what the failed pass held is free once its frames are gone.
        free_leftovers(policy.device)
        if not budget.shrink_update():
            _log.warning("Memory ran out while others' answers were read; they are left out.")
            return [[Plausibility(False, False)] * len(group.completions) for group in groups]  # noqa: FBT003 - a pair
    floor = math.log(least) if least else -math.inf
    return [
        [Plausibility(one.mean >= -MOST_SURPRISE, one.least >= floor) for one in told]
        for told in found
    ]


def likelihoods(
    policy: Policy, groups: Sequence[TrainingGroup], budget: Budget
) -> list[list[Likelihood]]:
    """How likely every completion is to ``policy``, group by group."""
    body, max_slots = TrainingBody(policy), budget.training_slots
    bounds = max_slots, most_scores(policy.spec, max_slots)
    forgetful = replace(budget, checkpointing=True)  # nothing is kept for a way back
    by_width = sorted(range(len(groups)), key=lambda n: groups[n].width)  # leaves few gaps
    told: list[Likelihood] = []
    with torch.inference_mode():
        for parts in micro_batches([groups[n] for n in by_width], *bounds, in_order=True):
            require_memory(policy.device, pass_bytes(policy, parts, forgetful))
            logprobs = token_logprobs(body, pack(parts, policy.device))
            lengths = [len(ids) for part in parts for ids in part.completions]
            tokens = logprobs.split(lengths)
            pairs = torch.stack([torch.stack((one.mean(), one.min())) for one in tokens])
            told += [Likelihood(*pair) for pair in pairs.tolist()]
    remaining = iter(told)
    found = {n: list(islice(remaining, len(groups[n].completions))) for n in by_width}
    return [found[n] for n in range(len(groups))]
