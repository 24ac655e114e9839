"""Sampling in parts: so that it tells how far it is, and ends soon once nobody waits any more."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Final

from core.engine.ports import Sampler
from core.models.catalog.catalog import ModelSpec
from core.rollouts.types import Completion, Question
from core.services.saved_model import ROOMY

TRIED_AT_ONCE: Final = 16
"""Questions between two words of progress, and before work that was cancelled ends."""

ANSWERS_OF_LARGE: Final = ROOMY.sampler_rows
"""Of a model that takes seconds for an answer, as many as it draws at once."""

OnProgress = Callable[[int, int], None]
"""Called with the questions tried, none at first, and those to be tried in all."""


class PacedSampler:
    """Lets a sampler answer a few questions at a time; made where an event loop runs."""

    def __init__(
        self, sampler: Sampler, spec: ModelSpec, total: int, on_progress: OnProgress
    ) -> None:
        """``sampler`` is of the model of ``spec``; ``total`` questions will be tried."""
        self._sampler = sampler
        self._is_small = spec.is_small
        self._total = total
        self._on_progress = on_progress
        self._done = 0
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        """Complete ``questions`` in parts; fewer once ``stop`` was called."""
        answers: list[tuple[Completion, ...]] = []
        at_once = TRIED_AT_ONCE if self._is_small else max(1, ANSWERS_OF_LARGE // group_size)
        self._tell()
        for start in range(0, len(questions), at_once):
            if self._stopped.is_set():
                break
            some = questions[start : start + at_once]
            answers += self._sampler.complete(
                some, group_size, seed + start, most_tokens=most_tokens
            )
            self._done += len(some)
            self._tell()
        return answers

    def _tell(self) -> None:
        self._loop.call_soon_threadsafe(self._on_progress, self._done, self._total)

    def stop(self) -> None:
        """Answer no more than what is under way."""
        self._stopped.set()
