"""Engine and helper together: how there come to be some, and how both are let go."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal

from app.backend.engine_client import EngineClient
from app.backend.helper_client import HelperClient
from core.paths import Home

HURRY_MS: Final = 4_000
"""Before the system, which ends the session, loses its patience."""


@dataclass(frozen=True, slots=True)
class Connectors:
    """How the window gets the clients of its two processes, once the home is usable."""

    engine: Callable[[Home], EngineClient]
    helper: Callable[[Home], HelperClient]

    def connect(self, home: Home) -> "Processes":
        """Clients of both; the processes start when they are needed."""
        return Processes(self.engine(home), self.helper(home))


class Processes(QObject):
    """The two child processes of a window."""

    ended = Signal()  # one of them is gone

    def __init__(self, engine: EngineClient, helper: HelperClient) -> None:
        super().__init__()
        self.engine, self.helper = engine, helper
        helper.ended.connect(self.ended)
        engine.link_changed.connect(lambda link: None if link.is_running else self.ended.emit())

    @property
    def is_running(self) -> bool:
        """At least one of them is there."""
        return self.engine.link.is_running or self.helper.is_running

    def let_go(self) -> None:
        """Have both put things away and end; ``ended`` tells of each."""
        self.helper.close()
        self.engine.close()

    def wait(self, milliseconds: int = HURRY_MS) -> bool:
        """Do not return before both have ended, or ``milliseconds`` are over; whether they have."""
        turn = QEventLoop()
        limit = QTimer(singleShot=True, timerType=Qt.TimerType.PreciseTimer)  # others end early
        limit.start(milliseconds)
        while self.is_running and limit.isActive():
            # Not exec: once Qt was told to exit, that would return at once and burn a core.
            turn.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return not self.is_running
