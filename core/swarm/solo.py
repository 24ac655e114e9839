"""No swarm at all: plain GRPO."""

from collections.abc import Sequence
from typing import Final

from core.api.swarm_view import SwarmSeen
from core.engine.ports import Exchange
from core.i18n import translatable
from core.rollouts.types import PeerId, RolloutGroup

ALONE: Final = translatable("Practising alone.")


class SoloSwarm:
    """Shares nothing and brings nothing; see ``core.engine.ports.Swarm``."""

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """An empty exchange: nothing leaves this computer."""
        del own, want, score
        return Exchange((), 0, reachable=True, words=ALONE)

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """Do nothing: there is nobody to thank."""

    def seen(self) -> SwarmSeen:
        """Nobody."""
        return SwarmSeen()

    def block(self, peer: PeerId, *, on: bool) -> None:
        """Do nothing: nobody comes in."""

    async def aclose(self) -> None:
        """Do nothing: no connection is open."""
