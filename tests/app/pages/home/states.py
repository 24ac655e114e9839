"""What the engine says on the way to each state of Home."""

from core.api.events import (
    Event,
    Failed,
    Loading,
    Paused,
    PhaseEntered,
    Point,
    Started,
    Stopped,
    SwarmChanged,
)
from tests.fake_engine import pretend


def started(rounds: int, peers: int) -> tuple[Event, ...]:
    """What the engine says when it has ``rounds`` behind it and meets ``peers``."""
    past = [pretend(number, peers) for number in range(1, rounds + 1)]
    history = tuple(Point(round=r.round, skill=r.score, swarm_skill=r.swarm_score) for r in past)
    return (
        Started(
            model="spark", round=rounds, peer="", name="amber-otter", solo=False, history=history
        ),
        *past[-1:],
        SwarmChanged(reachable=True, peers=peers, words=""),
        PhaseEntered(round=rounds + 1, phase="learning"),
    )


STATES: dict[str, tuple[Event, ...]] = {
    "1-idle": (),
    "2-loading": (Loading(words="Waking the model up"),),
    "3-empty": started(0, 2),
    "4-early": started(14, 2),
    "5-training": started(180, 2),
    "6-long": started(1_000, 11),
    "7-alone": started(90, 0),
    "8-paused": (*started(180, 2), Paused(reason="you")),
    "9-warning": (
        *started(180, 2),
        Failed(words="No hub answers. Waggle keeps trying and goes on alone.", fatal=False),
    ),
    "10-stopped": (*started(180, 2), Stopped(round=180)),
}
