"""Windows's idle seconds."""

import ctypes

import pytest

from core.sensors.windows_idle import LastInput, seconds_since


@pytest.mark.parametrize(
    ("last", "now", "seconds"), [(1_000, 3_500, 2.5), (7, 7, 0.0), ((1 << 32) - 500, 1_500, 2.0)]
)
def test_a_counter_that_begins_anew_does_no_harm(last: int, now: int, seconds: float) -> None:
    """It does so every 49.7 days."""
    assert seconds_since(last, now) == seconds


def test_the_structure_is_as_windows_documents_it() -> None:
    """Two numbers of 32 bits."""
    assert ctypes.sizeof(LastInput) == 8
    assert LastInput.tick.offset == 4
