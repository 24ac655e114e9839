"""What memory a pass takes whose question is longer than they are as a rule.

Budgets are chosen for usual questions (``core.models.memory.fit``). A long one is still read in one
piece, and the scores of attention grow with its square: gigabytes, of which Linux grants all and
kills who uses them.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.models.memory.budget import Budget
from core.models.memory.fit import PROMPT_TOKENS, most_scores, update_bytes
from core.models.memory.free import free_memory
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, attention_scores


def pass_bytes(policy: Policy, groups: Sequence[TrainingGroup], budget: Budget) -> int:
    """Bytes of a pass over ``groups``, as many as ``budget`` allows for or one that is longer."""
    spec, width = policy.spec, policy.dtype.itemsize
    slots = max(budget.training_slots, sum(group.width for group in groups))
    usual = update_bytes(spec, width, replace(budget, training_slots=slots))
    beyond = max(0, attention_scores(groups) - most_scores(spec, slots))
    kept = 1 if budget.checkpointing else spec.shape.layers
    passing = 2  # held for one layer, on the way back
    return usual + (kept + passing) * spec.shape.heads * beyond * width


def has_room(policy: Policy, group: TrainingGroup, budget: Budget) -> bool:
    """Whether the longest completion of ``group`` can be learnt from with the memory there is.

    Of usual questions ``budget`` has seen to that, and a card refuses by itself.
    """
    if len(group.prompt) <= PROMPT_TOKENS or policy.device.type != "cpu":
        return True
    longest = max(range(len(group.completions)), key=lambda n: len(group.completions[n]))
    return pass_bytes(policy, [group.only([longest])], budget) <= free_memory()
