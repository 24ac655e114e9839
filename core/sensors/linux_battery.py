"""Batteries and mains as the Linux kernel lists them (Documentation/ABI/testing/sysfs-class-power).

Asked here and not of psutil, which takes the battery of a wireless mouse for that of the computer.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUPPLIES: Final = Path("/sys/class/power_supply")
_PLUGS: Final = ("Mains", "USB")
_PLUGGED_IN: Final = frozenset(("1", "2"))  # at a fixed voltage, or one that was agreed upon
_FLOW: Final = ("power_now", "current_now", "voltage_now", "energy_now", "charge_now")
_FACTS: Final = ("type", "scope", "status", "online", "capacity", *_FLOW)
_MILLION: Final = 1e6


@dataclass(frozen=True, slots=True)
class Power:
    """Where the computer's power comes from."""

    on_battery: bool | None  # None: the system does not tell
    percent: float | None  # that is left, over all batteries; None: no battery, or not told
    watts: float | None = None  # drawn from batteries now; None: from none, or not told
    hours: float | None = None  # that they last at that


def read_supplies(folder: Path = SUPPLIES) -> Power:
    """What the supplies in ``folder`` say together; no battery at all means mains."""
    listed = map(_facts, _listed(folder))
    supplies = [supply for supply in listed if supply.get("scope") != "Device"]  # a mouse's own
    batteries = [supply for supply in supplies if supply.get("type") == "Battery"]
    plugs = [supply.get("online") for supply in supplies if supply.get("type") in _PLUGS]
    levels = [float(one["capacity"]) for one in batteries if one.get("capacity", "").isdecimal()]
    percent = sum(levels) / len(levels) if levels else None
    on_battery = _on_battery([one.get("status", "") for one in batteries], plugs)
    return Power(on_battery, percent, *(_drawn(batteries) if on_battery else (None, None)))


def _drawn(batteries: list[dict[str, str]]) -> tuple[float | None, float | None]:
    """Watts drawn from all that discharge, and the hours that all of them last at that."""
    watts = sum(
        _micro(one, "power_now", "current_now")
        for one in batteries
        if one.get("status") == "Discharging"
    )
    if watts <= 0:
        return None, None
    left = sum(_micro(one, "energy_now", "charge_now") for one in batteries)
    return watts, left / watts if left > 0 else None


def _micro(supply: dict[str, str], name: str, by_volt: str) -> float:
    """Watts or watt-hours: as told in millionths, or else in those of one volt; 0: not told."""
    with suppress(KeyError, ValueError):
        return abs(float(supply[name])) / _MILLION  # some drivers sign what flows out
    with suppress(KeyError, ValueError):
        return abs(float(supply[by_volt])) / _MILLION * float(supply["voltage_now"]) / _MILLION
    return 0.0


def _on_battery(statuses: list[str], plugs: list[str | None]) -> bool | None:
    if not statuses or _PLUGGED_IN & {*plugs}:
        return False
    if "Discharging" in statuses:
        return True
    if "Charging" in statuses:  # by a plug that is not listed
        return False
    if "0" in plugs:
        return True
    return False if {"Full", "Not charging"} & {*statuses} else None


def _listed(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(folder.iterdir())
    except OSError:  # no such thing on this computer
        return


def _facts(supply: Path) -> dict[str, str]:
    facts = {}
    for name in _FACTS:
        try:
            facts[name] = (supply / name).read_text(encoding="ascii", errors="replace").strip()
        except OSError:  # not every supply has every file
            continue
    return facts
