"""What an experiment is: data that is written beside its results, and read again to resume it."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

from core.lab.learning.records import damaged
from core.models.catalog.catalog import ModelSpec, load_models
from core.rollouts.recipes import recipe_named
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


Switches = dict[str, bool | int | float | str | None]


class Plan(ArmRun, frozen=True, forbid_unknown_fields=True):
    """A run, and what the names in it stood for when it was begun."""

    recipes: dict[str, Switches] | None = None  # None: begun by a lab that did not note them
    models: dict[str, str] | None = None  # digests of all that nodes load of each


def plan_of(run: ArmRun) -> Plan:
    """``run`` with what its names stand for now."""
    names = run.arm.recipes or (run.arm.recipe,)
    recipes = {name: msgspec.to_builtins(recipe_named(name)) for name in names}
    specs = {name: load_models().find(name) for name in run.setting.models}
    models = {name: digest_of(spec) if spec else "" for name, spec in specs.items()}
    return Plan(run.setting, run.arm, run.seed, recipes, models)


def difference(found: Plan, run: ArmRun) -> str | None:
    """Why ``found`` is not the plan by which ``run`` would be played now; None where it is."""
    now = plan_of(run)
    if (found.setting, found.arm, found.seed) != (run.setting, run.arm, run.seed):
        return "another experiment of the same name"
    if found.recipes is None or found.models is None:
        return "a run that does not tell its recipe's switches and its models, which may be others"
    if found.recipes != now.recipes:
        return "a run of another recipe of the same name"
    return None if found.models == now.models else "a run with other models of the same names"


@cache  # a campaign asks for every run, and large models take a second to read
def digest_of(spec: ModelSpec) -> str:
    """Digest all that a node of ``spec`` starts from: 16 hex characters."""
    lora = spec.lora_rank, spec.lora_alpha, spec.learning_rate
    facts = (*lora, spec.completion_tokens, spec.context, spec.chat)
    digest = hashlib.sha256(repr(facts).encode())
    for path in sorted(spec.folder.glob("*")):
        if path.suffix in (".safetensors", ".json", ".jinja"):
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            digest.update(f"{path.name} {content}\n".encode())
    return digest.hexdigest()[:16]


def recipe_of(arm: Arm, node: int) -> str:
    """The name of the recipe that node ``node`` follows."""
    return arm.recipes[node % len(arm.recipes)] if arm.recipes else arm.recipe


def read_plan(folder: Path) -> Plan:
    """The plan that ``folder`` holds.

    Raises:
        LabError: it is missing or damaged.
    """
    try:
        return msgspec.json.decode((folder / PLAN).read_bytes(), type=Plan)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise damaged(folder / PLAN) from error


def peer_id(number: int) -> PeerId:
    """The name of a node of the lab, in the form of a real one."""
    return PeerId(f"{number:064x}")
