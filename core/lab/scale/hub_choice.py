"""Which hubs every node turns to: ``core.swarm.membership`` and the back-off, for all at once.

Each node has one hub that was named to it and knows the others. Bans come from audits: how many
it takes to find a hostile hub out is tried with the real ``Audit``.
"""

from random import Random
from typing import Final

import numpy as np

from core.lab.scale.draws import NOTHING, Flags, Ints
from core.lab.scale.world import World
from core.rollouts.types import PeerId
from core.swarm.backoff import FIRST_S, LONGEST_S
from core.swarm.exchange.audit import AUDIT_EVERY, SAMPLE, Audit
from core.swarm.membership import LONGEST_BAN_S, MOST_HUBS, WITHHOLDING_BAN_S

TRIALS: Final = 32
"""Audits that are carried out; every other node shares the luck of one of them."""

_NEVER: Final = 1 << 40


class HubChoice:
    """What all nodes remember of all hubs; arrays are [node, hub]."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self._world = world
        self._rng = rng
        shape = (world.plan.honest_nodes, world.plan.hubs)
        self.named = rng.integers(0, shape[1], shape[0])
        self._order = rng.random(shape)  # in which they were heard of: among equals the first
        self._failures = np.zeros(shape, dtype=np.int64)
        self._last_good = np.zeros(shape)
        self._wait_until = np.full(shape, -np.inf)  # seconds
        self._banned_until = np.full(shape, -np.inf)
        self._bans = np.zeros(shape, dtype=np.int64)
        self._exchanges = np.zeros(shape, dtype=np.int64)  # since the last ban
        self._until_missed = self._draw_until_missed(shape)

    def choose(self, now: float) -> Ints:
        """The hubs that each node turns to, [node, MOST_HUBS]."""
        rows = np.arange(len(self.named))
        able = self._banned_until <= now
        chosen = np.full((len(rows), MOST_HUBS), NOTHING)
        named_able = able[rows, self.named]
        chosen[named_able, 0] = self.named[named_able]
        others = able.copy()
        others[rows, self.named] = False
        order = np.lexsort((self._order, -self._last_good, self._failures, ~others), axis=1)
        count = np.count_nonzero(others, axis=1)
        wanted = MOST_HUBS - named_able
        for place in range(MOST_HUBS):
            last = (place == wanted - 1) & (count > wanted)
            lucky = place + (self._rng.random(len(rows)) * (count - place)).astype(np.int64)
            index = np.minimum(np.where(last, lucky, place), order.shape[1] - 1)
            picked = order[rows, index].astype(np.int64)
            fits = (place < wanted) & (place < count)
            chosen[fits, (place + named_able)[fits]] = picked[fits]
        return chosen

    def tries(self, chosen: Ints, now: float) -> Flags:
        """Which of them are really asked, because the back-off is over."""
        until = np.take_along_axis(self._wait_until, np.maximum(chosen, 0), axis=1)
        tried: Flags = (chosen != NOTHING) & (until <= now)
        return tried

    def note(self, hub: int, nodes: Ints, *, answered: bool, now: float) -> None:
        """``hub`` answered these nodes, or did not."""
        if answered:
            self._failures[nodes, hub] = 0
            self._last_good[nodes, hub] = now
            self._audit(hub, nodes, now)
            return
        longest = np.minimum(LONGEST_S, FIRST_S * 2.0 ** np.minimum(self._failures[nodes, hub], 16))
        self._failures[nodes, hub] += 1
        self._wait_until[nodes, hub] = now + longest * self._rng.uniform(0.5, 1.0, len(nodes))

    def was_found_out(self) -> float:
        """Share of nodes that banned a hostile hub at least once, of those who asked it."""
        world = self._world
        hostile = [hub for hub in range(world.plan.hubs) if world.is_hostile(hub)]
        asked = (self._exchanges[:, hostile] + self._bans[:, hostile]) > 0
        found = self._bans[:, hostile] > 0
        return int(np.count_nonzero(found)) / max(1, int(np.count_nonzero(asked)))

    def _audit(self, hub: int, nodes: Ints, now: float) -> None:
        self._exchanges[nodes, hub] += 1
        if not self._world.is_hostile(hub):
            return
        found = nodes[self._exchanges[nodes, hub] >= self._until_missed[nodes, hub]]
        ban = np.minimum(LONGEST_BAN_S, WITHHOLDING_BAN_S * 2.0 ** self._bans[found, hub])
        self._banned_until[found, hub] = now + ban
        self._bans[found, hub] += 1
        self._exchanges[found, hub] = 0

    def _draw_until_missed(self, shape: tuple[int, int]) -> Ints:
        """Exchanges until a hostile hub is found out, for each node."""
        plan = self._world.plan
        if not plan.hostile_hubs:
            return np.full(shape, _NEVER)
        rng = Random(plan.seed)  # noqa: S311 - a simulation
        authors = len(self._world.pool(plan.hubs - 1, 0))
        most = plan.rounds // AUDIT_EVERY + 1
        tried = [audits_until_found(rng, authors, plan.nodes, most) for _ in range(TRIALS)]
        return self._rng.choice(np.array(tried), shape) * AUDIT_EVERY


def audits_until_found(rng: Random, authors: int, claimed: int, most: int) -> int:
    """How many audits the real ``Audit`` needs for a hub that hands out ``authors`` only.

    The hub claims that there are ``claimed``; a huge number if it is not found within ``most``.
    """
    audit, own = Audit(), PeerId("own")
    for number in range(1, most + 1):
        sample = rng.sample(range(authors), min(SAMPLE, authors))
        if audit.add_sample(own, [PeerId(str(author)) for author in sample], claimed):
            return number
    return _NEVER
