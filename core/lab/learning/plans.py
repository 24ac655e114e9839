"""What an experiment is: data that is written beside its results, and read again to resume it."""

import re
from pathlib import Path
from typing import Final, Literal

import msgspec

from core.lab.learning.records import damaged
from core.rollouts.types import PeerId

PLAN: Final = "run.json"

Source = Literal["swarm", "self", "nobody"]
"""Where groups beyond the own ones come from. ``self`` is the control in which a node makes them up
by generating more itself, until as many teach as a swarm would have given it."""

HostileKind = Literal[
    "wrong",
    "off-topic",
    "overlong",
    "copies",
    "flood",
    "noise",
    "babble",
    "near-right",
    "odd-forms",
    "signature",
    "easy",
    "wrong-steps",
    "wrong-results",
    "selected",
    "unanswered",
    "echoed",
    "picked",
    "edits",
    "mixture",
    "optimised",
]
"""What hostile nodes send; see ``core.lab.learning.poison``."""

Practice = Literal["specialties", "worked", "everything"]
"""The nine tasks of the paper, those of which starters have seen work shown, or all."""


EVERY_LEVEL: Final = tuple(range(1, 10))
"""No task has more."""


class Arm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to train, to be compared with others."""

    name: str
    local_groups: int  # I: questions that each node tries in a round
    swarm_groups: int  # J: groups of others that it trains on, at most
    recipe: str = "sapo"
    recipes: tuple[str, ...] = ()  # of the nodes in turn; none: all follow ``recipe``
    source: Source = "swarm"
    hostile: HostileKind | None = None  # what the hostile nodes send
    hostile_nodes: int = 0  # besides the honest ones
    one_address: bool = False  # the hostile nodes have one, instead of one each
    defended: bool = True  # False: rewards are believed, and draws go by message, not by author
    levels: tuple[int, ...] | Literal["automatic"] | None = None
    """Of difficulty, that are practised; None: those of the setting, as in the exam."""
    teaches: bool = False  # a deck shows its own answer where all others fail
    ahead: int = 0  # nodes, the first ones, that have practised alone before
    group_size: int | None = None  # G; None: that of the setting
    tasks_each: int | None = None  # that a node practises, specialists in turn; None: all


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all arms of an experiment have in common."""

    models: tuple[str, ...]  # one honest node each
    rounds: int
    learning_rate: float | None  # None: each model's own
    group_size: int = 8  # G: completions of a question
    levels: tuple[int, ...] = (1,)  # of difficulty, in the exam and where an arm does not say
    practice: Practice = "specialties"
    kinds: tuple[str, ...] = ()
    """Tasks, and decks in the library beside the runs, that are all there is; none: what is built
    in."""
    exam_every: int | tuple[int, ...] = 50  # rounds; or after which ones
    exam_puzzles: int = 90
    head_start: int = 0  # rounds that nodes ahead have practised alone

    @property
    def exam_rounds(self) -> list[int]:
        """After how many rounds there is an exam; one before the first, and one after the last."""
        every, last = self.exam_every, self.rounds
        between = range(0, last, every) if isinstance(every, int) else (0, *every)
        return [*(number for number in between if number < last), last]


class ArmRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One arm with one seed."""

    setting: Setting
    arm: Arm
    seed: int

    @property
    def group_size(self) -> int:
        """G: completions of a question."""
        return self.arm.group_size or self.setting.group_size

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{re.sub(r'[^a-z0-9+]+', '-', self.arm.name)}-seed{self.seed}"


def recipe_of(arm: Arm, node: int) -> str:
    """The name of the recipe that node ``node`` follows."""
    return arm.recipes[node % len(arm.recipes)] if arm.recipes else arm.recipe


def read_plan(folder: Path) -> ArmRun:
    """The run that ``folder`` holds.

    Raises:
        LabError: its plan is missing or damaged.
    """
    try:
        return msgspec.json.decode((folder / PLAN).read_bytes(), type=ArmRun)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise damaged(folder / PLAN) from error


def peer_id(number: int) -> PeerId:
    """The name of a node of the lab, in the form of a real one."""
    return PeerId(f"{number:064x}")
