"""The vocabulary of a round, in the order in which it comes to be.

    PuzzleKey -> Question -> RolloutGroup -> ScoredGroup -> Mix

One name, one meaning: a *reward* is what the task gave, in [0, 1]; an *advantage* is relative to
its group or to what was expected; a *group* is all completions of one question by one model. A
group travels, is judged and is trained on as a whole.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NewType

from core.rollouts.prior import BetaPrior

TaskId = NewType("TaskId", str)
ModelId = NewType("ModelId", str)
PeerId = NewType("PeerId", str)
"""A node's Ed25519 public key, 64 lower-case hex characters."""


def cell_name(task: str, level: int) -> str:
    """What a cell, a kind of puzzle at one level, is called in files."""
    return f"{task}/{level}"


Cells = dict[str, tuple[float, float]]
"""By cell, "task/level": how much of how many, both decayed, such as right answers of tries."""


def expected_share(cell: tuple[float, float]) -> float:
    """Share solved, as Krichevsky and Trofimov estimate it: one half where nothing was tried.

    Never 0 and never 1.
    """
    right, tries = cell
    return (right + 0.5) / (tries + 1.0)


@dataclass(frozen=True, slots=True, order=True)
class PuzzleKey:
    """All that names a puzzle on the wire; question and answer are made again from it locally."""

    task: TaskId
    level: int  # 1 is the easiest
    seed: int  # [0, 2**32)
    index: int  # [0, 2**32); the library uses seed + index, so one seed walks through many items

    @property
    def cell(self) -> str:
        """The cell that it is of, see ``cell_name``."""
        return cell_name(self.task, self.level)


@dataclass(frozen=True, slots=True)
class Question:
    """A puzzle as it is put to a model."""

    key: PuzzleKey
    prompt: str
    held_out: bool | None = None
    """What the puzzle's deck says; None: its text decides, see ``is_held_out``."""
    lesson: str = field(default="", compare=False, repr=False)
    """How its deck would answer; empty where it is of no deck. No model sees it beforehand."""

    @property
    def digest(self) -> str:
        """First 16 hex characters of the prompt's SHA-256: two nodes mean the same question."""
        return hashlib.sha256(self.prompt.encode()).hexdigest()[:16]

    @property
    def is_held_out(self) -> bool:
        """One question in sixteen is kept for the exam: never practised, never pretrained on.

        Decided by the text and not by the seed, since easy levels repeat the same few prompts. Of
        a small deck it is one in five, see ``core.decks.questions``.
        """
        if self.held_out is not None:
            return self.held_out
        return int(self.digest[:2], 16) % 16 == 0


@dataclass(frozen=True, slots=True)
class SampledTokens:
    """Tokens that the sampler drew, in its own model's vocabulary; they never leave the node."""

    ids: tuple[int, ...]  # with the end-of-sequence token, if the completion ended
    logprobs: tuple[float, ...]  # of each id under the sampler, natural log, temperature 1


@dataclass(frozen=True, slots=True)
class Completion:
    """One attempt at a question."""

    text: str
    ended: bool  # the model closed it itself, rather than running out of budget
    tokens: SampledTokens | None = None  # None for the completions of others


@dataclass(frozen=True, slots=True)
class RolloutGroup:
    """All completions of one question by one model in one round, not yet judged."""

    key: PuzzleKey
    digest: str  # of the question that the author saw, see Question.digest
    author: PeerId
    model: ModelId
    round: int
    completions: tuple[Completion, ...]
    site: str = field(default="", compare=False)
    """From which place of the network it came, as its receiver saw it; empty: unknown."""

    def at_most(self, completions: int) -> "RolloutGroup":
        """This group with its last ``completions`` only, where it has more.

        By the first ones it may have been chosen.
        """
        return replace(self, completions=self.completions[-completions:])


def unsigned_group(question: Question, completions: tuple[Completion, ...]) -> RolloutGroup:
    """A group of no author, model and round: to be judged here, and never sent."""
    key, digest = question.key, question.digest
    return RolloutGroup(key, digest, PeerId(""), ModelId(""), 0, completions)


@dataclass(frozen=True, slots=True)
class ScoredGroup:
    """A group with the question as made here and the rewards as judged here."""

    question: Question
    group: RolloutGroup
    rewards: tuple[float, ...]  # one per completion, each in [0, 1]
    unusual: frozenset[int] = frozenset()
    """Indices of completions that are right, but in another form than the canonical one; see
    ``core.tasks.verifiers.is_canonical`` and ``core.rollouts.answers.read_answer``."""
    prior: BetaPrior | None = None
    """What was expected of the question; None: its answers are compared with each other alone."""
    trusted: bool = False
    """A lesson of a deck that the person trusts: learnt from in full, however surprising."""
    encoded: object = field(default=None, compare=False, repr=False)
    """What the learner made of it when it accepted it; nobody else looks inside."""

    def only(self, members: Sequence[int]) -> "ScoredGroup":
        """This group with the completions at these ascending indices only."""
        completions = tuple(self.group.completions[n] for n in members)
        return replace(
            self,
            group=replace(self.group, completions=completions),
            rewards=tuple(self.rewards[n] for n in members),
            unusual=frozenset(new for new, old in enumerate(members) if old in self.unusual),
            encoded=None,
        )

    @property
    def is_flat(self) -> bool:
        """All rewards are equal, so that they say nothing of each other."""
        return len(set(self.rewards)) <= 1


@dataclass(frozen=True, slots=True)
class Mix:
    """The groups that one update learns from."""

    local: tuple[ScoredGroup, ...]
    swarm: tuple[ScoredGroup, ...]

    @property
    def groups(self) -> tuple[ScoredGroup, ...]:
        """All groups, own ones first."""
        return self.local + self.swarm


def site_of(group: RolloutGroup) -> str:
    """Whose share of pool and update ``group`` takes up: that of its site, or else of its author.

    Keys are free and addresses are not, so many authors of one site are bounded as one.
    """
    return group.site or group.author


def mean_reward(groups: Sequence[ScoredGroup]) -> float | None:
    """Mean reward over all completions of ``groups``; None where there are none."""
    rewards = [reward for group in groups for reward in group.rewards]
    return sum(rewards) / len(rewards) if rewards else None
