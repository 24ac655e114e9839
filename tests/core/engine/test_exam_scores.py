"""What an exam says of a model, and how sure that is."""

from random import Random
from statistics import pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.exam import Cell, Grade
from core.engine.exam_scores import ahead, gain, gain_in_form, score, stratified_mean
from core.rollouts.types import TaskId

EASY: Cell = (TaskId("gcd"), 1)
HARD: Cell = (TaskId("gcd"), 2)
OTHER: Cell = (TaskId("lcm"), 1)

shares = st.integers(0, 8).map(lambda right: right / 8)


def graded(solved: float, forgiven: float | None = None, cell: Cell = EASY) -> Grade:
    return Grade(*cell, solved, solved if forgiven is None else forgiven, float(solved > 0))


def test_in_one_cell_it_is_the_mean_and_its_standard_error() -> None:
    """Four scores 0, 0, 1, 1: sample deviation 0.577, over two."""
    found = stratified_mean([EASY] * 4, [0.0, 0.0, 1.0, 1.0])
    assert found.mean == 0.5
    assert found.standard_error == pytest.approx(0.288675, abs=1e-6)


def test_cells_count_alike_and_their_differences_are_no_chance() -> None:
    """One solved and one not: half, for certain, though more puzzles are of the one."""
    found = stratified_mean([EASY] * 2 + [HARD] * 4, [1.0] * 2 + [0.0] * 4)
    assert (found.mean, found.standard_error) == (0.5, 0.0)


def test_cells_with_one_puzzle_tell_of_chance_together() -> None:
    """The differences between them are taken for chance, where nothing better is known."""
    found = stratified_mean([EASY, HARD], [1.0, 0.0])
    assert (found.mean, found.standard_error) == (0.5, 0.5)
    lonely = stratified_mean([EASY, HARD, HARD, OTHER, OTHER], [1.0, 0.0, 0.0, 0.0, 0.0])
    assert lonely.mean == pytest.approx(1 / 3)
    assert lonely.standard_error > 0


def test_the_standard_error_is_that_of_many_exams() -> None:
    """Over exams drawn anew, means vary as each of them says that they do."""
    rng = Random(5)
    solved = {EASY: 0.9, HARD: 0.1, OTHER: 0.5}
    cells = [cell for cell in solved for _ in range(6)]
    exams = [
        stratified_mean(cells, [float(rng.random() < solved[cell]) for cell in cells])
        for _ in range(2_000)
    ]
    told = sum(one.standard_error**2 for one in exams) / len(exams)
    assert told == pytest.approx(pvariance([one.mean for one in exams]), rel=0.1)


@given(st.lists(st.tuples(st.sampled_from([EASY, HARD, OTHER]), shares), min_size=2, max_size=20))
def test_every_exam_has_a_bounded_score(drawn: list[tuple[Cell, float]]) -> None:
    """Whichever cells its puzzles are of; forgiven is never less than solved."""
    grades = [graded(share, min(1.0, share + 0.125), cell) for cell, share in drawn]
    found = score(grades)
    assert 0 <= found.solved.mean <= found.forgiven.mean <= 1
    assert found.solved.mean <= found.pass_8.mean <= 1
    assert found.solved.standard_error <= 1


def test_a_gain_is_paired() -> None:
    """Every puzzle half a point better is a sure gain, however different the puzzles are."""
    before = [graded(share) for share in (0.0, 0.25, 0.5)]
    now = [graded(share + 0.5) for share in (0.0, 0.25, 0.5)]
    found = gain(before, now)
    assert (found.solved.mean, found.solved.standard_error) == (0.5, 0.0)
    assert found.pass_8.mean == pytest.approx(1 / 3)


def test_a_gain_is_skill_and_form() -> None:
    """What was right but for its form before is no skill; the two parts make up the whole."""
    before = [graded(0.0, 0.5), graded(0.25, 0.25), graded(0.0, 0.0)]
    now = [graded(0.5, 0.5), graded(0.25, 0.25), graded(0.75, 0.875)]
    whole, form = gain(before, now), gain_in_form(before, now)
    assert whole.forgiven.mean == pytest.approx(0.875 / 3)
    assert whole.forgiven.mean + form.mean == pytest.approx(whole.solved.mean)


def test_ahead_is_the_first_try_against_eight() -> None:
    """The base found one of two within eight; now both are solved three times of four."""
    found = ahead([graded(0.125), graded(0.0)], [graded(0.75), graded(0.75)])
    assert found.mean == pytest.approx(0.25)
    assert found.standard_error == pytest.approx(0.5)
