"""How long a round takes: asked, answered, judged and learnt from, with the real parts."""

from core.api.events import RoundFinished
from core.bench.contest import Lap
from core.bench.material import NOBODY
from core.engine.round import Parts, RoundPlan, play_round
from core.models.catalog.catalog import ModelSpec
from core.settings import PracticeSettings


def practice_plan(spec: ModelSpec, practice: PracticeSettings) -> RoundPlan:
    """Plan rounds as this node would play them alone, always the same ones."""
    return RoundPlan(
        model=spec.model_id,
        author=NOBODY,
        seed=0,
        local_groups=practice.local_groups,
        swarm_groups=0,
        group_size=practice.group_size,
    )


async def play_laps(plan: RoundPlan, parts: Parts, laps: int) -> list[Lap]:
    """Play rounds one after the other, after one that is not counted; nothing is saved."""
    played = [
        (await play_round(number, plan, parts, lambda _: None)).finished
        for number in range(laps + 1)
    ]
    return [lap_of(finished) for finished in played[1:]]


def lap_of(finished: RoundFinished) -> Lap:
    """Read a round as a lap whose work is the tokens that were sampled."""
    parts = {
        "sampling": finished.sample_s,
        "judging": finished.judge_s,
        "learning": finished.train_s,
    }
    return Lap(sum(parts.values()), finished.tokens, parts=parts)
