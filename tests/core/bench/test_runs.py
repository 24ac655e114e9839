"""Whole benchmarks on the smallest of models."""

from pathlib import Path

from core.bench.material import LapWork
from core.bench.report import ARITHMETIC, MEMORY
from core.bench.runs import BenchConditions, bench_round, bench_sampler, bench_update
from core.bootstrap import NodeChoice
from core.models.memory.compute import ON_CPU
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import PracticeSettings, Settings
from tests.tiny_models import build_tiny_model, tiny_spec

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
