"""The simulated swarm: who is there, which hubs there are, and when they are down."""

from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Final

import numpy as np
import numpy.typing as npt

from core.errors import UsageError
from core.lab.scale.draws import Flags, Ints
from core.net.limits import DistinctLimit, Rates
from core.swarm.membership import MOST_STRANGERS
from core.wire.codec import ITEM_LIFE_S

ONLINE: Final = 0.7
"""Share of all nodes that are there at any time."""

GROUPS: Final = 8
"""That a node leaves in a round."""

LEAST_NODES: Final = 2
LEAST_ROUNDS: Final = 4

FAVOURITES: Final = 64
"""Authors that a hostile hub makes up where there is no hostile node."""


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What is to be simulated."""

    nodes: int = 10_000
    rounds: int = 30
    seed: int = 1
    period_s: float = 60.0
    want: int = 16
    churn: float = 0.02  # of those there, who leave in a round; as many come
    reachable: float = 0.2  # of honest nodes, who can be asked directly
    hostile: float = 0.1  # of all identities; all of them can be reached
    sites: int | None = None  # addresses that the hostile ones have; None: one for each identity
    hubs: int = 6
    hostile_hubs: int = 1  # hand out what hostile nodes left and nothing else
    hubs_down: int = 3  # at the same time, honest ones first
    outage_rounds: int = 4
    contacts: int = MOST_STRANGERS  # nodes asked directly, at most; 0: nobody is
    witnesses: int = 24  # nodes that follow the product's own code

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            UsageError: a share is above 1, there are too few nodes or rounds, or more hostile
                hubs than hubs.
        """
        shares = max(self.churn, self.reachable, self.hostile)
        few = self.honest_nodes < LEAST_NODES or self.rounds < LEAST_ROUNDS
        if shares > 1 or few or self.hostile_hubs > self.hubs:
            raise UsageError(
                "No such swarm can be simulated. It takes at least "
                f"{LEAST_NODES} honest nodes, {LEAST_ROUNDS} rounds, percentages up to 100, and no "
                "more hostile hubs than hubs."
            )

    @property
    def hostile_nodes(self) -> int:
        """How many identities are hostile."""
        return round(self.hostile * self.nodes)

    @property
    def honest_nodes(self) -> int:
        """The others."""
        return self.nodes - self.hostile_nodes

    @property
    def life_rounds(self) -> int:
        """For how many rounds an item lives at a hub."""
        return max(1, int(ITEM_LIFE_S // self.period_s))

    @property
    def warm_up(self) -> int:
        """Rounds in which hubs fill, and that no figure counts."""
        return min(2, self.rounds - 1)

    @property
    def outage(self) -> range:
        """The rounds in which hubs are down."""
        begin = max(self.warm_up + 1, self.rounds // 2)
        return range(
            begin, min(self.rounds, begin + self.outage_rounds) if self.hubs_down else begin
        )


class World:
    """Nodes and hubs; honest nodes are 0 to n - 1, hostile authors follow."""

    def __init__(self, plan: SimulationPlan, rng: np.random.Generator) -> None:
        self.plan = plan
        self._rng = rng
        n = plan.honest_nodes
        self.online: Flags = rng.random(n) < ONLINE
        self.arrived: Flags = np.zeros(n, dtype=np.bool_)  # in this round
        self.left_at = np.full((n, plan.hubs), -np.inf)  # round in which a node last left groups
        self._reachable = np.flatnonzero(rng.random(n) < plan.reachable)
        self.admitted = admitted(plan.hostile_nodes, plan.sites)
        self._favourites = n + np.arange(max(FAVOURITES, plan.hostile_nodes))

    def is_up(self, hub: int, round_number: int) -> bool:
        """Whether the hub answers in this round."""
        return round_number not in self.plan.outage or hub >= self.plan.hubs_down

    def is_hostile(self, hub: int) -> bool:
        """Whether it hands out what it likes."""
        return hub >= self.plan.hubs - self.plan.hostile_hubs

    def turn_over(self) -> None:
        """Some leave, about as many come."""
        chance = self._rng.random(self.online.size)
        coming = self.plan.churn * ONLINE / (1 - ONLINE)
        leaving = self.online & (chance < self.plan.churn)
        self.arrived = ~self.online & (chance < coming)
        self.online = (self.online & ~leaving) | self.arrived

    def living(self, hub: int, round_number: int) -> Ints:
        """Honest nodes with a living item at the hub, in order of their number."""
        fresh = self.left_at[:, hub] >= round_number - self.plan.life_rounds
        return np.flatnonzero(fresh)

    def pool(self, hub: int, round_number: int) -> Ints:
        """The authors whose items the hub hands out; honest ones come first, in order."""
        if self.is_hostile(hub):
            return self._favourites
        n = self.plan.honest_nodes
        return np.concatenate([self.living(hub, round_number), n + np.arange(self.admitted)])

    def addresses(self) -> Ints:
        """Everybody who can be asked directly, there or not; hostile nodes always can."""
        n = self.plan.honest_nodes
        return np.concatenate([self._reachable, n + np.arange(self.plan.hostile_nodes)])

    def answers(self, nodes: Ints) -> Flags:
        """Which of these addresses answer now."""
        n = self.plan.honest_nodes
        there: npt.NDArray[np.bool_] = self.online[np.minimum(nodes, n - 1)]
        return there | (nodes >= n)


def admitted(identities: int, sites: int | None) -> int:
    """How many identities one hub hears, if they speak from so many addresses in a row.

    Decided by the hub's own ``DistinctLimit``.
    """
    if sites is None:
        return identities
    distinct = DistinctLimit(Rates(), lambda: 0.0)
    heard = 0
    for number in range(identities):
        site = str(IPv4Address(number % sites))
        heard += distinct.admit(site, f"{number:064x}")
    return heard
