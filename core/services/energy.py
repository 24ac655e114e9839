"""What practising takes of electricity: as the processor counts it, or else an honest estimate.

An estimate is the processor seconds of the engine's processes times the watts that a busy core is
rated at. It leaves out the screen, the memory and what the plug loses, and errs upwards where cores
are shared by two threads or clock down.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

from core.api.contribution import Day, EnergyShown, Figures
from core.ledger.days import total
from core.sensors.linux_battery import Power

DESKTOP_W: Final = 12.0
"""Watts a core, rated: the mean over processors of *Green Algorithms* ("Any" in its TDP_cpu.csv;
Lannelongue, Grealey and Inouye, Advanced Science 2021, doi.org/10.1002/advs.202100707)."""

LAPTOP_W: Final = 7.5
"""The same of a laptop's, the higher ones in it: a Ryzen 3 3200U; a Ryzen 5 3500U has 3.8."""

_DAYS: Final = 7
"""So many of the last days with practice make the mean of a day."""


def watts_a_core(power: Power) -> float:
    """What a core is taken to draw: a computer with a battery is a laptop."""
    return DESKTOP_W if power.percent is None else LAPTOP_W


def joules_of(figures: Figures, watts: float) -> float | None:
    """Energy of ``figures``, estimated where it was not measured; None of rounds not counted."""
    if figures.unmetered == figures.rounds:
        return None
    return figures.joules + figures.unmeasured_s * watts


def energy_shown(days: Sequence[Day], today: date, power: Power) -> EnergyShown | None:
    """Energy of a day with practice: the mean of the last ones, or of today where that is all.

    ``days`` are all with practice, oldest first. None where nothing is known of any.
    """
    watts = watts_a_core(power)
    known = [day for day in days if joules_of(day, watts) is not None]
    if not known:
        return None
    past = [day for day in known if day.day != today][-_DAYS:]
    counted = past or known[-1:]
    sums = total(counted)
    return EnergyShown(
        day_joules=(joules_of(sums, watts) or 0.0) / len(counted),
        is_today=not past,
        estimated_s=sums.unmeasured_s / len(counted),
        watts_a_core=watts,
        draw_w=power.watts,
        battery_h=power.hours,
    )
