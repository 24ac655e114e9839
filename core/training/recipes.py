"""The recipes: how an update weighs what was tried. Everything else is common to all of them."""

from dataclasses import dataclass
from typing import Final

from core.errors import CheckpointError


@dataclass(frozen=True, slots=True)
class Recipe:
    """The switches in which recipes differ; both are about own groups, for now.

    Groups of others are treated as in SAPO by every recipe.
    """

    name: str
    scales_own: bool
    """Own advantages are divided by their group's deviation.

    Without it (Dr. GRPO, arXiv 2503.20783) a group that nearly always fails or nearly always
    succeeds is not blown up to the weight of one in between.
    """
    weighs_own: bool
    """Own tokens are weighted by how likely the policy is to draw them, relative to the sampler.

    The sampler may run in another precision than the learner, so what it drew is not quite what
    the policy would have drawn (see ``core.training.loss``).
    """


SAPO: Final = Recipe("sapo", scales_own=True, weighs_own=False)
"""As in the paper, arXiv 2509.08721."""

WAGGLE: Final = Recipe("waggle", scales_own=False, weighs_own=True)

_RECIPES: Final = {recipe.name: recipe for recipe in (SAPO, WAGGLE)}


def recipe_named(name: str) -> Recipe:
    """Find a recipe by the name under which settings and checkpoints know it.

    Raises:
        CheckpointError: there is none; settings are checked when they are read.
    """
    recipe = _RECIPES.get(name)
    if recipe is None:
        raise CheckpointError(
            f"The saved progress was made with the recipe {name!r}, which this Waggle does not "
            "know. Use the version that made it, or move its folder of checkpoints away."
        )
    return recipe
