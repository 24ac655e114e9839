"""The attacker that searches finds what harms."""

from dataclasses import replace
from random import Random

import pytest

from core.bootstrap import ADAPTER_SEED
from core.lab.learning import poison_search
from core.lab.learning.poison import FAMILIES, noise, odd_form, rambling, right, signed
from core.lab.learning.poison_search import (
    KEPT,
    _as_in_an_update,
    _encoded,
    _lesson,
    _victim,
    _worth_trying,
    _written,
    families,
    judge_openly,
    search,
)
from core.lab.worked.answers import BEGINNING, WORKED
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from core.rollouts.recipes import ADAPTIVE, WAGGLE, Recipe, recipe_named
from core.rollouts.types import PuzzleKey, ScoredGroup, TaskId, unsigned_group
from core.sampling.torch_sampler import TorchSampler
from core.tasks.catalog import PracticeMix
from tests.core.lab.learning.small import ANNE, CATALOG, puzzle, tried

UNFILTERED = replace(ADAPTIVE, filters_by_policy=False)
TASKS = [CATALOG.tasks[0].id, CATALOG.tasks[1].id]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer puzzles, so that a test is a matter of seconds."""
    monkeypatch.setattr(poison_search, "PROBES", 8)
    monkeypatch.setattr(poison_search, "TRIES", 1)


@pytest.mark.slow
def test_it_finds_the_hole_that_a_trusting_recipe_has() -> None:
    """It harms by forms; where those are refused, it has to write right answers as they are."""
    policy = load_policy(load_models().get("spark"), ADAPTER_SEED)
    mix = PracticeMix(CATALOG, 1, TASKS)
    found = search(policy, recipe_named("waggle-trusting"), CATALOG, mix, Random(1))
    assert len(found) == KEPT
    assert {task for task, _ in found} <= set(TASKS)
    assert any(family.success is not right for _, family in found), "odd forms get through"
    again = search(policy, recipe_named("waggle-trusting"), CATALOG, mix, Random(1))
    assert [task for task, _ in again] == [task for task, _ in found]
    guarded = search(policy, WAGGLE, CATALOG, mix, Random(1))
    assert guarded, "something always gets through"
    forms = (odd_form, signed, rambling)
    assert all(family.success not in forms for _, family in guarded), "odd forms do not"


def test_it_leaves_the_copy_as_it_was() -> None:
    """No gradient stays behind, nor a change."""
    policy = load_policy(load_models().get("spark"), ADAPTER_SEED)
    before = {name: factor.detach().clone() for name, factor in policy.adapter().items()}
    search(policy, WAGGLE, CATALOG, PracticeMix(CATALOG, 1, TASKS), Random(2))
    for name, factor in policy.adapter().items():
        assert factor.grad is None
        assert bool((factor == before[name]).all())


def test_every_family_is_tried_in_both_halves() -> None:
    """Successes and failures are spoiled independently of each other."""
    every = list(families({}))
    assert len({(one.success, id(one.failure)) for one in every}) == len(every)
    assert any(one.success is right and one.failure is noise for one in every)


def test_nothing_is_tried_twice_where_nothing_can_be_worked_out() -> None:
    """Ways of working come to ways of answering there, and would fill the list of the worst."""
    worked, bare = TaskId("chain_sum"), TaskId("letter_counting")
    every = list(families({}))
    tried = list(_worth_trying([worked, bare], every))
    assert [family for task, family in tried if task == worked] == every
    assert {family.success for task, family in tried if task == bare} == {
        right,
        odd_form,
        signed,
        rambling,
    }


def test_its_victim_works_where_that_can_be_done() -> None:
    """So right answers without work gain less there, and as much as ever elsewhere."""
    policy = load_policy(load_models().get("spark"), ADAPTER_SEED)
    keys = [PuzzleKey(TaskId(name), 1, 7, 0) for name in ("chain_sum", "letter_counting")]
    written = [_written(CATALOG, puzzle(key), FAMILIES["easy"], Random(1)) for key in keys]
    knowing = _victim([key.task for key in keys])
    gains = [
        [max(one.advantages) for one in _encoded(policy, written, UNFILTERED, victim)]
        for victim in (None, knowing)
    ]
    assert gains[1][0] < 0.8 * gains[0][0]
    assert gains[1][1] > 0.9 * gains[0][1]


def test_its_victim_learns_from_many_groups_at_once() -> None:
    """So from a pair of each, where the recipe bounds an update: nothing else of a text counts."""
    policy = load_policy(load_models().get("spark"), ADAPTER_SEED)
    key = PuzzleKey(TaskId("letter_counting"), 1, 7, 0)
    written = [_written(CATALOG, puzzle(key), FAMILIES["easy"], Random(1))]
    for recipe, most in ((UNFILTERED, 2), (replace(UNFILTERED, most_in_update=None), 4)):
        (group,) = _as_in_an_update(_encoded(policy, written, recipe, None), recipe)
        assert len(group.completions) == most
        assert min(group.advantages) < 0 < max(group.advantages)


def test_it_aims_at_worked_answers() -> None:
    """Bare ones of such kinds are not what an exam is passed with."""
    policy = load_policy(load_models().get("spark"), ADAPTER_SEED)
    asked = puzzle(PuzzleKey(TaskId("chain_sum"), 1, 7, 0))
    (ids,) = _lesson(policy, asked).completions
    assert policy.decode(ids).startswith(BEGINNING)


def test_it_judges_as_the_judge_does() -> None:
    """Right, right in an odd form, and wrong are told apart."""
    (key,) = PracticeMix(CATALOG, 1, ["basic_arithmetic"]).draw(1, Random(3))
    answer = puzzle(key).answer
    scored = judge_openly(
        CATALOG.task(key.task), puzzle(key), tried(ANNE, 1, answer, f"00{answer}", "x")
    )
    assert scored.rewards == (1.0, 1.0, 0.0)
    assert scored.unusual == {1}


def test_wrong_results_behind_right_steps_are_not_learnt_from() -> None:
    """Though a policy finds nearly all of such a text likely; what another family got wrong is."""
    spark, ember = (
        load_policy(load_models().get(name), ADAPTER_SEED) for name in ("spark", "ember")
    )
    tasks = [CATALOG.task(task) for task in WORKED]
    asked = [puzzle(PuzzleKey(task.id, 1, 7, 0)) for task in tasks]
    attacks = [_written(CATALOG, one, FAMILIES["wrong-results"], Random(1)) for one in asked]
    honest = [
        judge_openly(task, one, unsigned_group(one.question, tries))
        for task, one, tries in zip(
            tasks,
            asked,
            TorchSampler(ember).complete([one.question for one in asked], 8, 1),
            strict=True,
        )
    ]

    def learnt(groups: list[ScoredGroup], recipe: Recipe) -> int:
        return len(_encoded(spark, groups, recipe, None))

    assert learnt(attacks, ADAPTIVE) <= 2 < len(tasks) / 2 < learnt(attacks, WAGGLE)
    assert learnt(honest, ADAPTIVE) >= 0.8 * learnt(honest, WAGGLE) > 0
