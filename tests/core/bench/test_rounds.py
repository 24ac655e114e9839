"""Rounds as laps."""

import msgspec

from core.bench.rounds import lap_of, practice_plan
from core.models.catalog.catalog import load_models
from core.settings import PracticeSettings
from tests.fakes import finished


def test_a_round_is_told_by_its_parts() -> None:
    """Seconds of sampling, judging and learning; the work is what was sampled."""
    played = msgspec.structs.replace(finished(1), sample_s=0.5, judge_s=0.25, train_s=1.0)
    lap = lap_of(played)
    assert (lap.seconds, lap.work) == (1.75, played.tokens)
    assert lap.parts == {"sampling": 0.5, "judging": 0.25, "learning": 1.0}


def test_rounds_are_played_as_the_settings_have_them_but_alone() -> None:
    """Questions and group size of this node, nobody else's groups."""
    plan = practice_plan(load_models().get("spark"), PracticeSettings(local_groups=3, group_size=5))
    assert (plan.local_groups, plan.group_size, plan.swarm_groups) == (3, 5, 0)
