"""Does the computer run on battery, and how full is it."""

import sys
from typing import Final

import psutil

from core.i18n import translatable
from core.sensors.linux_battery import Power, read_supplies
from core.sensors.reading import Reading

_WITHOUT_LEVEL: Final = {
    True: translatable("runs on battery"),
    False: translatable("runs on mains, without a battery"),
}


def read_power() -> Reading[Power]:
    """Where the power comes from; a computer without a battery runs on mains."""
    power = read_supplies() if sys.platform == "linux" else _asked_of_psutil()
    return Reading(None if power.on_battery is None else power, _words(power))


def _asked_of_psutil() -> Power:
    battery = psutil.sensors_battery()
    if battery is None:
        return Power(on_battery=False, percent=None)
    plugged = battery.power_plugged
    return Power(None if plugged is None else not plugged, float(battery.percent))


def _words(power: Power) -> str:
    if power.on_battery is None:
        return translatable("there is a battery, but the system does not tell whether it is in use")
    if power.percent is None:
        return _WITHOUT_LEVEL[power.on_battery]
    level = f"{power.percent:.0f}"
    if power.on_battery:
        return translatable("runs on battery, {} % full", level)
    return translatable("runs on mains, {} % full", level)
