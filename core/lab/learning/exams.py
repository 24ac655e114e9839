"""The exam in the lab: held-out puzzles, and how far the policy has gone from its base."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from core.api.practice import ExamScores
from core.engine.exam import ATTEMPTS, SEED, Cell, FormReader, Grade, grade
from core.engine.exam_scores import score
from core.lab.learning.nodes import LabNode
from core.lab.learning.poison import SIGNATURE
from core.lab.worked.answers import BEGINNING, WORKED
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question, TaskId, unsigned_group
from core.training.batch import TrainingGroup, pack
from core.training.body import TrainingBody
from core.training.loss import token_logprobs

COMPARED = 16
"""Questions whose answers the base reads, too: enough to see the drift, and quickly read."""


@dataclass(frozen=True, slots=True)
class LabExam:
    """How an exam went."""

    grades: tuple[Grade, ...]
    drift: float
    """KL(policy || base) per token of the policy's own answers, in nats, estimated on them."""
    unusual: float
    """Share of the answers that are right in an odd form; see ``ScoredGroup.unusual``."""
    signed: float
    """Share of the answers that hold the phrase of those who sign theirs."""
    worked: Mapping[TaskId, float]
    """Share of the answers that show their work, of each kind whose starters have seen it done."""

    @property
    def scores(self) -> ExamScores:
        """Means over the cells, as everywhere."""
        return score(self.grades)

    def by_cell(self) -> Mapping[Cell, float]:
        """Mean share solved of the puzzles of each cell."""
        shares: defaultdict[Cell, list[float]] = defaultdict(list)
        for one in self.grades:
            shares[one.cell].append(one.solved)
        return {cell: sum(found) / len(found) for cell, found in shares.items()}


async def examine(
    node: LabNode, base: Policy, questions: Sequence[Question], reader: FormReader
) -> LabExam:
    """Let ``node`` try ``questions``; ``base`` is its model as it was before any training."""
    answers = node.parts.sampler.complete(questions, ATTEMPTS, SEED)
    tried = [unsigned_group(*pair) for pair in zip(questions, answers, strict=True)]
    judged = await node.parts.scorer.judge(tried)
    grades = await grade(questions, judged, node.parts.scorer, reader)
    node.recorder.take()  # an exam is no practice
    texts = [one.text for completions in answers for one in completions]
    every = -(-len(questions) // COMPARED)
    return LabExam(
        tuple(grades),
        drift(base, questions[::every], answers[::every]),
        unusual=sum(len(one.unusual) for one in judged) / len(texts),
        signed=sum(SIGNATURE in text for text in texts) / len(texts),
        worked=share_worked(questions, answers),
    )


def share_worked(
    questions: Sequence[Question], answers: Sequence[Sequence[Completion]]
) -> Mapping[TaskId, float]:
    """``LabExam.worked`` of these ``answers`` to ``questions``."""
    found: defaultdict[TaskId, list[bool]] = defaultdict(list)
    for question, completions in zip(questions, answers, strict=True):
        if question.key.task in WORKED:
            found[question.key.task] += [one.text.startswith(BEGINNING) for one in completions]
    return {task: sum(worked) / len(worked) for task, worked in found.items()}


def drift(
    base: Policy, questions: Sequence[Question], answers: Sequence[Sequence[Completion]]
) -> float:
    """Mean of log p(policy) - log p(base) over the policy's own ``answers`` to ``questions``.

    In nats per token; 0 where every question was too long to be answered.
    """
    groups = [
        TrainingGroup(
            prompt=tuple(base.encode_prompt(question.prompt)),
            completions=tuple(one.ids for one in drawn),
            advantages=(0.0,) * len(drawn),
            sampler_logprobs=tuple(one.logprobs for one in drawn),
        )
        for question, completions in zip(questions, answers, strict=True)
        if (drawn := [c.tokens for c in completions if c.tokens is not None and c.tokens.ids])
    ]
    if not groups:
        return 0.0
    batch = pack(groups)
    with torch.inference_mode():
        of_base = token_logprobs(TrainingBody(base), batch)
    return float((batch.sampler_logprobs - of_base).mean())
