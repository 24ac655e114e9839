"""All sensors of this machine together."""

from pathlib import Path

import psutil

from core.api.programs import plain_name
from core.governor.conditions import Conditions
from core.sensors.senses import Senses
from core.settings import RulesSettings

CARELESS = RulesSettings(
    when_in_use="run",
    full_screen="run",
    busy_percent=0,
    hottest_c=0,
    memory_floor_mb=0,
    disk_floor_mb=0,
)


def test_what_the_rules_care_for_is_sensed(tmp_path: Path) -> None:
    """Every value is of its kind or unknown; a listed program is found by its plain name."""
    conditions = Senses(tmp_path).sense(RulesSettings(programs=("anything",)))
    assert conditions.memory_free is not None
    assert conditions.disk_free is not None
    assert conditions.programs is not None
    assert plain_name(psutil.Process().name()) in conditions.programs
    assert conditions.busy is None or 0 <= conditions.busy <= 1


def test_what_no_rule_asks_for_is_not_looked_at(tmp_path: Path) -> None:
    """Not even the names of programs, which are nobody's business then."""
    conditions = Senses(tmp_path).sense(CARELESS)
    power = (conditions.on_battery, conditions.battery_percent)
    assert conditions == Conditions(on_battery=power[0], battery_percent=power[1])


def test_a_sensor_that_breaks_leaves_the_others_alone(tmp_path: Path) -> None:
    """The disk is gone, and all else is still told."""
    conditions = Senses(tmp_path / "nowhere").sense(RulesSettings())
    assert conditions.disk_free is None
    assert conditions.memory_free is not None


def test_every_sensor_has_its_words(tmp_path: Path) -> None:
    """For whoever wants to know what works on this machine."""
    told = Senses(tmp_path).tell()
    assert {*told} == {"battery", "idle", "load", "heat", "full screen", "programs"}
    assert all(reading.words for reading in told.values())
