"""Measuring the shape of a model, on a tiny one."""

from itertools import count
from pathlib import Path

import msgspec
import pytest

from core.bench import round_probe
from core.bench.round_probe import main, measured_seconds, quickest
from core.bench.round_time import PartTimes, RoundProbe
from core.models.catalog.catalog import load_models
from core.rollouts.round_size import FEWEST, FEWEST_ANSWERS
from tests.tiny_models import FAMILIES, SHAPE, Family, tiny_spec


def probe(family: Family) -> RoundProbe:
    spec = tiny_spec(Path("nowhere"), family)
    shape = msgspec.structs.replace(SHAPE, vocabulary=2_048, layers=40)
    spec = msgspec.structs.replace(spec, shape=shape)
    return RoundProbe(spec, 1, 2, 4, load_models().get("spark").folder)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_shape_is_measured_without_the_model(family: Family) -> None:
    """Sampler and learner run on random weights; by a clock that ticks, all take the same."""
    ticks = count()
    assert measured_seconds(probe(family), lambda: float(next(ticks))) > 0


def test_where_a_round_would_be_too_long_shorter_ones_are_measured_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the fewest questions, and then with the fewest answers to them; no size twice."""
    sizes: list[tuple[int, int]] = []

    def part_times(asked: RoundProbe, *_: object) -> PartTimes:
        sizes.append((asked.groups, asked.group_size))
        return PartTimes(0.0, asked.groups * asked.group_size * 1.0, 0.0)

    monkeypatch.setattr(round_probe, "part_times", part_times)
    few = msgspec.structs.replace(probe("llama"), groups=FEWEST, group_size=FEWEST_ANSWERS)
    expected = measured_seconds(few)
    sizes.clear()
    assert measured_seconds(msgspec.structs.replace(few, groups=8, group_size=32)) == expected
    assert sizes[::2] == sizes[1::2] == [(8, 32), (FEWEST, 32), (FEWEST, FEWEST_ANSWERS)]


def test_the_quickest_run_counts() -> None:
    """A neighbour can only slow one down."""
    times = iter([0.0, 5.0, 5.0, 6.0, 6.0, 9.0])
    assert quickest(lambda: None, lambda: next(times)) == 1.0


def test_it_prints_the_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """One number, for whoever started the process."""
    assert main([msgspec.json.encode(probe("llama"), enc_hook=str).decode()]) == 0
    assert float(capsys.readouterr().out) > 0
