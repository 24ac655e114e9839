"""Pool of the swarm's groups that were judged here and have not been learnt from yet.

Nodes keep no common clock: a round may bring more groups than it can use and the next one none.
The pool carries groups over, for a few rounds only, since old answers tell of an old policy.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.rollouts.mixing import has_signal
from core.rollouts.types import RolloutGroup, ScoredGroup, site_of

_Fingerprint = bytes

MEMORY = 0.8
"""How much of what was seen before still counts after a round that brought something."""

MOST_ASKED = 8
"""The swarm is asked for at most so many times what is trained on, however much of it is flat."""

Accept = Callable[[Sequence[ScoredGroup]], Sequence[ScoredGroup]]
"""Reduces groups to what may be learnt from; see ``core.engine.ports.Learner.accept``."""


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """Sizes of the pool; beyond them the oldest makes room."""

    groups: int = 256
    per_author: int = 64  # so that one loud peer cannot fill the pool
    per_site: int = 64  # where others are there: nor can one place of many names, see ``site_of``
    age: int = 4  # rounds that a group stays, counting the one that it arrived in
    remembered: int = 4_096  # fingerprints, used groups included, that are not taken again


@dataclass(frozen=True, slots=True)
class PoolState:
    """All that a pool remembers, to be kept and restored."""

    groups: tuple[tuple[int, ScoredGroup], ...]  # each with the round in which it came
    seen: tuple[_Fingerprint, ...]
    offered: float
    taught: float
    learnt: int = 0


@dataclass(slots=True)
class RolloutPool:
    """Groups of others that teach something, oldest first; bounded in number and age."""

    limits: PoolLimits = field(default_factory=PoolLimits)
    _groups: dict[_Fingerprint, tuple[int, ScoredGroup]] = field(default_factory=dict)
    _seen: dict[_Fingerprint, None] = field(default_factory=dict)  # in order of arrival
    _offered: float = 2.0  # groups that came lately, and among them those that taught something;
    _taught: float = 1.0  # before any came: one of two
    learnt: int = 0  # groups of others that the last round learnt from

    def __len__(self) -> int:
        return len(self._groups)

    def __iter__(self) -> Iterator[ScoredGroup]:
        return iter([group for _, group in self._groups.values()])

    def add(
        self,
        groups: Iterable[ScoredGroup],
        round_number: int,
        accept: Accept = tuple,
        *,
        offered: int | None = None,
    ) -> None:
        """Take in what round ``round_number`` brought.

        What an author tried at one puzzle is taken once, however often and with whatever answers it
        is sent; flat and held-out groups are not taken at all, nor what ``accept`` leaves out,
        which is asked once and last, as it may be costly. ``offered``: how many came in all, those
        among them that could not be judged; None: all could.
        """
        groups, new = tuple(groups), dict[_Fingerprint, ScoredGroup]()
        offered = len(groups) if offered is None else offered
        for group in groups:
            if has_signal(group) and (fingerprint := _fingerprint(group)) not in self._seen:
                new.setdefault(fingerprint, group)
        taken = accept(tuple(new.values())) if new else ()
        for group in taken:
            fingerprint = _fingerprint(group)
            self._seen[fingerprint] = None
            self._make_room_for(group.group)
            self._groups[fingerprint] = (round_number, group)
        while len(self._seen) > self.limits.remembered:
            del self._seen[next(iter(self._seen))]
        if offered:  # silence tells nothing
            self._offered = MEMORY * self._offered + offered
            self._taught = MEMORY * self._taught + len(taken)

    def worth_asking_for(self, groups: int) -> int:
        """The number of groups to ask for so that about ``groups`` of them have a signal.

        SAPO drops what is flat from *all* that the swarm shared, and draws only then. A node cannot
        fetch everything, so it fetches as much more than it trains on as lately turned out flat.
        """
        factor = min(self._offered / max(self._taught, 1e-9), MOST_ASKED)
        return math.ceil(groups * factor)

    def discard(self, groups: Iterable[ScoredGroup]) -> None:
        """Let go of ``groups``; they are not taken in again."""
        for group in groups:
            self._groups.pop(_fingerprint(group), None)

    def snapshot(self) -> PoolState:
        """The state of the pool, without encodings, which the learner makes again."""
        groups = tuple((n, replace(group, encoded=None)) for n, group in self._groups.values())
        return PoolState(groups, tuple(self._seen), self._offered, self._taught, self.learnt)

    def restore(self, state: PoolState) -> None:
        """Remember what ``state`` says, and nothing else."""
        self._groups = {_fingerprint(group): (number, group) for number, group in state.groups}
        self._seen = dict.fromkeys(state.seen)
        self._offered, self._taught = state.offered, state.taught
        self.learnt = state.learnt

    def expire(self, round_number: int) -> None:
        """Let go of what is too old to be learnt from in round ``round_number``."""
        oldest = round_number - self.limits.age
        for fingerprint in [f for f, (added, _) in self._groups.items() if added <= oldest]:
            del self._groups[fingerprint]

    def _make_room_for(self, newcomer: RolloutGroup) -> None:
        """Let go of the oldest of whoever has its share already, or else takes up most."""
        site = site_of(newcomer)
        sites = Counter(site_of(kept.group) for _, kept in self._groups.values())
        alone = sites[site] == len(self._groups)
        if self._count(lambda kept: kept.author == newcomer.author) >= self.limits.per_author:
            self._drop_oldest(lambda kept: kept.author == newcomer.author)
        elif sites[site] >= self.limits.per_site and not alone:
            self._drop_oldest(lambda kept: site_of(kept) == site)
        elif len(self._groups) >= self.limits.groups:
            fullest = max(sites.values())
            self._drop_oldest(lambda kept: sites[site_of(kept)] == fullest)

    def _count(self, which: Callable[[RolloutGroup], bool]) -> int:
        return sum(which(kept.group) for _, kept in self._groups.values())

    def _drop_oldest(self, which: Callable[[RolloutGroup], bool]) -> None:
        del self._groups[next(f for f, (_, kept) in self._groups.items() if which(kept.group))]


def _fingerprint(scored: ScoredGroup) -> _Fingerprint:
    """Digest of a group's author and puzzle, by its text: many seeds make the same one."""
    item = (scored.group.author, scored.group.key.task, scored.question.prompt)
    return hashlib.sha256(repr(item).encode()).digest()
