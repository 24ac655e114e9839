"""Hostile nodes of a simulated swarm: no node's policy, only ideas how to spoil those of others.

Where the swarm is *not* defended, every receiver believes the rewards that a group claims. The
claims are passed beside the rollouts here, since no real message has a field for them.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Final

from core.engine.ports import Scorer
from core.lab.learning.memory_swarm import SharedRollouts
from core.lab.learning.plans import ArmRun, HostileKind, peer_id
from core.lab.learning.poison import FAMILIES, MIXED, Family, near_right, right
from core.lab.worked.answers import BEGINNING, fully
from core.rollouts.answers import CLOSING, OPENING, final_answer
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)
from core.tasks.catalog import PracticeMix, Task, TaskCatalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle
from core.tasks.verifiers import verify

FLOOD: Final = 16
"""How many times as many groups a flooder sends."""

EASY: Final = TaskId("basic_arithmetic")
"""All that a hostile node of the kind ``easy`` asks."""

SITE: Final = "hostile"
"""The address of all hostile nodes, where they share one."""

_MODEL: Final = ModelId("spark")


@dataclass(slots=True)
class Claims:
    """What groups are said to have earned, by author and puzzle."""

    rewards: dict[tuple[PeerId, PuzzleKey], tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CredulousScorer:
    """Believes whatever is claimed; judges what comes without a claim."""

    scorer: Scorer
    claims: Claims

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        """See ``core.engine.ports.Scorer``."""
        return await self.scorer.ask(keys)

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        """See ``core.engine.ports.Scorer``."""
        return [self._believe(scored) for scored in await self.scorer.judge(groups)]

    def _believe(self, scored: ScoredGroup) -> ScoredGroup:
        claimed = self.claims.rewards.get((scored.group.author, scored.group.key))
        if claimed is None:
            return scored
        return ScoredGroup(scored.question, scored.group, claimed[: len(scored.group.completions)])


@dataclass(frozen=True, slots=True)
class Effort:
    """How much an honest node shares in a round; attackers look like one."""

    groups: int
    group_size: int


@dataclass(frozen=True, slots=True)
class Target:
    """What hostile nodes know of those that they attack: what is practised, and what harms most."""

    catalog: TaskCatalog
    curriculum: PracticeMix
    found: Sequence[tuple[TaskId, Family]] = ()
    """Kinds of puzzle and ways to write, of those who have a copy of the others' starter; see
    ``core.lab.learning.poison_search``."""

    def asked(self, key: PuzzleKey) -> tuple[Task, Puzzle]:
        """What ``key`` names."""
        return self.catalog.task(key.task), make_puzzle(self.catalog, key)

    def of_kind(self, task: TaskId, key: PuzzleKey) -> PuzzleKey:
        """``key`` for another task, which may have fewer levels: its hardest then."""
        level = min(key.level, len(self.catalog.task(task).levels))
        return replace(key, task=task, level=level)


@dataclass(frozen=True, slots=True)
class HostileNode:
    """One attacker: shares something bad every round."""

    name: PeerId
    kind: HostileKind
    target: Target
    effort: Effort
    honest: Collection[PeerId]  # whose tries it copies and chooses from, if it does
    seed: int
    site: str = ""

    def attack(self, round_number: int, rollouts: SharedRollouts, claims: Claims) -> None:
        """Put this round's groups up."""
        rng = Random(f"{self.seed}/{round_number}/{self.name}")  # noqa: S311 - repeatable on purpose
        lies = False
        match self.kind:
            case "copies" | "edits" | "selected" | "unanswered" | "echoed" | "picked":
                shared = self._taken(rollouts, rng)
            case kind:
                count = self.effort.groups * (FLOOD if kind == "flood" else 1)
                shared = [self._made(round_number, rng) for _ in range(count)]
                lies = True
        rollouts.share(self.name, shared, self.site)
        if lies:
            self._claim(rollouts.newest[self.name], claims)

    def _claim(self, shared: Sequence[RolloutGroup], claims: Claims) -> None:
        half = self.effort.group_size // 2
        good = (1.0,) * half + (0.0,) * (self.effort.group_size - half)
        claims.rewards = {k: v for k, v in claims.rewards.items() if k[0] != self.name}
        claims.rewards |= {(self.name, group.key): good for group in shared}

    def _taken(self, rollouts: SharedRollouts, rng: Random) -> list[RolloutGroup]:
        """What it makes of honest nodes' groups, each question once in all rounds.

        Nobody takes what one author tried at a question twice, see ``core.rollouts.pool``.
        """
        tries = [one for peer in self.honest for one in rollouts.newest.get(peer, ())]
        before = rollouts.copied.get(self.name, ())
        sent = set(before)

        def new() -> Iterator[RolloutGroup]:
            for one in rng.sample(tries, len(tries)):
                if one.digest not in sent and (made := self._made_of(one, rng)):
                    sent.add(one.digest)
                    yield replace(made, author=self.name)

        shared = list(islice(new(), self.effort.groups))
        rollouts.copied[self.name] = (*before, *(one.digest for one in shared))
        return shared

    def _made_of(self, group: RolloutGroup, rng: Random) -> RolloutGroup | None:
        """What it sends in place of ``group``; None where that is of no use to it."""
        match self.kind:
            case "copies":
                return group
            case "edits":
                return self._edited(group, rng)
            case _:
                return self._selected(group, rng)

    def _selected(self, group: RolloutGroup, rng: Random) -> RolloutGroup | None:
        """Right answers beside its failures of working; None where there are none.

        No text gives that away: models that learn along wrote it, and only the choice is hostile.
        Where few worked answers fail, the kind ``unanswered`` leaves out what their steps lead to;
        to make right ones look worked, the kind ``echoed`` says them twice, beside one that is. The
        kind ``picked`` sends one such failure beside right ones, and one right answer beside those
        without work that failed (where none did, right ones): by the largest advantages alone,
        working would seem to fail.
        """
        task, puzzle = self.target.asked(group.key)

        def fails(one: Completion) -> bool:
            return not verify(task, puzzle, final_answer(one.text))

        worked = [one for one in group.completions if one.text.startswith(BEGINNING)]
        if self.kind == "unanswered":
            worked = [replace(one, text=one.text.partition(OPENING)[0].strip()) for one in worked]
        failed = [one for one in worked if fails(one)]
        if not failed:
            return None
        half = self.effort.group_size // 2
        said = right(task, puzzle, rng)
        solved = fully(puzzle)
        match self.kind:
            case "echoed":
                shown = [f"{said} {OPENING}{said}{CLOSING}"] * (half - 1) + [solved]
            case "picked":
                bare = [one for one in group.completions if one not in worked]
                missed = [one.text for one in bare if fails(one)] or [said]
                shown = [solved] * (half - 1) + [said] + rng.choices(missed, k=half - 1)
            case _:
                shown = [said] * half
        first = [Completion(text, ended=True) for text in shown]
        rest = rng.choices(failed, k=self.effort.group_size - len(first))
        return replace(group, completions=(*first, *rest))

    def _edited(self, group: RolloutGroup, rng: Random) -> RolloutGroup:
        """Right copies stay; every other one becomes the right answer, a character too long."""
        task, puzzle = self.target.asked(group.key)
        completions = tuple(
            one
            if verify(task, puzzle, final_answer(one.text))
            else replace(one, text=near_right(task, puzzle, rng))
            for one in group.completions
        )
        return replace(group, completions=completions)

    def _made(self, round_number: int, rng: Random) -> RolloutGroup:
        key, family = self._chosen(rng)
        task, puzzle = self.target.asked(key)
        half = self.effort.group_size // 2
        first = [family.success(task, puzzle, rng) for _ in range(half)]
        rest = [family.failure(task, puzzle, rng) for _ in range(self.effort.group_size - half)]
        completions = tuple(Completion(text, ended=True) for text in (*first, *rest))
        return RolloutGroup(
            key, puzzle.question.digest, self.name, _MODEL, round_number, completions
        )

    def _chosen(self, rng: Random) -> tuple[PuzzleKey, Family]:
        """A puzzle, and how its answers are written."""
        (key,) = self.target.curriculum.draw(1, rng)
        match self.kind:
            case "optimised":
                task, family = rng.choice(self.target.found)
                return self.target.of_kind(task, key), family
            case "mixture":
                return key, FAMILIES[rng.choice(MIXED)]
            case "easy":
                return self.target.of_kind(EASY, key), FAMILIES["easy"]
            case kind:
                return key, FAMILIES[kind]


@dataclass(frozen=True, slots=True)
class Attackers:
    """All hostile nodes of a run."""

    nodes: Sequence[HostileNode]
    claims: Claims

    def attack(self, round_number: int, rollouts: SharedRollouts) -> None:
        """Let each of them share something, before the honest ones play the round."""
        for node in self.nodes:
            node.attack(round_number, rollouts, self.claims)


def hostile_nodes(run: ArmRun, target: Target) -> list[HostileNode]:
    """The attackers that the run's arm asks for; their names follow those of the honest nodes."""
    kind = run.arm.hostile
    if kind is None:
        return []
    honest = [peer_id(number) for number in range(len(run.setting.models))]
    return [
        HostileNode(
            peer_id(len(honest) + number),
            kind,
            target,
            Effort(run.arm.local_groups, run.group_size),
            honest,
            run.seed,
            SITE if run.arm.one_address else "",
        )
        for number in range(run.arm.hostile_nodes)
    ]
