"""Whole benchmarks on the smallest of models."""

from pathlib import Path

import msgspec

from core.bench.material import LapWork, questions
from core.bench.report import ARITHMETIC, MEMORY
from core.bench.runs import (
    BenchConditions,
    bench_round,
    bench_sampler,
    bench_update,
    lap_of,
    practice_plan,
    updating,
)
from core.bootstrap import NodeChoice
from core.models.catalog.catalog import load_models
from core.models.memory.compute import ON_CPU
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import PracticeSettings, Settings
from tests.fakes import finished
from tests.tiny_models import build_tiny_model, load_tiny_policy, tiny_spec

WORK = LapWork(groups=2, members=2, prompt_tokens=8, completion_tokens=3)
ONCE = BenchConditions(ON_CPU, threads=1, laps=1)


def test_sampling_is_compared_with_its_floor_and_others(tmp_path: Path) -> None:
    """The quickest of our own is ours; the floor comes from the ceilings of the same run."""
    report = bench_sampler(tiny_spec(build_tiny_model(tmp_path)), WORK, ONCE)
    assert {"torch", "generate", ARITHMETIC, MEMORY} <= report.figures.keys()
    assert report.ours != "generate"
    assert report.floor is not None
    assert 0 < report.floor < report.figures[report.ours].seconds


def test_an_update_is_compared_with_its_floor(tmp_path: Path) -> None:
    """Ours, and what the machine can do."""
    report = bench_update(tiny_spec(build_tiny_model(tmp_path)), WORK, ONCE)
    assert set(report.figures) == {"update", ARITHMETIC, MEMORY}
    assert report.floor is not None
    assert 0 < report.floor < report.figures["update"].seconds


async def test_a_round_is_played_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    """The parts add up to the whole; neither checkpoint nor record is written."""
    settings = Settings(practice=PracticeSettings(local_groups=2, group_size=2))
    choice = NodeChoice(Home(tmp_path), settings, ModelId("spark"), "meadow", solo=True, threads=1)
    report = await bench_round(choice, 1)
    figure = report.figures["round"]
    assert set(figure.parts) == {"sampling", "judging", "learning"}
    assert abs(sum(figure.parts.values()) - figure.seconds) < 1e-6
    assert not list((tmp_path / "checkpoints").rglob("*.safetensors"))
    assert not (tmp_path / "ledger.sqlite").exists()


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


WORK_updates = LapWork(groups=2, members=4, prompt_tokens=10, completion_tokens=5)


def test_every_token_is_in_the_loss_and_nothing_is_written(tmp_path: Path) -> None:
    """All of the work is done in every lap, and the policy really learns."""
    policy = load_tiny_policy(tmp_path)
    asked = questions(lambda text: len(policy.encode_prompt(text)), WORK_updates)
    update = updating(policy, asked, WORK_updates)
    assert (update(), update()) == (WORK_updates.tokens, WORK_updates.tokens)
    assert policy.version == 2
    assert not Path("never-written").exists()
