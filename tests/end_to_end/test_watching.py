"""Who is in the swarm, as the window gets to see it from a real engine at a real hub."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.api.events import Event, Finish, Join, RoundFinished, Stopped
from core.api.swarm_view import Block, SwarmSeen, WatchSwarm
from core.rollouts.types import PeerId
from core.wire.names import friendly_name
from tests.waggle_process import Process, engine, hub, waggle


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Process]:
    """An engine that is told to watch before it is told to join, beside another node."""
    alone = ("--model", "spark", "--threads", "1", "--no-lan", "--json")
    with (
        hub(tmp_path / "hub") as (_, url),
        waggle(tmp_path / "other", "join", "--hub", url, *alone),
        engine(tmp_path / "node") as process,
    ):
        process.say(WatchSwarm(on=True))
        process.say(Join(model="spark", hubs=(url,)))
        yield process


@pytest.mark.slow
def test_another_node_is_seen_blocked_and_no_longer_learnt_from(watched: Process) -> None:
    """It is watched from the start, counted, and out at once when the person says so."""
    first = watched.wait_for(SwarmSeen)
    assert [one.state for one in first.hubs] == ["new"]
    met = watched.wait_for(SwarmSeen, lambda seen: bool(seen.peers)).peers[0]
    assert met.name == friendly_name(PeerId(met.peer))
    assert (met.model, met.where, met.state) == ("spark", "hub", "here")
    assert met.received >= met.taught > 0
    watched.say(Block(peer=met.peer, on=True))
    blocked = watched.wait_for(SwarmSeen, lambda seen: seen.peers[0].state == "blocked")
    assert blocked.hubs[0].state == "answers"
    watched.wait_for(RoundFinished)  # the running one may still use what it had
    after: list[Event] = [watched.wait_for(RoundFinished) for _ in range(3)]
    assert [e.swarm_groups for e in after if isinstance(e, RoundFinished)] == [0, 0, 0]
    watched.say(Finish())
    watched.wait_for(Stopped)
