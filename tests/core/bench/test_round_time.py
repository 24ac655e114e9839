"""How long a round will take, from simulated measurements."""

import pytest

from core.bench.round_time import (
    FEW,
    MORE,
    PartTimes,
    predicted_seconds,
    usual_answer,
    with_layers,
)
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.memory.fit import Rounds

SMOLLM, SPARK = load_models().get("smollm2-135m"), load_models().get("spark")


def network(layers: int, slower: float = 1.0) -> PartTimes:
    """A head and layers that each take their time, on a machine that is busy or not."""
    read, step, update = 0.04 + 0.04 * layers, 0.02 + 0.004 * layers, 0.5 + 0.12 * layers
    return PartTimes(slower * read, slower * step, slower * update)


def test_all_layers_cost_the_same() -> None:
    """What few and more of them have in common counts once."""
    times = with_layers(network(FEW), network(MORE), 30)
    for part in ("read", "step", "update"):
        assert getattr(times, part) == pytest.approx(getattr(network(30), part))


def test_a_busy_moment_makes_no_time_negative() -> None:
    """Where the smaller network took longer, its time counts."""
    assert with_layers(network(MORE), network(FEW), 30) == network(MORE)


@pytest.mark.parametrize("slower", [(1.0, 1.0), (1.05, 1.0), (1.0, 1.05)])
def test_a_busy_moment_moves_a_prediction_by_a_tenth(slower: tuple[float, float]) -> None:
    """At most, where one of the two measurements is 5 % off."""
    real = network(SMOLLM.shape.layers)
    sampling = real.read + SMOLLM.completion_tokens * real.step
    expected = sampling + 4.4 * real.update
    times = with_layers(network(FEW, slower[0]), network(MORE, slower[1]), SMOLLM.shape.layers)
    assert predicted_seconds(SMOLLM, times, Rounds(8, 8)) == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(
    ("spec", "size", "reads"), [(SPARK, 8, 2.5), (SPARK, 4, 1), (SMOLLM, 8, 1)]
)
def test_what_is_not_probed_is_read_once(spec: ModelSpec, size: int, reads: float) -> None:
    """Neither large models are nor groups that are too small."""
    assert predicted_seconds(spec, PartTimes(1.0, step=0.0, update=0.0), Rounds(8, size)) == reads


def test_answers_that_are_cut_off_take_fewer_steps() -> None:
    """Not those of a starter, whose longest end sooner anyway."""
    times, rounds = PartTimes(0.0, step=1.0, update=0.0), Rounds(2, 4)
    assert predicted_seconds(SMOLLM, times, rounds, 48) == 48
    whole = predicted_seconds(SPARK, times, rounds)
    assert predicted_seconds(SPARK, times, rounds, 48) == whole


def test_a_starter_answers_briefly() -> None:
    """Of other models nobody knows: theirs are taken to use all that they may."""
    assert usual_answer(SPARK) < SPARK.completion_tokens / 4
    assert usual_answer(SMOLLM) == SMOLLM.completion_tokens
