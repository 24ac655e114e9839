"""A sampler that now and then lets a rival answer, to find out which of them is faster."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from core.engine.ports import Sampler
from core.errors import BusyError, HomeError, MemoryShortError, ModelError
from core.rollouts.types import Completion, Question
from core.sampling.calibration import SHORT_PROBE, Verdict
from core.sampling.rivals import Rivalry

UNUSABLE: Final = (BusyError, HomeError, MemoryShortError, ModelError)
"""What stands in a rival's way is no trouble: the leader answers."""

_log = logging.getLogger(__name__)


class AnySampler(Sampler, Protocol):
    """Protocol of every sampler of this package."""

    def close(self) -> None:
        """Give memory back."""


@dataclass(frozen=True, slots=True)
class SamplerCall:
    """What is asked of a sampler at once."""

    questions: Sequence[Question]
    group_size: int
    seed: int
    most_tokens: int | None

    @property
    def completions(self) -> int:
        """The number of completions: a sampler's pace depends on it."""
        return len(self.questions) * self.group_size


class RivalSampler:
    """Answers by the fastest sampler known; one is open at a time, since each takes memory.

    Which one answers depends on the time that calls took: whoever wants the same completions every
    time wishes for a sampler by name.
    """

    def __init__(
        self,
        leader: AnySampler,
        rivalry: Rivalry,
        reopen: Callable[[str, bool], tuple[str, AnySampler]],
        keep: Callable[[Verdict], None],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Take over ``leader``, which is open.

        Args:
            leader: the sampler that the verdict of ``rivalry`` chose.
            rivalry: decides who answers.
            reopen: opens the sampler of that name, or another one in its place, and tells which;
                True: as a guest, whose shortage of memory costs training nothing.
            keep: remembers a verdict that has changed.
            clock: seconds.
        """
        self._sampler: AnySampler | None = leader  # None: it did not open again
        self._open = (rivalry.verdict.chosen, False)  # name asked for; whether it is a guest
        self._really = rivalry.verdict.chosen  # name of the one that is open
        self._rivalry = rivalry
        self._reopen = reopen
        self._keep = keep
        self._clock = clock

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        """Draw ``group_size`` completions for each question, in order, by whose turn it is.

        Raises:
            WaggleError: whatever the leader cannot get over.
        """
        asked = SamplerCall(questions, group_size, seed, most_tokens)
        name = self._rivalry.turn(asked.completions)
        if name != self._rivalry.verdict.chosen:
            try:
                return self._answer(name, asked, is_guest=True)
            except UNUSABLE as error:
                _log.warning("Doing without the sampler %s: %s", name, error)
                self._rivalry.without(name)
        return self._answer(self._rivalry.verdict.chosen, asked, is_guest=False)

    def close(self) -> None:
        """Give memory back."""
        if self._sampler is not None:
            self._sampler.close()
        self._sampler, self._open = None, ("", False)

    def _answer(
        self, name: str, asked: SamplerCall, *, is_guest: bool
    ) -> list[tuple[Completion, ...]]:
        """Let ``name`` answer, and note how fast it was."""
        sampler = self._opened(name, asked.questions, is_guest=is_guest)
        began = self._clock()
        answers = sampler.complete(
            asked.questions, asked.group_size, asked.seed, most_tokens=asked.most_tokens
        )
        seconds = self._clock() - began
        tokens = sum(len(one.tokens.ids) for group in answers for one in group if one.tokens)
        if self._really != name:  # it tells nothing of the one that it stands in for
            return answers
        if self._rivalry.note(name, asked.completions, tokens, seconds):
            _log.info("Samplers compared by real rounds: %s", self._rivalry.verdict)
            self._keep(self._rivalry.verdict)
        return answers

    def _opened(self, name: str, questions: Sequence[Question], *, is_guest: bool) -> AnySampler:
        """The sampler of that name; opened in place of another, it is warmed up first."""
        if self._sampler is None or self._open != (name, is_guest):
            self.close()
            self._really, self._sampler = self._reopen(name, is_guest)
            self._open = (name, is_guest)
            self._sampler.complete(questions[:1], 1, seed=0, most_tokens=SHORT_PROBE)
        return self._sampler
