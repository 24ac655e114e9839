"""The experiments: which arms are compared, with how many nodes, at which learning rate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Final, Self, get_args

from msgspec import structs

from core.errors import UsageError
from core.lab.learning.plans import EVERY_LEVEL, Arm, ArmRun, HostileKind, Setting
from core.rollouts.recipes import ABLATIONS, ADAPTIVE, GRADIENTS, PAIRED
from core.settings import PracticeSettings

SAPO_4_4: Final = Arm("4/4", 4, 4)
SAPO_2_6: Final = Arm("2/6", 2, 6)

TABLE: Final = (
    Arm("8/0", 8, 0, source="nobody"),
    Arm("6/2", 6, 2),
    SAPO_4_4,
    SAPO_2_6,
    Arm("4/0 equal generation", 4, 0, source="nobody"),
    Arm("8/0 refilled", 4, 4, source="self"),
)
"""The paper's table, and two controls that it lacks. In the first a node alone generates no more
than one of the 4/4 swarm; in the second it makes up for flat groups by generating, until it trains
on as many groups as one of the 4/4 swarm."""

ATTACKS: Final[tuple[HostileKind, ...]] = get_args(HostileKind)

USUAL: Final = PracticeSettings()
"""As nodes are set that nobody has changed; the paper's have eight answers to a question."""

ANSWERS: Final = USUAL.group_size

SHARES: Final = (0.10, 0.25, 0.40, 0.60)
"""Of all nodes, how many are hostile."""

_UNSHRUNK: Final = "waggle-unshrunk"

MOST_NAMED: Final = 8
"""Arms that are told to whoever asked for one that is not there."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Arms under one setting."""

    name: str
    title: str
    arms: tuple[Arm, ...]
    baseline: str  # the arm that the others are compared with
    setting: Setting

    def runs(self, seeds: tuple[int, ...]) -> list[ArmRun]:
        """All runs, seed by seed, so that a campaign that is cut short is a whole one of fewer."""
        return [ArmRun(self.setting, arm, seed) for seed in seeds for arm in self.arms]

    def only(self, patterns: Sequence[str]) -> Self:
        """The arms whose names match one of ``patterns`` (``*`` is any text), and the baseline.

        Raises:
            UsageError: no arm matches one of them.
        """
        for pattern in patterns:
            if not any(fnmatchcase(arm.name, pattern) for arm in self.arms):
                raise self._no_arm(pattern)
        wanted = (self.baseline, *patterns)
        arms = (arm for arm in self.arms if any(fnmatchcase(arm.name, one) for one in wanted))
        return replace(self, arms=tuple(arms))

    def against(self, baseline: str) -> Self:
        """The same with another arm as the one that the others are compared with.

        Raises:
            UsageError: no arm is called so.
        """
        if all(arm.name != baseline for arm in self.arms):
            raise self._no_arm(baseline)
        return replace(self, baseline=baseline)

    def _no_arm(self, name: str) -> UsageError:
        names = [arm.name for arm in self.arms]
        near = ", ".join(get_close_matches(name, names, MOST_NAMED, cutoff=0))
        return UsageError(
            f"No arm is called {name}. Of {len(names)} arms these are nearest: {near}."
        )


def table(setting: Setting) -> Experiment:
    """The paper's table: how much of an update should come from others?"""
    return Experiment("table", "Does sharing teach?", TABLE, "8/0", setting)


def recipes(setting: Setting) -> Experiment:
    """SAPO, whose runs are those of the table, against Waggle's own recipe."""
    arms = (
        SAPO_4_4,
        SAPO_2_6,
        Arm("waggle 4/4", 4, 4, recipe="waggle"),
        Arm("waggle 2/6", 2, 6, recipe="waggle"),
    )
    return Experiment("recipes", "Which recipe learns most?", arms, "4/4", setting)


def ablations(setting: Setting) -> Experiment:
    """Waggle's recipe without each of its parts.

    Nothing is shrunk where questions are probed, so what that brings is seen with fewer answers.
    """
    names = ["waggle", *(recipe.name for recipe in ABLATIONS if recipe.name != _UNSHRUNK)]
    fewer = (
        Arm(f"{name} 4/4, {ANSWERS} answers", 4, 4, recipe=name, group_size=ANSWERS)
        for name in ("waggle", _UNSHRUNK)
    )
    arms = (SAPO_4_4, *(Arm(f"{name} 4/4", 4, 4, recipe=name) for name in names), *fewer)
    return Experiment("ablations", "Which part of the recipe does it?", arms, "4/4", setting)


def _adapting(arm: Arm, name: str) -> Arm:
    """``arm`` with the number of groups that nodes usually have, and the default recipe."""
    return structs.replace(
        arm,
        name=name,
        local_groups=USUAL.local_groups,
        swarm_groups=USUAL.swarm_groups,
        recipe=ADAPTIVE.name,
    )


ALONE: Final = Arm(
    "alone",
    USUAL.local_groups,
    0,
    recipe="waggle",
    source="nobody",
    levels="automatic",
    group_size=ANSWERS,
)
FIXED: Final = Arm("4/4", 4, 4, recipe="waggle", levels="automatic", group_size=ANSWERS)
ADAPTING: Final = _adapting(FIXED, "adaptive")
"""Curricula of their own, without a swarm, with its fixed share, and with as much as it has."""
TWO_OF_EIGHT: Final = structs.replace(FIXED, name="2/6", local_groups=2, swarm_groups=6)


def mixed(setting: Setting) -> Experiment:
    """Models of two families in one swarm, against each of them alone."""
    title = "What does a mixed swarm bring?"
    return Experiment("mixed", title, (ALONE, FIXED, ADAPTING), ALONE.name, setting)


def adaptive(setting: Setting) -> Experiment:
    """Fewer own tries where others' teach, against a fixed share."""
    title = "Does it pay to leave tries to others?"
    usual = (FIXED, TWO_OF_EIGHT, ADAPTING, ALONE)
    more = (structs.replace(one, name=f"{one.name}, 8 answers", group_size=8) for one in usual)
    arms = (*usual, *more)
    return Experiment("adaptive", title, arms, FIXED.name, setting)


def gradients(setting: Setting) -> Experiment:
    """Policy gradients against each other, each in a swarm of its own, and all in one."""
    others = tuple(
        structs.replace(FIXED, name=recipe, recipe=recipe)
        for recipe in ("waggle-scaled", *(recipe.name for recipe in GRADIENTS))
    )
    together = structs.replace(
        FIXED, name="together", recipes=(FIXED.recipe, *(arm.recipe for arm in others))
    )
    title = "Which policy gradient learns most?"
    return Experiment("gradients", title, (FIXED, *others, together), FIXED.name, setting)


def aha(setting: Setting) -> Experiment:
    """Nodes that found out alone that working pays, among others that have not."""
    arms = [ALONE, FIXED, ADAPTING]
    for ahead in (1, 2, 4):
        arms += [
            structs.replace(arm, name=f"{arm.name}, {ahead} ahead", ahead=ahead)
            for arm in (FIXED, ADAPTING)
        ]
    arms.append(structs.replace(ALONE, name="alone, 4 ahead", ahead=4))
    return Experiment("aha", "Does a discovery spread?", tuple(arms), ALONE.name, setting)


def specialists(setting: Setting) -> Experiment:
    """Nodes that practise three kinds each, in a swarm that knows nine."""
    arms = tuple(structs.replace(arm, tasks_each=3) for arm in (ALONE, FIXED, ADAPTING))
    return Experiment("specialists", "What do specialists share?", arms, ALONE.name, setting)


def curriculum(setting: Setting) -> Experiment:
    """One node alone: levels that open as it learns, against levels that stay."""
    alone = structs.replace(ALONE, name="automatic", group_size=8)  # of fewer none is probed
    arms = (
        structs.replace(alone, name="level 1", levels=(1,)),
        structs.replace(alone, name="levels 1 to 3", levels=(1, 2, 3)),
        structs.replace(alone, name="every level alike", levels=EVERY_LEVEL),
        alone,
        structs.replace(alone, name="automatic, unprobed", recipe="waggle-unprobed"),
    )
    return Experiment("curriculum", "What should be practised next?", arms, "level 1", setting)


def answers(setting: Setting) -> Experiment:
    """One node alone in rounds of two questions, as a large model plays them: with fewer answers.

    Its updates learn from four answers of a question or from two.
    """
    unprobed, paired = "waggle-unprobed", PAIRED.name
    eight = Arm("8 answers", 2, 0, unprobed, source="nobody", levels="automatic", group_size=8)
    four = structs.replace(eight, name="4 answers", group_size=4)
    arms = (
        eight,
        structs.replace(eight, name="8 answers, a pair learnt", recipe=paired),
        four,
        structs.replace(four, name="4 answers, a pair learnt", recipe=paired),
    )
    return Experiment("answers", "How many answers does a round need?", arms, eight.name, setting)


def growth(setting: Setting) -> Experiment:
    """One node alone, for as long as a person might let it practise: what is left to learn?"""
    arm = structs.replace(ALONE, name="automatic")
    return Experiment("growth", "How far does a model get alone?", (arm,), arm.name, setting)


def decks(setting: Setting) -> Experiment:
    """One node alone on a person's own puzzles, whose worked answers may stand in for its own."""
    arms = (ALONE, structs.replace(ALONE, name="teacher", teaches=True))
    return Experiment("practice", "What is learnt of a deck?", arms, ALONE.name, setting)


def attack(setting: Setting) -> Experiment:
    """Honest nodes among hostile ones, with the defences and without."""
    honest = len(setting.models)
    nobody = Arm("nobody hostile", 4, 4, recipe="waggle", group_size=ANSWERS)
    arms = [
        nobody,
        structs.replace(nobody, name="nobody hostile, undefended", recipe="waggle-trusting"),
        structs.replace(nobody, name="alone", swarm_groups=0, source="nobody"),
        _adapting(nobody, "nobody hostile, adaptive"),
    ]
    # In a small swarm several shares come to the same number of nodes.
    for hostile in dict.fromkeys(max(1, round(honest * s / (1 - s))) for s in SHARES):
        for kind in ATTACKS:
            name = f"{kind} {hostile} of {honest + hostile}"
            attacked = structs.replace(nobody, name=name, hostile=kind, hostile_nodes=hostile)
            arms += [
                _adapting(attacked, f"{name} adaptive"),
                attacked,
                structs.replace(attacked, name=f"{name} at one address", one_address=True),
                structs.replace(
                    attacked,
                    name=f"{name} undefended",
                    recipe="waggle-trusting",
                    defended=False,
                ),
            ]
    return Experiment("attack", "What can hostile nodes spoil?", tuple(arms), arms[0].name, setting)
