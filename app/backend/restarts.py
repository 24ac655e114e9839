"""When a dead engine is started again, and when that is given up; pure."""

from dataclasses import dataclass

DELAYS_S = (1, 4, 15)


@dataclass(frozen=True, slots=True)
class Restarts:
    """Tries used up since the last finished round."""

    used: int = 0

    @property
    def delay_s(self) -> int | None:
        """Seconds to wait before the next try; None when there is none left."""
        return DELAYS_S[self.used] if self.used < len(DELAYS_S) else None

    def after_try(self) -> "Restarts":
        """One more try is used up."""
        return Restarts(self.used + 1)
