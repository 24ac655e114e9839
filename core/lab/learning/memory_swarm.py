"""A swarm in memory: what everybody shared lately, and fair draws from it.

What crosses it is what would cross the wire: puzzle keys and texts, never tokens or rewards.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from core.engine.ports import Exchange
from core.hub.turns import shuffled, turns
from core.rollouts.types import PeerId, RolloutGroup, site_of
from core.wire.codec import AUTHOR_SLOTS, MAX_EXCHANGE_ENVELOPES


@dataclass(slots=True)
class SharedRollouts:
    """The newest groups of every node, as many as a hub keeps."""

    by_author: bool = True  # draws go by author first, so that nobody is louder by sending more
    newest: dict[PeerId, tuple[RolloutGroup, ...]] = field(default_factory=dict)  # oldest first
    shared: dict[PeerId, int] = field(default_factory=dict)  # how many ever, by author
    handed: dict[PeerId, tuple[tuple[PeerId, int], ...]] = field(default_factory=dict)
    """Of those that are here, by asker: the author and number of each that it was handed."""
    copied: dict[PeerId, tuple[str, ...]] = field(default_factory=dict)
    """By hostile author: the digests of all questions at which it passed on what others tried."""

    def share(self, author: PeerId, groups: Iterable[RolloutGroup], site: str = "") -> None:
        """Put up what ``author`` tried at ``site``; the oldest of it makes room."""
        newer = [_as_text(group, site) for group in groups]
        self.shared[author] = self.shared.get(author, 0) + len(newer)
        self.newest[author] = (*self.newest.get(author, ()), *newer)[-AUTHOR_SLOTS:]

    def draw(self, asker: PeerId, want: int, rng: Random) -> tuple[RolloutGroup, ...]:
        """Draw up to ``want`` different groups of others than ``asker``.

        Sites take turns, and the authors of each, as at a hub: all of one site are one voice.
        """
        others = {peer: groups for peer, groups in self.newest.items() if groups and peer != asker}
        if not self.by_author:
            every = [group for groups in others.values() for group in groups]
            return tuple(rng.sample(every, min(want, len(every))))
        sites: dict[str, list[PeerId]] = {}
        for peer, groups in others.items():
            sites.setdefault(site_of(groups[0]), []).append(peer)

        def of_site(site: str) -> Iterator[RolloutGroup]:
            return turns(sites[site], lambda peer: shuffled(others[peer], rng), rng)

        return tuple(islice(turns(list(sites), of_site, rng), want))

    def fresh(self, asker: PeerId, drawn: Sequence[RolloutGroup]) -> tuple[RolloutGroup, ...]:
        """Those of ``drawn`` that ``asker`` is handed for the first time: nodes take no others."""
        numbers = {
            id(group): (author, number)
            for author, groups in self.newest.items()
            for number, group in enumerate(groups, self.shared[author] - len(groups))
        }
        before = set(numbers.values()).intersection(self.handed.get(asker, ()))
        self.handed[asker] = tuple(sorted(before.union(numbers[id(group)] for group in drawn)))
        return tuple(group for group in drawn if numbers[id(group)] not in before)


@dataclass(slots=True)
class InMemorySwarm:
    """One node's access to them; matches ``core.engine.ports.Swarm``."""

    rollouts: SharedRollouts
    owner: PeerId
    seed: int

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """Share ``own`` and draw from what the others shared."""
        del score
        round_number = own[0].round if own else 0
        rng = Random(f"{self.seed}/{round_number}/{self.owner}/draw")  # noqa: S311 - repeatable on purpose
        self.rollouts.share(self.owner, own)
        drawn = self.rollouts.draw(self.owner, min(want, MAX_EXCHANGE_ENVELOPES), rng)
        groups = self.rollouts.fresh(self.owner, drawn)
        return Exchange(groups, len(self.rollouts.newest) - 1, reachable=True, words="")

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """Nobody is thanked here."""


def _as_text(group: RolloutGroup, site: str) -> RolloutGroup:
    completions = tuple(replace(one, tokens=None) for one in group.completions)
    return replace(group, completions=completions, site=site)
