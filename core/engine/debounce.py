"""Keeps back phases that pass too fast to be read: each would wake the window for nothing."""

import asyncio
from collections.abc import Callable
from typing import Final, assert_never

from core.api import events
from core.api.preview import PuzzleTried
from core.api.swarm_view import SwarmSeen

LASTING_S: Final = 0.2


class LastingPhases:
    """Passes events on at once, a phase when it has lasted; to be called in an event loop.

    What follows a phase that lasted is told at once, however short it is: the window would go on
    saying what is over.
    """

    def __init__(self, emit: Callable[[events.Event], None], lasting_s: float = LASTING_S) -> None:
        self._emit = emit
        self._lasting_s = lasting_s
        self._waiting: asyncio.TimerHandle | None = None
        self._has_lasted = False  # the phase that goes on

    def __call__(self, event: events.Event) -> None:
        """Tell ``event``, unless it is a phase that ends before anybody could read it."""
        match event:
            case events.PhaseEntered():
                is_told = self._has_lasted
                self._end_phase()
                if is_told:
                    self._emit(event)
                loop, untold = asyncio.get_running_loop(), None if is_told else event
                self._waiting = loop.call_later(self._lasting_s, self._note_lasting, untold)
            case (
                events.Loading()
                | events.Started()
                | events.Paused()
                | events.Resumed()
                | events.RoundFinished()
                | events.Failed()
                | events.Stopped()
            ):
                self._end_phase()
                self._emit(event)
            case (
                events.Checkpointed()
                | events.PauseAhead()
                | events.PeerJoined()
                | events.PeerLeft()
                | PuzzleTried()
                | events.SwarmChanged()
                | SwarmSeen()
            ):
                self._emit(event)  # aside, while the phase goes on
            case _:
                assert_never(event)

    def _end_phase(self) -> None:
        self._has_lasted = False
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _note_lasting(self, untold: events.PhaseEntered | None) -> None:
        self._has_lasted = True
        if untold is not None:
            self._emit(untold)
