"""The recipes: which groups an update learns from, and how it weighs them.

A recipe is data. ``core.engine.round`` reads its switches about choice, ``core.training`` those
about weights, and ``core.rollouts.round_size`` how many answers are learnt from; everything else of
a round is common to all of them.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

from core.errors import CheckpointError
from core.i18n import together, translatable
from core.paths import HOW_TO_START_OVER

Advantages = Literal["scaled", "centred", "leave-one-out", "shrunk"]
"""What a reward is compared with, see ``core.training.advantages``: the mean of its group, in units
of the group's deviation (GRPO, arXiv 2402.03300) or as it is (Dr. GRPO, arXiv 2503.20783), the mean
of the others in its group (RLOO, arXiv 2402.14740), or the mean shrunk towards what was expected of
the question (after arXiv 2511.03710)."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The switches in which recipes differ."""

    name: str
    own_advantages: Advantages = "scaled"
    """Of own groups. Unscaled, a group that nearly always fails or nearly always succeeds is not
    blown up to the weight of one in between. Shrunk, groups teach whose answers are all right or
    all wrong; they fill an update up to I groups where too few others do. That is where all answers
    are drawn at once: questions that are gone on with after a probe were chosen by what they
    earned, so nobody expects of them what their cell usually earns."""
    credit: float = 0.0
    """The first token of an answer is credited so many times with what its choice is worth.

    It chooses whether the answer shows its work; what that earns is known from all own tries, and
    at first from the median of others (``core.training.advantages.credits_of_working``). Of own
    answers that are learnt from, and of others' right ones where advantages are stratified. More
    than a few times, and there is not enough left of a step for learning to work well.
    """
    by_sequence: bool = False
    """A completion has one ratio, the geometric mean of its tokens' (GSPO, arXiv 2507.18071), and
    so moves the policy as much when it is long as when it is short."""
    counts_tries: bool = False
    """The loss is divided by the terms of all own tries of a round, those of flat groups too.

    Divided by what teaches, a step is as long where hardly anything is left to learn as where all
    is, and noise wears out what is known (``core.training.loss``, 2).
    """
    weighs_own: bool = False
    """Own tokens are weighted by how likely the policy is to draw them, relative to the sampler.

    The sampler may run in another precision than the learner, so what it drew is not quite what
    the policy would have drawn (see ``core.training.loss``).
    """
    swarm_advantages: Advantages | Literal["stratified"] = "scaled"
    """Of groups of others. Stratified: answers that show their work and those that do not are
    compared among themselves, so that nobody's choice of answers says whether working pays."""
    filters_by_policy: bool = False
    """Of groups of others, completions that the policy finds implausible are left out.

    See ``core.training.policy_filter``.
    """
    least_of_failures: float = 0.0
    """Of groups of others, failures with a token of less probability are left out.

    The policy would hardly fail so, and whoever writes failures chooses what is unlearnt: right
    steps before a wrong result teach not to work at all. Where advantages are stratified, that
    holds of whatever shows its work, and failures among it need a right answer of that kind beside
    them. Heeded with ``filters_by_policy``.
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
    """No group of others weighs more than two own ones in the mean, see ``training.influence``."""
    most_completions: int | None = None
    """Completions of a group that are trained on, at most; None: all of them."""
    most_in_update: int | None = None
    """Completions that an update trains on, about: where it has many groups, fewer of each, and a
    pair of each at least. More questions tell more than more answers to each."""
    selects_by_variance: bool = False
    """Groups of others are chosen by how much they tell (``core.rollouts.mixing``), not by lot."""
    tops_up: bool = False
    """Flat own groups are made up for by more groups of others: an update has I + J if it can."""
    tries_less: bool = False
    """Of the I questions fewer are tried, at least half: one less for each group of others that
    waits to be learnt from, or was learnt from in the round before: as many will come in this one.
    Others are asked for as many as would fill an update."""
    probes: bool = False
    """Own questions are tried a few times before some are gone on with, see ``probing``."""


SAPO: Final = Recipe("sapo")
"""As in the paper, arXiv 2509.08721."""

WAGGLE: Final = Recipe(
    "waggle",
    own_advantages="shrunk",
    credit=2.0,
    counts_tries=True,
    weighs_own=True,
    swarm_advantages="centred",
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
    # What is probed is not shrunk; both at once would be two parts.
    replace(WAGGLE, name="waggle-unprobed", probes=False, own_advantages="centred"),
    replace(WAGGLE, name="waggle-unshrunk", own_advantages="centred"),
    replace(WAGGLE, name="waggle-uncredited", credit=0.0),
    replace(WAGGLE, name="waggle-uncounted", counts_tries=False),
    replace(WAGGLE, name="waggle-scaled", own_advantages="scaled", swarm_advantages="scaled"),
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

PAIRED: Final = replace(
    WAGGLE,
    name="waggle-unprobed-pairs",
    own_advantages="centred",
    most_completions=2,
    probes=False,
)
"""What a large model might play, whose every answer takes seconds to learn from; for the lab."""

GRADIENTS: Final = (
    replace(
        WAGGLE,
        name="waggle-rloo",
        own_advantages="leave-one-out",
        swarm_advantages="leave-one-out",
    ),
    # A term that is a whole answer has no first token.
    replace(WAGGLE, name="waggle-gspo", by_sequence=True, credit=0.0),
)
"""Waggle's recipe with other policy gradients. SAPO is a meta-algorithm: which one a node follows
is its own business, and nodes of different ones learn from each other."""

ADAPTIVE: Final = replace(
    WAGGLE,
    name="waggle-adaptive",
    swarm_advantages="stratified",
    least_of_failures=0.005,
    most_in_update=32,
    tries_less=True,
)
"""Waggle's recipe with sharing that stands in for own tries: the default."""

_RECIPES: Final = {
    recipe.name: recipe for recipe in (SAPO, WAGGLE, *ABLATIONS, PAIRED, *GRADIENTS, ADAPTIVE)
}


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
