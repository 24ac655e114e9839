"""How the window stands with its engine."""

from dataclasses import dataclass
from typing import Literal

Phase = Literal["off", "up", "waiting", "closing", "gave_up"]


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """State of the engine process, with the reason where it is not simply up or off."""

    phase: Phase = "off"
    reason: str = ""  # why it died, a clause such as "it was ended by the system"; empty: as asked
    wait_s: int = 0  # until the next try, while waiting

    @property
    def is_running(self) -> bool:
        """There is a process, or there will be one without anybody's help."""
        return self.phase in ("up", "waiting", "closing")
