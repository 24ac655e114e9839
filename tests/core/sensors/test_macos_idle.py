"""macOS's idle seconds, through a library that does what Core Graphics does."""

import ctypes
import math

import pytest

from core.sensors.macos_idle import ANY_INPUT, HARDWARE, idle_by


class FakeEvents:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def CGEventSourceSecondsSinceLastEventType(  # noqa: N802 - Apple's name
        self, state: ctypes.c_int32, kind: ctypes.c_uint32
    ) -> float:
        assert (state.value, kind.value) == (HARDWARE, ANY_INPUT)
        return self.seconds


def test_the_seconds_are_those_of_any_hand_at_the_machine() -> None:
    """Keys, mouse and pen alike, and nothing that a program did."""
    assert idle_by(FakeEvents(12.5)).value == 12.5


@pytest.mark.parametrize("seconds", [-1.0, math.nan])
def test_without_a_screen_it_is_unknown(seconds: float) -> None:
    """As over the network, where nobody sits."""
    assert idle_by(FakeEvents(seconds)).value is None
