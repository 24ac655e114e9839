import pytest

from core.errors import CheckpointError
from core.training.recipes import SAPO, WAGGLE, Recipe, recipe_named


@pytest.mark.parametrize("recipe", [SAPO, WAGGLE])
def test_a_recipe_is_found_by_its_name(recipe: Recipe) -> None:
    """The name is what settings and checkpoints keep."""
    assert recipe_named(recipe.name) is recipe


def test_the_papers_recipe_is_the_plain_one() -> None:
    """Advantages over the deviation, and every token of the same weight."""
    assert Recipe("sapo", scales_own=True, weighs_own=False) == SAPO


def test_an_unknown_recipe_is_refused_in_words() -> None:
    """Going on with another one would mix two experiments."""
    with pytest.raises(CheckpointError, match="the recipe 'nectar'"):
        recipe_named("nectar")
