"""Batteries and mains as the Linux kernel lists them (Documentation/ABI/testing/sysfs-class-power).

Asked here and not of psutil, which takes the battery of a wireless mouse for that of the computer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUPPLIES: Final = Path("/sys/class/power_supply")
_PLUGS: Final = ("Mains", "USB")


@dataclass(frozen=True, slots=True)
class Power:
    """Where the computer's power comes from."""

    on_battery: bool | None  # None: the system does not tell
    percent: float | None  # that is left, over all batteries; None: no battery, or not told


def read_supplies(folder: Path = SUPPLIES) -> Power:
    """What the supplies in ``folder`` say together; no battery at all means mains."""
    supplies = [_facts(supply) for supply in _listed(folder)]
    batteries = [
        supply
        for supply in supplies
        if supply.get("type") == "Battery" and supply.get("scope") != "Device"  # a mouse's own
    ]
    plugs = [supply.get("online") for supply in supplies if supply.get("type") in _PLUGS]
    levels = [float(one["capacity"]) for one in batteries if one.get("capacity", "").isdecimal()]
    percent = sum(levels) / len(levels) if levels else None
    return Power(_on_battery([one.get("status", "") for one in batteries], plugs), percent)


def _on_battery(statuses: list[str], plugs: list[str | None]) -> bool | None:
    if not statuses or "1" in plugs:
        return False
    if "Discharging" in statuses or "0" in plugs:
        return True
    return False if {"Charging", "Full", "Not charging"} & {*statuses} else None


def _listed(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(folder.iterdir())
    except OSError:  # no such thing on this computer
        return


def _facts(supply: Path) -> dict[str, str]:
    facts = {}
    for name in ("type", "scope", "status", "online", "capacity"):
        try:
            facts[name] = (supply / name).read_text(encoding="ascii", errors="replace").strip()
        except OSError:  # not every supply has every file
            continue
    return facts
