"""What practising costs, as the page says it: energy of a day, where that is from, the battery."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.pages.contribution.units import count, duration
from app.text.figures import figure, locale_here, short
from core.api.contribution import ContributionShown, EnergyShown

translate = QCoreApplication.translate

LAMP_W: Final = 10
"""Of the lamp that it is compared with: a usual one of today, as bright as 75 W once were."""

_KWH_J: Final = 3_600_000
_LEAST_KWH: Final = 0.001


@dataclass(frozen=True, slots=True)
class EnergyViewModel:
    """All that is said of it."""

    headline: str
    source: str  # where the figure is from
    now: str  # what the battery says; empty where there is none in use


def energy_words(shown: ContributionShown) -> EnergyViewModel | None:
    """Put it in words; None where nothing is known."""
    energy = shown.energy
    if energy is None:
        return None
    if energy.is_today:
        said = translate(
            "Contribution", "{energy} today so far: what a {watts}-watt lamp takes in {time}."
        )
    else:
        said = translate(
            "Contribution",
            "{energy} on a day with practice: what a {watts}-watt lamp takes in {time}.",
        )
    headline = said.format(
        energy=kilowatt_hours(energy.day_joules),
        watts=LAMP_W,
        time=duration(energy.day_joules / LAMP_W),
    )
    return EnergyViewModel(headline, _source(energy, shown.totals.unmetered), _now(energy))


def kilowatt_hours(joules: float) -> str:
    """Energy with two digits that say something, such as ``0.045 kWh`` or ``12 kWh``."""
    kwh = joules / _KWH_J
    if kwh < _LEAST_KWH:
        few = locale_here().toString(_LEAST_KWH, "f", 3)
        return translate("Contribution", "less than {} kWh").format(few)
    places = next((n for n, least in ((0, 10), (1, 1), (2, 0.1)) if kwh >= least), 3)
    many = figure(round(kwh)) if places == 0 else locale_here().toString(kwh, "f", places)
    return translate("Contribution", "{} kWh").format(many)


def _source(energy: EnergyShown, unmetered: int) -> str:
    if energy.estimated_s == 0:
        said = translate("Contribution", "Counted by the processor itself; Waggle's share of it.")
    else:
        said = translate(
            "Contribution",
            "An estimate: {time} of one processor core a day, at {watts} watts, by the "
            "table of green-algorithms.org. Screen and memory are not in it.",
        ).format(time=duration(energy.estimated_s), watts=short(energy.watts_a_core))
    if not unmetered:
        return said
    missing = translate(
        "Contribution", "Rounds of earlier releases and on graphics cards are not in it: {}."
    )
    return f"{said} {missing.format(count(unmetered))}"


def _now(energy: EnergyShown) -> str:
    if energy.draw_w is None and energy.battery_h is None:
        return ""
    if energy.battery_h is None:
        said = translate("Contribution", "Right now the whole computer draws {watts} watts.")
        return said.format(watts=short(energy.draw_w or 0.0))
    left = duration(energy.battery_h * 3_600)
    if energy.draw_w is None:
        said = translate("Contribution", "The battery lasts {time} more at the present pace.")
        return said.format(time=left)
    said = translate(
        "Contribution",
        "Right now the whole computer draws {watts} watts: the battery lasts {time} more.",
    )
    return said.format(watts=short(energy.draw_w), time=left)
