"""Processor seconds and energy, by counters as the kernel lists them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.engine.ports import RoundCost
from core.sensors.energy import (
    LOOK_S,
    Counter,
    EnergyMeter,
    EnergyReading,
    between,
    meter_for,
    read_counters,
)


def zone(folder: Path, number: str, name: str, joules: int) -> None:
    made = folder / f"intel-rapl:{number}"
    made.mkdir()
    (made / "name").write_text(f"{name}\n", encoding="ascii")
    (made / "energy_uj").write_text(f"{joules}000000\n", encoding="ascii")
    (made / "max_energy_range_uj").write_text("262143000000\n", encoding="ascii")


def reading(own: float, busy: float, *joules: float) -> EnergyReading:
    counters = {str(n): Counter(joules=of, until=1_000.0) for n, of in enumerate(joules)}
    return EnergyReading(own, busy, counters, at=busy)  # one core is always busy


def test_packages_are_counted_and_not_their_parts(tmp_path: Path) -> None:
    """The cores of a package are in its figure already."""
    zone(tmp_path, "0", "package-0", 50)
    zone(tmp_path, "0:0", "core", 20)
    zone(tmp_path, "1", "package-1", 70)
    found = read_counters(tmp_path)
    assert [counter.joules for counter in found.values()] == [50.0, 70.0]
    assert {counter.until for counter in found.values()} == {262_143.0}


def test_counters_that_may_not_be_read_are_none(tmp_path: Path) -> None:
    """No folder, as on most systems, or one without figures."""
    assert read_counters(tmp_path / "nowhere") == {}
    zone(tmp_path, "0", "package-0", 50)
    (tmp_path / "intel-rapl:0" / "energy_uj").unlink()
    assert read_counters(tmp_path) == {}


@pytest.mark.parametrize(
    ("before", "now", "spent"),
    [
        (reading(1, 10, 0), reading(3, 14, 80), RoundCost(2, 40)),  # half of what was busy was ours
        (reading(1, 10, 0, 0), reading(3, 12, 80, 40), RoundCost(2, 120)),  # both packages
        (reading(1, 10, 900), reading(3, 12, 100), RoundCost(2, 200)),  # the counter began anew
        (reading(1, 10, 90), reading(1.25, 10.5, 80), RoundCost(0.25)),  # or after a sleep
        (reading(1, 10, 90, 0), reading(1.25, 10.5, 80, 7), RoundCost(0.25)),  # of one of two
        (reading(1, 10), reading(3, 12), RoundCost(2)),  # no counters
        (reading(1, 10), reading(3, 12, 80), RoundCost(2)),  # they may be read only now
        (reading(1, 10, 0), reading(3, 10, 80), RoundCost(2)),  # clocks that do not agree
        (reading(5, 10, 0), reading(3, 12, 80), RoundCost(0, 0)),  # a child ended
    ],
)
def test_a_share_of_the_energy_is_ours(
    before: EnergyReading, now: EnergyReading, spent: RoundCost
) -> None:
    """By processor seconds; without counters the seconds are told alone."""
    assert between(before, now) == spent


def test_a_graphics_card_is_not_counted() -> None:
    """What it takes is not known, so nothing is said of such a round."""
    assert meter_for("cuda").read() == meter_for("mps").read() == RoundCost()
    assert meter_for("cpu").read().processor_s is not None


def test_the_meter_counts_this_process() -> None:
    """Work between two readings takes processor seconds, and those before count once."""
    meter = EnergyMeter(os.getpid(), counters=dict)
    while (spent := meter.read()).processor_s == 0.0:  # the clock of a process is coarse
        sum(range(100_000))
    assert spent.processor_s is not None
    assert 0 < spent.processor_s < os.times().user + os.times().system
    assert spent.joules is None


def test_children_are_looked_for_once_in_a_while() -> None:
    """Each look reads a file of every process there is, and rounds may last a tenth of a second."""
    times = iter([0.0, 1.0, LOOK_S])
    meter = EnergyMeter(os.getpid(), counters=dict, clock=lambda: next(times))
    busy = "import os\nwhile os.times().user < 0.5: pass\nprint('done', flush=True)\ninput()"
    child = subprocess.Popen(  # noqa: S603 - a program of this test
        [sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        unseen, seen = meter.read().processor_s, meter.read().processor_s
        child.communicate(b"\n")
    assert unseen is not None
    assert seen is not None
    assert unseen < 0.5 <= seen


def test_a_system_that_refuses_at_first_is_asked_again() -> None:
    """Nothing is known of that round, nor of the next one, which has no beginning."""
    left = [PermissionError(), PermissionError()]

    def counters() -> dict[str, Counter]:
        if left:
            raise left.pop()
        return {}

    meter = EnergyMeter(os.getpid(), counters)
    assert [meter.read(), meter.read()] == [RoundCost(), RoundCost()]
    assert meter.read().processor_s is not None
