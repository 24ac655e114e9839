"""Degrees, from all that drivers measure."""

from dataclasses import dataclass

import pytest

from core.sensors.thermometer import hottest


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
