"""What to practise next."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.ports import Progress
from core.errors import UnknownTaskError
from core.rollouts.types import ScoredGroup, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.curriculum import FLOOR, CellCurriculum, curriculum_for
from core.tasks.skills import ENOUGH, Skills
from tests.core.tasks.tried import tried

CATALOG = load_catalog()
GCD, LCM = TaskId("gcd"), TaskId("lcm")


def after(*groups: ScoredGroup, base: Mapping[str, float] | None = None) -> Skills:
    made = Skills(CATALOG, base)
    made.observe(groups, ())
    return made


def curriculum(skills: Skills) -> CellCurriculum:
    return CellCurriculum(CATALOG, skills, ("gcd", "lcm"))


def levels(skills: Skills, task: TaskId, draws: int = 400) -> set[int]:
    keys = curriculum(skills).draw(draws, Random(1))
    return {key.level for key in keys if key.task == task}


def test_at_first_every_kind_is_tried_at_its_easiest() -> None:
    """Each as often as any other, and no puzzle twice."""
    keys = CellCurriculum(CATALOG, Skills(CATALOG)).draw(3 * len(CATALOG.tasks), Random(1))
    assert Counter(key.task for key in keys) == {task.id: 3 for task in CATALOG.tasks}
    assert {key.level for key in keys} == {1}
    assert len(set(keys)) == len(keys)


def test_what_is_half_solved_is_practised_most() -> None:
    """Twenty times as often as what is hopeless or mastered; and those are not forgotten."""
    for other in (0, 8):
        skills = after(*[tried(LCM, 1, other, of=8)] * 30, base={"gcd/1": 0.5})
        share = share_of_lcm(skills)
        cells = 1 if other == 0 else 2  # a mastered level opens the next one, which is unknown
        assert share == pytest.approx((FLOOR + cells - 1) / (FLOOR + cells), abs=0.03)


def share_of_lcm(skills: Skills) -> float:
    firsts = [curriculum(skills).draw(1, Random(seed))[0] for seed in range(3_000)]
    return sum(key.task == LCM for key in firsts) / len(firsts)


def test_questions_that_are_always_or_never_solved_are_not_taken_for_half_solved() -> None:
    """A cell of such is drawn as seldom as a hopeless one, though a half of it is solved."""
    skills = after(*[tried(LCM, 1, 0), tried(LCM, 1, 8)] * 30, base={"gcd/1": 0.5})
    assert skills.share("lcm/1") == pytest.approx(0.5, abs=0.03)
    assert share_of_lcm(skills) == pytest.approx(1 / 7, abs=0.03), "2 of 12 groups are believed in"
    evenly = after(*[tried(LCM, 1, 1, of=2)] * 30, base={"gcd/1": 0.5})
    assert share_of_lcm(evenly) > 0.5


def test_a_level_that_is_solved_now_and_then_is_open_whatever_is_below() -> None:
    """Levels are not always harder than the one below, and there is something to learn."""
    base = {"gcd/1": 0.3, "gcd/2": 0.05, "gcd/3": 0.2, "lcm/1": 0.0}
    assert levels(after(base=base), GCD) == {1, 3}
    assert levels(after(base=base), LCM) == {1}


def test_a_level_opens_when_the_one_below_is_mastered_and_closes_when_it_is_lost() -> None:
    """With a margin between, so that it does not flicker."""
    skills = after(*[tried(GCD, 1, 5)] * 20)
    assert levels(skills, GCD) == {1}
    skills.observe([tried(GCD, 1, 7)] * 20, ())
    assert levels(skills, GCD) == {1, 2}
    skills.observe([tried(GCD, 2, 0)], ())
    skills.observe([tried(GCD, 1, 4)] * 20, ())
    assert levels(skills, GCD) == {1, 2}
    skills.observe([tried(GCD, 1, 2)] * 20, ())
    assert levels(skills, GCD) == {1}


def test_what_the_base_can_do_is_not_looked_at_again() -> None:
    """Practice begins where the starter's own skills end."""
    base = {"gcd/1": 0.9, "gcd/2": 0.8, "gcd/3": 0.5, "lcm/1": 0.2}
    skills = after(base=base)
    assert levels(skills, GCD) == {1, 2, 3}
    assert levels(skills, LCM) == {1}


def test_a_lucky_group_opens_nothing() -> None:
    """Sixteen tries tell more than eight."""
    assert levels(after(tried(GCD, 1, 8)), GCD) == {1}
    assert ENOUGH > 8
    assert levels(after(*[tried(GCD, 1, 8)] * 3), GCD) == {1, 2}


def test_what_seems_mastered_is_settled_soon() -> None:
    """The next level waits for it, so it is drawn as often as what is unknown."""
    drawing = curriculum(after(tried(GCD, 1, 8)))
    firsts = [drawing.draw(1, Random(seed))[0] for seed in range(1_000)]
    assert sum(key.task == GCD for key in firsts) == pytest.approx(500, abs=60)


@given(st.lists(st.tuples(st.sampled_from(["gcd", "lcm"]), st.integers(1, 3), st.integers(0, 8))))
def test_a_run_goes_on_where_it_was(history: list[tuple[str, int, int]]) -> None:
    """From what a checkpoint keeps, the next draws are the same."""
    first = after(*(tried(TaskId(task), level, right) for task, level, right in history))
    second = Skills(CATALOG)
    second.restore(Progress(1, 1, "sapo", cells=first.own, disagreement=first.disagreement))
    assert curriculum(second).draw(40, Random(3)) == curriculum(first).draw(40, Random(3))


def test_a_kind_that_is_unknown_is_refused() -> None:
    """Before anything is practised."""
    with pytest.raises(UnknownTaskError):
        CellCurriculum(CATALOG, Skills(CATALOG), ["gcds"])


def test_the_settings_choose_between_a_level_and_all() -> None:
    """One level stays; automatic goes on from what was solved."""
    skills = after(*[tried(GCD, 1, 8)] * 3)
    fixed, automatic = (curriculum_for(CATALOG, level, skills) for level in (2, "automatic"))
    assert {key.level for key in fixed.draw(60, Random(1)) if key.task == GCD} == {2}
    assert {key.level for key in automatic.draw(400, Random(1)) if key.task == GCD} == {1, 2}
