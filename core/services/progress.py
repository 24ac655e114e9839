"""Progress at a calm pace: work counts as fast as it likes, the window hears of it now and then."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from core.api.models import ModelProgress, Stage
from core.services.service import SendReply

EVERY_S: Final = 0.5
SPAN_S: Final = 8.0
"""Seconds over which the speed is a mean."""

SHORTEST_S: Final = 1e-3
"""Less says nothing about a speed."""


@dataclass(slots=True)
class ProgressCounter:
    """Counter that long work updates, from whichever thread."""

    stage: Stage
    done: int = 0  # bytes
    total: int = 0

    def enter(self, stage: Stage) -> None:
        """Set the stage of the work."""
        self.stage = stage

    def report(self, done: int, total: int) -> None:
        """Set the bytes done and the bytes of the whole."""
        self.done, self.total = done, total

    def add(self, count: int) -> None:
        """Add to the bytes done."""
        self.done += count


@dataclass(slots=True)
class Speed:
    """Bytes a second, over the last ``SPAN_S`` seconds."""

    _seen: deque[tuple[float, int]] = field(default_factory=deque)

    def at(self, now: float, done: int) -> int:
        """The mean until ``now``; 0 where nothing came, or where less is there than before."""
        self._seen.append((now, done))
        while now - self._seen[0][0] > SPAN_S:
            self._seen.popleft()
        since, before = self._seen[0]
        took = now - since
        return max(0, round((done - before) / took)) if took > SHORTEST_S else 0


@contextmanager
def reporting(counter: ProgressCounter, tell: SendReply) -> Iterator[None]:
    """Tell at once and then now and then what ``counter`` shows, as long as it changes."""
    loop, speed = asyncio.get_running_loop(), Speed()
    sent: ModelProgress | None = None
    timer: asyncio.TimerHandle | None = None

    def tick() -> None:
        nonlocal sent, timer
        now = ModelProgress(
            stage=counter.stage,
            done=counter.done,
            total=counter.total,
            per_second=speed.at(loop.time(), counter.done),
        )
        if now != sent:
            tell(now)
            sent = now
        timer = loop.call_later(EVERY_S, tick)

    tick()
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()
