"""A swarm that is asked now and then."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.engine.ports import Exchange
from core.rollouts.types import RolloutGroup
from core.swarm.paced import LEAST_S, PacedSwarm
from core.wire.codec import MAX_EXCHANGE_ENVELOPES
from tests.envelopes import FakeClock
from tests.fakes import ScriptedSwarm, peer_group

GROUPS = [peer_group(number, 1, 3) for number in range(1, 100)]
OTHERS = Exchange((GROUPS[0],), 2, reachable=True, words="Here.")


@dataclass
class NotingSwarm(ScriptedSwarm):
    """Keeps what it was offered and asked for, by exchange."""

    offered: list[list[RolloutGroup]] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        self.offered.append(list(own))
        self.asked.append(want)
        return await super().exchange(own, want, score)


async def test_what_was_tried_too_soon_waits_for_the_next_exchange() -> None:
    """And so does what was wanted; meanwhile the swarm is as it was, and nothing is drawn twice."""
    inner, clock = NotingSwarm([OTHERS] * 2), FakeClock()
    swarm = PacedSwarm(inner, clock=clock)
    assert await swarm.exchange(GROUPS[:1], 8) == OTHERS
    for number in (1, 2):
        clock.advance(LEAST_S / 4)
        between = await swarm.exchange([GROUPS[number]], 8)
        assert (between.groups, between.peers, between.words) == ((), 2, "Here.")
    clock.advance(LEAST_S)
    assert await swarm.exchange(GROUPS[3:4], 8) == OTHERS
    assert inner.offered == [GROUPS[:1], GROUPS[1:4]]
    assert inner.asked == [8, 24]


async def test_no_more_is_kept_than_one_exchange_takes() -> None:
    """The newest: older ones tell of an older policy."""
    inner, clock = NotingSwarm([OTHERS] * 2), FakeClock()
    swarm = PacedSwarm(inner, clock=clock)
    await swarm.exchange((), 8)
    for group in GROUPS:
        await swarm.exchange([group], 8)
    clock.advance(LEAST_S)
    await swarm.exchange((), 8)
    assert inner.offered[-1] == GROUPS[-MAX_EXCHANGE_ENVELOPES:]
    assert inner.asked[-1] == MAX_EXCHANGE_ENVELOPES


def test_whom_one_learnt_from_is_told_at_once() -> None:
    """It is only noted, and goes out with the next exchange."""
    inner = ScriptedSwarm([])
    PacedSwarm(inner).learnt_from(GROUPS[:2])
    assert inner.thanked == GROUPS[:2]
