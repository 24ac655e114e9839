"""The experiments compare what they say they do."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.lab.learning import experiments
from core.lab.learning.experiments import ATTACKS, SHARES, Experiment
from core.lab.learning.plans import EVERY_LEVEL, Arm, ArmRun, Setting, recipe_of
from core.rollouts.probing import is_probed
from core.rollouts.recipes import ABLATIONS, Recipe, recipe_named

MAKERS = (
    experiments.table,
    experiments.recipes,
    experiments.ablations,
    experiments.mixed,
    experiments.adaptive,
    experiments.gradients,
    experiments.aha,
    experiments.specialists,
    experiments.curriculum,
    experiments.answers,
    experiments.growth,
    experiments.decks,
    experiments.attack,
)


def setting(nodes: int = 6) -> Setting:
    return Setting(("spark",) * nodes, rounds=300, learning_rate=1e-4)


def by_name(experiment: Experiment) -> dict[str, Arm]:
    return {arm.name: arm for arm in experiment.arms}


@pytest.mark.parametrize("make", MAKERS)
@given(nodes=st.integers(1, 12))
def test_no_two_runs_share_a_folder(make: Callable[[Setting], Experiment], nodes: int) -> None:
    """Whatever the size of the swarm: one would overwrite the other."""
    runs = make(setting(nodes)).runs((1, 2))
    assert len({run.name for run in runs}) == len(runs)


@pytest.mark.parametrize("make", MAKERS)
def test_an_experiment_can_be_played_and_compared(make: Callable[[Setting], Experiment]) -> None:
    """Its baseline is one of its arms, its recipes exist, and its runs can be written down."""
    experiment = make(setting())
    assert experiment.baseline in by_name(experiment)
    for run in experiment.runs((1,)):
        for name in (run.arm.recipe, *run.arm.recipes):
            assert recipe_named(name).name == name
        assert msgspec.json.decode(msgspec.json.encode(run), type=ArmRun) == run


def test_some_arms_can_be_played_alone() -> None:
    """Those whose names match, in their order, and what they are compared with."""
    experiment = experiments.attack(setting())
    picked = experiment.only(["flood 2 of 8", "copies 2 of*"])
    names = [arm.name for arm in picked.arms]
    copies = [f"copies 2 of 8{how}" for how in (" adaptive", "", " at one address", " undefended")]
    assert names == ["nobody hostile", *copies, "flood 2 of 8"]
    assert (picked.baseline, picked.setting) == (experiment.baseline, experiment.setting)
    assert experiment.only(["*"]) == experiment


def test_an_arm_that_is_not_there_is_named_with_those_that_are() -> None:
    """A slip of the pen must not silently play less, and nobody reads a list of hundreds."""
    with pytest.raises(UsageError, match=r"called 4/5\. Of 6 arms these are nearest: 4/4"):
        experiments.table(setting()).only(["4/4", "4/5"])


def test_another_arm_may_be_the_one_to_compare_with() -> None:
    """It is played whatever is chosen, and the experiment's own only where it is chosen, too."""
    picked = experiments.attack(setting()).against("nobody hostile, adaptive")
    picked = picked.only(["copies 2 of 8 adaptive"])
    assert picked.baseline == "nobody hostile, adaptive"
    assert [arm.name for arm in picked.arms] == [picked.baseline, "copies 2 of 8 adaptive"]
    with pytest.raises(UsageError, match=r"called 4/5\. Of 6 arms these are nearest: 4/4"):
        experiments.table(setting()).against("4/5")


def test_runs_come_seed_by_seed() -> None:
    """A campaign that is cut short is then a whole one of fewer seeds."""
    experiment = experiments.table(setting())
    runs = experiment.runs((5, 3))
    arms = len(experiment.arms)
    assert [run.seed for run in runs] == [5] * arms + [3] * arms
    assert [run.arm for run in runs[:arms]] == list(experiment.arms)


def test_the_table_is_the_papers_with_two_controls() -> None:
    """Four splits of eight; the controls generate as much, or train on as much, as 4/4."""
    arms = by_name(experiments.table(setting()))
    for own, others in ((8, 0), (6, 2), (4, 4), (2, 6)):
        arm = arms[f"{own}/{others}"]
        assert (arm.local_groups, arm.swarm_groups, arm.recipe) == (own, others, "sapo")
        assert arm.source == ("swarm" if others else "nobody")
    poor, rich = arms["4/0 equal generation"], arms["8/0 refilled"]
    assert (poor.local_groups, poor.swarm_groups, poor.source) == (4, 0, "nobody")
    assert (rich.local_groups, rich.swarm_groups, rich.source) == (4, 4, "self")
    assert not any(arm.hostile for arm in arms.values())


def test_recipes_are_compared_at_both_splits_with_the_runs_of_the_table() -> None:
    """The even split, and the one that the paper found unstable; SAPO need not be played again."""
    arms = by_name(experiments.recipes(setting()))
    assert [(arm.recipe, arm.local_groups) for arm in arms.values()] == [
        ("sapo", 4),
        ("sapo", 2),
        ("waggle", 4),
        ("waggle", 2),
    ]
    of_table = by_name(experiments.table(setting()))
    assert all(of_table[name] == arms[name] for name in ("4/4", "2/6"))


def test_every_part_of_the_recipe_is_left_out_once() -> None:
    """At the same split, beside the whole recipe and the paper's."""
    arms = experiments.ablations(setting()).arms
    assert {arm.recipe for arm in arms} == {"sapo", "waggle", *(r.name for r in ABLATIONS)}
    assert {(arm.local_groups, arm.swarm_groups) for arm in arms} == {(4, 4)}


def test_an_ablation_lacks_a_part_that_is_played() -> None:
    """Of as many answers as are probed nothing is shrunk: that part is left out of fewer."""
    made = experiments.ablations(setting())
    played = {ArmRun(made.setting, arm, 1): recipe_named(arm.recipe) for arm in made.arms}

    def as_played(run: ArmRun) -> Recipe:
        recipe = replace(played[run], name="")
        probed = recipe.probes and is_probed(run.group_size, is_small=True)
        unshrunk = recipe.own_advantages == "shrunk" and probed
        return replace(recipe, own_advantages="centred") if unshrunk else recipe

    assert len({(as_played(run), run.group_size) for run in played}) == len(played)


def test_a_curriculum_is_compared_with_levels_that_stay() -> None:
    """At the same recipe, alone, and by an exam over all levels."""
    made = experiments.curriculum(setting(1))
    arms = by_name(made)
    assert {arm.levels for arm in arms.values()} == {(1,), (1, 2, 3), EVERY_LEVEL, "automatic"}
    assert arms["automatic"].recipe == arms[made.baseline].recipe == "waggle"
    assert all(arm.source == "nobody" for arm in arms.values())


def test_fewer_answers_are_compared_in_otherwise_equal_rounds() -> None:
    """Tried and learnt from; nothing is probed, since a large model does not."""
    arms = experiments.answers(setting(1)).arms
    learnt = {(arm.group_size, recipe_named(arm.recipe).most_completions) for arm in arms}
    assert learnt == {(8, 4), (8, 2), (4, 4), (4, 2)}
    assert not any(recipe_named(arm.recipe).probes for arm in arms)
    assert len({msgspec.structs.replace(a, name="", group_size=8, recipe="") for a in arms}) == 1


def test_what_is_found_out_is_played_with_more_and_fewer_ahead() -> None:
    """Of eight nodes none, one, two and four, at both ways of sharing; those ahead alone, too."""
    arms = by_name(experiments.aha(setting(8)))
    for ahead in (0, 1, 2, 4):
        for name, recipe in (("4/4", "waggle"), ("adaptive", "waggle-adaptive")):
            arm = arms[f"{name}, {ahead} ahead" if ahead else name]
            assert (arm.ahead, arm.recipe, arm.source) == (ahead, recipe, "swarm")
    alone = [arm for arm in arms.values() if arm.source == "nobody"]
    assert sorted(arm.ahead for arm in alone) == [0, 4]


def test_gradients_meet_in_one_swarm() -> None:
    """Each has a swarm of its own, and there is one in which all of them take turns."""
    *own, together = experiments.gradients(setting(8)).arms
    assert set(together.recipes) == {arm.recipe for arm in own}
    assert [recipe_of(together, node) for node in range(5)] == [
        *together.recipes,
        together.recipes[0],
    ]


def test_a_deck_is_practised_with_and_without_its_teacher() -> None:
    """One arm alone and one that is taught, and nothing else is different."""
    alone, taught = experiments.decks(setting(1)).arms
    assert (alone.teaches, taught.teaches) == (False, True)
    assert msgspec.structs.replace(taught, name=alone.name, teaches=False) == alone
    assert alone.source == "nobody"


def test_every_attack_is_met_with_and_without_defences() -> None:
    """Each kind in each strength, at many addresses and one, and by the recipe on trial."""
    experiment = experiments.attack(setting(6))
    arms = by_name(experiment)
    assert arms[experiment.baseline].hostile is None
    attacked = [arm for arm in arms.values() if arm.hostile]
    assert len(attacked) == len(SHARES) * len(ATTACKS) * 4
    for arm in attacked:
        assert arm.name.startswith(f"{arm.hostile} {arm.hostile_nodes} of {6 + arm.hostile_nodes}")
        assert arm.name.endswith("undefended") != arm.defended
        assert arm.name.endswith("at one address") == arm.one_address
        assert arm.name.endswith("adaptive") == (arm.recipe == "waggle-adaptive")
    strengths = sorted({arm.hostile_nodes / (6 + arm.hostile_nodes) for arm in attacked})
    assert strengths == pytest.approx(SHARES, abs=0.05)
