"""Scored groups -> groups in the policy's own tokens, ready to be trained on."""

from collections.abc import Sequence

from core.models.policy import Policy
from core.rollouts.types import Completion, SampledTokens, ScoredGroup
from core.training.advantages import centred_advantages, group_advantages
from core.training.batch import TrainingGroup
from core.training.recipes import SAPO, Recipe


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
    own = all(completion.tokens is not None for completion in scored.group.completions)
    return TrainingGroup(
        prompt=tuple(prompt),
        completions=tuple(tokens.ids for tokens, _ in kept),
        advantages=tuple(_advantages(rewards, scaled=recipe.scales_own or not own)),
        sampled=tuple(tokens.logprobs for tokens, _ in kept) if recipe.weighs_own and own else None,
    )


def _advantages(rewards: Sequence[float], *, scaled: bool) -> list[float]:
    return group_advantages(rewards) if scaled else centred_advantages(rewards)


def _tokens(policy: Policy, completion: Completion) -> SampledTokens:
    """Own tokens as they were drawn; those of others without log-probabilities."""
    if completion.tokens is not None:
        return completion.tokens
    # Judges forgive white space around an answer; it must not be learnt from a stranger for that.
    ids = policy.encode_completion(completion.text.strip(), ended=completion.ended)
    return SampledTokens(tuple(ids), logprobs=())
