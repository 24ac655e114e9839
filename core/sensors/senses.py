"""All sensors together: what the rules call for, as conditions for the governor."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.api.programs import plain_name
from core.governor.conditions import Conditions
from core.sensors.battery import read_power
from core.sensors.heat import read_heat
from core.sensors.idle import open_idle
from core.sensors.linux_battery import Power
from core.sensors.load import LoadOfOthers
from core.sensors.programs import read_programs
from core.sensors.reading import Reading, softly
from core.sensors.room import read_disk, read_memory
from core.sensors.screen import read_full_screen
from core.sensors.thermometer import Heat
from core.settings import RulesSettings


class Senses:
    """The sensors of this machine; for one thread at a time."""

    def __init__(self, home: Path, root: int | None = None) -> None:
        """Process ``root`` (None: this one) and all below it are Waggle, and not others."""
        self._home = home
        self._load = LoadOfOthers(root)
        self._idle = open_idle()

    def sense(self, rules: RulesSettings) -> Conditions:
        """How things stand, as far as ``rules`` care; takes some milliseconds."""
        power = softly(read_power).value or Power(None, None)
        heat = (softly(read_heat).value if rules.hottest_c else None) or Heat()
        programs = softly(read_programs).value if rules.programs else None
        return Conditions(
            on_battery=power.on_battery,
            battery_percent=power.percent,
            idle_s=softly(self._idle).value if rules.when_in_use != "run" else None,
            busy=softly(self._load.read).value if rules.busy_percent else None,
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
        return {about: softly(read) for about, read in questions.items()}

    def _read_disk(self) -> Reading[int]:
        return read_disk(self._home)
