"""A swarm of up to a hundred thousand nodes, round by round, without models or sockets.

What stands in for what: every node has one named hub and knows the others; a draw gives one item of
an author; all draws of a round come from what was left in the rounds before; an item drawn again
in a later round counts again. Whom to ask and how offers are joined are the product's rules, done
for all nodes at once, and a few nodes follow the product's own code (``core.lab.scale.witnesses``).
"""

from dataclasses import dataclass, field

import numpy as np

from core.lab.scale.draws import NOTHING, Flags, Ints, Merged, compact, draw_distinct, merge_rows
from core.lab.scale.hub_choice import HubChoice
from core.lab.scale.witnesses import Witness
from core.lab.scale.world import GROUPS, SimulationPlan, World
from core.swarm.exchange.audit import AUDIT_EVERY
from core.swarm.membership import MOST_HUBS
from core.wire.codec import AUTHOR_SLOTS


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """What one round brought to the honest nodes that are there."""

    number: int
    nodes: int  # honest ones there
    used: int  # items
    honest: int  # of them of honest authors
    from_hostile_hubs: int  # of them
    requests: float  # audits included
    items_up: int
    items_down: int
    spread: float | None  # of an honest hub's draws: chi-square per degree of freedom


@dataclass(slots=True)
class SimulationResult:
    """What came of a simulation."""

    plan: SimulationPlan
    rounds: list[RoundFigures] = field(default_factory=list)
    times_used: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # per honest node
    alive: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # rounds, the same
    waits: list[int] = field(default_factory=list)  # rounds until a new node had company
    lonely: int = 0  # new nodes still without it at the end
    admitted: int = 0  # hostile authors that one hub hears
    found_out: float = 0.0  # share of nodes that found a hostile hub out
    witnesses: list[Witness] = field(default_factory=list)


def simulate(plan: SimulationPlan) -> SimulationResult:
    """Run it; the same plan gives the same course."""
    rng = np.random.default_rng(plan.seed)
    world = World(plan, rng)
    choice = HubChoice(world, rng)
    n = plan.honest_nodes
    course = SimulationResult(plan, times_used=np.zeros(n, np.int64), alive=np.zeros(n, np.int64))
    course.admitted = world.admitted
    course.witnesses = [Witness(world, number) for number in range(min(plan.witnesses, n))]
    arrived_in = np.full(n, NOTHING)  # round of those new ones who met nobody yet
    for number in range(plan.rounds):
        world.turn_over()
        arrived_in[~world.online] = NOTHING
        arrived_in[world.arrived] = number
        outcome = _Round(world, choice, rng, number).play()
        for witness in course.witnesses:
            witness.play(number)
        met = outcome.nodes[(outcome.honest > 0) & (arrived_in[outcome.nodes] != NOTHING)]
        if number >= plan.warm_up:
            course.rounds.append(outcome.figures)
            course.waits += (number - arrived_in[met]).tolist()
            np.add.at(course.times_used, outcome.authors, 1)
            course.alive += outcome.alive
        arrived_in[met] = NOTHING
    course.lonely = int(np.count_nonzero(arrived_in != NOTHING))
    course.found_out = choice.was_found_out()
    return course


@dataclass(frozen=True, slots=True)
class _Outcome:
    figures: RoundFigures
    nodes: Ints  # honest ones there
    honest: Ints  # items of honest authors that each of them used
    authors: Ints  # honest ones, once for each of their items that was used
    alive: Flags  # honest nodes with an item at some hub


class _Round:
    """One round of everybody."""

    def __init__(
        self, world: World, choice: HubChoice, rng: np.random.Generator, number: int
    ) -> None:
        self._world = world
        self._plan = world.plan
        self._choice = choice
        self._rng = rng
        self._number = number
        self._now = number * self._plan.period_s
        self._slots = min(AUTHOR_SLOTS, GROUPS * self._plan.life_rounds)
        self._nodes = np.flatnonzero(world.online)
        shape = (len(self._nodes), MOST_HUBS + 1, self._plan.want)
        self._offers = np.full(shape, NOTHING)  # the last is what nodes gave
        self._answered = np.zeros(shape[:2], dtype=np.bool_)
        self._requests = 0.0
        self._spread: float | None = None

    def play(self) -> _Outcome:
        chosen = self._choice.choose(self._now)[self._nodes]
        everybody = np.full((self._plan.honest_nodes, MOST_HUBS), NOTHING)
        everybody[self._nodes] = chosen
        tried = self._choice.tries(everybody, self._now)[self._nodes]
        alive = np.zeros(self._plan.honest_nodes, dtype=np.bool_)
        for hub in range(self._plan.hubs):
            alive[self._world.living(hub, self._number)] = True
            self._visit(hub, chosen, tried)
        visited = int(np.count_nonzero(self._answered))
        self._ask_nodes()
        merged = merge_rows(self._offers, self._answered, self._plan.want)
        return self._sum_up(merged, chosen, alive, visited)

    def _visit(self, hub: int, chosen: Ints, tried: Flags) -> None:
        """Everybody who chose this hub leaves groups there and draws."""
        rows, place = np.nonzero(chosen == hub)
        asks = tried[rows, place]
        self._requests += np.count_nonzero(asks)
        up = self._world.is_up(hub, self._number)
        if not up:
            asks = np.ones_like(asks)  # one that waits for the back-off counts as not answered
        rows, place = rows[asks], place[asks]
        nodes = self._nodes[rows]
        self._choice.note(hub, nodes, answered=up, now=self._now)
        if not up:
            return
        self._requests += len(rows) / AUDIT_EVERY
        pool = self._world.pool(hub, self._number)
        drawn = draw_distinct(self._rng, len(pool), self._plan.want, _places(pool, nodes))
        if hub == 0 and len(pool) > self._plan.want and len(rows):
            counts = np.bincount(drawn[drawn != NOTHING], minlength=len(pool))
            self._spread = spread(counts, self._plan.want)
        self._offers[rows, place] = self._labels(pool, drawn)
        self._answered[rows, place] = True
        self._world.left_at[nodes, hub] = self._number

    def _ask_nodes(self) -> None:
        """A few others are asked directly, each for its own items."""
        addresses, most = self._world.addresses(), self._plan.contacts
        if not most or not len(addresses):
            return
        own = _places(addresses, self._nodes)
        drawn = draw_distinct(self._rng, len(addresses), most, own)
        asked = np.where(drawn == NOTHING, NOTHING, addresses[drawn])
        self._requests += np.count_nonzero(asked != NOTHING)
        there = (asked != NOTHING) & self._world.answers(np.maximum(asked, 0))
        each = -(-self._plan.want // most)
        turns = np.where(there, asked, NOTHING)[:, None, :].repeat(each, axis=1)
        slots = draw_distinct(self._rng, self._slots, each, np.full(turns[:, 0].size, NOTHING))
        by_turn = slots.reshape(len(turns), most, each).transpose(0, 2, 1)
        labels = np.where(turns == NOTHING, NOTHING, turns * self._slots + by_turn)
        offer = compact(labels.reshape(len(turns), most * each))[:, : self._plan.want]
        self._offers[:, MOST_HUBS, : offer.shape[1]] = offer
        self._answered[:, MOST_HUBS] = there.any(axis=1)

    def _labels(self, pool: Ints, drawn: Ints) -> Ints:
        """Each author's item; ``author * slots + slot``."""
        if not len(pool):
            return drawn
        slots = self._rng.integers(0, self._slots, drawn.shape)
        return np.where(drawn == NOTHING, NOTHING, pool[drawn] * self._slots + slots)

    def _sum_up(self, merged: Merged, chosen: Ints, alive: Flags, visited: int) -> _Outcome:
        n = self._plan.honest_nodes
        used = merged.labels != NOTHING
        authors = np.where(used, merged.labels // self._slots, NOTHING)
        honest = used & (authors < n)
        hostile_hubs = [h for h in range(self._plan.hubs) if self._world.is_hostile(h)]
        with_nodes = np.concatenate([chosen, np.full((len(chosen), 1), NOTHING)], axis=1)
        source = np.take_along_axis(with_nodes, np.maximum(merged.sources, 0), axis=1)
        figures = RoundFigures(
            number=self._number,
            nodes=len(self._nodes),
            used=int(np.count_nonzero(used)),
            honest=int(np.count_nonzero(honest)),
            from_hostile_hubs=int(np.count_nonzero(used & np.isin(source, hostile_hubs))),
            requests=float(self._requests),
            items_up=visited * GROUPS,
            items_down=int(np.count_nonzero(self._offers != NOTHING)),
            spread=self._spread,
        )
        return _Outcome(figures, self._nodes, honest.sum(axis=1), authors[honest], alive)


def spread(counts: Ints, k: int) -> float:
    """Chi-square of ``counts`` against all being equal, per degree of freedom: 1 is chance.

    They are those of draws of ``k`` different ones each, which vary a little less than free draws.
    """
    mean = counts.mean()
    chi_square = float(((counts - mean) ** 2).sum() / mean)
    return chi_square / (len(counts) - 1) / (1 - k / len(counts))


def _places(pool: Ints, nodes: Ints) -> Ints:
    """Where each node stands in an ordered pool; NOTHING where it does not."""
    if not len(pool):
        return np.full(len(nodes), NOTHING)
    place = np.minimum(np.searchsorted(pool, nodes), len(pool) - 1)
    return np.where(pool[place] == nodes, place, NOTHING)
