"""Where a model runs."""

import torch

from core.models.catalog.catalog import SMALL_MODEL
from core.models.memory.compute import ON_CPU, choose_compute


def test_small_models_stay_on_the_processor_in_full_precision() -> None:
    """A step of theirs is overhead: neither a graphics card nor half precision would help."""
    assert choose_compute(SMALL_MODEL - 1) == ON_CPU


def test_large_models_get_a_device_that_is_there() -> None:
    """Whatever is chosen can hold and multiply a tensor of its precision."""
    compute = choose_compute(SMALL_MODEL)
    square = torch.eye(2, device=compute.device, dtype=compute.dtype)
    assert torch.equal(square @ square, square)
