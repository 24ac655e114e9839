"""Scored groups -> groups in the policy's own tokens, ready to be trained on.

Of groups of others two kinds of completions may be left out before that, see ``Recipe``: right
answers in an unusual form, and what the policy finds implausible. One by one, not group by group:
what is left teaches what it would have taught alone.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.models.memory.budget import SharedBudget
from core.models.policy.policy import Policy
from core.rollouts.recipes import SAPO, Recipe
from core.rollouts.types import Completion, SampledTokens, ScoredGroup
from core.training.advantages import centred_advantages, group_advantages
from core.training.batch import TrainingGroup
from core.training.policy_filter import plausible


def encode_group(
    policy: Policy, scored: ScoredGroup, recipe: Recipe = SAPO
) -> TrainingGroup | None:
    """Put ``scored`` into the policy's tokens; None where nothing is left to learn from.

    Own completions keep the very tokens that were drawn; the text of others is encoded with the
    own tokenizer. Completions longer than the budget or empty are left out, and the advantages
    are taken over those that remain.
    """
    prompt = policy.encode_prompt(scored.question.prompt)
    if len(prompt) > policy.spec.prompt_tokens:
        return None
    attempts = zip(scored.group.completions, scored.rewards, strict=True)
    encoded = [(_tokens(policy, completion), reward) for completion, reward in attempts]
    kept = [(t, r) for t, r in encoded if 0 < len(t.ids) <= policy.spec.completion_tokens]
    rewards = [reward for _, reward in kept]
    if len(set(rewards)) < 2:  # noqa: PLR2004 - two different rewards are what makes a comparison
        return None
    own = is_own(scored)
    told = thin(_advantages(rewards, recipe, own=own), recipe.most_completions)
    if not any(told.values()):  # rewards may differ by less than their mean can tell
        return None
    tokens = [kept[member][0] for member in told]
    return TrainingGroup(
        prompt=tuple(prompt),
        completions=tuple(one.ids for one in tokens),
        advantages=tuple(told.values()),
        sampled=tuple(one.logprobs for one in tokens) if recipe.weighs_own and own else None,
        shaping=0.0 if own else recipe.shaping,
    )


def is_own(scored: ScoredGroup) -> bool:
    """Whether this node's own sampler drew all of it, whose tokens are known then."""
    return all(completion.tokens is not None for completion in scored.group.completions)


def accepted(
    policy: Policy, groups: Sequence[ScoredGroup], recipe: Recipe, budget: SharedBudget
) -> list[ScoredGroup]:
    """What may be learnt from of ``groups``, reduced to the completions that may be, in order.

    Left out are completions that cannot be learnt from, as they are too long or empty, and of
    others' what ``recipe`` refuses; then groups that are flat, or became so.
    """
    usable = [scored.only(_usable(policy, scored, recipe)) for scored in groups]
    read = [
        (scored, encoded)
        for scored in usable
        if (encoded := encode_group(policy, scored, replace(recipe, most_completions=None)))
    ]
    if recipe.filters_by_policy and read:
        verdicts = plausible(policy, [encoded for _, encoded in read], budget)
        filtered = [
            scored if is_own(scored) else scored.only([n for n, good in enumerate(found) if good])
            for (scored, _), found in zip(read, verdicts, strict=True)
        ]
    else:
        filtered = [scored for scored, _ in read]
    return [scored for scored in filtered if scored.rewards and not scored.is_flat]


def _usable(policy: Policy, scored: ScoredGroup, recipe: Recipe) -> list[int]:
    """Numbers of the completions that fit and, of others, whose form the recipe accepts."""
    unusual = scored.unusual if recipe.canonical_only and not is_own(scored) else frozenset()
    lengths = [len(_tokens(policy, completion).ids) for completion in scored.group.completions]
    most = policy.spec.completion_tokens
    return [n for n, length in enumerate(lengths) if 0 < length <= most and n not in unusual]


def thin(advantages: Sequence[float], most: int | None) -> dict[int, float]:
    """Keep at most ``most`` members of a group: number in the group -> advantage.

    Half of them are successes and half failures, as far as there are enough of either. Those that
    are kept stand for those that are not: their advantages are raised so that either side weighs
    what it weighed before (exactly so where its rewards are equal). A rare success with many
    failures that resemble each other teaches about as much as before, and costs a fraction of it
    (max-variance down-sampling, arXiv 2504.13818).
    """
    if most is None or len(advantages) <= most:
        return dict(enumerate(advantages))
    good = [member for member, advantage in enumerate(advantages) if advantage > 0]
    rest = [member for member, advantage in enumerate(advantages) if advantage <= 0]
    from_good = min(len(good), max(most // 2, most - len(rest)))
    told = {m: advantages[m] * len(good) / from_good for m in good[:from_good]}
    from_rest = most - from_good
    told |= {m: advantages[m] * len(rest) / from_rest for m in rest[:from_rest]}
    return dict(sorted(told.items()))


def _advantages(rewards: Sequence[float], recipe: Recipe, *, own: bool) -> list[float]:
    scaled = recipe.scales_own if own else recipe.scales_swarm
    return group_advantages(rewards) if scaled else centred_advantages(rewards)


def _tokens(policy: Policy, completion: Completion) -> SampledTokens:
    """Own tokens as they were drawn; those of others without log-probabilities."""
    if completion.tokens is not None:
        return completion.tokens
    # Judges forgive white space around an answer; it must not be learnt from a stranger for that.
    ids = policy.encode_completion(completion.text.strip(), ended=completion.ended)
    return SampledTokens(tuple(ids), logprobs=())
