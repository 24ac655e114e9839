"""Worked answers of every kind, over all levels."""

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from core.lab.corpus import LEVELS
from core.lab.worked.answers import BEGINNING, LONGEST, WORKED, work
from core.paths import RESOURCES
from core.rollouts.answers import read_answer
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle
from core.tasks.soundness import exact_value
from core.tasks.verifiers import verify

SEEDS = 200
MOST_TOKENS = 96
CATALOG = load_catalog()
LINE = re.compile(r"[-+*/0-9.]+(?:=[-+*/0-9.]+)+")


def puzzles(task: TaskId) -> list[Puzzle]:
    levels = range(1, len(CATALOG.task(task).levels) + 1)
    keys = [PuzzleKey(task, level, seed, 0) for level in levels for seed in range(SEEDS)]
    return [make_puzzle(CATALOG, key) for key in keys]


@pytest.fixture(scope="module", params=list(WORKED))
def worked(request: pytest.FixtureRequest) -> list[tuple[Puzzle, str]]:
    """All puzzles of one kind that have a worked answer, with it."""
    pairs = [(puzzle, work(puzzle)) for puzzle in puzzles(request.param)]
    return [(puzzle, text) for puzzle, text in pairs if text is not None]


def test_it_ends_in_the_right_answer_as_asked(worked: list[tuple[Puzzle, str]]) -> None:
    """The last words are the key between the two tags, and they earn the point."""
    for puzzle, text in worked:
        assert text.startswith(BEGINNING)
        assert text.endswith(f" <answer>{puzzle.answer}</answer>")
        assert read_answer(text) == (puzzle.answer, True)
        assert verify(CATALOG.task(puzzle.question.key.task), puzzle, puzzle.answer) == 1.0


def test_every_line_is_right(worked: list[tuple[Puzzle, str]]) -> None:
    """Both sides of every sign of equality have the same value, worked out from left to right.

    In a running total, "3+4=7+5=12", the second side goes on: what is added to it comes out next.
    """
    for _, text in worked:
        for line in filter(LINE.fullmatch, re.split("[,; ]", text.partition(" <")[0])):
            left, *following = line.split("=")
            value = exact_value(without_zeros(left))
            for side in following:
                first = re.match(r"-?[0-9.]+", side)
                assert first
                assert exact_value(without_zeros(first[0])) == value, line
                value = exact_value(without_zeros(side))


def without_zeros(side: str) -> str:
    return re.sub(r"(?<![0-9.])0+(?=[0-9])", "", side)


def test_many_puzzles_that_are_read_have_one(worked: list[tuple[Puzzle, str]]) -> None:
    """At one of the lower levels at least; where a working is too long it is left out."""
    levels = Counter(puzzle.question.key.level for puzzle, _ in worked)
    assert max(levels[level] for level in LEVELS) > SEEDS / 4


def test_it_is_short(worked: list[tuple[Puzzle, str]]) -> None:
    """No starter needs more than 96 tokens for it, whatever its vocabulary."""
    from transformers import PreTrainedTokenizerFast

    for model in ("spark", "ember"):
        folder = RESOURCES / "models" / model
        tokenizer = PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
        ids = tokenizer([text for _, text in worked], add_special_tokens=False)["input_ids"]
        assert max(map(len, ids)) <= MOST_TOKENS


def test_the_same_puzzle_is_worked_the_same_way(worked: list[tuple[Puzzle, str]]) -> None:
    """Nothing is drawn by chance."""
    assert [work(puzzle) for puzzle, _ in worked] == [text for _, text in worked]


def test_what_takes_too_long_is_not_worked() -> None:
    """A number of thirty-one bits has no short halving."""
    question = Question(PuzzleKey(TaskId("count_bits"), 3, 0, 0), f"of the number {2**31 - 1}?")
    assert work(Puzzle(question, "31")) is None
    assert LONGEST < MOST_TOKENS


def test_other_kinds_are_not_worked() -> None:
    """A kind without steps keeps its direct answers."""
    assert work(make_puzzle(CATALOG, PuzzleKey(TaskId("arc_1d"), 1, 0, 0))) is None


def test_halves_and_their_odd_ones() -> None:
    """Each number is half of the one before it, and the last count is the answer."""
    for puzzle in puzzles(TaskId("count_bits")):
        text = work(puzzle)
        if text is None:
            continue
        lines = [tuple(map(int, line)) for line in re.findall("([0-9]+):([0-9]+)", text)]
        for (number, count), (half, following) in pairwise(lines):
            assert half == number // 2
            assert following == count + half % 2
        assert lines[-1] == (1, int(puzzle.answer))


def test_quotients_and_remainders_of_another_base() -> None:
    """The remainders, last one first, are the answer's digits."""
    for puzzle in puzzles(TaskId("base_conversion")):
        steps = (work(puzzle) or "").partition(" <")[0]
        digits = [line[-1] for line in re.findall("[0-9]+r[0-9a-f]", steps)]
        assert not digits or "".join(reversed(digits)) == puzzle.answer


def test_exact_fractions_are_compared() -> None:
    """The check of lines is exact: tenths are no binary fractions."""
    assert exact_value("0.1+0.2") == Fraction("0.3")
