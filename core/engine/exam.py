"""The exam: puzzles that nobody ever practises, the same for everyone.

A puzzle is held out by its text (``Question.is_held_out``), so the exam shares no question with
practice, with the starters' pretraining, or with what a swarm may send. Each puzzle is tried
``ATTEMPTS`` times at temperature 1, as in practice, and counts with its mean.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.api.practice import MeasuredScore
from core.engine.ports import Curriculum, Scorer
from core.engine.round import Parts
from core.errors import UsageError
from core.i18n import translatable
from core.rollouts.types import ModelId, PeerId, Question, RolloutGroup, TaskId

SEED = 250908721
ATTEMPTS = 4
FEWEST = 2  # one puzzle has no standard error
ASKED_AT_ONCE = 256
MOST_DRAWS = 400  # batches asked for before giving up on finding enough different puzzles


@dataclass(frozen=True, slots=True)
class Grade:
    """The score of one puzzle of the exam."""

    task: TaskId
    score: float  # mean reward of the attempts


async def set_exam(curriculum: Curriculum, scorer: Scorer, puzzles: int) -> list[Question]:
    """Draw ``puzzles`` different held-out questions; the same for every node of a ruleset.

    Raises:
        UsageError: the practice mix has not that many, or they are too few to tell anything.
    """
    if puzzles < FEWEST:
        raise UsageError(translatable("An exam needs at least {} puzzles; ask for more.", FEWEST))
    rng = Random(SEED)  # noqa: S311 - the same exam for everyone
    found: dict[str, Question] = {}
    for _ in range(MOST_DRAWS):
        asked = await scorer.ask(curriculum.draw(ASKED_AT_ONCE, rng))
        found |= {q.digest: q for q in asked if q.is_held_out and q.digest not in found}
        if len(found) >= puzzles:
            return list(found.values())[:puzzles]
    raise UsageError(
        translatable("There are only {} different puzzles in the exam; ask for fewer.", len(found))
    )


async def take_exam(questions: Sequence[Question], parts: Parts) -> list[Grade]:
    """Let the policy of ``parts`` try all ``questions``, in order."""
    attempts = await parts.on_model_thread(parts.sampler.complete, questions, ATTEMPTS, SEED)
    tried = [
        RolloutGroup(q.key, q.digest, PeerId(""), ModelId(""), 0, completions)
        for q, completions in zip(questions, attempts, strict=True)
    ]
    return [
        Grade(judged.question.key.task, sum(judged.rewards) / len(judged.rewards))
        for judged in await parts.scorer.judge(tried)
    ]


def estimate(scores: Sequence[float]) -> MeasuredScore:
    """Mean of ``scores`` and its standard error, with at least two of them."""
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
    return MeasuredScore(mean=mean, standard_error=math.sqrt(variance / len(scores)))


def gain(before: Sequence[Grade], after: Sequence[Grade]) -> MeasuredScore:
    """The mean difference of two passes over the same puzzles, pair by pair."""
    return estimate([b.score - a.score for a, b in zip(before, after, strict=True)])
