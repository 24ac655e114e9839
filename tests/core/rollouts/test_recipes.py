"""Recipes are data with names."""

from dataclasses import fields, replace
from typing import get_args

import pytest

from core.errors import CheckpointError
from core.rollouts.recipes import (
    ABLATIONS,
    ADAPTIVE,
    GRADIENTS,
    PAIRED,
    SAPO,
    WAGGLE,
    Recipe,
    recipe_named,
)
from core.settings import Recipe as Choice

EVERY = (SAPO, WAGGLE, *ABLATIONS, PAIRED, *GRADIENTS, ADAPTIVE)


@pytest.mark.parametrize("recipe", EVERY, ids=lambda recipe: recipe.name)
def test_a_recipe_is_found_by_its_name(recipe: Recipe) -> None:
    """The name is what settings and checkpoints keep."""
    assert recipe_named(recipe.name) is recipe


def test_the_papers_recipe_is_the_plain_one() -> None:
    """Advantages over the deviation, whole groups of equal weight, drawn by lot, J at most."""
    assert (
        Recipe(
            "sapo",
            own_advantages="scaled",
            credit=0.0,
            by_sequence=False,
            weighs_own=False,
            swarm_advantages="scaled",
            most_completions=None,
            filters_by_policy=False,
            canonical_only=False,
            shaping=0.0,
            bounds_weight=False,
            most_in_update=None,
            selects_by_variance=False,
            tops_up=False,
            tries_less=False,
            probes=False,
        )
        == SAPO
    )


def test_an_unknown_recipe_is_refused_in_words() -> None:
    """Going on with another one would mix two experiments."""
    with pytest.raises(CheckpointError, match="the recipe 'nectar'"):
        recipe_named("nectar")


def test_no_two_recipes_are_the_same() -> None:
    """Neither by name, or a checkpoint would go on with another; nor but for their names."""
    assert len({recipe.name for recipe in EVERY}) == len(EVERY)
    assert len({replace(recipe, name="") for recipe in EVERY}) == len(EVERY)


GUARDS = {"filters_by_policy", "canonical_only", "shaping", "bounds_weight"}


@pytest.mark.parametrize("recipe", ABLATIONS, ids=lambda recipe: recipe.name)
def test_an_ablation_is_waggles_recipe_without_one_part(recipe: Recipe) -> None:
    """What it lacks is as in the paper, and nothing else differs; one trusts others altogether.

    Without what is expected of questions, means are those of groups, as they are of others'. So
    they are without probing: where questions are probed, nothing is expected of them either.
    """
    changed = {
        field.name
        for field in fields(Recipe)
        if field.name != "name" and getattr(recipe, field.name) != getattr(WAGGLE, field.name)
    }
    parts = {name.removeprefix("own_").removeprefix("swarm_") for name in changed}
    unshrunk = recipe.name in {"waggle-unshrunk", "waggle-unprobed"}
    assert len(parts - ({"advantages"} if unshrunk else set()) or parts) == 1 or parts == GUARDS
    plain = replace(SAPO, own_advantages="centred") if unshrunk else SAPO
    assert all(getattr(recipe, name) == getattr(plain, name) for name in changed)


def test_people_choose_between_the_papers_recipe_and_our_own() -> None:
    """Those of the lab are not offered in the settings."""
    assert set(get_args(Choice)) == {SAPO.name, WAGGLE.name, ADAPTIVE.name}
