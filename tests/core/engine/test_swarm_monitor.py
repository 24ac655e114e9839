"""Telling who is there: when somebody watches, and not too often."""

from core.api.swarm_view import SwarmSeen
from core.engine.swarm_monitor import PAUSE_S, SwarmMonitor
from core.rollouts.types import PeerId
from tests.fakes import OTHER


class Crowd:
    """A swarm that grows by hand."""

    def __init__(self) -> None:
        self.size = 0
        self.blocked: set[PeerId] = set()

    def seen(self) -> SwarmSeen:
        return SwarmSeen(swarm="meadow", more=self.size - len(self.blocked))

    def block(self, peer: PeerId, *, on: bool) -> None:
        (self.blocked.add if on else self.blocked.discard)(peer)


class Post:
    """A monitor of a crowd, whose clock is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.crowd = Crowd()
        self.told: list[int] = []
        self.monitor = SwarmMonitor(
            self.crowd, lambda seen: self.told.append(seen.more), self.clock
        )

    def clock(self) -> float:
        return self.now

    def grow(self, after_s: float) -> None:
        """A round passes, and somebody is new."""
        self.now += after_s
        self.crowd.size += 1
        self.monitor.look()


def test_nobody_watches_nothing_is_told() -> None:
    """Rounds go by in silence."""
    post = Post()
    post.grow(PAUSE_S)
    post.monitor.block(OTHER, on=True)
    assert post.told == []


def test_who_begins_to_watch_is_told_at_once() -> None:
    """Whatever was told before, and when."""
    post = Post()
    post.grow(1)
    post.monitor.watch(on=True)
    post.monitor.watch(on=True)
    assert post.told == [1, 1]


def test_changes_are_told_after_a_pause() -> None:
    """Short rounds do not flood the pipe, and what they brought is told with a later one."""
    post = Post()
    post.monitor.watch(on=True)
    post.grow(PAUSE_S / 2)
    assert post.told == [0]
    post.grow(PAUSE_S / 2)
    assert post.told == [0, 2]


def test_what_did_not_change_is_not_told_again() -> None:
    """However long it lasts."""
    post = Post()
    post.monitor.watch(on=True)
    for _ in range(3):
        post.now += PAUSE_S
        post.monitor.look()
    assert post.told == [0]


def test_blocking_reaches_the_swarm_and_is_told_at_once() -> None:
    """Whoever clicked sees that it worked."""
    post = Post()
    post.crowd.size = 2
    post.monitor.watch(on=True)
    post.monitor.block(OTHER, on=True)
    post.monitor.block(OTHER, on=False)
    assert post.told == [2, 1, 2]


def test_nobody_watches_any_more() -> None:
    """From then on it is silent."""
    post = Post()
    post.monitor.watch(on=True)
    post.monitor.watch(on=False)
    post.grow(PAUSE_S)
    assert post.told == [0]
