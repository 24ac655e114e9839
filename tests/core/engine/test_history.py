"""The past, thinned."""

from core.engine.events import RoundFinished
from core.engine.history import thin


def finished(number: int, score: float, swarm: float | None = None) -> RoundFinished:
    return RoundFinished(
        round=number,
        score=score,
        swarm_score=swarm,
        local_groups=4,
        swarm_groups=4,
        useful_local=1,
        useful_swarm=1,
        tokens=10,
        sample_s=0.1,
        judge_s=0.1,
        share_s=0.1,
        train_s=0.1,
    )


def test_a_short_history_is_kept_as_it_is() -> None:
    """Nothing is averaged before it must be."""
    points = thin([finished(1, 0.25), finished(2, 0.5, 0.75)])
    assert [(p.round, p.score, p.swarm_score) for p in points] == [(1, 0.25, None), (2, 0.5, 0.75)]
    assert thin([]) == ()


def test_a_long_history_keeps_its_mean_and_its_end() -> None:
    """2,500 rounds become at most 1,000 points with the same mean and the same last round."""
    rounds = [finished(n, (n % 7) / 7) for n in range(1, 2_501)]
    points = thin(rounds, 500)
    assert len(points) == 500
    assert points[-1].round == 2_500
    mean = sum(p.score for p in points) / len(points)
    assert abs(mean - sum(r.score for r in rounds) / len(rounds)) < 1e-9
