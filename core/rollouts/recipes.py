"""The recipes: which groups an update learns from, and how it weighs them.

A recipe is data. ``core.rollouts.mixing`` reads its switches about choice, ``core.training`` those
about weights; everything else of a round is common to all of them.
"""

from dataclasses import dataclass, replace
from typing import Final

from core.errors import CheckpointError
from core.i18n import together, translatable
from core.paths import HOW_TO_START_OVER


@dataclass(frozen=True, slots=True)
class Recipe:
    """The switches in which recipes differ."""

    name: str
    scales_own: bool = True
    """Own advantages are divided by their group's deviation.

    Without it (Dr. GRPO, arXiv 2503.20783) a group that nearly always fails or nearly always
    succeeds is not blown up to the weight of one in between.
    """
    weighs_own: bool = False
    """Own tokens are weighted by how likely the policy is to draw them, relative to the sampler.

    The sampler may run in another precision than the learner, so what it drew is not quite what
    the policy would have drawn (see ``core.training.loss``).
    """
    scales_swarm: bool = True
    """The same as ``scales_own``, for groups of others."""
    filters_by_policy: bool = False
    """Of groups of others, completions that the policy finds implausible are left out.

    See ``core.training.policy_filter``.
    """
    canonical_only: bool = False
    """Of groups of others, right answers in another form than the puzzle's own are left out.

    Forms that earn the same are many (``007`` for ``7``), and whoever shows one of them often
    enough chooses how a model writes. What it writes of its own accord is not judged by this.
    """
    shaping: float = 0.0
    """Gamma: a token of others weighs p / (p + gamma), p being the policy's probability of it.

    0: every token weighs 1. See ``core.training.loss``.
    """
    bounds_weight: bool = False
    """No group of others weighs more than the own ones do; see ``core.training.influence``."""
    most_completions: int | None = None
    """Completions of a group that are trained on, at most; None: all of them."""
    selects_by_variance: bool = False
    """Groups of others are chosen by how much they tell (``core.rollouts.mixing``), not by lot."""
    tops_up: bool = False
    """Flat own groups are made up for by more groups of others: an update has I + J if it can."""

    probes: bool = False
    """Own questions are tried a few times before some are gone on with, see ``probing``."""


SAPO: Final = Recipe("sapo")
"""As in the paper, arXiv 2509.08721."""

WAGGLE: Final = Recipe(
    "waggle",
    scales_own=False,
    weighs_own=True,
    scales_swarm=False,
    filters_by_policy=True,
    canonical_only=True,
    shaping=0.1,
    bounds_weight=True,
    most_completions=4,
    selects_by_variance=True,
    tops_up=True,
    probes=True,
)

ABLATIONS: Final = (
    replace(WAGGLE, name="waggle-whole", most_completions=None),
    replace(WAGGLE, name="waggle-lot", selects_by_variance=False),
    replace(WAGGLE, name="waggle-fixed", tops_up=False),
    replace(WAGGLE, name="waggle-unprobed", probes=False),
    replace(WAGGLE, name="waggle-scaled", scales_own=True, scales_swarm=True),
    replace(WAGGLE, name="waggle-unfiltered", filters_by_policy=False),
    replace(WAGGLE, name="waggle-any-form", canonical_only=False),
    replace(WAGGLE, name="waggle-unshaped", shaping=0.0),
    replace(WAGGLE, name="waggle-unbounded", bounds_weight=False),
    replace(
        WAGGLE,
        name="waggle-trusting",
        filters_by_policy=False,
        canonical_only=False,
        shaping=0.0,
        bounds_weight=False,
    ),
)
"""Waggle's recipe without each of its parts; for the lab."""

_RECIPES: Final = {recipe.name: recipe for recipe in (SAPO, WAGGLE, *ABLATIONS)}


def recipe_named(name: str) -> Recipe:
    """Find a recipe by the name under which settings and checkpoints know it.

    Raises:
        CheckpointError: there is none; settings are checked when they are read.
    """
    recipe = _RECIPES.get(name)
    if recipe is None:
        raise CheckpointError(
            together(
                translatable(
                    "The saved progress was made with the recipe {}, which this Waggle does not "
                    "know. Use the version that made it.",
                    f"{name!r}",
                ),
                HOW_TO_START_OVER,
            )
        )
    return recipe
