"""No swarm at all: plain GRPO."""

from collections.abc import Sequence

from core.engine.ports import Exchange
from core.rollouts.types import RolloutGroup


class SoloSwarm:
    """Shares nothing and brings nothing; see ``core.engine.ports.Swarm``."""

    async def exchange(self, own: Sequence[RolloutGroup], want: int) -> Exchange:
        """Nothing leaves this computer."""
        del own, want
        return Exchange((), 0, reachable=True, words="Practising alone.")

    async def aclose(self) -> None:
        """Nothing to let go of."""
