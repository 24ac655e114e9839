"""Questions of rounds: of the exam, and such as cannot be made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from core.engine.questions import new_questions
from core.engine.round import play_round
from core.errors import PuzzleError
from core.rollouts.types import PuzzleKey, Question
from tests.core.engine.test_round import PLAN, nobody
from tests.fakes import AddingScorer, FakePolicy, fake_parts


@dataclass
class FlawedScorer(AddingScorer):
    """Cannot make one question in ``one_in``."""

    one_in: int

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        if any(key.seed % self.one_in == 0 for key in keys):
            raise PuzzleError("It cannot be made.")
        return await super().ask(keys)


async def test_practice_never_touches_the_exam() -> None:
    """No question of a hundred rounds is held out, and each round has as many as it wants."""
    parts = fake_parts(FakePolicy())
    for number in range(1, 101):
        drawn = await new_questions(parts.curriculum, parts.scorer, 8, Random(number))
        assert len(drawn) == 8
        assert not any(q.is_held_out for q in drawn)


async def test_a_question_that_cannot_be_made_gives_its_place_to_another() -> None:
    """Or practice would end for good: the next start would draw the very same one."""
    parts = replace(fake_parts(FakePolicy()), scorer=FlawedScorer(2))
    played = await play_round(1, PLAN, parts, nobody)
    assert played.finished.local_groups == PLAN.local_groups


async def test_where_nothing_can_be_made_practice_ends_in_words() -> None:
    """What is practised is broken altogether."""
    parts = replace(fake_parts(FakePolicy()), scorer=FlawedScorer(1))
    with pytest.raises(PuzzleError):
        await play_round(1, PLAN, parts, nobody)
