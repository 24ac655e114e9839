"""All sensors together: what the rules call for, as conditions for the governor."""

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psutil

from core.api.programs import plain_name
from core.governor.conditions import Conditions
from core.i18n import translatable
from core.models.memory.free import free_memory
from core.sensors.card_load import CardLoad, WhichCard
from core.sensors.heat import Heat, read_heat
from core.sensors.idle import open_idle
from core.sensors.linux_battery import Power, read_supplies
from core.sensors.programs import read_programs
from core.sensors.reading import Reading, softly
from core.sensors.screen import read_full_screen
from core.sensors.worked import Worked, family_of, worked
from core.settings import RulesSettings
from core.storage.room import size_in_words


def share_of_others(before: Worked, now: Worked) -> float | None:
    """Share of all cores that others used in between, in [0, 1]; None where no time passed."""
    passed = now.total - before.total
    if passed <= 0:
        return None
    own = max(0.0, now.own - before.own)  # a child that ended takes its seconds with it
    return min(1.0, max(0.0, (now.busy - before.busy - own) / passed))


class LoadOfOthers:
    """Compares each reading with the one before, and the first one with when this was made."""

    def __init__(self, root: int | None = None) -> None:
        self._root = os.getpid() if root is None else root  # it and all below it are no others
        self._before: Worked | None = None
        with suppress(psutil.Error, OSError):  # told by the first reading
            self._before = worked(family_of(self._root))

    def read(self) -> Reading[float]:
        """Share of all cores that others used since the last reading, in [0, 1]."""
        before, self._before = self._before, worked(family_of(self._root))
        share = None if before is None else share_of_others(before, self._before)
        if share is None:
            return Reading(
                None, translatable("how busy the processor is will be known in a moment")
            )
        return Reading(
            share, translatable("others use {} % of the processor", f"{100 * share:.0f}")
        )


def read_memory() -> Reading[int]:
    """Bytes of memory that could still be taken."""
    free = free_memory()
    return Reading(free, translatable("{} of memory are free", size_in_words(free)))


def read_disk(folder: Path) -> Reading[int]:
    """Bytes that are free on the disk that holds ``folder``."""
    free = shutil.disk_usage(folder).free
    return Reading(free, translatable("{} are free on the disk", size_in_words(free)))


_HOUR_S: Final = 3_600
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
    on_battery = None if plugged is None else not plugged
    # Neither of the two systems tells a program without rights how many watts are drawn.
    left_s = battery.secsleft if on_battery else 0
    hours = left_s / _HOUR_S if left_s > 0 else None  # below 0: nobody knows, or for ever
    return Power(on_battery, float(battery.percent), hours=hours)


def _words(power: Power) -> str:
    if power.on_battery is None:
        return translatable("there is a battery, but the system does not tell whether it is in use")
    if power.percent is None:
        return _WITHOUT_LEVEL[power.on_battery]
    level = f"{power.percent:.0f}"
    if power.on_battery:
        return translatable("runs on battery, {} % full", level)
    return translatable("runs on mains, {} % full", level)


class Senses:
    """The sensors of this machine; for one thread at a time."""

    def __init__(self, home: Path, root: int | None = None, card: WhichCard = lambda: None) -> None:
        """Process ``root`` (None: this one) and all below it are Waggle, and not others.

        ``card`` says which graphics card trains.
        """
        self._home = home
        self._load = LoadOfOthers(root)
        self._card = CardLoad(card, root)
        self._idle = open_idle()

    def sense(self, rules: RulesSettings) -> Conditions:
        """The readings that ``rules`` depend on; takes some milliseconds."""
        power = softly(read_power).value or Power(None, None)
        heat = (softly(read_heat).value if rules.hottest_c else None) or Heat()
        programs = softly(read_programs).value if rules.programs else None
        return Conditions(
            on_battery=power.on_battery,
            battery_percent=power.percent,
            idle_s=softly(self._idle).value if rules.when_in_use != "run" else None,
            busy=softly(self._load.read).value if rules.busy_percent else None,
            card_busy=softly(self._card.read).value if rules.busy_percent else None,
            memory_free=softly(read_memory).value if rules.memory_floor_mb else None,
            disk_free=softly(self._read_disk).value if rules.disk_floor_mb else None,
            full_screen=softly(read_full_screen).value if rules.full_screen == "pause" else None,
            programs=None if programs is None else frozenset(map(plain_name, programs)),
            heat_c=heat.degrees_c,
            throttled=heat.throttled,
        )

    def tell(self) -> dict[str, Reading[Any]]:
        """Every sensor's own words by what it is about, memory and disk left out."""
        questions: dict[str, Callable[[], Reading[Any]]] = {
            "battery": read_power,
            "idle": self._idle,
            "load": self._load.read,
            "heat": read_heat,
            "full screen": read_full_screen,
            "programs": read_programs,
        }
        if self._card.is_told:
            questions["card load"] = self._card.read
        return {about: softly(read) for about, read in questions.items()}

    def _read_disk(self) -> Reading[int]:
        return read_disk(self._home)
