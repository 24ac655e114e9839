"""Which programs run."""

import psutil

from core.i18n import said
from core.sensors.reading import Reading


def read_programs() -> Reading[frozenset[str]]:
    """Their names, as the system lists them; those of other people are among them."""
    names = set()
    for process in psutil.process_iter():
        try:
            names.add(process.name())
        except psutil.Error:  # it ended meanwhile, or hides its name
            continue
    if not names:
        return Reading(None, said("the system lists no programs"))
    return Reading(frozenset(names), said("{} programs run", len(names)))
