"""Small working stand-ins for the parts of a round: an arithmetic that can be learnt, in memory.

The fake policy answers "right" with a probability that grows with every update, so that scores
move as they do in real life and every figure of a round can be told in advance.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from random import Random
from typing import ParamSpec, TypeVar

from core.api.curves import point_of
from core.api.events import Point, RoundFinished
from core.engine.ports import Exchange, Progress, Swarm, UpdateReport
from core.engine.round import Parts
from core.rollouts.prior import BetaPrior
from core.rollouts.types import (
    Cells,
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    SampledTokens,
    ScoredGroup,
    TaskId,
    cell_name,
    expected_share,
)

P = ParamSpec("P")
T = TypeVar("T")

OWN = PeerId("a" * 64)
OTHER = PeerId("b" * 64)
ADDING = TaskId("adding")
CELL = cell_name(ADDING, 1)
MODEL = ModelId("fake")
ALONE = Exchange((), 0, reachable=True, words="Nobody else is here yet.")


def question(index: int) -> Question:
    """The one and only question of that index."""
    return Question(PuzzleKey(ADDING, 1, index, 0), f"{index} + 1 =")


def solution(key: PuzzleKey) -> str:
    """Its answer."""
    return str(key.seed + 1)


def peer_group(index: int, right: int, wrong: int, author: PeerId = OTHER) -> RolloutGroup:
    """What a peer tried: so many right and wrong answers."""
    asked = question(index)
    answers = [solution(asked.key)] * right + ["?"] * wrong
    completions = tuple(Completion(text, ended=True) for text in answers)
    return RolloutGroup(asked.key, asked.digest, author, MODEL, 1, completions)


def finished(number: int, score: float = 0.2) -> RoundFinished:
    """A round of a node alone, with plausible figures."""
    return RoundFinished(
        round=number,
        score=score,
        swarm_score=None,
        local_groups=8,
        swarm_groups=0,
        useful_local=5,
        useful_swarm=0,
        tokens=900,
        sample_s=0.5,
        judge_s=0.01,
        share_s=0.0,
        train_s=0.3,
        at=12.5,
        skill=score,
    )


class CountingCurriculum:
    """Draws puzzles at random from the first ten thousand."""

    def draw(self, count: int, rng: Random) -> list[PuzzleKey]:
        return [question(rng.randrange(10_000)).key for _ in range(count)]


class CountingSkills:
    """Counts the groups that it was shown; says half solved, and a third by the swarm."""

    def __init__(self) -> None:
        self.own: Cells = {}
        self.swarm: Cells = {}
        self.disagreement: Cells = {}
        self.reached: set[str] = set()

    def restore(self, kept: Progress) -> None:
        self.own, self.swarm = dict(kept.cells), dict(kept.swarm_cells)

    def observe(self, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> None:
        for cells, groups in ((self.own, own), (self.swarm, received)):
            for _ in groups:
                cells[CELL] = (0.0, cells.get(CELL, (0.0, 0.0))[1] + 1)

    def prior(self, name: str) -> BetaPrior:
        return BetaPrior(expected_share(self.own.get(name, (0.0, 0.0))), concentration=4.0)

    def with_priors(self, own: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        return [replace(one, prior=self.prior(one.question.key.cell)) for one in own]

    def skill(self) -> float | None:
        return 0.5

    def looked_at(self) -> float:
        return 1.0

    def swarm_skill(self) -> float | None:
        return 1 / 3 if self.swarm else None

    def base_skill(self) -> float | None:
        return 0.25


class AddingScorer:
    """Judges additions."""

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        return [question(key.seed) for key in keys]

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        return [
            ScoredGroup(
                question(group.key.seed),
                group,
                tuple(float(c.text == solution(group.key)) for c in group.completions),
            )
            for group in groups
            if group.digest == question(group.key.seed).digest
        ]


@dataclass
class FakePolicy:
    """Sampler and learner in one: ``skill`` is its chance to be right."""

    skill: float = 0.25
    trained_on: list[tuple[ScoredGroup, ...]] = field(default_factory=list)
    answers_each: list[int | None] = field(default_factory=list)  # that updates learnt, at most
    most_tokens: list[int | None] = field(default_factory=list)  # that answers might have
    saved: list[tuple[Progress, float]] = field(default_factory=list)
    unlikely: str | None = None  # text that this policy would not learn from others

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        self.most_tokens.append(most_tokens)
        rng = Random(seed)
        return [tuple(self._attempt(asked, rng) for _ in range(group_size)) for asked in questions]

    def _attempt(self, asked: Question, rng: Random) -> Completion:
        text = solution(asked.key) if rng.random() < self.skill else "?"
        return Completion(text, ended=True, tokens=SampledTokens((1, 0), (-0.5, -0.1)))

    def update(
        self, groups: Sequence[ScoredGroup], answers_each: int | None = None
    ) -> UpdateReport:
        self.answers_each.append(answers_each)
        self.trained_on.append(tuple(groups))
        self.skill = min(1.0, self.skill + 0.01 * len(groups))
        return UpdateReport(tuple(groups), 10, 1.0)

    def observe(self, tries: Sequence[ScoredGroup]) -> None:
        """Nothing depends on them here."""

    def accept(self, groups: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        return [
            scored
            for scored in groups
            if all(completion.text != self.unlikely for completion in scored.group.completions)
        ]

    def save(self, progress: Progress) -> None:
        self.saved.append((progress, self.skill))

    def resume(self) -> Progress | None:
        if not self.saved:
            return None
        progress, self.skill = self.saved[-1]
        return progress


@dataclass
class ScriptedSwarm:
    """Hands out the given exchanges in turn, then stays empty."""

    script: list[Exchange] = field(default_factory=list)
    shared: list[RolloutGroup] = field(default_factory=list)
    thanked: list[RolloutGroup] = field(default_factory=list)

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        del want, score
        self.shared.extend(own)
        return self.script.pop(0) if self.script else ALONE

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        self.thanked.extend(groups)


@dataclass
class MemoryLedger:
    """Keeps rounds in a dictionary."""

    rounds: dict[int, RoundFinished] = field(default_factory=dict)

    def record(self, finished: RoundFinished) -> None:
        self.rounds[finished.round] = finished

    def history(self) -> list[RoundFinished]:
        return [self.rounds[number] for number in sorted(self.rounds)]

    def points(self, scope: str | None = None) -> list[Point]:
        known = [point_of(one) for one in self.history() if one.scope == scope]
        return [point for point in known if point is not None]

    def forget_after(self, round_number: int) -> None:
        self.rounds = {n: r for n, r in self.rounds.items() if n <= round_number}


class SameThread(Executor):
    """Runs a call at once, where it is submitted."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - handed to whoever awaits, as executors do
            future.set_exception(error)
        return future


def fake_parts(policy: FakePolicy, swarm: Swarm | None = None) -> Parts:
    """All that a round is played with, by default alone."""
    swarm = swarm or ScriptedSwarm()
    return Parts(
        CountingCurriculum(),
        CountingSkills(),
        AddingScorer(),
        policy,
        swarm,
        policy,
        SameThread(),
    )
