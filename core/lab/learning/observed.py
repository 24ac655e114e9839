"""Sampler, scorer and learner that also record what a round's own report does not tell."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.engine.ports import Learner, Progress, Sampler, Scorer, UpdateReport
from core.lab.worked.answers import BEGINNING, WORKED
from core.rollouts.types import (
    Completion,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
    mean_reward,
)


@dataclass(slots=True)
class Seen:
    """What was seen in one round."""

    sampled_tokens: int = 0
    surprise: float = 0.0  # sum over sampled tokens of -log p: entropy, once divided by them
    update: UpdateReport = field(default_factory=UpdateReport)
    own: defaultdict[TaskId, dict[PuzzleKey, ScoredGroup]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """As first judged: what a group was gone on with for is told by its first answers alone."""

    @property
    def entropy(self) -> float:
        """Mean surprise of the policy at its own tokens, in nats; an estimate of its entropy."""
        return self.surprise / max(self.sampled_tokens, 1)

    def reward_of(self, task: TaskId) -> float | None:
        """Mean reward of the own attempts at ``task``; None where there were none."""
        return mean_reward(tuple(self.own[task].values()))

    @property
    def worked(self) -> float | None:
        """Share of the own answers that show their work, of kinds whose starters have seen it done.

        None where no such kind was tried.
        """
        tried = (scored.group for task in WORKED for scored in self.own[task].values())
        shown = [one.text.startswith(BEGINNING) for group in tried for one in group.completions]
        return sum(shown) / len(shown) if shown else None


@dataclass(slots=True)
class Recorder:
    """Collects what the parts of one node do, round by round."""

    author: PeerId
    seen: Seen = field(default_factory=Seen)

    def take(self) -> Seen:
        """What was seen since the last call; the next round begins with nothing."""
        seen, self.seen = self.seen, Seen()
        return seen


@dataclass(frozen=True, slots=True)
class ObservedSampler:
    """Notes what was generated."""

    sampler: Sampler
    recorder: Recorder

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        """See ``core.engine.ports.Sampler``."""
        answers = self.sampler.complete(questions, group_size, seed, most_tokens=most_tokens)
        for completion in (c for completions in answers for c in completions):
            if completion.tokens is not None:
                self.recorder.seen.sampled_tokens += len(completion.tokens.ids)
                self.recorder.seen.surprise -= sum(completion.tokens.logprobs)
        return answers


@dataclass(frozen=True, slots=True)
class ObservedScorer:
    """Notes what the own attempts earned."""

    scorer: Scorer
    recorder: Recorder

    async def ask(self, keys: Sequence[PuzzleKey]) -> list[Question]:
        """See ``core.engine.ports.Scorer``."""
        return await self.scorer.ask(keys)

    async def judge(self, groups: Sequence[RolloutGroup]) -> list[ScoredGroup]:
        """See ``core.engine.ports.Scorer``."""
        judged = await self.scorer.judge(groups)
        for scored in judged:
            if scored.group.author == self.recorder.author:
                key = scored.question.key
                self.recorder.seen.own[key.task].setdefault(key, scored)
        return judged


@dataclass(frozen=True, slots=True)
class ObservedLearner:
    """Notes what an update did."""

    learner: Learner
    recorder: Recorder

    def update(
        self, groups: Sequence[ScoredGroup], answers_each: int | None = None
    ) -> UpdateReport:
        """See ``core.engine.ports.Learner``."""
        self.recorder.seen.update = self.learner.update(groups, answers_each)
        return self.recorder.seen.update

    def observe(self, tries: Sequence[ScoredGroup]) -> None:
        """See ``core.engine.ports.Learner``."""
        self.learner.observe(tries)

    def accept(self, groups: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        """See ``core.engine.ports.Learner``."""
        return self.learner.accept(groups)

    def save(self, progress: Progress) -> None:
        """See ``core.engine.ports.Learner``."""
        self.learner.save(progress)

    def resume(self) -> Progress | None:
        """See ``core.engine.ports.Learner``."""
        return self.learner.resume()
