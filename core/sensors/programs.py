"""Sensor of the programs that run."""

import psutil

from core.i18n import translatable
from core.sensors.reading import Reading


def read_programs() -> Reading[frozenset[str]]:
    """Their names, as the system lists them; those of other people are among them."""
    names = set()
    for process in psutil.process_iter():
        try:
            names.add(process.name())
        except (psutil.Error, OSError):  # it ended meanwhile, or hides its name
            continue
    if not names:
        return Reading(None, translatable("the system lists no programs"))
    return Reading(frozenset(names), translatable("{} programs run", len(names)))
