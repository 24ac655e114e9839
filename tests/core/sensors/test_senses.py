"""All sensors of this machine together."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.programs import plain_name
from core.governor.conditions import Conditions
from core.sensors.reading import softly
from core.sensors.senses import (
    LoadOfOthers,
    Senses,
    read_disk,
    read_memory,
    read_power,
    share_of_others,
)
from core.sensors.worked import Worked
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


def test_this_machine_tells_where_its_power_comes_from() -> None:
    """Battery, mains, or that it does not tell; always in words."""
    reading = read_power()
    assert reading.words
    if reading.value is not None:
        assert reading.value.on_battery is not None
        assert ("battery" if reading.value.on_battery else "mains") in reading.words


def test_this_machine_has_some_memory_and_disk_left(tmp_path: Path) -> None:
    """Both in bytes, and in words."""
    for reading in (read_memory(), read_disk(tmp_path)):
        assert reading.value is not None
        assert reading.value > 1 << 20
        assert "B of memory" in reading.words or "B are free" in reading.words


def test_a_folder_that_is_gone_is_no_reason_to_die(tmp_path: Path) -> None:
    """Its disk is unknown."""
    assert softly(lambda: read_disk(tmp_path / "nowhere")).value is None
    with pytest.raises(FileNotFoundError):
        read_disk(tmp_path / "nowhere")


seconds = st.floats(0, 1e9)


@pytest.mark.parametrize(
    ("now", "share"),
    [
        (Worked(total=110, busy=55, own=5), 0.5),
        (Worked(total=110, busy=60, own=10), 0.5),
        (Worked(total=110, busy=60, own=15), 0.0),
        (Worked(total=110, busy=60, own=4), 1.0),
        (Worked(total=100, busy=50, own=5), None),
    ],
)
def test_the_own_work_is_nobody_elses(now: Worked, share: float | None) -> None:
    """Ten seconds of all cores passed; what was busy and not ours is the others'."""
    assert share_of_others(Worked(total=100, busy=50, own=5), now) == share


@given(st.builds(Worked, seconds, seconds, seconds), st.builds(Worked, seconds, seconds, seconds))
def test_it_is_always_a_share(before: Worked, now: Worked) -> None:
    """Counters that jump, as they do when a child ends, make no nonsense."""
    share = share_of_others(before, now)
    assert share is None or 0 <= share <= 1


def test_a_system_that_says_nothing_at_first_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sensor that cannot be made would keep the whole node from starting."""
    with monkeypatch.context() as patch:

        def refuse() -> None:
            raise PermissionError(13, "Permission denied", "/proc/stat")

        patch.setattr(psutil, "cpu_times", refuse)
        load = LoadOfOthers()
    assert load.read().value is None
    value = load.read().value
    assert value is None or 0 <= value <= 1


def test_whoever_started_us_may_be_gone() -> None:
    """Then this process alone is what is ours."""
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    reading = LoadOfOthers(child.pid).read()
    assert reading.words
    assert reading.value is None or 0 <= reading.value <= 1
