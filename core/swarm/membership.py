"""Which hubs and nodes to turn to: pure decisions about addresses that strangers named.

Addresses come from several origins, each with room of its own, so that none crowds out another: a
flood from the DHT never pushes out what the person named. Good old ones are kept. Whoever sends
garbage is left alone for a while, twice as long each time; whoever does not answer is asked less
and less often (that is the link's own back-off). Of nodes, those asked are a choice by lot.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from random import Random
from typing import Final, Literal, NewType, get_args

from core.net.limits import place_of_host
from core.rollouts.types import PeerId
from core.storage.bounded import BoundedDict

Address = NewType("Address", str)
"""A hub's URL, a node's public key, or ``host:port`` of a node that nobody knows yet."""

Kind = Literal["hub", "node"]
Origin = Literal["named", "known", "lan", "dht"]
"""In the order of trust: by the person (or an invite), from earlier days, seen on this network,
found by strangers' help."""

MOST_BANS: Final = 1_024
ROOM: Final[dict[Origin, int]] = {"named": 32, "known": 32, "lan": 256, "dht": 64}
MOST_HUBS: Final = 3  # asked in one round; those that were named are always among them
MOST_NODES: Final = 8
MOST_PROBES: Final = 2
"""Of the nodes asked, those besides that did not answer the last time."""

MOST_STRANGERS: Final = 2
"""Of the nodes asked, those of strangers, where there are hubs: whoever floods a swarm with
identities has every one of them reachable, unlike honest people behind their routers."""

PULL_EVERY_S: Final = 0.5
"""A node is not asked more often: rounds of a small model are shorter, and it has its own work.
It serves each asker somewhat faster (``ASKER_RATE`` of its server)."""

ALIVE_S: Final = 60.0
"""For how long a node that answered counts as there."""

GARBAGE_TO_BAN: Final = 8.0
"""Bad envelopes, halved every ``HALF_LIFE_S``, from which on a source may be banned."""

BAD_SHARE: Final = 0.2
"""Of all that came from it: less is noise, such as an author of another release."""

HALF_LIFE_S: Final = 600.0
FIRST_BAN_S: Final = 600.0
WITHHOLDING_BAN_S: Final = 6 * 3_600.0
"""It takes hours to find out, so it has to last."""

LONGEST_BAN_S: Final = 86_400.0
FORGET_BANS_S: Final = 7 * 86_400.0
"""After so long without one, the next ban is a first one: by chance it happens to honest ones."""

FORGET_KNOWN_S: Final = 30 * 86_400.0


@dataclass(frozen=True, slots=True)
class Ban:
    """A source that is left alone for a while, and why."""

    address: Address
    reason: str
    until: float  # unix seconds


@dataclass(slots=True)
class Source:
    """One address and how it did."""

    address: Address
    kind: Kind
    origin: Origin
    peer: PeerId | None = None  # who has to answer there; None: whoever does
    host: str = ""  # of a node
    port: int = 0
    announced_at: float = 0.0  # on this network, last time, in seconds that never go back
    last_good: float = 0.0  # unix seconds; 0: never
    asked_at: float = 0.0  # unix seconds
    answered_at: float = 0.0
    failures: int = 0  # rounds in a row without an answer, also those that a back-off took
    good: float = 0.0  # envelopes, halved every HALF_LIFE_S
    bad: float = 0.0
    as_of: float = 0.0
    bans: int = 0
    banned_until: float = 0.0
    takes_nothing: bool = False  # of a hub: it long refused all that it was offered
    stays_outside: bool = False  # see ``core.swarm.directory.NamedHub``

    @property
    def is_stranger(self) -> bool:
        """Whether it was found by strangers' help, now or in earlier days, and nobody named it."""
        return self.origin in {"known", "dht"}

    def is_banned(self, now: float) -> bool:
        """Whether it is left alone; no ban is longer, unless the clock was set back since."""
        return now < self.banned_until <= now + LONGEST_BAN_S

    def decay(self, now: float) -> None:
        """Let what is long ago count less."""
        faded = 0.5 ** (max(0.0, now - self.as_of) / HALF_LIFE_S)
        self.good *= faded
        self.bad *= faded
        self.as_of = now


class Membership:
    """All sources known, bounded for each origin."""

    def __init__(self) -> None:
        self._sources: dict[Address, Source] = {}
        # Who goes and comes again is still banned: how often, and until when.
        self._bans = BoundedDict[Address, tuple[int, float]](MOST_BANS)

    def __len__(self) -> int:
        return len(self._sources)

    def get(self, address: Address) -> Source | None:
        """The source at ``address``."""
        return self._sources.get(address)

    def all(self) -> list[Source]:
        """All sources, those that were named first."""
        return sorted(self._sources.values(), key=lambda one: _trust(one.origin))

    def add(self, found: Source) -> bool:
        """Somebody named ``found``; False if there is no room for it.

        A better origin replaces a lesser one of the same address, if there is room. A node may have
        moved; a lesser origin is believed in that where nobody answers at the old place. Who has to
        answer is said by no lesser origin than the one that named the address.
        """
        known = self._sources.get(found.address)
        if known is not None:
            is_better = _trust(found.origin) < _trust(known.origin)
            if is_better and not self._make_room(found.origin):
                return False
            if _trust(found.origin) <= _trust(known.origin):
                known.origin = found.origin
                known.peer = found.peer or known.peer
                known.stays_outside = found.stays_outside
            if _trust(found.origin) <= _trust(known.origin) or known.failures:
                known.host, known.port = found.host, found.port
                known.announced_at = found.announced_at
            return True
        if not self._make_room(found.origin):
            return False
        found.bans, found.banned_until = self._bans.get(found.address, (0, 0.0))
        self._sources[found.address] = found
        return True

    def keep_only(self, origin: Origin, addresses: Iterable[Address]) -> list[Address]:
        """Drop the sources of ``origin`` that are not among ``addresses``; those dropped."""
        present = set(addresses)
        same = (one.address for one in self._sources.values() if one.origin == origin)
        gone = [address for address in same if address not in present]
        for address in gone:
            del self._sources[address]
        return gone

    def choose(self, kind: Kind, now: float, rng: Random) -> list[Source]:
        """Whom to turn to in this round.

        Hubs: those that were named, then the best of the others; where not all can be asked, one
        at random, so that a new one gets its chance. Nodes: a uniform choice of places, in turn.
        """
        able = [s for s in self._sources.values() if s.kind == kind and not s.is_banned(now)]
        if kind == "node":
            able = _one_of_each_peer(able)
            # Either way: the clock may have been turned back.
            rested = [one for one in able if abs(now - one.asked_at) >= PULL_EVERY_S]
            return self._choose_nodes(rested, now, rng)
        named = [one for one in able if one.origin == "named"]
        if len(named) >= MOST_HUBS:
            return _best(named, MOST_HUBS, rng)
        others = [one for one in able if one.origin != "named"]
        return named + _best(others, MOST_HUBS - len(named), rng)

    def _choose_nodes(self, able: list[Source], now: float, rng: Random) -> list[Source]:
        strangers = [one for one in able if one.is_stranger]
        trusted = [one for one in able if not one.is_stranger]
        if any(one.kind == "hub" and not one.failures for one in self._sources.values()):
            strangers = _choose_by_place(strangers, MOST_STRANGERS, rng)
        able = trusted + strangers
        there = [one for one in able if not one.failures]
        away = [one for one in able if one.failures]
        probes = _choose_by_place(away, MOST_PROBES, rng)
        chosen = _choose_by_place(there, MOST_NODES - len(probes), rng) + probes
        for one in chosen:
            one.asked_at = now
        return chosen

    def answered(self, address: Address, now: float, good: int, bad: int) -> Ban | None:
        """A source answered with so many good and bad envelopes; a ban, if that was too much."""
        source = self._sources.get(address)
        if source is None:
            return None
        source.decay(now)
        source.failures = 0
        source.answered_at = now
        source.good += good
        source.bad += bad
        if good and not bad:
            source.last_good = now
        if source.bad < GARBAGE_TO_BAN or source.bad < BAD_SHARE * (source.good + source.bad):
            return None
        return self.ban(address, "sends what breaks the protocol", now)

    def failed(self, address: Address) -> None:
        """Count a source's failure to answer."""
        if source := self._sources.get(address):
            source.failures += 1

    def ban(
        self, address: Address, reason: str, now: float, least_s: float = FIRST_BAN_S
    ) -> Ban | None:
        """Leave a source alone for ``least_s`` seconds, twice as long the next time."""
        source = self._sources.get(address)
        if source is None:
            return None
        if now - source.banned_until > FORGET_BANS_S:
            source.bans = 0
        source.banned_until = now + min(LONGEST_BAN_S, least_s * 2.0 ** min(source.bans, 16))
        source.bans += 1
        self._bans[address] = source.bans, source.banned_until
        source.good = source.bad = 0.0
        return Ban(address, reason, source.banned_until)

    def alive_nodes(self, now: float) -> int:
        """The number of nodes that answered in the last ``ALIVE_S`` seconds."""
        nodes = (one for one in self._sources.values() if one.kind == "node" and not one.failures)
        return len(_one_of_each_peer(one for one in nodes if abs(now - one.answered_at) < ALIVE_S))

    def worth_keeping(self, now: float) -> list[Source]:
        """Those found that did well, the latest first: next time's ``known`` ones.

        What a person named is theirs to name again, or not.
        """
        able = (one for one in self._sources.values() if not one.is_banned(now))
        strangers = (one for one in able if one.is_stranger and one.last_good)
        good = [one for one in strangers if now - one.last_good < FORGET_KNOWN_S]
        good.sort(key=lambda one: one.last_good, reverse=True)
        return good[: ROOM["known"]]

    def _make_room(self, origin: Origin) -> bool:
        """Whether one more of ``origin`` fits, if need be in the place of one that never did."""
        same = [one for one in self._sources.values() if one.origin == origin]
        if len(same) < ROOM[origin]:
            return True
        idle = [one for one in same if not one.last_good]
        if origin == "named" or not idle:
            return False
        del self._sources[max(idle, key=lambda one: one.failures).address]
        return True


def _one_of_each_peer(nodes: Iterable[Source]) -> list[Source]:
    """Each node once, however many addresses led to it: where it answers, the most trusted one."""
    ranked = sorted(nodes, key=lambda one: (one.failures, _trust(one.origin)), reverse=True)
    return list({one.peer or one.address: one for one in ranked}.values())


def _choose_by_place(nodes: Sequence[Source], count: int, rng: Random) -> list[Source]:
    """Up to ``count`` nodes, one of each place in turn: names are free, and addresses are not.

    A uniform choice where every node has a place of its own, and where all share one.
    """
    places = defaultdict[str, list[Source]](list)
    for one in rng.sample(nodes, len(nodes)):
        places[place_of_host(one.host)].append(one)
    order = rng.sample(list(places.values()), len(places))
    in_turn = (one for turn in zip_longest(*order) for one in turn if one is not None)
    return list(islice(in_turn, count))


def _trust(origin: Origin) -> int:
    """Rank of an origin, 0 for the most trusted."""
    return get_args(Origin).index(origin)


def _best(sources: Sequence[Source], count: int, rng: Random) -> list[Source]:
    """The ``count`` best ones; if there are more, the last of them is any of the rest instead."""
    ranked = sorted(sources, key=_merit, reverse=True)
    best = ranked[:count]
    if len(ranked) > count:
        best[-1] = rng.choice(ranked[count - 1 :])
    return best


def _merit(source: Source) -> tuple[bool, bool, int, float]:
    """Those that answer come first, that take something, the latest good ones before others."""
    return source.failures == 0, not source.takes_nothing, -source.failures, source.last_good
