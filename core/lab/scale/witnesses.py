"""Single nodes of the simulated swarm that follow the product's own code.

Membership, back-off, audit, merging: all real. Only the hubs' answers are simulated. What witnesses
and the simulation's other nodes come to use can be compared.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from core.lab.scale.draws import Ints
from core.lab.scale.world import World
from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.swarm.backoff import Backoff, Timing
from core.swarm.exchange.audit import AUDIT_EVERY, SAMPLE, Audit
from core.swarm.exchange.merging import interleave_places, merge
from core.swarm.exchange.validation import PeerRollout
from core.swarm.membership import ROOM, WITHHOLDING_BAN_S, Address, Membership, Source

_KEY: Final = PuzzleKey(TaskId("filler"), 1, 0, 0)
_ATTEMPTS: Final = (Completion("", ended=True), Completion("", ended=True))
_NODE: Final = "node "


class _Line:
    """What a witness keeps of one hub."""

    def __init__(self, timing: Timing) -> None:
        self.backoff = Backoff(timing)
        self.audit = Audit()
        self.exchanges = 0


class Witness:
    """One node, always there, that takes nothing in the simulation but its answers."""

    def __init__(self, world: World, number: int) -> None:
        self.used = 0  # items
        self.honest = 0  # of them
        self.found_in: int | None = None  # round in which a hostile hub was found out
        self._world = world
        self._rng = Random(f"{world.plan.seed} {number}")  # noqa: S311 - a simulation
        self._now = 0.0
        timing = Timing(lambda: self._now, lambda: self._now, self._rng)
        hubs = list(range(world.plan.hubs))
        self._rng.shuffle(hubs)
        self._lines = {_hub_at(hub): _Line(timing) for hub in hubs}
        self._members = Membership()
        for place, hub in enumerate(hubs):
            self._members.add(Source(_hub_at(hub), "hub", "dht" if place else "named"))
        self._fill_book()

    def play(self, number: int) -> None:
        """One round; figures count from the end of the warm-up on."""
        self._now = number * self._world.plan.period_s
        offers = []
        for source in self._members.choose("hub", self._now, self._rng):
            offer = self._visit(source, number)
            if offer is not None:
                offers.append(offer)
        nodes = self._members.choose("node", self._now, self._rng)
        given = [found for one in nodes if (found := self._pull(one, len(nodes), number))]
        if given:
            offers.append(interleave_places(given))
        used = merge(offers, self._world.plan.want, _new_to())
        if number >= self._world.plan.warm_up:
            self.used += len(used)
            n = self._world.plan.honest_nodes
            self.honest += sum(int(one.group.author) < n for one in used)

    def _visit(self, source: Source, number: int) -> list[PeerRollout] | None:
        line, hub = self._lines[source.address], int(source.address)
        if not line.backoff.is_over() or not self._world.is_up(hub, number):
            if line.backoff.is_over():
                line.backoff.fail()
            self._members.failed(source.address)
            return None
        line.backoff.succeed()
        offer = self._draw(hub, number, self._world.plan.want)
        self._members.answered(source.address, self._now, len(offer), 0)
        line.exchanges += 1
        if line.exchanges % AUDIT_EVERY == 0:
            self._audit(source, line, number)
        return offer

    def _audit(self, source: Source, line: _Line, number: int) -> None:
        """Ask under a made-up name; an honest hub has one author more, the witness."""
        hub = int(source.address)
        pool = self._world.pool(hub, number)
        authors = [PeerId(str(author)) for author in self._sample(pool, SAMPLE)]
        hostile = self._world.is_hostile(hub)
        own = PeerId("own")
        if not hostile and authors and self._rng.random() < SAMPLE / (len(pool) + 1):
            authors[0] = own
        claimed = self._world.plan.nodes if hostile else len(pool) + 1
        if line.audit.add_sample(own, authors, claimed):
            self._members.ban(source.address, "withholds", self._now, WITHHOLDING_BAN_S)
            line.audit = Audit()
            if hostile and self.found_in is None:
                self.found_in = number

    def _draw(self, hub: int, number: int, want: int) -> list[PeerRollout]:
        return [
            _item(author, number) for author in self._sample(self._world.pool(hub, number), want)
        ]

    def _pull(self, source: Source, nodes: int, number: int) -> list[PeerRollout]:
        """What one node hands out, of its own."""
        author = int(source.address.removeprefix(_NODE))
        plan = self._world.plan
        if author < plan.honest_nodes and not self._world.online[author]:
            return []
        each = -(-plan.want // nodes)
        return [_item(author, number * plan.want + slot) for slot in range(each)]

    def _sample(self, pool: Ints, want: int) -> list[int]:
        places = self._rng.sample(range(len(pool)), min(want, len(pool)))
        return [int(pool[place]) for place in places]

    def _fill_book(self) -> None:
        if not self._world.plan.contacts:
            return
        for author in self._sample(self._world.addresses(), ROOM["dht"]):
            self._members.add(Source(Address(f"{_NODE}{author}"), "node", "dht"))


def _hub_at(hub: int) -> Address:
    return Address(str(hub))


def _new_to() -> Callable[[PeerRollout], bool]:
    """Takes each item once; what came in earlier rounds counts again, as in the simulation."""
    seen: set[tuple[PeerId, int]] = set()

    def take(received: PeerRollout) -> bool:
        fresh = received.label not in seen
        seen.add(received.label)
        return fresh

    return take


def _item(author: int, sequence: int) -> PeerRollout:
    name = PeerId(str(author))
    return PeerRollout(RolloutGroup(_KEY, "", name, ModelId(""), 1, _ATTEMPTS), sequence)
