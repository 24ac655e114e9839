"""How hot is the processor, or does the system slow it down because it is."""

import sys

import psutil

from core.i18n import translatable
from core.sensors.reading import Reading
from core.sensors.thermometer import Heat, hottest


def read_heat() -> Reading[Heat]:
    """The processor's heat as far as this system tells."""
    if sys.platform == "darwin":
        from core.sensors import macos_heat

        reading = macos_heat.read_pressure()
    else:
        reading = _by_drivers()
    return reading


def _by_drivers() -> Reading[Heat]:
    ask = getattr(psutil, "sensors_temperatures", None)  # Windows has none
    degrees = None if ask is None else hottest(ask())
    if degrees is None:
        return Reading(None, translatable("this computer does not tell how hot its processor is"))
    return Reading(
        Heat(degrees_c=degrees), translatable("the processor has {} °C", f"{degrees:.0f}")
    )
