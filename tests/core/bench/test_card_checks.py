"""A device held against the processor."""

from dataclasses import replace

import pytest
import torch

from core.bench.card_checks import TOLERANCES, Traits, compared
from core.bench.card_checks import check_device as check
from core.models.catalog.catalog import load_models
from core.models.memory.machine import can_quantize
from core.rollouts.types import SampledTokens

EXACT = Traits(
    [SampledTokens((1, 2), (-1.0, -0.5))], [-2.0, -3.0], torch.tensor([1.0, 2.0]), [0.1, 0.3]
)
TOLERANCE = TOLERANCES[torch.float32]


def test_what_is_equal_passes() -> None:
    """All four, with what was found in words."""
    checks = compared("float32", EXACT, EXACT, TOLERANCE)
    assert [one.passed for one in checks] == [True] * 4
    assert "2 of 2 tokens alike" in checks[0].words


@pytest.mark.parametrize(
    ("wrong", "at"),
    [
        (replace(EXACT, answers=[SampledTokens((7, 2), (-4.0, -0.5))]), 0),
        (replace(EXACT, logprobs=[-2.0, float("nan")]), 1),
        (replace(EXACT, gradient=torch.tensor([2.0, -1.0])), 2),
        (replace(EXACT, margins=[0.3, 0.1]), 3),
    ],
)
def test_each_error_fails_its_own_check(wrong: Traits, at: int) -> None:
    """Texts, log-probabilities, gradients, and learning that goes the wrong way."""
    checks = compared("float32", EXACT, wrong, TOLERANCE)
    assert [number for number, one in enumerate(checks) if not one.passed] == [at]


def test_a_precision_that_fails_is_one_check() -> None:
    """With what the driver says."""
    (only,) = compared("float16", EXACT, "RuntimeError: no kernel", TOLERANCE)
    assert (only.passed, only.words) == (False, "RuntimeError: no kernel")


@pytest.mark.slow
def test_the_processor_agrees_with_itself() -> None:
    """In float32 to the last digit, in half precision within the tolerance; learning goes up."""
    checks = check(load_models().get("spark"), torch.device("cpu"))
    assert all(one.passed for one in checks), checks
    four_bits = {"four bits"} if can_quantize() else set()
    assert {one.precision for one in checks} == {
        "float32",
        "bfloat16",
        "float32, small",
    } | four_bits
