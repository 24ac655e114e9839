"""macOS's pressure of heat, through a library that does what libnotify does."""

import ctypes
from typing import Any

import pytest

from core.sensors.macos_heat import NAME, Barometer
from core.sensors.thermometer import Heat


class FakeNotify:
    """Fills in what it is pointed at, as libnotify does."""

    TOKEN = 41

    def __init__(self, level: int, status: int = 0) -> None:
        self.level, self.status = level, status

    def notify_register_check(self, name: bytes, token: Any) -> int:  # noqa: ANN401 - a pointer
        assert name == NAME
        token.contents.value = self.TOKEN
        return self.status

    def notify_get_state(self, token: ctypes.c_int, state: Any) -> int:  # noqa: ANN401 - the same
        assert token.value == self.TOKEN
        state.contents.value = self.level
        return self.status


@pytest.mark.parametrize(
    ("level", "throttled"), [(0, False), (1, False), (2, True), (4, True), (9, True)]
)
def test_from_heavy_on_the_work_is_slowed_down(
    level: int,
    throttled: bool,  # noqa: FBT001 - a table's column
) -> None:
    """Moderate is a fan that can be heard, heavy is a processor that cannot go on so."""
    reading = Barometer(FakeNotify(level)).read()
    assert reading.value == Heat(throttled=throttled)
    assert reading.words.startswith("pressure by heat: ")


def test_a_mac_that_does_not_tell_is_unknown() -> None:
    """Whatever number libnotify refuses with."""
    assert Barometer(FakeNotify(2, status=7)).read().value is None
