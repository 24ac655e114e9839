"""Scored groups -> groups in the policy's own tokens, ready to be trained on."""

from collections.abc import Sequence

from core.models.policy import Policy
from core.rollouts.types import Completion, ScoredGroup
from core.training.advantages import group_advantages
from core.training.batch import TrainingGroup


def encode_group(policy: Policy, scored: ScoredGroup) -> TrainingGroup | None:
    """Put ``scored`` into the policy's tokens; None where nothing is left to learn from.

    Own completions keep the very tokens that were drawn; the text of others is encoded with the
    own tokenizer. Completions longer than the budget or empty are left out, and the advantages
    are taken over those that remain.
    """
    prompt = policy.encode_prompt(scored.question.prompt)
    if len(prompt) > policy.spec.prompt_tokens:
        return None
    attempts = zip(scored.group.completions, scored.rewards, strict=True)
    encoded = [(_ids(policy, completion), reward) for completion, reward in attempts]
    kept = [(ids, r) for ids, r in encoded if 0 < len(ids) <= policy.spec.completion_tokens]
    rewards = [reward for _, reward in kept]
    if len(set(rewards)) < 2:  # noqa: PLR2004 - two different rewards are what makes a comparison
        return None
    return TrainingGroup(
        prompt=tuple(prompt),
        completions=tuple(tuple(ids) for ids, _ in kept),
        advantages=tuple(group_advantages(rewards)),
    )


def _ids(policy: Policy, completion: Completion) -> Sequence[int]:
    if completion.tokens is not None:
        return completion.tokens.ids
    # Judges forgive white space around an answer; it must not be learnt from a stranger for that.
    return policy.encode_completion(completion.text.strip(), ended=completion.ended)
