"""Protocols of the engine's adapters.

Adapters (sampling, training, swarm, tasks, ledger) match these by shape and never import them for
inheritance; ``core.bootstrap`` joins the two sides and tests join fakes. Blocking calls
(``Sampler``, ``Learner``) are made on the one model thread; all others on the event loop, where
those that take their time are awaited.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from msgspec.structs import replace

from core.api.events import Point, RoundFinished
from core.rollouts.prior import BetaPrior
from core.rollouts.taught import CellHistory
from core.rollouts.types import Cells, Completion, PuzzleKey, Question, RolloutGroup, ScoredGroup


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """Figures of one optimiser step; unless any are given, of none."""

    trained: tuple[ScoredGroup, ...] = ()  # of those that were given
    trained_tokens: int = 0  # completion tokens in the loss
    grad_norm: float = 0.0  # before clipping


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands: all that is kept of it beside what is the learner's own.

    Every random stream of round r is derived from (seed, r), so no generator state is kept; what
    is known of every cell is, so a node alone resumes exactly. Groups of others that wait for a
    later round are not kept.
    """

    seed: int
    round: int  # rounds finished
    recipe: str
    cells: Cells = field(default_factory=dict)
    swarm_cells: Cells = field(default_factory=dict)
    disagreement: Cells = field(default_factory=dict)
    reached: tuple[str, ...] = ()
    taught: dict[str, CellHistory] = field(default_factory=dict)
    given_up: int = 0  # of what long rounds do without, see ``core.engine.sizing``


@dataclass(frozen=True, slots=True)
class Exchange:
    """The result of one exchange with the swarm."""

    groups: tuple[RolloutGroup, ...]  # of others, signature checked, not judged
    peers: int  # others alive in the swarm whom this node met itself; 0 when alone
    reachable: bool  # the swarm answered
    words: str  # its state for a person, such as "Nobody else is here yet."
    learners: int = 0  # nodes, met by this one, that say to have learnt from it, ever


@dataclass(frozen=True, slots=True)
class RoundCost:
    """What practising took since it was asked for last."""

    processor_s: float | None = None  # of all cores and processes; None: not counted
    joules: float | None = None  # as the processor counts them; None: it does not tell

    def of(self, finished: RoundFinished) -> RoundFinished:
        """``finished`` with this as its cost."""
        return replace(finished, processor_s=self.processor_s, joules=self.joules)


class Meter(Protocol):
    """Counts what practising takes of the computer."""

    def read(self) -> RoundCost:
        """What it took since the last reading; takes less than a millisecond, as a rule."""


class NoMeter:
    """Counts nothing."""

    def read(self) -> RoundCost:
        """Nothing is known."""
        return RoundCost()


class Curriculum(Protocol):
    """Chooses what to practise."""

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        """Draw ``count`` puzzles to practise."""


class SkillEstimator(Protocol):
    """Estimates how much of each cell is solved."""

    own: Cells
    swarm: Cells
    disagreement: Cells
    reached: set[str]

    def restore(self, kept: Progress) -> None:
        """Go on from what was kept when a checkpoint was written."""

    def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
        """Remember how a finished round's groups went, own ones and those of others."""

    def prior(self, name: str) -> BetaPrior:
        """Of the share of right answers to one question of a cell."""

    def with_priors(self, own: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        """The groups of a round, each beside what was expected of its question, if it may be."""

    def skill(self) -> float | None:
        """Mean over all cells, in [0, 1]; None while too little is known to say."""

    def looked_at(self) -> float:
        """Share of the kinds that were looked at, in [0, 1]; there is a skill once all were."""

    def swarm_skill(self) -> float | None:
        """The same with the swarm's share in the cells that both know; None without any."""

    def base_skill(self) -> float | None:
        """Mean over all cells before any practice; None where nobody measured it."""


class Sampler(Protocol):
    """Lets the policy answer; blocking."""

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        """Draw ``group_size`` completions at temperature 1 for each question, in order.

        Each has ``most_tokens`` at most; None: as many as the model may.

        The same seed, questions and policy give the same completions.
        """


class Scorer(Protocol):
    """Makes questions and judges answers in an isolated process."""

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        """Make the questions of ``keys``, in order.

        Raises:
            UnknownTaskError: a key names a task or level outside the allow-list.
            PuzzleError: one of them cannot be made.
            ScorerError: the process cannot be kept alive.
        """

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        """Judge every completion; groups of unknown puzzles or other questions are left out.

        Raises:
            ScorerError: the process cannot be kept alive.
        """


class Swarm(Protocol):
    """Shares what was tried and draws from what others tried."""

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """Offer ``own`` and draw up to ``want`` groups of others; never raises for the network.

        ``score`` is the mean reward of this round, told for the swarm's page and nothing else.
        """

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """An update trained on these groups of others; their authors may be told."""


class Learner(Protocol):
    """Owns adapter and optimiser; blocking."""

    def update(
        self, groups: Sequence[ScoredGroup], answers_each: int | None = None
    ) -> UpdateReport:
        """Take one optimiser step on ``groups``; own ones that are flat have a prior.

        ``answers_each``: of each group that are learnt from, at most; None: as many as suit.
        """

    def observe(self, tries: Sequence[ScoredGroup]) -> None:
        """Take note of all own tries of a round, flat ones too, before anything else is done."""

    def accept(self, groups: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        """The part of ``groups``, written by others and not flat, that can and may be learnt from.

        In order, each reduced to the completions that may be, none of them flat. What cannot be
        learnt from would take the place of another among those that an update learns from.
        """

    def save(self, progress: Progress) -> None:
        """Write adapter, optimiser and ``progress`` atomically.

        Raises:
            DiskFullError: nothing was replaced.
        """

    def resume(self) -> Progress | None:
        """Load the newest readable checkpoint; None where there is none.

        Raises:
            CheckpointError: there are checkpoints, but none that can be used.
        """


class Ledger(Protocol):
    """Remembers every round."""

    def record(self, finished: RoundFinished) -> None:
        """Keep a finished round; recording a round again replaces it."""

    def points(self, scope: str | None = None) -> list[Point]:
        """The rounds of this model in ``scope``, oldest first; few, see ``curves.stretches``."""

    def forget_after(self, round_number: int) -> None:
        """Drop the rounds that no checkpoint covers; they are about to be played again.

        0: there is none, be it that somebody moved them away.
        """
