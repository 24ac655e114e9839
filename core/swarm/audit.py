"""Noticing a hub that withholds: does what was left there come out again?

Now and then a node asks a hub under a name made up for once, as somebody who has shared nothing
and so is owed everybody's items, the node's own among them. An honest hub that knows ``n`` other
authors hands out ``k`` of them at random: own items are missing with probability 1 - k / n. Asked
often enough, silence becomes improbable; below one in ten thousand it is called withholding.

A hub may claim any number of authors to excuse its silence, so the claim is believed only as far
as the hub's own samples bear it out: of few authors some come again soon (birthdays). Only one that
makes up new authors for every sample gets away with it, as anybody can in an open swarm.
"""

import math
from dataclasses import dataclass, field
from typing import Final

from core.rollouts.types import PeerId

IMPROBABLE: Final = 1e-4
MOST_AUTHORS: Final = 4_096
"""Remembered at once; with so many different ones the hub is large indeed."""

EMPTY_HANDED: Final = 0.1
"""How probable it is at most that a hub that claims authors has nothing of them to hand out.

However many it claims; the rest is for clocks so far off that nothing of theirs is valid here.
"""

_Z: Final = 3.0
"""Standard deviations by which the repeats seen may exceed those expected."""


@dataclass(slots=True)
class Audit:
    """What one hub handed out to made-up names, since own items were last seen there."""

    _silence: float = 1.0  # probability that an honest hub would have been silent so far
    _seen: set[PeerId] = field(default_factory=set)
    _pairs: int = 0  # of authors, one of a sample and one of those before
    _repeats: int = 0

    def hear(self, own: PeerId, authors: list[PeerId], claimed: int) -> bool:
        """A sample came while own items were surely there; True if the hub withholds them.

        ``authors`` are those of the sample, ``claimed`` how many the hub says there are.
        """
        others = {author for author in authors if author != own}
        self._pairs += len(self._seen) * len(others)
        self._repeats += len(self._seen & others)
        if own in authors:
            self._silence = 1.0
        elif others:
            most = max(len(others) + 1.0, min(float(claimed), self._most_authors()))
            self._silence *= 1.0 - len(others) / most
        elif claimed:
            self._silence *= EMPTY_HANDED
        if len(self._seen) < MOST_AUTHORS:
            self._seen |= others
        return self._silence < IMPROBABLE

    def _most_authors(self) -> float:
        """How many authors there may be, judging by how many came again: pairs / n are expected.

        The lower limit of a Poisson mean is that of Wilson and Hilferty.
        """
        r = self._repeats
        if not r:
            return math.inf
        least = r * max(0.0, 1.0 - 1.0 / (9.0 * r) - _Z / (3.0 * math.sqrt(r))) ** 3
        return self._pairs / least if least else math.inf
