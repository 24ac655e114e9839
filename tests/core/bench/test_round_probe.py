"""Measuring the shape of a model, on a tiny one."""

from itertools import count
from pathlib import Path

import msgspec
import pytest

from core.bench.round_probe import main, measured_seconds, quickest
from core.bench.round_time import RoundProbe
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


def test_where_a_round_would_be_too_long_a_shorter_one_is_measured_too() -> None:
    """By a clock that ticks in minutes no more than the fewest questions and answers fit."""
    asked = msgspec.structs.replace(probe("llama"), groups=8, group_size=9)
    few = msgspec.structs.replace(asked, groups=FEWEST, group_size=FEWEST_ANSWERS)
    minutes = (60.0 * n for n in count())
    expected = measured_seconds(few, lambda: next(minutes))
    assert measured_seconds(asked, lambda: next(minutes)) == expected


def test_the_quickest_run_counts() -> None:
    """A neighbour can only slow one down."""
    times = iter([0.0, 5.0, 5.0, 6.0, 6.0, 9.0])
    assert quickest(lambda: None, lambda: next(times)) == 1.0


def test_it_prints_the_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """One number, for whoever started the process."""
    assert main([msgspec.json.encode(probe("llama"), enc_hook=str).decode()]) == 0
    assert float(capsys.readouterr().out) > 0
