"""The heat of this machine."""

import ctypes
from dataclasses import dataclass
from typing import Any

import pytest

from core.sensors.heat import NAME, Heat, ThermalPressure, hottest, read_heat


def test_this_machine_tells_its_heat_or_that_it_does_not() -> None:
    """Degrees or whether it is throttled, never neither of the two without words."""
    reading = read_heat()
    assert reading.words
    if reading.value is not None:
        assert (reading.value.degrees_c is None) != (reading.value.throttled is None)


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
    reading = ThermalPressure(FakeNotify(level)).read()
    assert reading.value == Heat(throttled=throttled)
    assert reading.words.startswith("pressure by heat: ")


def test_a_mac_that_does_not_tell_is_unknown() -> None:
    """Whatever number libnotify refuses with."""
    assert ThermalPressure(FakeNotify(2, status=7)).read().value is None


@dataclass
class Degrees:
    current: float


@pytest.mark.parametrize(
    ("drivers", "degrees"),
    [
        ({"coretemp": [60.0, 72.0, 65.0], "nvme": [90.0]}, 72.0),
        ({"acpitz": [27.8], "k10temp": [55.0]}, 55.0),
        ({"acpitz": [48.0]}, 48.0),
        ({"k10temp": [0.0, 255.0], "acpitz": [51.0]}, 51.0),
        ({"nvme": [60.0], "iwlwifi": [70.0]}, None),
        ({}, None),
    ],
)
def test_the_processor_and_nothing_else_is_measured(
    drivers: dict[str, list[float]], degrees: float | None
) -> None:
    """Its hottest core by the best driver; a warm disk is no reason to pause."""
    measured = {name: [Degrees(one) for one in values] for name, values in drivers.items()}
    assert hottest(measured) == degrees
