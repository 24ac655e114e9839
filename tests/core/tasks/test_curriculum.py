"""What to practise next."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnknownTaskError
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
from core.tasks.catalog import load_catalog
from core.tasks.curriculum import ENOUGH, FLOOR, CellCurriculum, cell_name, curriculum_for

CATALOG = load_catalog()
GCD, LCM = TaskId("gcd"), TaskId("lcm")


def tried(task: TaskId, level: int, right: int, of: int = 8) -> ScoredGroup:
    """A group of which so many answers were right."""
    key = PuzzleKey(task, level, 1, 0)
    rewards = (1.0,) * right + (0.0,) * (of - right)
    completions = tuple(Completion("x", ended=True) for _ in rewards)
    group = RolloutGroup(key, "0" * 16, PeerId("a"), ModelId("spark"), 1, completions)
    return ScoredGroup(Question(key, "?"), group, rewards)


def after(*groups: ScoredGroup, tasks: Sequence[str] = ("gcd", "lcm")) -> CellCurriculum:
    made = CellCurriculum(CATALOG, tasks)
    made.observe(groups)
    return made


def levels(curriculum: CellCurriculum, task: TaskId, draws: int = 400) -> set[int]:
    keys = curriculum.draw(draws, Random(1))
    return {key.level for key in keys if key.task == task}


def test_at_first_every_kind_is_tried_at_its_easiest() -> None:
    """Each as often as any other, and no puzzle twice."""
    keys = CellCurriculum(CATALOG).draw(3 * len(CATALOG.tasks), Random(1))
    assert Counter(key.task for key in keys) == {task.id: 3 for task in CATALOG.tasks}
    assert {key.level for key in keys} == {1}
    assert len(set(keys)) == len(keys)


def test_what_is_half_solved_is_practised_most() -> None:
    """Twenty times as often as what is hopeless or mastered; and those are not forgotten."""
    half = [tried(GCD, 1, 4)] * 3
    for other in (0, 8):
        curriculum = after(*half, *[tried(LCM, 1, other, of=8)] * 30)
        firsts = [curriculum.draw(1, Random(seed))[0] for seed in range(3_000)]
        share = sum(key.task == LCM for key in firsts) / len(firsts)
        cells = 1 if other == 0 else 2  # a mastered level opens the next one, which is unknown
        assert share == pytest.approx((FLOOR + cells - 1) / (FLOOR + cells), abs=0.03)


def test_a_level_opens_when_the_one_below_is_mastered_and_closes_when_it_is_lost() -> None:
    """With a margin between, so that it does not flicker."""
    curriculum = after(*[tried(GCD, 1, 5)] * 20)
    assert levels(curriculum, GCD) == {1}
    curriculum.observe([tried(GCD, 1, 7)] * 20)
    assert levels(curriculum, GCD) == {1, 2}
    curriculum.observe([tried(GCD, 2, 1)])
    curriculum.observe([tried(GCD, 1, 4)] * 20)
    assert levels(curriculum, GCD) == {1, 2}
    curriculum.observe([tried(GCD, 1, 2)] * 20)
    assert levels(curriculum, GCD) == {1}


def test_a_lucky_group_opens_nothing() -> None:
    """Sixteen tries tell more than eight."""
    assert levels(after(tried(GCD, 1, 8)), GCD) == {1}
    assert ENOUGH > 8
    assert levels(after(*[tried(GCD, 1, 8)] * 3), GCD) == {1, 2}


def test_skill_is_the_share_of_all_cells() -> None:
    """What was never tried counts as unsolved; what was tried lately counts most."""
    total = sum(len(CATALOG.task(name).levels) for name in ("gcd", "lcm"))
    assert after().skill() == 0.0
    assert after(tried(GCD, 1, 4), tried(LCM, 1, 8)).skill() == pytest.approx(1.5 / total)
    assert after(*[tried(GCD, 1, 0)] * 5, *[tried(GCD, 1, 8)] * 5).skill() > 0.6 / total


@given(st.lists(st.tuples(st.sampled_from(["gcd", "lcm"]), st.integers(1, 3), st.integers(0, 8))))
def test_a_run_goes_on_where_it_was(history: list[tuple[str, int, int]]) -> None:
    """From what a checkpoint keeps, the next draws are the same."""
    first = after(*(tried(TaskId(task), level, right) for task, level, right in history))
    second = CellCurriculum(CATALOG, ("gcd", "lcm"))
    second.restore(first.cells)
    assert second.draw(40, Random(3)) == first.draw(40, Random(3))


def test_cells_that_are_no_longer_there_are_left_out() -> None:
    """The list of puzzles may change between two releases."""
    curriculum = CellCurriculum(CATALOG, ("gcd",))
    curriculum.restore(
        {cell_name("gcd", 1): (8.0, 16.0), "gone/1": (1.0, 2.0), "gcd/99": (1.0, 2.0)}
    )
    assert curriculum.cells == {"gcd/1": (8.0, 16.0)}


def test_a_kind_that_is_unknown_is_refused() -> None:
    """Before anything is practised."""
    with pytest.raises(UnknownTaskError):
        CellCurriculum(CATALOG, ["gcds"])


def test_the_settings_choose_between_a_level_and_all() -> None:
    """One level stays; automatic goes on from what was solved."""
    fixed, automatic = curriculum_for(CATALOG, 2), curriculum_for(CATALOG, "automatic")
    for curriculum in (fixed, automatic):
        curriculum.observe([tried(GCD, 1, 8)] * 3)
    assert {key.level for key in fixed.draw(60, Random(1)) if key.task == GCD} == {2}
    assert fixed.cells == {}
    assert {key.level for key in automatic.draw(400, Random(1)) if key.task == GCD} == {1, 2}
