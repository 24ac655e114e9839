"""Does the computer run on battery, and how full is it."""

import sys

import psutil

from core.sensors.linux_battery import Power, read_supplies
from core.sensors.reading import Reading


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
        return "there is a battery, but the system does not tell whether it is in use"
    level = "" if power.percent is None else f", {power.percent:.0f} % full"
    if power.on_battery:
        return f"runs on battery{level}"
    return f"runs on mains{level or ', without a battery'}"
