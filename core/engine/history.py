"""The past of a model, thinned for a chart."""

from collections.abc import Sequence

from core.engine.events import Point, RoundFinished

MOST_POINTS = 1_000


def thin(rounds: Sequence[RoundFinished], most: int = MOST_POINTS) -> tuple[Point, ...]:
    """At most ``most`` points: means over stretches of equal length, each at its last round.

    The mean over a stretch keeps moving averages true, which picking single rounds would not.
    """
    stride = -(-len(rounds) // most) or 1
    stretches = (rounds[i : i + stride] for i in range(0, len(rounds), stride))
    return tuple(_mean_point(stretch) for stretch in stretches)


def _mean_point(stretch: Sequence[RoundFinished]) -> Point:
    heard = [r.swarm_score for r in stretch if r.swarm_score is not None]
    return Point(
        round=stretch[-1].round,
        score=sum(r.score for r in stretch) / len(stretch),
        swarm_score=sum(heard) / len(heard) if heard else None,
    )
