"""Keeps back phases that pass too fast to be read: each would wake the window for nothing."""

import asyncio
from collections.abc import Callable
from typing import Final

from core.engine.events import (
    Checkpointed,
    Event,
    ExamFinished,
    PeerJoined,
    PeerLeft,
    PhaseEntered,
    SwarmChanged,
)
from core.engine.showcase import PuzzleTried
from core.engine.sightings import SwarmSeen

LASTING_S: Final = 0.2

_Aside = (
    Checkpointed | ExamFinished | PeerJoined | PeerLeft | PuzzleTried | SwarmChanged | SwarmSeen
)
"""What is told in the middle of a phase and does not end it."""


class LastingPhases:
    """Passes events on at once, a phase when it has lasted; to be called in an event loop."""

    def __init__(self, emit: Callable[[Event], None], lasting_s: float = LASTING_S) -> None:
        self._emit = emit
        self._lasting_s = lasting_s
        self._waiting: asyncio.TimerHandle | None = None

    def __call__(self, event: Event) -> None:
        """Tell ``event``, unless it is a phase that ends before anybody could read it."""
        if self._waiting is not None and not isinstance(event, _Aside):
            self._waiting.cancel()
            self._waiting = None
        if isinstance(event, PhaseEntered):
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._lasting_s, self._emit, event)
        else:
            self._emit(event)
