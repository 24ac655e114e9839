"""Sampling in parts."""

import asyncio
from collections.abc import Sequence

from core.models.catalog.catalog import load_models
from core.rollouts.types import Completion, PuzzleKey, Question, TaskId
from core.services.paced_sampler import ANSWERS_OF_LARGE, TRIED_AT_ONCE, PacedSampler

SMALL, LARGE = (load_models().get(name) for name in ("spark", "qwen2.5-0.5b"))
QUESTIONS = [
    Question(PuzzleKey(TaskId("gcd"), 1, number, 0), f"question {number}")
    for number in range(2 * TRIED_AT_ONCE + 3)
]


class EchoSampler:
    """Says each question again, and knows what it was asked."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.budgets: list[int | None] = []

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        assert seed >= 0
        self.sizes.append(len(questions))
        self.budgets.append(most_tokens)
        return [(Completion(q.prompt, ended=True),) * group_size for q in questions]


async def test_all_questions_are_answered_a_few_at_a_time() -> None:
    """In their order, none longer than allowed; progress is told on the loop after each part."""
    told: list[tuple[int, int]] = []
    sampler, total = EchoSampler(), len(QUESTIONS)
    paced = PacedSampler(sampler, SMALL, total, lambda done, of: told.append((done, of)))
    answers = await asyncio.to_thread(paced.complete, QUESTIONS, 2, 7, most_tokens=5)
    assert [group[0].text for group in answers] == [one.prompt for one in QUESTIONS]
    assert sampler.sizes == [TRIED_AT_ONCE, TRIED_AT_ONCE, 3]
    assert sampler.budgets == [5, 5, 5]
    assert told == [(0, total), (TRIED_AT_ONCE, total), (2 * TRIED_AT_ONCE, total), (total, total)]


async def test_a_model_that_takes_long_is_asked_less_at_once() -> None:
    """No more than it draws in one go, or whoever cancels would wait for several."""
    sampler, at_once = EchoSampler(), ANSWERS_OF_LARGE // 8
    asked = QUESTIONS[: 2 * at_once + 1]
    PacedSampler(sampler, LARGE, len(asked), lambda *_: None).complete(asked, 8, 0)
    assert sampler.sizes == [at_once, at_once, 1]


async def test_once_stopped_nothing_more_is_begun() -> None:
    """What nobody waits for any more costs nothing."""
    sampler = EchoSampler()
    paced = PacedSampler(sampler, SMALL, len(QUESTIONS), lambda *_: None)
    paced.stop()
    assert paced.complete(QUESTIONS, 1, 0) == []
    assert sampler.sizes == []
