"""The exam: puzzles that nobody ever practises, the same for everyone who practises the same kinds.

A puzzle is held out by its text (``Question.is_held_out``), so the exam shares no question with
practice, with the starters' pretraining, or with what a swarm may send. It is stratified over
*cells*, a kind of puzzle at one level: each gives as many puzzles as any other, or one more, as
far as it has them, however much it is practised. Each puzzle is tried ``ATTEMPTS`` times at
temperature 1, as in practice.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from core.engine.ports import Sampler, Scorer
from core.errors import PuzzleError, UsageError
from core.i18n import translatable
from core.rollouts.types import (
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
    unsigned_group,
)

SEED: Final = 250908721
ATTEMPTS: Final = 8
FEWEST: Final = 2  # one puzzle has no standard error
MOST_IN_VAIN: Final = 256
"""Questions in a row of a cell without a new held-out one before it is held to have no more: one
in sixteen is held out, so of those that have more, one in fifteen million is given up too soon."""

_SEEDS: Final = 2**32

Cell = tuple[TaskId, int]
"""A kind of puzzle at one level, from 1."""

FormReader = Callable[[Question, str], str | None]
"""The other reading of a completion to a question, with its form forgiven; None: it has none."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How one puzzle of the exam went; all in [0, 1]."""

    task: TaskId
    level: int
    solved: float  # share of the attempts that are right
    forgiven: float  # the same if the form is forgiven; never less
    pass_8: float  # 1 where any of the attempts is right, else 0

    @property
    def cell(self) -> Cell:
        """Its stratum."""
        return self.task, self.level


async def set_exam(cells: Sequence[Cell], scorer: Scorer, puzzles: int) -> list[Question]:
    """Draw ``puzzles`` different held-out questions of ``cells``, as evenly as can be.

    Where there are fewer, as of a small deck, all of them.

    The same for every node of a ruleset, and the beginning of every larger exam of these cells. A
    seeded shuffle says which cells come first; one that has no more leaves the rest to the others.

    Raises:
        UsageError: they are too few to tell anything.
    """
    if puzzles < FEWEST:
        raise UsageError(translatable("An exam needs at least {} puzzles; ask for more.", FEWEST))
    order = sorted(cells)
    Random(SEED).shuffle(order)  # noqa: S311 - the same exam for everyone
    waiting = [_HeldOut(cell, scorer) for cell in order]
    found: dict[str, Question] = {}
    while waiting and len(found) < puzzles:
        waiting = await _take_turns(waiting, found, puzzles)
    if len(found) < FEWEST:
        raise UsageError(
            translatable("Too few questions are held out for an exam: {}. Add some.", len(found))
        )
    return list(found.values())


class _HeldOut:
    """The different held-out questions of one cell, in the order in which everyone finds them."""

    def __init__(self, cell: Cell, scorer: Scorer) -> None:
        self._task, self._level = cell
        self._rng = Random(f"{SEED}/{self._task}/{self._level}")  # noqa: S311 - as above
        self._scorer = scorer

    async def next_one(self, found: Collection[str]) -> Question | None:
        """The next whose digest is not in ``found``; None once there seem to be no more."""
        for _ in range(MOST_IN_VAIN):
            key = PuzzleKey(self._task, self._level, self._rng.randrange(_SEEDS), 0)
            try:
                (question,) = await self._scorer.ask([key])
            except PuzzleError:  # the same for everyone, so that all leave it out
                continue
            if question.is_held_out and question.digest not in found:
                return question
        return None


async def _take_turns(
    cells: Sequence[_HeldOut], found: dict[str, Question], puzzles: int
) -> list[_HeldOut]:
    """Add one question of each to ``found``, up to ``puzzles``; return those that had one."""
    left: list[_HeldOut] = []
    for cell in cells:
        if len(found) == puzzles:
            break
        question = await cell.next_one(found)
        if question is not None:
            found[question.digest] = question
            left.append(cell)
    return left


async def take_exam(
    questions: Sequence[Question],
    sampler: Sampler,
    model_thread: Executor,
    scorer: Scorer,
    reader: FormReader,
) -> list[Grade]:
    """Let the policy of ``sampler`` try all ``questions``, in order, on its ``model_thread``."""
    loop = asyncio.get_running_loop()
    attempts = await loop.run_in_executor(model_thread, sampler.complete, questions, ATTEMPTS, SEED)
    tried = [unsigned_group(*pair) for pair in zip(questions, attempts, strict=True)]
    return await grade(questions, await scorer.judge(tried), scorer, reader)


async def grade(
    questions: Sequence[Question],
    judged: Sequence[ScoredGroup],
    scorer: Scorer,
    reader: FormReader,
) -> list[Grade]:
    """Grade ``questions``, in order, by what was ``judged`` of the answers to them.

    Answers that are wrong as they stand are judged once more as ``reader`` reads them. A question
    whose answers cannot be judged counts as unsolved.
    """
    read = [other for one in judged if (other := _read_again(one, reader)) is not None]
    again = {one.question.key: one.rewards for one in await scorer.judge(read)}
    rewards = {one.question.key: one.rewards for one in judged}
    return [_grade(q.key, rewards.get(q.key, (0.0,)), again.get(q.key)) for q in questions]


def _read_again(judged: ScoredGroup, reader: FormReader) -> RolloutGroup | None:
    """The same answers with their form forgiven; None where that changes none of them."""
    texts = [one.text for one in judged.group.completions]
    others = [
        None if reward > 0.0 else reader(judged.question, text)
        for text, reward in zip(texts, judged.rewards, strict=True)
    ]
    if not any(others):
        return None
    completions = tuple(
        completion if other is None else replace(completion, text=other)
        for completion, other in zip(judged.group.completions, others, strict=True)
    )
    return replace(judged.group, completions=completions)


def _grade(key: PuzzleKey, rewards: Sequence[float], again: Sequence[float] | None) -> Grade:
    best = [max(both) for both in zip(rewards, again or rewards, strict=True)]
    return Grade(
        task=key.task,
        level=key.level,
        solved=sum(rewards) / len(rewards),
        forgiven=sum(best) / len(best),
        pass_8=float(any(reward == 1.0 for reward in rewards)),
    )
