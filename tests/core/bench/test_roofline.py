"""What no program can beat."""

import torch

from core.bench.material import LapWork
from core.bench.roofline import (
    RooflineRates,
    Size,
    multiplying,
    sampling_floor,
    streaming,
    update_floor,
)
from core.models.catalog.catalog import load_models
from core.models.memory.compute import ON_CPU

HALF_BILLION = Size.of(load_models().get("qwen2.5-0.5b").shape, torch.bfloat16)
WORK = LapWork(groups=4, members=8, prompt_tokens=100, completion_tokens=48)


def test_the_matrices_of_a_known_model_are_counted() -> None:
    """Qwen2.5-0.5B: 358 million weights in its layers, 136 million in its head."""
    assert round(HALF_BILLION.body / 1e6) == 358
    assert round(HALF_BILLION.head / 1e6) == 136
    assert HALF_BILLION.bytes_each == 2


def test_a_step_is_bound_by_the_slower_of_reading_and_multiplying() -> None:
    """With endless arithmetic, reading 0.99 GB for each of 47 steps; with endless memory, FLOP."""
    endless = 1e30
    reading = sampling_floor(HALF_BILLION, WORK, RooflineRates(endless, 10e9))
    assert 4.6 < reading < 4.7
    multiplying_alone = sampling_floor(HALF_BILLION, WORK, RooflineRates(1e12, endless))
    assert 1.7 < multiplying_alone < 1.8


def test_an_update_costs_what_forward_and_backward_multiply() -> None:
    """1.43 GFLOP for each token of a row and 0.54 for each completion token."""
    seconds = update_floor(HALF_BILLION, WORK, RooflineRates(1e12, 1.0))
    row_tokens, completion_tokens = 4 * (100 + 8 * 47), 4 * 8 * 48
    assert abs(seconds - (1.43e9 * row_tokens + 0.545e9 * completion_tokens) / 1e12) < 0.02


def test_the_machine_is_measured() -> None:
    """Both tasks say how much they did."""
    assert multiplying(ON_CPU)() == 2 * 2048**3
    assert streaming(ON_CPU)() == 1 << 28
