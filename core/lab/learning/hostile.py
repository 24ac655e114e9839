"""Hostile nodes of a simulated swarm: no model, only ideas how to spoil those of others.

Where the swarm is *not* defended, every receiver believes the rewards that a group claims. The
claims stand beside the meadow here, since no real message has a field for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from core.engine.ports import Scorer
from core.lab.learning.meadow import Meadow
from core.lab.learning.plans import HostileKind, Run, peer_id
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
)
from core.tasks.catalog import PracticeMix, TaskCatalog
from core.tasks.reasoning_tasks import make_puzzle

FLOOD: Final = 16
"""How many times as many groups a flooder sends."""

_OFF_TOPIC: Final = ("Buy honey now", "I am a teapot", "lorem ipsum dolor", "no")
_RAMBLE: Final = "The answer is that I think it is what it is, and " * 2
"""With most answers, as long as a starter still learns: what is longer would do no harm."""

_MODEL: Final = ModelId("spark-sparse")


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
class HostileNode:
    """One attacker: shares something bad every round."""

    name: PeerId
    kind: HostileKind
    catalog: TaskCatalog
    curriculum: PracticeMix
    effort: Effort
    seed: int

    def attack(self, round_number: int, meadow: Meadow, claims: Claims) -> None:
        """Put this round's groups up."""
        rng = Random(f"{self.seed}/{round_number}/{self.name}")  # noqa: S311 - repeatable on purpose
        if self.kind == "copies":
            meadow.share(self.name, self._copied(meadow, rng))
            return
        count = self.effort.groups * (FLOOD if self.kind == "flood" else 1)
        shared = [self._made(key, round_number, rng) for key in self.curriculum.draw(count, rng)]
        half = self.effort.group_size // 2
        good = (1.0,) * half + (0.0,) * (self.effort.group_size - half)
        claims.rewards = {k: v for k, v in claims.rewards.items() if k[0] != self.name}
        claims.rewards |= {(self.name, group.key): good for group in shared}
        meadow.share(self.name, shared)

    def _copied(self, meadow: Meadow, rng: Random) -> list[RolloutGroup]:
        others = [g for peer, gs in meadow.newest.items() if peer != self.name for g in gs]
        picked = rng.sample(others, min(self.effort.groups, len(others)))
        return [
            RolloutGroup(g.key, g.digest, self.name, g.model, g.round, g.completions)
            for g in picked
        ]

    def _made(self, key: PuzzleKey, round_number: int, rng: Random) -> RolloutGroup:
        puzzle = make_puzzle(self.catalog, key)
        half = self.effort.group_size // 2
        first = [self._lie(puzzle.answer, rng) for _ in range(half)]
        rest = [_wrong(puzzle.answer, rng) for _ in range(self.effort.group_size - half)]
        completions = tuple(Completion(text, ended=True) for text in (*first, *rest))
        return RolloutGroup(
            key, puzzle.question.digest, self.name, _MODEL, round_number, completions
        )

    def _lie(self, right: str, rng: Random) -> str:
        """What is to be learnt."""
        match self.kind:
            case "off-topic":
                return rng.choice(_OFF_TOPIC)
            case "overlong":
                return f"{_RAMBLE}<answer>{right}</answer>"
            case _:
                return _wrong(right, rng)


@dataclass(frozen=True, slots=True)
class Attackers:
    """All hostile nodes of a run."""

    nodes: Sequence[HostileNode]
    claims: Claims

    def attack(self, round_number: int, meadow: Meadow) -> None:
        """Let each of them share something, before the honest ones play the round."""
        for node in self.nodes:
            node.attack(round_number, meadow, self.claims)


def hostile_nodes(run: Run, catalog: TaskCatalog, curriculum: PracticeMix) -> list[HostileNode]:
    """The attackers that the run's arm asks for; their names follow those of the honest nodes."""
    kind = run.arm.hostile
    if kind is None:
        return []
    honest = len(run.setting.models)
    return [
        HostileNode(
            peer_id(honest + number),
            kind,
            catalog,
            curriculum,
            Effort(run.arm.local_groups, run.setting.group_size),
            run.seed,
        )
        for number in range(run.arm.hostile_nodes)
    ]


def _wrong(right: str, rng: Random) -> str:
    """A wrong answer of the right look: its letters and digits shifted."""
    shift = rng.randrange(1, 9)
    moved = [str((int(c) + shift) % 10) if c.isdecimal() and c.isascii() else c for c in right]
    text = "".join(moved)
    return text if text != right else right[::-1] + "e"
