"""The work that is measured: questions of one length, and answers of one length to them.

Lengths are forced, since two programs can be compared only on the same work: no token ends a
completion here.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import msgspec

from core.models.catalog.catalog import ModelSpec
from core.models.policy.policy import Policy
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    SampledTokens,
    ScoredGroup,
    TaskId,
)
from core.tasks.catalog import PracticeMix, load_catalog
from core.tasks.reasoning_tasks import make_puzzle

NEVER: Final = -1
"""No token has this id."""

NOBODY: Final = PeerId("0" * 64)
_WORDS: Final = ("Calculate", "the", "sum", "of", "all", "numbers", "and", "add")


class LapWork(msgspec.Struct, frozen=True):
    """How much is done in one lap."""

    groups: int
    members: int  # completions of each question
    prompt_tokens: int
    completion_tokens: int  # of each completion

    @property
    def tokens(self) -> int:
        """Completion tokens of a lap."""
        return self.groups * self.members * self.completion_tokens


def usual_work(spec: ModelSpec) -> LapWork:
    """How long questions and answers are where a model of that size practises."""
    if spec.is_small:
        return LapWork(groups=8, members=8, prompt_tokens=60, completion_tokens=20)
    return LapWork(groups=8, members=8, prompt_tokens=100, completion_tokens=48)


def with_length(spec: ModelSpec, work: LapWork) -> ModelSpec:
    """Describe the same model with completions of exactly the wanted length."""
    return msgspec.structs.replace(spec, completion_tokens=work.completion_tokens)


def never_ending(policy: Policy) -> Policy:
    """Let no token end a completion of ``policy``; returns it."""
    policy.eos_id = NEVER
    return policy


def questions(length: Callable[[str], int], work: LapWork) -> list[Question]:
    """Questions of at least ``prompt_tokens`` tokens, hardly more, and all different.

    ``length`` says how many tokens a prompt has.
    """
    return [_question(length, work.prompt_tokens, index) for index in range(work.groups)]


def real_questions(count: int) -> list[Question]:
    """Puzzles of the practice mix, which the judge can judge."""
    catalog = load_catalog()
    rng = Random(0)  # noqa: S311 - the same questions in every run
    asked: list[Question] = []
    while len(asked) < count:
        keys = PracticeMix(catalog, 1).draw(count, rng)
        found = [make_puzzle(catalog, key).question for key in keys]
        asked += [question for question in found if not question.is_held_out]
    return asked[:count]


def scored_groups(policy: Policy, asked: Sequence[Question], work: LapWork) -> list[ScoredGroup]:
    """Answers of random tokens, of which every other one is right: no group is flat."""
    rng = Random(0)  # noqa: S311 - the same answers in every run
    vocabulary = policy.causal_lm.config.vocab_size
    scored = []
    for question in asked:
        answers = tuple(_answer(rng, vocabulary, work) for _ in range(work.members))
        model = ModelId(policy.spec.id)
        group = RolloutGroup(question.key, question.digest, NOBODY, model, 1, answers)
        scored.append(ScoredGroup(question, group, every_other(work.members)))
    return scored


def every_other(members: int) -> tuple[float, ...]:
    """Rewards of a group that teaches something, whatever its answers are."""
    return tuple(float(member % 2) for member in range(members))


def _answer(rng: Random, vocabulary: int, work: LapWork) -> Completion:
    ids = tuple(rng.randrange(1, vocabulary) for _ in range(work.completion_tokens))
    return Completion("", ended=False, tokens=SampledTokens(ids, (-1.0,) * len(ids)))


def _question(length: Callable[[str], int], tokens: int, index: int) -> Question:
    rng = Random(index)  # noqa: S311 - the same questions in every run
    text = f"{index}:"
    while length(text) < tokens:
        text += f" {rng.choice(_WORDS)} {rng.randrange(100)}"
    return Question(PuzzleKey(TaskId("bench"), level=1, seed=0, index=index), text)
