"""The exam."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.engine.exam import ATTEMPTS, Cell, Grade, grade, set_exam, take_exam
from core.errors import UsageError
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)
from tests.fakes import ADDING, AddingScorer, FakePolicy, question, solution

CELLS: list[Cell] = [(TaskId(f"task{n}"), level) for n in range(5) for level in (1, 2)]
RARE: Cell = CELLS[3]


class CellScorer(AddingScorer):
    """Makes puzzles of every cell; the rare one repeats some few."""

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        return [Question(key, f"{key.task}/{key.level}: {self._number(key)} + 1 =") for key in keys]

    @staticmethod
    def _number(key: PuzzleKey) -> int:
        return key.seed % 20 if (key.task, key.level) == RARE else key.seed


def no_other(_question: Question, _completion: str) -> None:
    """Forgives nothing."""


def last_word(_question: Question, completion: str) -> str:
    """Forgives all but the last word."""
    return completion.rsplit(maxsplit=1)[-1]


async def exam(puzzles: int) -> Counter[Cell]:
    asked = await set_exam(CELLS, CellScorer(), puzzles)
    assert len({q.digest for q in asked}) == len(asked) == puzzles
    assert all(q.is_held_out for q in asked)
    return Counter((q.key.task, q.key.level) for q in asked)


async def test_every_cell_gives_as_many_puzzles_or_one_more() -> None:
    """A cell that repeats itself gives what it has, and the others the rest; none comes twice."""
    assert set((await exam(10)).values()) == {1}
    sizes = await exam(95)
    few = sizes.pop(RARE)
    assert 0 < few <= 20
    assert len(sizes) == 9
    assert max(sizes.values()) - min(sizes.values()) <= 1


async def test_the_exam_is_the_same_for_everyone() -> None:
    """Whoever asks, and in whichever order cells are listed; a larger one begins with it."""
    asked = await set_exam(CELLS, CellScorer(), 25)
    assert asked == await set_exam(CELLS[::-1], CellScorer(), 25)
    assert asked == (await set_exam(CELLS, CellScorer(), 60))[:25]


async def test_a_short_exam_is_spread_over_cells() -> None:
    """Fewer puzzles than cells are of as many cells, chosen by lot and not by the list."""
    sizes = await exam(4)
    assert set(sizes.values()) == {1}
    assert set(sizes) != set(CELLS[:4])


async def test_no_puzzle_is_repeated_to_fill_an_exam_up() -> None:
    """That would fake its precision: of a small deck there is what there is, or no exam."""
    asked = await set_exam([RARE], CellScorer(), 30)
    assert 2 <= len({q.digest for q in asked}) == len(asked) < 20
    with pytest.raises(UsageError, match="Too few"):
        await set_exam([], CellScorer(), 30)


async def test_one_puzzle_is_no_exam() -> None:
    """It would have no standard error."""
    with pytest.raises(UsageError, match="at least 2"):
        await set_exam(CELLS, CellScorer(), 1)


async def test_grades_are_shares_of_the_attempts() -> None:
    """A model that is right half of the time solves about a half, and nearly all within eight."""
    asked = await set_exam([(ADDING, 1)], AddingScorer(), 100)
    with ThreadPoolExecutor(1) as thread:
        grades = await take_exam(asked, FakePolicy(0.5), thread, AddingScorer(), no_other)
    assert all(one.solved * ATTEMPTS == int(one.solved * ATTEMPTS) for one in grades)
    assert abs(sum(one.solved for one in grades) / 100 - 0.5) < 0.06
    assert all(one.forgiven == one.solved for one in grades)
    assert all(one.pass_8 == float(one.solved > 0) for one in grades)


def judged(index: int, *texts: str) -> ScoredGroup:
    asked = question(index)
    group = RolloutGroup(
        asked.key,
        asked.digest,
        PeerId(""),
        ModelId(""),
        0,
        tuple(Completion(text, ended=True) for text in texts),
    )
    rewards = tuple(float(text == solution(asked.key)) for text in texts)
    return ScoredGroup(asked, group, rewards)


async def test_a_forgiven_form_counts_beside_what_is_right_as_it_stands() -> None:
    """It adds to the share that is forgiven and to no other."""
    tried = judged(7, "8", "The answer is 8", "The answer is 9", "8 or 9")
    (found,) = await grade([question(7)], [tried], AddingScorer(), last_word)
    assert found == Grade(ADDING, 1, solved=0.25, forgiven=0.5, pass_8=1.0)
    (found,) = await grade([question(7)], [judged(7, "= 8", "9")], AddingScorer(), last_word)
    assert found == Grade(ADDING, 1, solved=0.0, forgiven=0.5, pass_8=0.0)


async def test_what_is_right_stays_right_however_it_is_read() -> None:
    """A reader that would spoil it is not asked."""
    tried = judged(7, "8", "?")
    (found,) = await grade([question(7)], [tried], AddingScorer(), lambda *_: "nonsense")
    assert (found.solved, found.forgiven) == (0.5, 0.5)


async def test_what_cannot_be_judged_is_unsolved() -> None:
    """Every question has its grade, in order, so that two passes can be paired."""
    asked = [question(1), question(2), question(3)]
    strange = replace(judged(3, "= 4"), question=question(3))
    found = await grade(asked, [judged(2, "3"), strange], AddingScorer(), no_other)
    assert [one.solved for one in found] == [0.0, 1.0, 0.0]
